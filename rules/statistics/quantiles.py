"""Quantiles of independent values: exact order-statistic intervals, a test, and how many values a percentile needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from .beta import regularised_beta
from .intervals import Interval

METHOD = "order-statistic"


def at_most(k: int, n: int, p: float) -> float:
    """Return P(X <= k) of a binomial variable over n trials with probability p."""
    if k < 0:
        return 0.0
    return 1.0 if k >= n else regularised_beta(n - k, k + 1, 1 - p)


def quantile_interval(values: Sequence[float], p: float, confidence: float = 0.95) -> Interval | None:
    """Return the exact equal-tailed interval of the p quantile, or None where an end would lie beyond the values.

    Source: Conover, Practical Nonparametric Statistics, 3.2.

    Raises:
        ValueError: no value, a NaN, or p outside (0, 1).
    """
    if not values or any(math.isnan(value) for value in values) or not 0 < p < 1:
        raise ValueError("a quantile needs values, none of them NaN, and p inside (0, 1)")
    ranks = quantile_ranks(len(values), p, confidence)
    if ranks is None:
        return None
    ordered = sorted(values)
    return Interval(ordered[ranks[0] - 1], ordered[ranks[1] - 1], confidence, METHOD)


def quantile_ranks(n: int, p: float, confidence: float = 0.95) -> tuple[int, int] | None:
    """Return the 1-based ranks of the interval's ends, each tail at most (1 - confidence) / 2; None for small n."""
    tail = (1 - confidence) / 2
    lower = _first(lambda k: at_most(k, n, p) > tail, n)
    upper = _first(lambda k: 1 - at_most(k, n, p) <= tail, n) + 1
    return (lower, upper) if lower >= 1 and upper <= n else None


def _first(holds: Callable[[int], bool], n: int) -> int:
    """Return the least k in 0..n for which a monotone test holds, by bisection."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def quantile_p(values: Sequence[float], q: float, p: float) -> float:
    """Return the two-sided p of "the p quantile is q", each side exact and doubled.

    Source: Conover, Practical Nonparametric Statistics, 3.2.

    Raises:
        ValueError: no value, or p outside (0, 1).
    """
    n = len(values)
    if not n or not 0 < p < 1:
        raise ValueError("a quantile needs values and p inside (0, 1)")
    below, not_above = sum(value < q for value in values), sum(value <= q for value in values)
    return min(1.0, 2 * min(at_most(not_above, n, p), 1 - at_most(below - 1, n, p)))


def least_for_bound(p: float, confidence: float = 0.95) -> int:
    """Return how many values put the largest one above the p quantile with a given confidence (Wilks 1941).

    Raises:
        ValueError: p or confidence outside (0, 1).
    """
    if not 0 < p < 1 or not 0 < confidence < 1:
        raise ValueError("p and confidence lie inside (0, 1)")
    return math.ceil(math.log(1 - confidence) / math.log(p) - 1e-9)


def least_for_interval(p: float, confidence: float = 0.95) -> int:
    """Return how many values give the p quantile an equal-tailed interval: a bound at each end."""
    return least_for_bound(max(p, 1 - p), (1 + confidence) / 2)
