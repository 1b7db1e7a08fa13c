"""Whether a series rises or falls: Kendall's tau against its order, with a p that is exact for short series."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist

from msgspec import Struct

from ..caching import remembered

EXACT_UP_TO = 30


class Trend(Struct, frozen=True):
    """A series against its order.

    Attributes:
        tau: Kendall's tau-b, from -1 (falls all along) to 1; 0 where all values are equal.
        p_rises: one-sided p of "it does not rise".
        p_falls: one-sided p of "it does not fall".
    """

    tau: float
    p_rises: float
    p_falls: float


def trend(values: Sequence[float]) -> Trend:
    """Return the trend of a series in the order in which it is given, in O(n log n) comparisons.

    Up to 30 values p is exact under exchangeability, ties included: the number of inversions of a multiset has the
    Gaussian multinomial coefficient as its generating function (MacMahon 1916). Beyond, it is normal with the variance
    corrected for ties and with a correction for continuity (Kendall, Rank Correlation Methods, chapter 4).

    Raises:
        ValueError: fewer than two values, or one that is not finite.
    """
    if len(values) < 2 or not all(math.isfinite(value) for value in values):
        raise ValueError("a trend needs two finite values")
    rising, falling = _pairs(values)
    sizes = tuple(sorted(Counter(values).values()))
    total = len(values) * (len(values) - 1) // 2
    tau = (rising - falling) / math.sqrt((rising + falling) * total) if rising + falling else 0.0
    p = _exact if len(values) <= EXACT_UP_TO else _normal
    return Trend(tau, p(sizes, rising, falling), p(sizes, falling, rising))


def _pairs(values: Sequence[float]) -> tuple[int, int]:
    """Return the pairs that rise and the pairs that fall."""
    before: list[float] = []
    rising = falling = 0
    for value in values:
        at = bisect_left(before, value)
        after = bisect_right(before, value, at)
        rising += at
        falling += len(before) - after
        before.insert(after, value)
    return rising, falling


def _exact(sizes: tuple[int, ...], with_it: int, against: int) -> float:
    """Return P(at most `against` of the pairs of distinct values stand against the trend)."""
    counts = _inversions(sizes)
    return sum(counts[: against + 1]) / sum(counts)


@remembered(64)
def _inversions(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many arrangements of a multiset have 0, 1, 2, ... inversions.

    The coefficients of the product of (1 - q^i) over i = 1..n, divided by the same products of every group of ties.
    """
    n = sum(sizes)
    degree = (n * n - sum(size * size for size in sizes)) // 2
    counts = [1] + [0] * degree
    for i in range(1, n + 1):
        for k in range(degree, i - 1, -1):
            counts[k] -= counts[k - i]
    for i in (i for size in sizes for i in range(1, size + 1)):
        for k in range(i, degree + 1):
            counts[k] += counts[k - i]
    return tuple(counts)


def _normal(sizes: tuple[int, ...], with_it: int, against: int) -> float:
    n = sum(sizes)
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in sizes)) / 18
    if variance <= 0:
        return 1.0
    return NormalDist().cdf(-(with_it - against - 1) / math.sqrt(variance))
