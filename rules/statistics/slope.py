"""The slope of a series against its order, whatever single values do."""

from __future__ import annotations

from collections.abc import Sequence

from .intervals import median


def theil_sen(values: Sequence[float]) -> float:
    """Return the median of the slopes of all pairs of values, per step: for few values, such as medians of blocks.

    Source: Sen, Journal of the American Statistical Association 63 (1968).

    Raises:
        ValueError: fewer than two values, or a NaN.
    """
    n = len(values)
    return median([(values[j] - values[i]) / (j - i) for i in range(n) for j in range(i + 1, n)])
