"""Target-reaching runs, and which points of a scaling claim they cover."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from operator import attrgetter, itemgetter

from msgspec import Struct

from ....schemas.evidence import Evaluation, Quality, Target, Trial
from ....schemas.submission import Claim
from ...caching import fact, remembered_of_parts
from ...case import Case, Side
from ..comparison.options import Comparison, Same, compare_flat, flat
from ..comparison.points import Point
from ..quantities.numbers import finite

HELD_OUT = frozenset({"test", "official_val", "held_out"})
_COUNTERS = tuple(map(attrgetter, ("samples", "step", "epoch", "time_s")))
NOT_A_SHARE = ("loss", "perplexity", "entropy", "bits", "nll", "fid", "reward", "return")


class TargetRun(Struct, frozen=True):
    """A training run, or a stated quality, that reached its target.

    Attributes:
        side: the arm.
        trial: id of the run; None where only the arm's quality is stated.
        at: its place.
        samples: training samples at the first crossing, where known.
        time_s: training time at the first crossing, where known.
        step: optimizer step at the first crossing, where known.
    """

    side: Side
    trial: str | None
    at: str
    samples: float | None = None
    time_s: float | None = None
    step: int | None = None


def meets(value: float | Decimal, target: Target) -> bool:
    """Whether a value meets a target in the target's direction; NaN never does."""
    if isinstance(value, float):
        # what floating point tells apart lies in that order: each is nearest to the number that is printed
        near = float(target.value)
        if value > near:
            return target.direction == "higher"
        if value < near:
            return target.direction != "higher"
    bound = Decimal(target.value)
    number = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    if number.is_nan():
        return False
    return number >= bound if target.direction == "higher" else number <= bound


def metric_value(evaluation: Evaluation, target: Target) -> float | None:
    """Return the value of the target's metric in an evaluation, or None where it is not there or not finite."""
    value = evaluation.metrics.get(target.metric)
    return value if finite(value) else None


def scale_differs(values: Iterable[float], target: Target) -> bool:
    """Whether values and target look like a share and a percentage of the same thing: 0.759 beside 75.9.

    Both readings cannot be told apart without units, so that neither "reached" nor "missed" is proved. An error may
    begin above 1, as the rate of wrong words does: its log is in percent where it never falls to 1.
    """
    if any(word in target.metric.casefold() for word in NOT_A_SHARE):
        return False
    given, bound = [abs(value) for value in values], abs(float(target.value))
    if not given:
        return False
    least = min(given) if target.direction == "lower" else max(given)
    return (max(given) <= 1 < bound <= 100) or (0 < bound <= 1 < least and max(given) <= 100)


@remembered_of_parts(2000)
def judged(trial: Trial, target: Target) -> tuple[Evaluation, ...]:
    """Return the evaluations that judge a run, in the order of their counter.

    Those with a finite value of the target's metric on held-out data; where there are none, those on any split that
    the run was not trained on.
    """
    kept = [item for item in trial.evaluations if metric_value(item, target) is not None]
    held_out = [item for item in kept if item.split in HELD_OUT]
    return in_order(held_out or [item for item in kept if item.split != "train"])


def in_order(evaluations: Iterable[Evaluation]) -> tuple[Evaluation, ...]:
    """Return evaluations in the order of the first counter that all of them carry; else as they stand."""
    given = tuple(evaluations)
    for counter in _COUNTERS:
        counts = list(map(counter, given))
        if given and None not in counts:
            return tuple(item for _, item in sorted(zip(counts, given, strict=True), key=itemgetter(0)))
    return given


@remembered_of_parts(2000)
def judged_values(trial: Trial, target: Target) -> tuple[float, ...]:
    """Return the values of the evaluations that judge a run, in the order of their counter."""
    return tuple(value for item in judged(trial, target) if (value := metric_value(item, target)) is not None)


@remembered_of_parts(2000)
def first_crossing(trial: Trial, target: Target) -> Evaluation | None:
    """Return the first evaluation that meets the target, or None: it was not reached, or the scale is not clear."""
    run, values = judged(trial, target), judged_values(trial, target)
    if scale_differs(values, target):
        return None
    return next((item for item, value in zip(run, values, strict=True) if meets(value, target)), None)


def target_runs(case: Case, claim: Claim | None = None) -> tuple[TargetRun, ...]:
    """Return every target-reaching run of the document: by its curve, its recorded crossing, or its stated quality.

    The target is the claim's where it states one, else the arm's own.
    """
    return _target_runs(case, claim.target if claim is not None else None)


@fact
def _target_runs(case: Case, stated: Target | None) -> tuple[TargetRun, ...]:
    return tuple(run for side in case.sides() for run in runs_of(side, stated or side.arm.target))


@remembered_of_parts(2000)
def runs_of(side: Side, target: Target | None) -> tuple[TargetRun, ...]:
    """Return the runs of an arm that reached a target; its stated quality only where no run of it is shown."""
    if target is None:
        return tuple(_by_reference(side))
    shown = False
    found = []
    for name, trial in side.arm.trials.items():
        if trial.evaluations or trial.crossing is not None or target.metric in trial.final:
            shown = True
            run = _of_trial(side, name, trial, target)
            found += [run] if run is not None else []
    if not shown:
        found += [
            TargetRun(side, None, quality.at)
            for quality in side.arm.quality.values()
            if quality.metric == target.metric and _stated_value_meets(quality, target)
        ]
    return tuple(found)


def _of_trial(side: Side, name: str, trial: Trial, target: Target) -> TargetRun | None:
    if trial.evaluations:
        crossing = first_crossing(trial, target)
        if crossing is not None:
            return TargetRun(side, name, trial.at, crossing.samples, crossing.time_s, crossing.step)
        return None
    if trial.crossing is not None:
        if not trial.crossing.reached or not implies(side.arm.target, target):
            return None
        return TargetRun(side, name, trial.at, trial.crossing.samples, trial.crossing.time_s, trial.crossing.step)
    value = Decimal(trial.final[target.metric])
    reached = not scale_differs([float(value)], target) and meets(value, target)
    return TargetRun(side, name, trial.at) if reached else None


def implies(stricter: Target | None, target: Target) -> bool:
    """Whether what meets one target (none: the only one there is) meets another one, too."""
    if stricter is None:
        return True
    same = stricter.metric == target.metric and stricter.direction == target.direction
    return same and meets(Decimal(stricter.value), target)


def _stated_value_meets(quality: Quality, target: Target) -> bool:
    if quality.value is None or quality.split not in HELD_OUT:
        return False
    value = Decimal(quality.value)
    return not scale_differs([float(value)], target) and meets(value, target)


def _by_reference(side: Side) -> Iterable[TargetRun]:
    """Without a target, a quality that the document itself sets beside the reference it must reach is one."""
    for quality in side.arm.quality.values():
        if quality.reference is not None and quality.direction is not None:
            target = Target(metric=quality.metric, value=quality.reference, direction=quality.direction)
            if _stated_value_meets(quality, target):
                yield TargetRun(side, None, quality.at)


class Cover(Struct, frozen=True):
    """How the target-reaching runs relate to one point.

    Attributes:
        answer: EQUAL where a run covers the point; DIFFERENT where every run is known to differ; else UNKNOWN.
        run: the run that covers it, or the nearest candidate; None where no run reached a target.
        comparison: the option comparison with that run.
    """

    answer: Same
    run: TargetRun | None
    comparison: Comparison | None

    @property
    def covered(self) -> bool:
        """Whether a run covers the point."""
        return self.answer is Same.EQUAL


@fact
def cover(case: Case, point: Point, runs: tuple[TargetRun, ...]) -> Cover:
    """Return whether target-reaching runs cover a point.

    A run covers it that is EQUAL in all HARD and STAT options, or that differs in nothing but a global batch at least
    as large: what converges with larger batches converges with smaller ones.
    """
    by_arm = {run.side.id: compare_with(point, run) for run in {run.side.id: run for run in runs}.values()}
    compared = [(run, by_arm[run.side.id]) for run in runs]
    answers = [(_answer(point, run, comparison), run, comparison) for run, comparison in compared]
    for wanted in (Same.EQUAL, Same.UNKNOWN, Same.DIFFERENT):
        found = [item for item in answers if item[0] is wanted]
        if found:
            return Cover(*max(found, key=lambda item: (-len(item[2].unknown), batch_of(item[1]) or 0)))
    return Cover(Same.UNKNOWN, None, None)


def _answer(point: Point, run: TargetRun, comparison: Comparison) -> Same:
    batch = batch_of(run)
    only_batch = {key for key, _, _ in comparison.differing("HARD", "STAT")} == {"global_batch"}
    if not only_batch or batch is None or point.global_batch is None or batch < point.global_batch:
        return comparison.stat()
    rest = comparison.without("global_batch")
    return rest.stat()


def compare_with(point: Point, run: TargetRun) -> Comparison:
    """Compare a point with a run; the same arm or the same digest is one option set."""
    same_arm = point.side is not None and point.side.id == run.side.id and point.is_arm
    if same_arm or (point.digest is not None and point.digest == run.side.arm.option_set):
        return Comparison((), (), (), one=True)
    return compare_flat(point.options, flat(run.side.arm.options))


def batch_of(run: TargetRun) -> int | None:
    """Return the global batch that a run trained with, or None where it is not known."""
    batch = flat(run.side.arm.options).get("global_batch")
    return batch if isinstance(batch, int) else None
