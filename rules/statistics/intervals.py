"""Medians, quantiles and confidence intervals.

The unit of replication is the trial: between trials the interval is a t interval on the logarithms of the trials'
medians; within one series of independent values it is the exact order-statistic interval of the median. Values are
finite, or `inf` for what was never reached; NaN is refused, because every comparison with it would pass silently.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from .means import difference_bounds, mean_bounds


class Interval(Struct, frozen=True):
    """A two-sided confidence interval."""

    lower: float
    """Lower end, in the unit of the values."""
    upper: float
    """Upper end, in the unit of the values; `inf` where it is not bounded."""
    confidence: float
    """The nominal confidence, e.g. 0.95."""
    method: str
    """How it was made: `log-t`, `log-welch`, `order-statistic` or `woodruff`."""


class MedianRanks(Struct, frozen=True):
    """The order statistics that bound the median."""

    lower: int
    """1-based rank of the lower end."""
    upper: int
    """1-based rank of the upper end."""
    coverage: float
    """The exact coverage, at least the nominal confidence."""


def median(values: Sequence[float]) -> float:
    """Return the median of at least one value.

    Raises:
        ValueError: no value, or a NaN.
    """
    return quantile(values, 0.5)


def quantile(values: Sequence[float], p: float) -> float:
    """Return the quantile of type 7 (Hyndman & Fan 1996): linear between the order statistics at (n - 1) p.

    Raises:
        ValueError: no value, a NaN, or p outside [0, 1].
    """
    ordered = _ordered(values)
    if not 0 <= p <= 1:
        raise ValueError(f"no quantile at p = {p}")
    position = (len(ordered) - 1) * p
    below = math.floor(position)
    weight = position - below
    low = ordered[below]
    if weight == 0:
        return low
    high = ordered[below + 1]
    if math.isinf(low) or math.isinf(high):
        return high if low != -math.inf or high == -math.inf else low
    return low + (high - low) * weight


def median_ranks(n: int, confidence: float = 0.95) -> MedianRanks | None:
    """Return the ranks of the narrowest symmetric order-statistic interval of the median; None where n is too small.

    Exact from the binomial distribution with p = 1/2 (Conover, Practical Nonparametric Statistics, 3.2): at .95 there
    is none below n = 6.
    """
    from scipy.special import bdtr

    def below(rank: int) -> float:
        """Return the probability that the median lies below the order statistic of a rank."""
        return float(bdtr(rank - 1, n, 0.5))

    rank = bisect_right(range(1, n // 2 + 1), (1 - confidence) / 2, key=below)
    return MedianRanks(rank, n + 1 - rank, 1 - 2 * below(rank)) if rank else None


def median_interval(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the exact order-statistic interval of the median of independent values, or None where n is too small.

    Raises:
        ValueError: no value, or a NaN.
    """
    ordered = _ordered(values)
    ranks = median_ranks(len(ordered), confidence)
    if ranks is None:
        return None
    return Interval(ordered[ranks.lower - 1], ordered[ranks.upper - 1], confidence, "order-statistic")


def log_t_interval(medians: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the t interval on the logarithms of the trials' medians, back-transformed; None below three trials.

    The point estimate that belongs to it is `geometric_mean(medians)`.

    Raises:
        ValueError: a value that is not positive and finite.
    """
    n = len(medians)
    logs = _logs(medians)
    if n < 3:
        return None
    low, high = mean_bounds(logs, confidence)
    return Interval(math.exp(low), math.exp(high), confidence, "log-t")


def log_welch_ratio(
    numerator: Sequence[float], denominator: Sequence[float], confidence: float = 0.95
) -> Interval | None:
    """Return the interval of a ratio between two arms: Welch's t on the logarithms of their trials' medians.

    Satterthwaite's degrees of freedom. None where an arm has fewer than three trials.

    Raises:
        ValueError: a value that is not positive and finite.
    """
    above, below = _logs(numerator), _logs(denominator)
    if min(len(above), len(below)) < 3:
        return None
    low, high = difference_bounds(above, below, confidence)
    return Interval(math.exp(low), math.exp(high), confidence, "log-welch")


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive values.

    Raises:
        ValueError: no value, or one that is not positive and finite.
    """
    logs = _logs(values)
    if not logs:
        raise ValueError("no value")
    return math.exp(math.fsum(logs) / len(logs))


def rounded(value: float, digits: int = 6) -> float:
    """Return a recomputed number at `digits` significant digits, so that versions of numeric libraries agree on it."""
    return float(f"{value:.{digits}g}")


def _logs(values: Sequence[float]) -> list[float]:
    if any(not 0 < value < math.inf for value in values):
        raise ValueError("a logarithm needs positive and finite values")
    return [math.log(value) for value in values]


def _ordered(values: Sequence[float]) -> list[float]:
    if not values:
        raise ValueError("no value")
    if any(map(math.isnan, values)):
        raise ValueError("NaN among the values")
    return sorted(values)
