"""Intervals over the trials of an arm: what `run` writes, and `lint` recomputes by its own formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import stdev

from ...rules.statistics.intervals import Interval, quantile
from ...rules.statistics.student import t_quantile

CONFIDENCE = 0.95
FEWEST = 6
"""Values of which the least and the greatest bound the median at this confidence."""


def over_logs(values: Sequence[float]) -> Interval | None:
    """Return Student's t interval on the logarithms of positive values, back-transformed; None below three."""
    count = len(values)
    if count < 3:
        return None
    first = values[0]  # ratios to it: a mean of equal values is then exactly that value
    logs = [math.log(value / first) for value in values]
    mean = math.fsum(logs) / count
    variance = math.fsum((log - mean) ** 2 for log in logs) / (count - 1)
    half = t_quantile((1 + CONFIDENCE) / 2, count - 1) * math.sqrt(variance / count)
    return Interval(first * math.exp(mean - half), first * math.exp(mean + half), CONFIDENCE, "log-t")


def of_median(values: Sequence[float]) -> Interval | None:
    """Return the exact order-statistic interval of the median; None where there are too few values, below six."""
    if len(values) < FEWEST:
        return None
    from scipy.stats import quantile_test

    found = quantile_test(values, p=0.5).confidence_interval(CONFIDENCE)
    return Interval(float(found.low), float(found.high), CONFIDENCE, "order-statistic")


def of_pooled_percentile(
    trials: Sequence[Sequence[float]], percent: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """Return an interval of the percentile of all trials' values together; None below three trials.

    Woodruff (1952), for trials that differ among each other: Student's t over the share of each trial's values that lie
    at or below the percentile, on the logits of the shares, and the percentiles of all values at its ends. Each share
    varies at least as independent values do. The percentile itself lies inside, whatever single trials do.

    Args:
        trials: the values of each trial, at least one each.
        percent: above 0 and below 100.
        confidence: of the interval.
    """
    if len(trials) < 3:
        return None
    from scipy.special import expit

    p, together = percent / 100, [value for one in trials for value in one]
    at = quantile(together, p)
    shares = [sum(value <= at for value in one) / len(one) for one in trials]
    error = max(stdev(shares) / math.sqrt(len(trials)), math.sqrt(p * (1 - p) / len(together)))
    away = t_quantile((1 + confidence) / 2, len(trials) - 1) * error / (p * (1 - p))
    low, high = (float(expit(math.log(p / (1 - p)) + far)) for far in (-away, away))
    return Interval(quantile(together, low), quantile(together, high), confidence, "woodruff")
