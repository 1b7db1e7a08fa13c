"""Phases of a step or a request: their usual names, what a claim's scope holds, and how often they fit a wall time."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ....schemas.evidence import Measurement, Metric
from ...case import Side
from ...language.lexicon import classes
from ...language.reading import read

PAUSES = frozenset({"evaluation", "checkpoint"})
WITHOUT_PAUSES = frozenset({"step", "request"})
WITHIN_A_STEP = frozenset({"data", "h2d", "forward", "backward", "communication", "optimizer", "network"})


def stages(measurement: Measurement) -> tuple[str, ...]:
    """Return the excluded phases that are stages of a training, as printed: stretches of it, no parts of a step."""
    known = PAUSES | WITHIN_A_STEP
    return tuple(name for name in measurement.excluded_phases if phase(name) not in known and names_a_stage(name))


def names_a_stage(text: str) -> bool:
    """Whether a text names a stage of a training: "step 3", "the compression stage", "fine-tuning"."""
    return read(text).has("stage_of_training", affirmed=False)


def phase(name: str) -> str:
    """Return the usual name of a phase."""
    plain = "_".join(name.casefold().replace("/", " ").replace("-", " ").split())
    return classes("phases").get(plain, plain)


def times(measurement: Measurement) -> dict[str, float]:
    """Return the seconds per iteration by phase."""
    found: dict[str, float] = {}
    for name, seconds in measurement.phases_s.items():
        found[phase(name)] = found.get(phase(name), 0.0) + seconds
    return found


def excluded(measurement: Measurement, scope: str) -> tuple[str, ...]:
    """Return the phases outside the clock that belong to a scope: a step and a request hold no pauses."""
    names = dict.fromkeys(phase(name) for name in measurement.excluded_phases)
    return tuple(name for name in names if not (name in PAUSES and scope in WITHOUT_PAUSES))


def iteration_counts(side: Side, metric: Metric | None) -> tuple[int, ...]:
    """Return the iterations that a stated wall time may span: one, those of one trial, those of all trials."""
    measurement = side.arm.measurement
    counts: set[int | None] = {measurement.raw_count, measurement.used_count} if measurement is not None else set()
    if metric is not None and metric.n is not None and metric.n.unit == "iteration":
        counts |= {metric.n.planned, metric.n.completed}
    known = {count for count in counts if count}
    return tuple(sorted({1, *known, *(count * trial_count(side, metric) for count in known)}))


def trial_count(side: Side, metric: Metric | None) -> int:
    """Return the throughput trials behind a number; one where that is not known."""
    held = sum(trial.kind == "throughput" for trial in side.arm.trials.values())
    stated = metric.trials if metric is not None else None
    return max(held, stated or 1, 1)


def nearest(shares: Iterable[float]) -> float | None:
    """Return the share of a wall time that lies nearest to the whole; None where there is none above 0."""
    return min((share for share in shares if share > 0), key=lambda share: abs(math.log(share)), default=None)
