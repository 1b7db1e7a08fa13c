"""Means and differences of means: Student's t and Welch's t, as pairs of bounds in the unit of the values."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .student import t_cdf, t_quantile

Bounds = tuple[float, float]


def mean_bounds(values: Sequence[float], confidence: float = 0.95) -> Bounds:
    """Return the two-sided t interval of a mean; each end is a one-sided bound at level (1 + confidence) / 2.

    Raises:
        ValueError: fewer than two values, or one that is not finite.
    """
    mean, variance = _moments(values)
    half_width = t_quantile((1 + confidence) / 2, len(values) - 1) * math.sqrt(variance / len(values))
    return mean - half_width, mean + half_width


def difference_bounds(left: Sequence[float], right: Sequence[float], confidence: float = 0.95) -> Bounds:
    """Return Welch's interval of the mean of `left` minus the mean of `right`, with Satterthwaite's degrees of freedom.

    Each end is a one-sided bound at level (1 + confidence) / 2. A point where neither side varies.

    Source: Welch, Biometrika 34 (1947).

    Raises:
        ValueError: fewer than two values on a side, or one that is not finite.
    """
    difference, error, freedom = _welch(left, right)
    half_width = t_quantile((1 + confidence) / 2, freedom) * error if error > 0 else 0.0
    return difference - half_width, difference + half_width


def difference_p(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the two-sided p of Welch's t test; where neither side varies 0 for unequal means, else 1.

    Source: Welch, Biometrika 34 (1947).

    Raises:
        ValueError: fewer than two values on a side, or one that is not finite.
    """
    difference, error, freedom = _welch(left, right)
    if error <= 0:
        return 0.0 if difference else 1.0
    return 2 * t_cdf(-abs(difference) / error, freedom)


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation with n - 1.

    Raises:
        ValueError: fewer than two values, or one that is not finite.
    """
    return math.sqrt(_moments(values)[1])


def _welch(left: Sequence[float], right: Sequence[float]) -> tuple[float, float, float]:
    """Return the difference of two means, its standard error, and Satterthwaite's degrees of freedom."""
    (above, above_variance), (below, below_variance) = _moments(left), _moments(right)
    errors = (above_variance / len(left), below_variance / len(right))
    total = sum(errors)
    if total <= 0:
        return above - below, 0.0, math.inf
    shares = [error / total for error in errors]
    freedom = 1 / sum(share**2 / (len(side) - 1) for share, side in zip(shares, (left, right), strict=True))
    return above - below, math.sqrt(total), freedom


def _moments(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        raise ValueError("a variance needs two values")
    if not all(map(math.isfinite, values)):
        raise ValueError("a mean needs finite values")
    n = len(values)
    mean = math.fsum(values) / n
    return mean, math.dist(values, (mean,) * n) ** 2 / (n - 1)
