"""Shares k/N: Wilson's interval of one, Newcombe's interval of the difference of two."""

from __future__ import annotations

import math
from statistics import NormalDist

Bounds = tuple[float, float]


def normal_quantile(p: float) -> float:
    """Return the z with P(Z <= z) = p of a standard normal variable.

    Raises:
        ValueError: p outside (0, 1).
    """
    if not 0 < p < 1:
        raise ValueError(f"no normal quantile for p = {p}")
    return NormalDist().inv_cdf(p)


def wilson_bounds(share: float, n: float, confidence: float = 0.95) -> Bounds:
    """Return Wilson's score interval of a share of n examples; each end is a one-sided bound at (1 + confidence) / 2.

    Source: Wilson, Journal of the American Statistical Association 22 (1927).

    Raises:
        ValueError: a share outside [0, 1], or no example.
    """
    if not 0 <= share <= 1 or not 0 < n < math.inf:
        raise ValueError(f"no share {share} of {n} examples")
    z = normal_quantile((1 + confidence) / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half_width = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half_width), min(1.0, centre + half_width)


def newcombe_bounds(left: float, n_left: float, right: float, n_right: float, confidence: float = 0.95) -> Bounds:
    """Return Newcombe's hybrid score interval of `left` minus `right`, two shares of independent examples.

    Where both shares come from the same examples it is wider than it need be: their errors move together.

    Source: Newcombe, Statistics in Medicine 17 (1998), method 10.

    Raises:
        ValueError: a share outside [0, 1], or no example.
    """
    low_left, high_left = wilson_bounds(left, n_left, confidence)
    low_right, high_right = wilson_bounds(right, n_right, confidence)
    difference = left - right
    return (
        difference - math.hypot(left - low_left, high_right - right),
        difference + math.hypot(high_left - left, right - low_right),
    )
