"""The final quality of an arm, run by run, with the examples it was counted on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from statistics import fmean

from msgspec import Struct

from ....schemas.evidence import Evaluation, Quality, Target, Trial
from ...case import Side
from ...language.printed import span
from ..series.per_trial import same_options
from .convergence import NOT_A_SHARE, in_order, judged, metric_value

PERCENT = frozenset({"%", "percent", "pct", "per cent"})
LARGEST = 1e100
"""No quality is larger, and no sum of squares of what is smaller overflows."""


class FinalQuality(Struct, frozen=True):
    """The final quality of an arm; a metric in percent is given as a fraction.

    Attributes:
        metric: its name.
        higher: whether more is better; None where that is not stated.
        split: the split it was computed on.
        values: one for each training run; empty where only one number stands for all.
        centre: the mean of the values, else the stated number.
        half: half a unit of the last printed digit.
        examples: evaluated examples.
        counted: whether it is a share k/N of them; None where that is not stated.
        runs: training runs that are said to stand behind it, or are shown; at least the number of values.
        at: its place.
    """

    metric: str
    higher: bool | None
    split: str | None
    values: tuple[float, ...]
    centre: float
    half: float
    examples: int | None
    counted: bool | None
    runs: int
    at: str

    @property
    def complete(self) -> bool:
        """Whether the runs behind the number give their values all or none: a part of them would be a choice."""
        return len(self.values) in {0, self.runs}

    @property
    def share_of(self) -> int | None:
        """The number of examples of which it is a share, or None where it is none or they are not stated."""
        whole = self.counted is True and 0 <= self.centre <= 1
        return self.examples if whole else None


def stated_final(side: Side, quality: Quality) -> FinalQuality | None:
    """Return a declared quality: per seed as printed, else per run by its last evaluation, else the one number."""
    factor = 0.01 if is_percent(quality.unit) else 1.0
    last = _last_evaluations(side, quality)
    if quality.seeds:
        values = [float(text) * factor for text in quality.seeds.values()]
        half = max(_half(text) for text in quality.seeds.values()) * factor
    else:
        found = [item.metrics[quality.metric] for item in last if item.metrics.get(quality.metric) is not None]
        values = [float(value) * factor for value in found if value is not None]
        half = _half_of_column(found) * factor
    numbers = [*values, float(quality.value or 0)]
    if (quality.value is None and not values) or not all(usable(number) for number in numbers):
        return None
    if quality.value is not None:
        stated = float(quality.value) * factor
        if not values or not of_one_scale([stated], values, quality.metric):
            values, half = [], _half(quality.value) * factor
    centre = fmean(values) if values else float(quality.value or 0) * factor
    ended = sum(_ended(side, trial) for trial in side.arm.trials.values())
    return FinalQuality(
        metric=quality.metric,
        higher=None if quality.direction is None else quality.direction == "higher",
        split=quality.split,
        values=tuple(values),
        centre=centre,
        half=half,
        examples=quality.examples or _examples(last) or _size(side, quality.split),
        counted=quality.counted if quality.counted is not None else _is_counted(last, quality.metric),
        runs=max(len(values), _declared_runs(quality), ended),
        at=quality.at,
    )


def trained_final(side: Side, target: Target) -> FinalQuality | None:
    """Return the last value of a target's metric in every completed run of an arm that declares no quality."""
    runs = [trial for trial in side.arm.trials.values() if _ended(side, trial)]
    last = [log[-1] for trial in runs if (log := judged(trial, target))]
    values = [value for trial in runs if (value := _last_value(trial, target)) is not None]
    if not values or not all(usable(value) for value in values):
        return None
    return FinalQuality(
        metric=target.metric,
        higher=target.direction == "higher",
        split=last[0].split if len({item.split for item in last}) == 1 else None,
        values=tuple(values),
        centre=fmean(values),
        half=_half_of_column(values),
        examples=_examples(last),
        counted=_is_counted(last, target.metric),
        runs=len(runs),
        at=side.arm.place("trials"),
    )


def _last_value(trial: Trial, target: Target) -> float | None:
    """Return where a run ended: by its log, else as recorded."""
    log = judged(trial, target)
    if log:
        return metric_value(log[-1], target)
    recorded = trial.final.get(target.metric)
    return float(recorded) if recorded is not None and usable(float(recorded)) else None


def usable(value: float | None) -> bool:
    """Whether a value is a finite number that statistics can work with."""
    return value is not None and abs(value) < LARGEST


def is_percent(unit: str | None) -> bool:
    """Whether a unit is percent."""
    return unit is not None and unit.strip().casefold() in PERCENT


def of_one_scale(left: Sequence[float], right: Sequence[float], metric: str) -> bool:
    """Whether two groups of values can be of one scale: 0.761 beside 76.1 is a share beside a percentage."""
    if any(word in metric.casefold() for word in NOT_A_SHARE):
        return True
    ends = max(abs(value) for value in left), max(abs(value) for value in right)
    return not (min(ends) <= 1 < max(ends) <= 100)


def _ended(side: Side, trial: Trial) -> bool:
    return trial.kind == "convergence" and trial.outcome == "completed" and same_options(side, trial)


def _declared_runs(quality: Quality) -> int:
    n = quality.n
    return n.completed or 0 if n is not None and n.unit == "training_run" else 0


def _last_evaluations(side: Side, quality: Quality) -> list[Evaluation]:
    found = []
    for trial in side.arm.trials.values():
        of_split = (item for item in trial.evaluations if item.split == quality.split)
        on_split = [item for item in of_split if usable(item.metrics.get(quality.metric))]
        if on_split and _ended(side, trial):
            found.append(in_order(on_split)[-1])
    return found


def _half(printed: str) -> float:
    interval = span(printed)
    return float(interval.high - interval.low) / 2


def _half_of_column(values: Sequence[float | None]) -> float:
    """Return half a unit of the finest decimal of a column: JSON drops the zeros at the end of a number."""
    decimals = [-int(exponent) for value in values if value is not None for exponent in [_exponent(value)]]
    return 0.5 * 10.0 ** -max(decimals) if decimals else 0.0


def _exponent(value: float) -> int:
    exponent = Decimal(repr(float(value))).normalize().as_tuple().exponent
    return min(exponent, 0) if isinstance(exponent, int) else 0


def _examples(last: Sequence[Evaluation]) -> int | None:
    counts = {item.examples for item in last}
    return counts.pop() if len(counts) == 1 else None


def _size(side: Side, split: str | None) -> int | None:
    found = side.arm.splits.get(split or "")
    return found.examples or None if found is not None else None


def _is_counted(last: Sequence[Evaluation], metric: str) -> bool | None:
    """Whether the counted examples give the metric; None where no evaluation counts any."""
    shares = [
        (item.correct / item.examples, value)
        for item in last
        if item.correct is not None and item.examples and (value := item.metrics.get(metric)) is not None
    ]
    if not shares or not all(math.isfinite(value) for _, value in shares):
        return None
    return True if all(abs(share - value) < 1e-3 for share, value in shares) else None
