"""What a service showed in both studies, from its requests: rates over windows, and latencies over all requests.

A number of a service is one of all trials together: work over the windows of all of them, or a quantile or mean over
all requests. A rate, a median and a mean are compared trial by trial. Where trials of one seed sent the same requests
at the same times, they are compared as pairs: what the draws make of a trial then cancels. A percentile near the end
rests on few requests of a trial, and is compared over all of them: Woodruff's interval of each study, whose t over the
shares of single trials keeps the trial as the unit, and from both the interval of the ratio (Zou and Donner 2008).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from ...rules.case import Side
from ...rules.facts.quantities.recomputed import percent_of
from ...rules.statistics.intervals import median, quantile
from ...rules.statistics.means import Bounds
from ...runners.record.intervals import of_pooled_percentile
from ...schemas.evidence import Metric
from ...schemas.requests import Requests, columns, window_s
from ..compare.comparison import Row

SAME_TIME_S = 1e-4
"""By how much the times at which requests were due differ where they are drawn alike: the rounding of a clock."""
LEAST_BEYOND = 1.0
"""Requests that lie beyond the upper end of a percentile's interval, for the end to be a bound."""


@dataclass(frozen=True, slots=True)
class Served:
    """A number of a service in both studies."""

    old: tuple[float, ...]
    """One value per trial."""
    new: tuple[float, ...]
    whole_old: float
    """The number of all trials together, recomputed from the requests."""
    whole_new: float
    paired: bool
    """Whether the trials of both sent the same requests at the same times."""
    percent: float | None
    """Which percentile the number is; None where it is none."""
    series: tuple[list[list[float]], list[list[float]]]
    """Of a percentile: what every request of each trial took, in both studies."""


def served(metric: Metric, row: Row, statistic: str | None, old: Side, new: Side) -> Served | None:
    """Return a number of a service in both studies; None where requests do not give it.

    Args:
        metric: of the first study.
        row: the same number, trial by trial.
        statistic: that the claim states; None for the metric's own.
        old: the arm in the first study.
        new: the same in the second.
    """
    left, right = _requests(old, row.trials[0]), _requests(new, row.trials[1])
    if not left or not right:
        return None
    statistic = statistic if statistic not in (None, "unspecified") else metric.statistic
    percent = percent_of(metric) if metric.statistic == "percentile" else None
    same = _drawn_alike(old, new, row, left, right)
    if metric.column is None:
        rates = _rate(row.old, left, statistic), _rate(row.new, right, statistic)
        return Served(row.old, row.new, rates[0], rates[1], same, None, ([], [])) if all(rates) else None
    series = [[list(columns(one).get(metric.column, ())) for one in trials] for trials in (left, right)]
    if not all(all(trials) for trials in series) or statistic not in ("median", "mean", "percentile"):
        return None
    share = 0.5 if percent is None else percent / 100
    means = statistic == "mean" and percent is None
    together = [[value for one in trials for value in one] for trials in series]
    wholes = [fmean(values) if means else quantile(values, share) for values in together]
    each = [tuple(fmean(one) if means else quantile(one, share) for one in trials) for trials in series]
    if not all(value > 0 for value in (*wholes, *each[0], *each[1])):
        return None
    return Served(each[0], each[1], wholes[0], wholes[1], same, percent, (series[0], series[1]))


def of_percentile(found: Served, claimed: float, confidence: float) -> Bounds | None:
    """Return the interval of the logarithm of new over claimed; None where a study's requests do not bound it.

    Args:
        found: the percentile in both studies.
        claimed: what is claimed; the first study's spread is taken to lie about it.
        confidence: of the interval.
    """
    assert found.percent is not None
    ends = [of_pooled_percentile(series, found.percent, confidence) for series in found.series]
    for series, interval in zip(found.series, ends, strict=True):
        values = [value for one in series for value in one]
        if interval is None or sum(value >= interval.upper for value in values) <= LEAST_BEYOND:
            return None
    (old, new) = ends
    assert old is not None
    assert new is not None
    difference = math.log(found.whole_new / claimed)
    below = math.log(found.whole_new / new.lower), math.log(old.upper / found.whole_old)
    above = math.log(new.upper / found.whole_new), math.log(found.whole_old / old.lower)
    return difference - math.hypot(*below), difference + math.hypot(*above)


def _requests(side: Side, names: Sequence[str]) -> list[Requests]:
    """Return the requests of trials, in their order; nothing where one of them served none."""
    found = dict(side.requests())
    return [found[name] for name in names] if names and all(name in found for name in names) else []


def _rate(values: Sequence[float], trials: Sequence[Requests], statistic: str | None) -> float:
    """Return a rate over the windows of all trials, or the median of the trials' own."""
    if statistic == "median":
        return median(values)
    lengths = [end - start for start, end in _windows(trials)]
    return math.fsum(value * length for value, length in zip(values, lengths, strict=True)) / math.fsum(lengths)


def _windows(trials: Sequence[Requests]) -> Iterator[Bounds]:
    for one in trials:
        span = window_s(one)
        assert span is not None
        yield span


def _drawn_alike(old: Side, new: Side, row: Row, left: Sequence[Requests], right: Sequence[Requests]) -> bool:
    """Whether each trial has a partner of its seed that was sent the same lengths at the same times."""
    seeds = [[side.arm.trials[name].seed for name in names] for side, names in zip((old, new), row.trials, strict=True)]
    if seeds[0] != seeds[1] or None in seeds[0] or len(set(seeds[0])) != len(seeds[0]):
        return False
    return all(_same(one, other) for one, other in zip(left, right, strict=True))


def _same(one: Requests, other: Requests) -> bool:
    if len(one.scheduled_s) != len(other.scheduled_s) or one.asked_output_tokens != other.asked_output_tokens:
        return False
    starts = one.scheduled_s[0], other.scheduled_s[0]
    pairs = zip(one.scheduled_s, other.scheduled_s, strict=True)
    return all(abs((left - starts[0]) - (right - starts[1])) <= SAME_TIME_S for left, right in pairs)
