"""Target-reaching runs, and which points of a scaling claim they cover."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Evaluation, Target, Trial
from ..case import Case, Side
from .numbers import finite
from .options import Comparison, Same, compare_flat, flat
from .points import Point


class TargetRun(Struct, frozen=True):
    """A training run, or a stated quality, that reached its target.

    Attributes:
        side: the arm.
        trial: id of the run; None where only the arm's quality is stated.
        at: its place.
        samples: training samples at the first crossing, where known.
        time_s: training time at the first crossing, where known.
    """

    side: Side
    trial: str | None
    at: str
    samples: float | None = None
    time_s: float | None = None


HELD_OUT = frozenset({"test", "official_val", "held_out"})


def meets(value: float, target: Target) -> bool:
    """Whether a value meets a target in the target's direction."""
    bound = float(target.value)
    return value >= bound if target.direction == "higher" else value <= bound


def metric_value(evaluation: Evaluation, target: Target) -> float | None:
    """Return the value of the target's metric in an evaluation, or None where it is not there or not finite."""
    value = evaluation.metrics.get(target.metric)
    return value if finite(value) else None


def first_crossing(trial: Trial, target: Target) -> Evaluation | None:
    """Return the first held-out evaluation that meets the target, in the order of the run."""
    for evaluation in trial.evaluations:
        value = metric_value(evaluation, target)
        if evaluation.split in HELD_OUT and value is not None and meets(value, target):
            return evaluation
    return None


def target_runs(case: Case) -> tuple[TargetRun, ...]:
    """Return every target-reaching run of the document: by its curve, its recorded crossing, or its stated quality."""
    return tuple(run for side in case.sides() for run in _of_side(side))


def _of_side(side: Side) -> Iterable[TargetRun]:
    target = side.arm.target
    if target is None:
        return
    found = False
    for name, trial in side.arm.trials.items():
        crossing = first_crossing(trial, target) if trial.evaluations else None
        if crossing is not None:
            found = True
            yield TargetRun(side, name, trial.at, crossing.samples, crossing.time_s)
        elif not trial.evaluations and trial.crossing is not None and trial.crossing.reached:
            found = True
            yield TargetRun(side, name, trial.at, trial.crossing.samples, trial.crossing.time_s)
    if found or any(trial.evaluations for trial in side.arm.trials.values()):
        return
    for quality in side.arm.quality.values():
        if quality.metric == target.metric and quality.split in HELD_OUT and quality.value is not None:
            value = Decimal(quality.value)
            bound = Decimal(target.value)
            if value >= bound if target.direction == "higher" else value <= bound:
                yield TargetRun(side, None, quality.at)


class Cover(Struct, frozen=True):
    """How the target-reaching runs relate to one point.

    Attributes:
        covered: whether a run of equal statistics exists, or runs at a larger batch or on both sides of the point's.
        run: the run that covers it, or the nearest candidate.
        comparison: the option comparison with that run.
    """

    covered: bool
    run: TargetRun | None
    comparison: Comparison | None


def cover(point: Point, runs: tuple[TargetRun, ...]) -> Cover:
    """Return whether target-reaching runs cover a point (fact "covered point")."""
    compared = [(run, _compare(point, run)) for run in runs]
    for run, comparison in compared:
        if comparison.stat() is Same.EQUAL:
            return Cover(True, run, comparison)
    larger = [
        item for item in compared if _only_batch_differs(item[1]) and _batch(item[0]) >= (point.global_batch or 0)
    ]
    if larger and point.global_batch is not None:
        return Cover(True, *larger[0])
    open_ones = [item for item in compared if item[1].stat() is Same.UNKNOWN]
    nearest = open_ones or compared
    return Cover(False, *nearest[0]) if nearest else Cover(False, None, None)


def _compare(point: Point, run: TargetRun) -> Comparison:
    if point.side is not None and point.side.id == run.side.id and point.row is None:
        return Comparison((), (), (), one=True)
    if point.digest is not None and point.digest == run.side.arm.option_set:
        return Comparison((), (), (), one=True)
    return compare_flat(point.options, flat(run.side.arm.options))


def _only_batch_differs(comparison: Comparison) -> bool:
    keys = {key for key, _, _ in comparison.differing("HARD", "STAT")}
    return keys == {"global_batch"}


def _batch(run: TargetRun) -> int:
    batch = flat(run.side.arm.options).get("global_batch")
    return batch if isinstance(batch, int) else 0
