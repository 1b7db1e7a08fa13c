"""Hartigan's dip: how far a sample lies from the nearest one with a single mode."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby

LEAST = 50
TAILS = (0.5, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001)
TABLE = {
    50: (0.3463, 0.4593, 0.4968, 0.5414, 0.5716, 0.5966, 0.6601),
    100: (0.3545, 0.4714, 0.5109, 0.558, 0.5885, 0.6209, 0.6896),
    200: (0.3612, 0.4815, 0.5219, 0.5707, 0.6058, 0.6389, 0.7005),
    500: (0.3684, 0.4894, 0.5299, 0.5822, 0.6145, 0.6451, 0.7116),
    1000: (0.3709, 0.4918, 0.5325, 0.5829, 0.6172, 0.6511, 0.7148),
    2000: (0.3738, 0.4952, 0.5365, 0.5851, 0.6233, 0.6569, 0.7223),
}
"""Quantiles of sqrt(n) times the dip of n uniform values at upper tails TAILS, from 40,000 samples each."""


def dip(values: Sequence[float]) -> float:
    """Return the dip: the greatest distance between the sample's distribution and the nearest unimodal one.

    Source: Hartigan and Hartigan, Annals of Statistics 13 (1985); algorithm AS 217 with Maechler's correction.

    Raises:
        ValueError: no value, or a NaN.
    """
    x = sorted(values)
    n = len(x)
    if not n or any(math.isnan(value) for value in x):
        raise ValueError("a dip needs values, none of them NaN")
    if n < 4 or x[0] == x[-1]:
        return 1 / (2 * n)
    convex, concave = _convex(x), _concave(x)
    low, high, largest = 0, n - 1, 1.0
    while True:
        gcm, lcm = _chain(high, low, convex), _chain(low, high, concave)
        gap, i, j = _gap(x, gcm, lcm)
        if gap < largest:
            break
        below = max((_bulge(x, gcm[k + 1], gcm[k], 1) for k in range(i, len(gcm) - 1)), default=0.0)
        above = max((_bulge(x, lcm[k], lcm[k + 1], -1) for k in range(j, len(lcm) - 1)), default=0.0)
        largest = max(largest, below, above)
        if (low, high) == (gcm[i], lcm[j]):
            break
        low, high = gcm[i], lcm[j]
    return largest / (2 * n)


def spread_ties(values: Sequence[float], resolution: float) -> list[float]:
    """Return values in ascending order, equal ones spread evenly over the resolution at which they were recorded.

    A clock that ticks coarsely makes steps that a test of modes would take for modes.
    """
    spread: list[float] = []
    for value, group in groupby(sorted(values)):
        count = len(list(group))
        spread += [value + resolution * ((k + 0.5) / count - 0.5) for k in range(count)]
    return spread


def dip_p(value: float, n: int) -> float:
    """Return the p of a dip of n values: its distance from that of a uniform sample, which has the largest dips.

    Interpolated in a table of sqrt(n) dip from 40,000 simulated uniform samples for each n. Between .001 and 1.

    Raises:
        ValueError: fewer than 50 values, below which the table does not reach.
    """
    if n < LEAST:
        raise ValueError(f"no table of dips below {LEAST} values")
    sizes = sorted(TABLE)
    at = min(bisect_left(sizes, n), len(sizes) - 1)
    upper = TABLE[sizes[at]]
    lower = TABLE[sizes[max(0, at - 1)]]
    span = sizes[at] - sizes[max(0, at - 1)]
    weight = min(1.0, (n - sizes[max(0, at - 1)]) / span) if span else 1.0
    quantiles = [low + (high - low) * weight for low, high in zip(lower, upper, strict=True)]
    scaled = value * math.sqrt(n)
    place = bisect_left(quantiles, scaled)
    if place == 0:
        return 1.0
    if place == len(quantiles):
        return TAILS[-1]
    share = (scaled - quantiles[place - 1]) / (quantiles[place] - quantiles[place - 1])
    return TAILS[place - 1] + (TAILS[place] - TAILS[place - 1]) * share


def _convex(x: Sequence[float]) -> list[int]:
    """Return, for every index, the one before it on the greatest convex minorant of the values up to it."""
    before = [0] * len(x)
    for j in range(1, len(x)):
        k = j - 1
        while k and (x[j] - x[k]) * (k - before[k]) >= (x[k] - x[before[k]]) * (j - k):
            k = before[k]
        before[j] = k
    return before


def _concave(x: Sequence[float]) -> list[int]:
    """Return, for every index, the one after it on the least concave majorant of the values from it."""
    last = len(x) - 1
    after = [last] * len(x)
    for j in range(last - 1, -1, -1):
        k = j + 1
        while k != last and (x[j] - x[k]) * (k - after[k]) >= (x[k] - x[after[k]]) * (j - k):
            k = after[k]
        after[j] = k
    return after


def _chain(start: int, end: int, step: Sequence[int]) -> list[int]:
    chain = [start]
    while chain[-1] != end:
        following = step[chain[-1]]
        chain.append(min(following, end) if end > start else max(following, end))
    return chain


def _gap(x: Sequence[float], gcm: Sequence[int], lcm: Sequence[int]) -> tuple[float, int, int]:
    """Return the greatest distance of the two curves, and where in each it is."""
    i, j = len(gcm) - 2, 1
    at_i, at_j = len(gcm) - 1, len(lcm) - 1
    if len(gcm) == 2 and len(lcm) == 2:
        return 1.0, at_i, at_j
    gap = 0.0
    while True:
        convex, concave = gcm[i], lcm[j]
        if convex > concave:
            start = gcm[i + 1]
            distance = concave - start + 1 - (x[concave] - x[start]) * (convex - start) / (x[convex] - x[start])
            j += 1
            if distance >= gap:
                gap, at_i, at_j = distance, i + 1, j - 1
        else:
            start = lcm[j - 1]
            distance = (x[convex] - x[start]) * (concave - start) / (x[concave] - x[start]) - (convex - start - 1)
            i -= 1
            if distance >= gap:
                gap, at_i, at_j = distance, i + 1, j
        i, j = max(i, 0), min(j, len(lcm) - 1)
        if gcm[i] == lcm[j]:
            return gap, at_i, at_j


def _bulge(x: Sequence[float], begin: int, end: int, side: int) -> float:
    """Return how far the sample lies from a chord of one of the curves: below the convex one, above the concave one."""
    if end - begin <= 1 or x[end] == x[begin]:
        return 1.0
    slope = (end - begin) / (x[end] - x[begin])
    if side > 0:
        return max(1.0, *(k - begin + 1 - (x[k] - x[begin]) * slope for k in range(begin, end + 1)))
    return max(1.0, *((x[k] - x[begin]) * slope - (k - begin - 1) for k in range(begin, end + 1)))
