"""The claimed metric, trial by trial, as the document's own data give it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from statistics import fmean

from msgspec import Struct

from ....schemas.evidence import Quality, Target, Trial
from ....schemas.submission import Claim
from ...case import Case, Side
from ...statistics.intervals import median
from ...words import target_of
from ..comparison.options import Same, compare
from ..quantities.numbers import PERCENT
from ..quantities.per_second import seconds
from ..quantities.performance import more_is_better, transform
from ..training.convergence import HELD_OUT, first_crossing, in_order, judged_values, metric_value, scale_differs
from .raw_numbers import candidates, samples_of


class PerTrial(Struct, frozen=True):
    """A claimed metric per trial, in the claim's unit.

    Attributes:
        n: number of trials.
        best: the best trial: by its median and, for raw numbers, by its mean.
        centres: the intervals in which a mean or median over the trials may lie, one for each usual way to form it.
        at: place of the trials.
        listed: whether the publication prints the value of every trial.
    """

    n: int
    best: tuple[float, ...]
    centres: tuple[tuple[float, float], ...]
    at: str
    listed: bool = False


def per_trial(claim: Claim, case: Case) -> PerTrial | None:
    """Return a claim's metric per trial, or None where the trials do not give it."""
    side = case.subject(claim)
    if claim.quantity == "accuracy":
        return _quality(claim, case)
    if side is None:
        return None
    if claim.scope == "training_run" and claim.quantity == "time":
        return _times_to_target(claim, case, side)
    return _performance(claim, case, side)


def same_options(side: Side, trial: Trial) -> bool:
    """Whether nothing that was observed in a trial contradicts its arm's HARD and STAT options."""
    return trial.observed is None or compare(side.arm.options, trial.observed).stat() is not Same.DIFFERENT


def _performance(claim: Claim, case: Case, side: Side) -> PerTrial | None:
    metric = case.metric(claim.measured)
    if metric is None or _plain(claim.unit) != _plain(metric.unit):
        return None
    how, found = transform(metric), samples_of(case, side, metric)
    higher = more_is_better(metric.quantity, metric.unit)
    if how is None or not how.unit_known or found is None or not found.complete or higher is None:
        return None
    if not all(same_options(side, side.arm.trials[name]) for name in found.trials):
        return None
    pick = max if higher else min
    by_trial = [[how.value(value) for value in values] for values in (found.medians, found.means)]
    centres = [
        (min(ends), max(ends))
        for statistic in ("mean", "median")
        for low, high in candidates(found, statistic)
        if (ends := (how.value(low), how.value(high)))
    ]
    centres += [(value, value) for values in by_trial for value in (fmean(values), median(values))]
    best = tuple(pick(values) for values in by_trial)
    return PerTrial(len(found.trials), best, tuple(centres), found.at)


def _times_to_target(claim: Claim, case: Case, side: Side) -> PerTrial | None:
    unit, target = seconds(claim.unit), target_of(claim, case)
    if unit is None or not isinstance(target, Target):
        return None
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and same_options(side, trial)]
    if any(_gapped(trial, target) for trial in runs):
        return None
    times = [time / float(unit) for trial in runs if (time := time_to_target(trial, target)) is not None]
    return _of(times, lower_is_better=True, at=side.arm.place("trials"))


def _gapped(trial: Trial, target: Target) -> bool:
    """Whether some evaluations on held-out data carry the target's metric and others do not: one may have met it."""
    held_out = [metric_value(item, target) is None for item in trial.evaluations if item.split in HELD_OUT]
    return any(held_out) and not all(held_out)


def time_to_target(trial: Trial, target: Target) -> float | None:
    """Return the training time at a run's first crossing, in seconds.

    Infinite for a run that missed the target; None where the run does not tell.
    """
    values = judged_values(trial, target)
    if scale_differs(values, target):
        return None
    crossing, recorded = first_crossing(trial, target), trial.crossing
    if crossing is not None and crossing.time_s is not None:
        return crossing.time_s
    if recorded is not None and recorded.reached:
        return recorded.time_s
    missed = crossing is None and (bool(values) or recorded is not None)
    return math.inf if missed else None


def _quality(claim: Claim, case: Case) -> PerTrial | None:
    found = _stated_quality(claim, case)
    if found is None:
        return None
    side, quality = found
    if quality.seeds:
        values, at = [float(Decimal(text)) for text in quality.seeds.values()], quality.place("seeds")
    else:
        values, at = _finals(side, quality), side.arm.place("trials")
    if values and claim.unit in PERCENT and not _one_scale(values, claim.value):
        values = [float(100 * Decimal(repr(value))) for value in values]
    if not values or not _one_scale(values, claim.value):
        return None
    return _of(values, lower_is_better=quality.direction == "lower", at=at, listed=bool(quality.seeds))


def _stated_quality(claim: Claim, case: Case) -> tuple[Side, Quality] | None:
    side, quality = case.side(claim.quality) or case.subject(claim), case.quality(claim.quality)
    if side is None:
        return None
    if quality is None:
        named = [item for item in side.arm.quality.values() if item.metric == claim.metric]
        quality = named[0] if len(named) == 1 else None
    return (side, quality) if quality is not None and quality.direction is not None else None


def _finals(side: Side, quality: Quality) -> list[float]:
    """Return the last value of every completed run on the split of a stated quality."""
    found: list[float] = []
    for trial in side.arm.trials.values():
        if trial.kind != "convergence" or trial.outcome != "completed" or not same_options(side, trial):
            continue
        kept = [item for item in trial.evaluations if item.split == quality.split]
        value = in_order(kept)[-1].metrics.get(quality.metric) if kept else None
        if value is None and quality.metric in trial.final:
            value = float(Decimal(trial.final[quality.metric]))
        if value is not None and math.isfinite(value):
            found.append(value)
    return found


def _one_scale(values: Sequence[float], printed: str | None) -> bool:
    """Whether a printed value and trial values are of one scale: 76.1 beside 0.761 is a percentage beside a share."""
    claimed, largest = abs(float(Decimal(printed))) if printed is not None else 0.0, max(abs(item) for item in values)
    return largest > 0 and 0.2 < claimed / largest < 5


def _of(values: Sequence[float], *, lower_is_better: bool, at: str, listed: bool = False) -> PerTrial | None:
    if not values:
        return None
    best = min(values) if lower_is_better else max(values)
    centres = tuple((value, value) for value in (fmean(values), median(values)))
    return PerTrial(len(values), (best,), centres, at, listed)


def _plain(text: str | None) -> str:
    return (text or "").strip().casefold()
