"""Ranks of two arms: the exact rank-sum test, also of infinite values, and the shift that belongs to it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from .means import Bounds

MOST = 60


class Shift(Struct, frozen=True):
    """By how much one arm lies above another, in the unit of the values."""

    value: float
    bounds: Bounds
    deviation: float
    """Standard deviation of normal values whose mean would be as well known."""


def shift(left: Sequence[float], right: Sequence[float], confidence: float = 0.95) -> Shift:
    """Return the Hodges-Lehmann shift of left against right, with the interval that the rank-sum test does not reject.

    The median of all pairwise differences, between two of their order statistics (Hollander, Wolfe & Chicken,
    Nonparametric Statistical Methods, 4.2 and 4.3, the large-sample ranks of 4.40): a value that lies far off moves it
    no further than one that lies a little off.

    Raises:
        ValueError: a side has no value.
    """
    from scipy.special import ndtri

    n, m = len(left), len(right)
    if not n or not m:
        raise ValueError("no value")
    differences = sorted(above - below for above in left for below in right)
    z = float(ndtri((1 + confidence) / 2))
    rank = max(round(n * m / 2 - z * math.sqrt(n * m * (n + m + 1) / 12)), 1)
    low, high = differences[rank - 1], differences[n * m - rank]
    middle = (differences[(n * m - 1) // 2] + differences[n * m // 2]) / 2
    return Shift(middle, (low, high), (high - low) / (2 * z) / math.sqrt(1 / n + 1 / m))


def rank_sum_p(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return the two-sided p of the exact rank-sum test (Wilcoxon 1945) with midranks for ties.

    The distribution is that of the sum over every choice of ranks, counted exactly, so that it holds with ties and with
    infinite values. None where a side is empty or both hold more than 60 values.

    Raises:
        ValueError: a NaN among the values.
    """
    n, total = len(left), len(left) + len(right)
    if not left or not right or total > MOST:
        return None
    if any(math.isnan(value) for value in (*left, *right)):
        raise ValueError("NaN among the values")
    ranks = _doubled_midranks((*left, *right))
    counts = [[0] * (sum(ranks) + 1) for _ in range(n + 1)]
    counts[0][0] = 1
    for rank in ranks:
        for chosen in range(n, 0, -1):
            row, below = counts[chosen], counts[chosen - 1]
            for value in range(len(row) - 1, rank - 1, -1):
                row[value] += below[value - rank]
    expected = n * (total + 1)
    away = abs(sum(ranks[:n]) - expected)
    extreme = sum(count for value, count in enumerate(counts[n]) if abs(value - expected) >= away)
    return extreme / math.comb(total, n)


def _doubled_midranks(values: Sequence[float]) -> list[int]:
    """Return twice the midrank of every value, which is a whole number."""
    ordered = sorted(values)
    return [ordered.index(value) + 1 + len(ordered) - ordered[::-1].index(value) for value in values]
