"""The exact rank-sum test, for values of which some are infinite: runs that never reached their target."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST = 60


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
