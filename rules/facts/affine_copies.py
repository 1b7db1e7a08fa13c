"""Series that are another one stretched and shifted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise

from msgspec import Struct

from ..case import Case
from ..statistics.intervals import median
from .caching import fact
from .run_groups import Run, run_groups

LEAST = 10
LONGEST = 2000
RESIDUAL = 1e-6
WINDOW, WINDOWS = 16, 8
MOST_PAIRS, MOST_FOUND = 500, 20
CORE = 5.0
ROUNDING, COARSEST = 4.0, 1e-3
"""A copy may differ by this many times what rounding leaves, at most by the second as 1 - r^2."""


class Affine(Struct, frozen=True):
    """A series that is slope x another + offset.

    Attributes:
        left: one run.
        right: the other.
        slope: right per left.
        offset: in the unit of the values.
        residual: 1 - r^2.
    """

    left: Run
    right: Run
    slope: float
    offset: float
    residual: float


@fact
def affine_copies(case: Case, column: str, residual: float = RESIDUAL) -> tuple[Affine, ...]:
    """Return pairs of runs of one document whose values lie on a line that is not the identity.

    Compared are pairs whose values rise and fall alike at one of a few places, so that the time stays linear. The line
    has to hold without the values that lie far out too: two series with one long pause at the same place correlate.
    """
    found: list[Affine] = []
    for group in run_groups(case, column):
        runs = [run for run in group if len(run.series.values) >= LEAST]
        for left, right in _alike(runs):
            if len(found) >= MOST_FOUND:
                break
            n = min(LONGEST, len(left.series.values), len(right.series.values))
            line = _line(left.series.values[:n], right.series.values[:n], residual)
            if line is not None:
                found.append(Affine(left, right, *line))
    return tuple(found)


def _alike(runs: Sequence[Run]) -> Iterator[tuple[Run, Run]]:
    """Yield pairs of runs that rise and fall alike, or exactly opposite, over some window."""
    buckets: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
    for index, run in enumerate(runs):
        for start in range(0, WINDOW * WINDOWS, WINDOW):
            part = run.series.values[start : start + WINDOW + 1]
            if len(part) < LEAST:
                break
            steps = tuple(right > left for left, right in pairwise(part))
            key = steps if steps[0] else tuple(not step for step in steps)
            buckets.setdefault((start, key), []).append(index)
    pairs = {pair for bucket in buckets.values() for pair in combinations(bucket[:64], 2)}
    for first, second in sorted(pairs)[:MOST_PAIRS]:
        yield runs[first], runs[second]


def _line(left: Sequence[float], right: Sequence[float], least: float) -> tuple[float, float, float] | None:
    whole = _fit(left, right)
    most = max(least, min(COARSEST, ROUNDING * _rounding(left, right)))
    if whole is None or whole[2] >= most or (left == right) or _identity(whole, left, right):
        return None
    kept = [(a, b) for a, b, near in zip(left, right, _near(left, right), strict=True) if near]
    core = _fit([a for a, _ in kept], [b for _, b in kept]) if len(kept) >= LEAST else None
    few = min(len({a for a, _ in kept}), len({b for _, b in kept})) < LEAST
    return whole if core is not None and core[2] < most and not few else None


def _rounding(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the 1 - r^2 that rounding to the printed decimals alone leaves of an exact copy."""
    total = 0.0
    for values in (left, right):
        mean = math.fsum(values) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
        decimals = max(-int(str(Decimal(repr(float(value))).as_tuple().exponent)) for value in values)
        total += 10.0 ** (-2 * decimals) / 12 / variance if variance > 0 else 0.0
    return total


def _identity(line: tuple[float, float, float], left: Sequence[float], right: Sequence[float]) -> bool:
    """Whether most values are simply equal: that is a duplicate."""
    return 2 * sum(a == b for a, b in zip(left, right, strict=True)) > len(left)


def _near(left: Sequence[float], right: Sequence[float]) -> list[bool]:
    marks = []
    for values in (left, right):
        middle = median(values)
        scatter = 1.4826 * median([abs(value - middle) for value in values])
        marks.append([abs(value - middle) <= CORE * scatter for value in values])
    return [one and other for one, other in zip(*marks, strict=True)]


def _fit(left: Sequence[float], right: Sequence[float]) -> tuple[float, float, float] | None:
    """Return slope, offset and 1 - r^2 of least squares; None where one side does not vary."""
    n = len(left)
    means = math.fsum(left) / n, math.fsum(right) / n
    a, b = [value - means[0] for value in left], [value - means[1] for value in right]
    aa, bb = math.fsum(x * x for x in a), math.fsum(y * y for y in b)
    if aa <= 0 or bb <= 0:
        return None
    slope = math.fsum(x * y for x, y in zip(a, b, strict=True)) / aa
    rest = math.fsum((y - slope * x) ** 2 for x, y in zip(a, b, strict=True)) / bb
    return slope, means[1] - slope * means[0], rest
