"""Series that are another one stretched and shifted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise

from msgspec import Struct

from ..caching import fact
from ..case import Case
from ..facts.runs.groups import Run, run_groups
from ..statistics.intervals import median

LEAST = 10
LONGEST = 2000
RESIDUAL = 1e-6
WINDOW, WINDOWS = 16, 8
MOST_PAIRS, MOST_FOUND = 500, 20
CORE = 5.0
ROUNDING, COARSEST = 4.0, 1e-3
"""A copy may differ by this many times what rounding leaves, at most by the second as 1 - r^2."""
COARSEST_PART, LEAST_TURNS = 1e-5, 4
"""The same of a part, which has to rise and to fall this often: two runs that settle alike are no copies."""


class Affine(Struct, frozen=True):
    """A series that is slope x another + offset.

    Attributes:
        left: one run.
        right: the other.
        slope: right per left.
        offset: in the unit of the values.
        residual: 1 - r^2.
        start: index of the first value that is compared.
        length: number of values; None where all are.
    """

    left: Run
    right: Run
    slope: float
    offset: float
    residual: float
    start: int = 0
    length: int | None = None


@fact
def affine_copies(case: Case, column: str, residual: float = RESIDUAL) -> tuple[Affine, ...]:
    """Return pairs of runs of one document whose values, or a part of them, lie on a line that is not the identity.

    Compared are pairs whose values rise and fall alike at one of a few places, so that the time stays linear. The line
    has to hold without the values that lie far out too: two series with one long pause at the same place correlate.
    """
    found: list[Affine] = []
    for group in run_groups(case, column):
        runs = [run for run in group if len(run.series.values) >= LEAST]
        for left, right, starts in _alike(runs):
            if len(found) >= MOST_FOUND:
                break
            a, b = left.series.values[:LONGEST], right.series.values[:LONGEST]
            n = min(len(a), len(b))
            line = _line(a[:n], b[:n], residual)
            if line is not None:
                found.append(Affine(left, right, *line))
                continue
            part = next(((line, start) for start in starts if (line := _of_part(a, b, start, residual))), None)
            if part is not None:
                found.append(Affine(left, right, *part[0], start=part[1], length=WINDOW + 1))
    return tuple(found)


def _of_part(
    left: Sequence[float], right: Sequence[float], start: int, least: float
) -> tuple[float, float, float] | None:
    """Return the line of a window of two series that turn often enough in it; None where there is none."""
    a, b = left[start : start + WINDOW + 1], right[start : start + WINDOW + 1]
    rises = sum(later > earlier for earlier, later in pairwise(a))
    falls = sum(later < earlier for earlier, later in pairwise(a))
    if len(a) <= WINDOW or len(b) <= WINDOW or min(rises, falls) < LEAST_TURNS:
        return None
    return _line(a, b, least, COARSEST_PART)


def _alike(runs: Sequence[Run]) -> Iterator[tuple[Run, Run, tuple[int, ...]]]:
    """Yield pairs of runs that rise and fall alike, or exactly opposite, over some windows, with where these begin."""
    buckets: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
    for index, run in enumerate(runs):
        for start in range(0, WINDOW * WINDOWS, WINDOW):
            part = run.series.values[start : start + WINDOW + 1]
            if len(part) < LEAST:
                break
            steps = tuple(right > left for left, right in pairwise(part))
            key = steps if steps[0] else tuple(not step for step in steps)
            buckets.setdefault((start, key), []).append(index)
    pairs: dict[tuple[int, int], list[int]] = {}
    for (start, _), bucket in buckets.items():
        for pair in combinations(bucket[:64], 2):
            pairs.setdefault(pair, []).append(start)
    for first, second in sorted(pairs)[:MOST_PAIRS]:
        yield runs[first], runs[second], tuple(pairs[first, second])


def _line(
    left: Sequence[float], right: Sequence[float], least: float, coarsest: float = COARSEST
) -> tuple[float, float, float] | None:
    whole = _fit(left, right) if left != right else None
    if whole is None or whole[2] >= max(least, coarsest) or _identity(whole, left, right):
        return None
    most = max(least, min(coarsest, ROUNDING * _rounding(left, right)))
    if whole[2] >= most:
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
