"""Whether two means are equal within a margin: two one-sided tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .means import deviation
from .student import t_cdf


def tost_p(left: Sequence[float], right: Sequence[float], low: float, high: float, *, pooled: bool = False) -> float:
    """Return the p of "mean(left) - mean(right) lies outside [low, high]": the larger of two one-sided t tests.

    On logarithms of trial medians, low and high are log(1 / 1.05) and log(1.05). Welch's test, or Student's where
    `pooled`. 0 or 1 where neither side varies.

    Source: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).

    Raises:
        ValueError: fewer than two values on a side, one that is not finite, or low above high.
    """
    if not low <= high:
        raise ValueError("the margins are in the wrong order")
    n, m = len(left), len(right)
    variances = deviation(left) ** 2, deviation(right) ** 2
    difference = math.fsum(left) / n - math.fsum(right) / m
    freedom: float = n + m - 2
    errors = (variances[0] / n, variances[1] / m)
    if pooled:
        common = ((n - 1) * variances[0] + (m - 1) * variances[1]) / freedom
        errors = (common / n, common / m)
    total = sum(errors)
    if total <= 0:
        return 0.0 if low < difference < high else 1.0
    if not pooled:
        freedom = total**2 / (errors[0] ** 2 / (n - 1) + errors[1] ** 2 / (m - 1))
    error = math.sqrt(total)
    return max(t_cdf(-(difference - low) / error, freedom), t_cdf((difference - high) / error, freedom))
