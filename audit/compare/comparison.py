"""Compares arms metric by metric, from one number per trial."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...rules.case import Case, Side
from ...rules.facts.comparison.arms import PerTrial, trial_values
from ...rules.statistics.two_arms import Contrast, Decision, Outcome, decide
from ...schemas.errors import UserError
from ...schemas.evidence import Arm, Metric, Trial
from .busy import Load, losses_of, weigh
from .differing import Differing
from .likeness import Likeness, likeness, same_measure
from .service import served_values
from .subject import Subject
from .unusable import reasons
from .windows import window_values

RATES = frozenset({"rate", "flops"})
TO_TARGET = (
    ("samples", "samples to target", "samples"),
    ("time_s", "time to target", "s"),
    ("wall_time_s", "wall time to target", "s"),
)
"""What a crossing tells, with the name and the unit of the metric."""
Scale = Literal["ratio", "difference"]


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms arms are compared."""

    margin: float = 0.05
    """Relative difference that does not matter: ratios from 1 / (1 + margin) to 1 + margin."""
    quality_margin: float = 0.005
    """Absolute difference of a quality metric that does not matter, in its own unit."""
    alpha: float = 0.05
    """Error of "better" or "worse" over all metrics."""
    vary: frozenset[str] = frozenset()
    """Keys of options that are meant to differ."""
    metrics: frozenset[str] = frozenset()
    """Names of the metrics to compare; all where empty."""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of two arms."""

    metric: str
    unit: str
    scale: Scale
    old: tuple[float, ...]
    """One value per trial, in the unit; inf for a run that never reached its target."""
    new: tuple[float, ...]
    more_is_better: bool
    trials: tuple[tuple[str, ...], tuple[str, ...]]
    """Ids of the trials or seeds behind the values of old and of new."""
    contrast: Contrast
    decision: Decision
    load: Load | None
    """What the trials lost to others; None where it is not known, or too little to matter."""


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """Two arms, with what differs between them and what can be said of each metric."""

    old: str
    new: str
    likeness: Likeness
    unlike: tuple[tuple[str, tuple[Differing, ...]], ...]
    """Metrics that are defined differently on both sides, with what differs."""
    without_values: tuple[tuple[str, str], ...]
    """Metrics of both sides whose trials give no numbers to compare, with the reason."""
    rows: tuple[Row, ...]
    sessions: str
    """What is to be said of when both sides were measured; empty where their trials were interleaved."""

    @property
    def outcome(self) -> Outcome | Literal["not comparable"]:
        """The answer for the pair: worse if any metric is, then what cannot be told, then better, then equivalent."""
        if self.likeness.work or not self.rows:
            return "not comparable"
        outcomes = {row.decision.outcome for row in self.rows}
        order: tuple[Outcome, ...] = ("worse", "cannot tell", "better", "equivalent")
        return next(outcome for outcome in order if outcome in outcomes)

    @property
    def answer(self) -> str:
        """The answer with what made it, where that is the machine."""
        busy = any(row.load is not None and row.load.explains for row in self.rows)
        return f"{self.outcome}: the machine was busy" if busy and self.outcome == "cannot tell" else self.outcome


@dataclass(frozen=True, slots=True)
class Measured:
    """One metric of two arms, not yet decided."""

    metric: str
    unit: str
    scale: Scale
    old: tuple[float, ...]
    new: tuple[float, ...]
    more_is_better: bool
    trials: tuple[tuple[str, ...], tuple[str, ...]]
    timed: bool = True
    """Whether the machine's load can change it: not a quality, nor a count of samples."""
    repeats: bool = False
    """Whether each trial measures the same once more; qualities and ways to a target differ by their seeds."""

    def contrast(self, terms: Terms) -> Contrast:
        """Return both sides on a scale on which differences count and more is better."""
        if self.scale == "difference":
            sign = 1 if self.more_is_better else -1
            new, old = ([sign * value for value in values] for values in (self.new, self.old))
            return Contrast(new, old, terms.quality_margin)
        new, old = ([_log(value, self.more_is_better) for value in values] for values in (self.new, self.old))
        return Contrast(new, old, math.log1p(terms.margin), self.repeats)


def compare(subjects: Sequence[Subject], terms: Terms) -> tuple[ArmComparison, ...]:
    """Compare every subject with the first, arm by arm; the arms of a single one with its first arm.

    Raises:
        UserError: no arm of one side has a partner on the other.
    """
    pairs = list(_pairs(subjects))
    likenesses = [likeness(old, new, terms.vary) for _, old, _, new in pairs]
    unlike = [tuple(_unlike(old.arm, new.arm, like)) for (_, old, _, new), like in zip(pairs, likenesses, strict=True)]
    measured = [
        [item for item in _metrics(left.case, old, right.case, new, like) if _wanted(item.metric, terms)]
        if not like.work
        else []
        for (left, old, right, new), like in zip(pairs, likenesses, strict=True)
    ]
    contrasts = [item.contrast(terms) for items in measured for item in items]
    decided = iter(zip(contrasts, decide(contrasts, terms.alpha), strict=True))
    return tuple(
        ArmComparison(
            _named(left, old),
            _named(right, new),
            like,
            differing,
            tuple(item for item in reasons(left.case, old, right.case, new) if _wanted(item[0], terms)),
            tuple(_row(item, *next(decided), old, new, terms) for item in items),
            _sessions(left, old, right, new),
        )
        for (left, old, right, new), like, differing, items in zip(pairs, likenesses, unlike, measured, strict=True)
    )


def _row(item: Measured, contrast: Contrast, decision: Decision, old: Side, new: Side, terms: Terms) -> Row:
    load = None
    if item.timed and all(item.trials):
        losses = losses_of(old, item.trials[0]), losses_of(new, item.trials[1])
        decision, load = weigh(contrast, decision, losses, terms.margin, terms.alpha)
    of_item = item.metric, item.unit, item.scale, item.old, item.new, item.more_is_better, item.trials
    return Row(*of_item, contrast, decision, load)


def _wanted(metric: str, terms: Terms) -> bool:
    return not terms.metrics or metric in terms.metrics


def _pairs(subjects: Sequence[Subject]) -> Iterator[tuple[Subject, Side, Subject, Side]]:
    first = subjects[0]
    if len(subjects) == 1:
        base, *others = first.arms.values()
        if not others:
            raise UserError("it holds only one arm", "name a second study, or measure two arms", first.name)
        yield from ((first, base, first, other) for other in others)
    for other in subjects[1:]:
        if first.origin == other.origin and first.arms.keys() & other.arms.keys():
            raise UserError(
                "these are the same trials as the first ones", "name another, or its arms as PATH@ARM", other.name
            )
        yield from ((first, old, other, new) for old, new in _partners(first, other))


def _partners(first: Subject, other: Subject) -> list[tuple[Side, Side]]:
    shared = [(first.arms[name], side) for name, side in other.arms.items() if name in first.arms]
    if not shared and len(first.arms) == len(other.arms) == 1:
        return [(next(iter(first.arms.values())), next(iter(other.arms.values())))]
    if not shared:
        names = f"{', '.join(first.arms)} there and {', '.join(other.arms)} here"
        raise UserError(f"no arm has the same name: {names}", "name one of each as PATH@ARM", other.name)
    return shared


def _named(subject: Subject, side: Side) -> str:
    arm = side.id.rpartition(":")[2]
    return subject.name if subject.name.endswith(f"@{arm}") else f"{subject.name}@{arm}"


def _metrics(old_case: Case, old: Side, new_case: Case, new: Side, like: Likeness | None = None) -> Iterator[Measured]:
    unlike = {name for name, _ in _unlike(old.arm, new.arm, like)}
    for name, metric in old.arm.performance.items():
        other = new.arm.performance.get(name)
        if other is None or name in unlike or _is_inverse(metric, old.arm):
            continue
        values = _by_trial(metric, other)
        left, right = values(old_case, old, metric, False), values(new_case, new, other, False)
        if left is not None and right is not None:
            trials = left.trials, right.trials
            sides = left.values, right.values
            yield Measured(name, metric.unit, "ratio", *sides, left.more_is_better, trials, repeats=True)
    yield from _to_target(old.arm, new.arm)
    yield from _qualities(old.arm, new.arm)


def _by_trial(metric: Metric, other: Metric) -> Callable[[Case, Side, Metric, bool], PerTrial | None]:
    """Return what gives the values of a metric trial by trial: its requests, its whole windows, or medians of steps."""
    if metric.column is None:
        return served_values
    return window_values if metric.wall_s and other.wall_s else trial_values


def _is_inverse(metric: Metric, arm: Arm) -> bool:
    """Whether a time is that of the iterations of a rate: the same numbers once more."""
    rates = {other.column for other in arm.performance.values() if other.quantity in RATES}
    return metric.quantity == "time" and metric.column in rates and metric.summary is not None


def measured_alone(case: Case, side: Side) -> Iterator[Measured]:
    """Yield every metric of one arm, as if compared with itself."""
    return _metrics(case, side, case, side)


def _unlike(old: Arm, new: Arm, like: Likeness | None) -> Iterator[tuple[str, tuple[Differing, ...]]]:
    varied = frozenset(item.what for item in like.varied) if like is not None else frozenset[str]()
    for name, metric in old.performance.items():
        other = new.performance.get(name)
        if other is not None and (found := same_measure(metric, other, varied)):
            yield name, found


def _to_target(old: Arm, new: Arm) -> Iterator[Measured]:
    """Yield samples and times to the same target; a run that did not get there, or failed, took infinitely long."""
    targets = [(arm.target.metric, arm.target.value, arm.target.direction) for arm in (old, new) if arm.target]
    if len(targets) != 2 or targets[0] != targets[1]:
        return
    runs = [{name: trial for name, trial in arm.trials.items() if trial.kind == "convergence"} for arm in (old, new)]
    ids = tuple(runs[0]), tuple(runs[1])
    for field, name, unit in TO_TARGET:
        left, right = (_crossings(trials.values(), field) for trials in runs)
        if left is not None and right is not None:
            yield Measured(name, unit, "ratio", left, right, False, ids, unit == "s")


def _crossings(trials: Iterable[Trial], name: str) -> tuple[float, ...] | None:
    values = []
    for trial in trials:
        missed = trial.outcome != "completed" or (trial.crossing is not None and not trial.crossing.reached)
        value = math.inf if missed else getattr(trial.crossing, name, None)
        if value is None or value <= 0:
            return None
        values.append(float(value))
    return tuple(values) or None


def _qualities(old: Arm, new: Arm) -> Iterator[Measured]:
    for name, quality in old.quality.items():
        other = new.quality.get(name)
        if other is None or not quality.seeds or not other.seeds or quality.direction is None:
            continue
        same = [(item.metric, item.split, item.unit, item.direction) for item in (quality, other)]
        if same[0] == same[1]:
            left, right = (tuple(float(text) for text in item.seeds.values()) for item in (quality, other))
            higher, seeds = quality.direction == "higher", (tuple(quality.seeds), tuple(other.seeds))
            yield Measured(name, quality.unit or "", "difference", left, right, higher, seeds, False)


def _sessions(left: Subject, old: Side, right: Subject, new: Side) -> str:
    if left.origin == right.origin:
        return _one_after_the_other(old.arm, new.arm)
    starts = [
        min((trial.started for trial in side.arm.trials.values() if trial.started), default="") for side in (old, new)
    ]
    when = f" ({starts[0]} and {starts[1]})" if all(starts) else ""
    return f"measured in two sessions{when}: what changed of the machine between them is part of the difference"


def _one_after_the_other(old: Arm, new: Arm) -> str:
    orders = [[trial.order for trial in arm.trials.values() if trial.outcome == "completed"] for arm in (old, new)]
    first, second = ([place for place in places if place is not None] for places in orders)
    if min(len(first), len(second)) < 2 or [len(first), len(second)] != [len(places) for places in orders]:
        return ""
    if min(first) <= max(second) and min(second) <= max(first):
        return ""
    return "measured one after the other: what changed of the machine meanwhile is part of the difference"


def _log(value: float, more: bool) -> float:
    if value in (0.0, math.inf):
        return -math.inf if more is (value == 0.0) else math.inf
    return math.log(value) if more else -math.log(value)
