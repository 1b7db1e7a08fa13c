"""Whether values of one side tend to be larger than those of another, whatever their spreads."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from .means import deviation
from .student import t_cdf


class Tendency(Struct, frozen=True):
    """Two samples compared.

    Attributes:
        share: P(left < right) + P(left = right) / 2, estimated.
        statistic: Brunner and Munzel's; infinite where one side lies wholly beyond the other.
        p: two-sided p of share = 1/2.
    """

    share: float
    statistic: float
    p: float


def brunner_munzel(left: Sequence[float], right: Sequence[float]) -> Tendency:
    """Compare two samples of independent values by their ranks, without assuming equal spreads.

    Where one side lies wholly beyond the other the statistic has no value; that is the strongest evidence there is, and
    p is then that of the exact permutation of ranks, 2 / C(n + m, n).

    Source: Brunner and Munzel, Biometrical Journal 42 (2000). For at least 10 values a side.

    Raises:
        ValueError: fewer than two values on a side, or a NaN.
    """
    n, m = len(left), len(right)
    if min(n, m) < 2 or any(math.isnan(value) for value in (*left, *right)):
        raise ValueError("a comparison of ranks needs two values on each side, none of them NaN")
    below = _placements(left, sorted(right))
    above = _placements(right, sorted(left))
    share = math.fsum(above) / n / m
    errors = (deviation(below) / m) ** 2 / n, (deviation(above) / n) ** 2 / m
    total = sum(errors)
    if total <= 0:
        if share == 0.5:
            return Tendency(share, 0.0, 1.0)
        return Tendency(share, math.copysign(math.inf, share - 0.5), least_p(n, m))
    statistic = (share - 0.5) / math.sqrt(total)
    freedom = total**2 / (errors[0] ** 2 / (n - 1) + errors[1] ** 2 / (m - 1))
    return Tendency(share, statistic, 2 * t_cdf(-abs(statistic), freedom))


def least_p(n: int, m: int) -> float:
    """Return the smallest two-sided p that any test of ranks can reach with n and m values: 2 / C(n + m, n)."""
    return min(1.0, 2 / math.comb(n + m, n))


def _placements(values: Sequence[float], others: Sequence[float]) -> list[float]:
    """Return how many of the others, which are in ascending order, lie below each value; ties count half."""
    return [(bisect_left(others, value) + bisect_right(others, value)) / 2 for value in values]
