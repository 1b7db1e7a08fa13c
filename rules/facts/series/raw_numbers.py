"""Raw numbers of a metric, per trial, and every usual way to make one number of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

from msgspec import Struct

from ....schemas.evidence import Metric, Trial
from ...caching import fact
from ...case import Case, Side
from ...statistics.intervals import geometric_mean, median

Low = float
High = float
SMALLEST, LARGEST = 1e-100, 1e100
"""What lies beyond is no measurement in any unit, and its square is no number."""


class Samples(Struct, frozen=True):
    """Raw numbers of one column of an arm.

    Attributes:
        column: the column.
        trials: trial ids.
        values: values per trial, in ascending order, positive and finite; no trial is empty.
        pooled: all of them, in ascending order.
        at: place of the trials.
        complete: whether every completed trial holds the column.
        sums: sum of every trial, where it was computed.
        cut: the same without the declared warm-up, where every series is longer than planned by just that.
    """

    column: str
    trials: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    pooled: tuple[float, ...]
    at: str
    complete: bool
    cut: Samples | None = None
    sums: tuple[float, ...] = ()

    @property
    def means(self) -> tuple[float, ...]:
        """The mean of every trial."""
        sums = self.sums or tuple(map(math.fsum, self.values))
        return tuple(total / len(values) for total, values in zip(sums, self.values, strict=True))

    @property
    def medians(self) -> tuple[float, ...]:
        """The median of every trial."""
        return tuple(sum(_middle(values)) / 2 for values in self.values)


def samples_of(case: Case, side: Side, metric: Metric) -> Samples | None:
    """Return the raw numbers that a metric names as its source, or None where there are none that can be used."""
    return samples(case, side, metric.column) if metric.column is not None else None


@fact
def samples(case: Case, side: Side, column: str) -> Samples | None:
    """Return the raw numbers of a column; None where no completed trial holds any that can be used.

    A trial with a number that is not finite or above 0, or is no measurement at all, is left out, and the rest counts
    as incomplete: one such number takes no other away.
    """
    completed = {name: trial for name, trial in side.arm.trials.items() if trial.outcome == "completed"}
    rows = {name: columns.get(column, ()) for name, columns in raw(case, side) if name in completed}
    rows = {name: row for name, row in rows.items() if len(row) and _usable(row)}
    whole = {name for name, trial in completed.items() if trial.kind == side.timed_kind} <= set(rows)
    warm = [warmup_inside(completed[name], len(row)) for name, row in rows.items()]
    shorter = {name: row[skipped:] for (name, row), skipped in zip(rows.items(), warm, strict=True)}
    cut = _samples(column, side, shorter, whole, None) if rows and all(warm) else None
    return _samples(column, side, rows, whole, cut)


@fact
def samples_with_failed(case: Case, side: Side, column: str) -> Samples | None:
    """Return the raw numbers of a column with those of trials that did not complete; None where these hold none."""
    rows = {name: columns.get(column, ()) for name, columns in raw(case, side)}
    rows = {name: row for name, row in rows.items() if len(row)}
    if all(side.arm.trials[name].outcome == "completed" for name in rows):
        return None
    return _samples(column, side, rows, True, None)


def without_ends(found: Samples, count: int) -> tuple[Samples, Samples]:
    """Return raw numbers as one series without so many of the largest, and without so many of the smallest."""
    low, high = (
        Samples(found.column, ("",), (values,), values, found.at, found.complete)
        for values in (found.pooled[: len(found.pooled) - count], found.pooled[count:])
    )
    return low, high


def _samples(
    column: str, side: Side, rows: Mapping[str, Sequence[float]], whole: bool, cut: Samples | None
) -> Samples | None:
    values = tuple(_ascending(row) for row in rows.values())
    if not values:
        return None
    pooled = tuple(sorted(chain.from_iterable(values)))
    sums = tuple(map(math.fsum, values))
    return Samples(column, tuple(rows), values, pooled, side.arm.place("trials"), whole, cut, sums)


def warmup_inside(trial: Trial, length: int) -> int:
    """Return the warm-up iterations that a series of raw numbers begins with, by its length; 0 where they lie apart."""
    planned, warmup = trial.iterations_planned, trial.warmup
    return warmup if planned and warmup and length == planned + warmup else 0


@fact
def raw(case: Case, side: Side) -> tuple[tuple[str, dict[str, Sequence[float]]], ...]:
    """Return the raw columns of every timed trial that holds some, read once."""
    return tuple((name, dict(columns)) for name, _, columns in side.raw())


def _usable(row: Sequence[float]) -> bool:
    ascending = _ascending(row)
    return SMALLEST < ascending[0] <= ascending[-1] < LARGEST


def _ascending(values: Sequence[float]) -> tuple[float, ...]:
    # A comparison with NaN is false, so a series that holds one is not ordered; the sum finds it in one pass.
    if None in values or not math.isfinite(sum(values)):
        return (math.nan,)
    return tuple(map(float, sorted(values)))


def candidates(found: Samples, statistic: str, percent: float | None = None) -> tuple[tuple[Low, High], ...]:
    """Return the intervals in which a statistic of raw numbers may lie, one for each usual way to compute it.

    Over all iterations, and over trials: the mean, median or geometric mean of their means or medians. A median lies
    between the two middle values; a percentile between the order statistics that the nine usual definitions use
    (Hyndman & Fan 1996). Empty for a statistic that is not known (trimmed mean, unspecified).
    """
    means, medians = found.means, found.medians
    over_trials = tuple(_point(combined) for values in (means, medians) for combined in _combined(values))
    if statistic == "mean":
        pooled = math.fsum(mean * len(values) for mean, values in zip(means, found.values, strict=True))
        return (_point(pooled / len(found.pooled)), _point(_harmonic(found.pooled)), *over_trials)
    if statistic == "median":
        # The median of an even number of rates is no rate of the median time: it lies between the two middle ones.
        return (_middle(found.pooled), _middle(sorted(medians)), _middle(sorted(means)), *over_trials)
    if statistic in {"min", "max", "best_of"}:
        pick = max if statistic == "max" else min
        both = () if statistic == "best_of" else (found.pooled[0], found.pooled[-1])
        return tuple(_point(value) for value in {pick(found.pooled), pick(means), pick(medians), *both})
    if statistic == "total":
        return (_point(math.fsum(found.pooled)), *(_point(math.fsum(values)) for values in found.values))
    if statistic == "percentile" and percent is not None:
        ends = [_percentile(values, percent / 100) for values in found.values]
        combined = zip(_combined([low for low, _ in ends]), _combined([high for _, high in ends]), strict=True)
        return (_percentile(found.pooled, percent / 100), *combined)
    return ()


def _combined(values: Sequence[float]) -> tuple[float, ...]:
    return fmean(values), median(values), geometric_mean(values), _harmonic(values)


def _harmonic(values: Iterable[float]) -> float:
    inverses = [1 / value for value in values]
    return len(inverses) / math.fsum(inverses)


def _point(value: float) -> tuple[float, float]:
    return value, value


def _middle(ascending: Sequence[float]) -> tuple[float, float]:
    n = len(ascending)
    return ascending[(n - 1) // 2], ascending[n // 2]


def _percentile(ascending: Sequence[float], p: float) -> tuple[float, float]:
    n = len(ascending)
    low = math.floor(n * p + 1e-9)
    high = math.ceil(max((n + 1) * p, n * p + 1 - p) - 1e-9)
    return ascending[min(max(low, 1), n) - 1], ascending[min(max(high, 1), n) - 1]
