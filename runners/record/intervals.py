"""Intervals over the trials of an arm, of scipy.stats: what `run` writes, and `lint` recomputes by its own formulas."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

from ...rules.statistics.intervals import Interval

CONFIDENCE = 0.95


def over_logs(values: Sequence[float]) -> Interval | None:
    """Return Student's t interval on the logarithms of positive values, back-transformed; None below three."""
    if len(values) < 3:
        return None
    from scipy.stats import ttest_1samp

    first = values[0]  # ratios to it: a mean of equal values is then exactly that value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no variance
        found = ttest_1samp([math.log(value / first) for value in values], 0).confidence_interval(CONFIDENCE)
    return Interval(first * math.exp(found.low), first * math.exp(found.high), CONFIDENCE, "log-t")


def of_median(values: Sequence[float]) -> Interval | None:
    """Return the exact order-statistic interval of the median; None where there are too few values, below six."""
    from scipy.stats import quantile_test

    found = quantile_test(values, p=0.5).confidence_interval(CONFIDENCE)
    if math.isnan(found.low) or math.isnan(found.high):
        return None
    return Interval(float(found.low), float(found.high), CONFIDENCE, "order-statistic")
