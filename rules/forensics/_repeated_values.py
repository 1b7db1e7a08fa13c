"""Values that come again in their own run, and short trials that are equal as a whole, more often than by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from ..caching import fact
from ..case import Case, Side
from ..facts.runs.copies import fine
from ..facts.series.kept_series import Series, kept_series
from ._duplicate_series import ERROR, LEAST, collision_probability

MOST_READ, MOST_CHANCE = 10_000, 0.1
SHORTEST, MOST_SHOWN = 3, 100
PERIODIC, COPIED = 0.1, 0.95
"""Shares of values that agree outside of a stretch, at its distance.

Fine values agree by chance far more rarely than one in ten, and in a copy nearly all do: what lies between is work in
periods under a clock with some noise.
"""


class Repeat(Struct, frozen=True):
    """A stretch of values that stands twice in one series.

    Attributes:
        first, second: where it begins, from 0.
        length: number of its values.
        chance: expected number of such stretches, were all values measured.
        period: after how many values the whole series begins again; None where others lie before or between.
    """

    first: int
    second: int
    length: int
    chance: float
    period: int | None = None


class Copies(Struct, frozen=True):
    """Short trials of an arm whose values are all equal to those of another one.

    Attributes:
        pairs: the trials, each with the first that holds its values.
        chance: probability of so many, were they measured apart.
    """

    pairs: tuple[tuple[str, str], ...]
    chance: float


@fact
def own_repeats(case: Case, side: Side, column: str, error: float = ERROR) -> tuple[tuple[Series, Repeat], ...]:
    """Return the kept series of an arm in which a stretch of values comes again."""
    found = [(item, own_repeat(item.values, error)) for item in kept_series(case, side, column)]
    return tuple((item, repeat) for item, repeat in found if repeat is not None)


def own_repeat(values: Sequence[float], error: float = ERROR) -> Repeat | None:
    """Return the longest stretch of a series that stands there twice without overlap; None where chance explains it.

    Two values that were measured apart are equal with a probability that the ties within the stretch, and among all
    values before its copy, bound from above. Numbers of fewer than 6 digits are not judged, nor work that comes in
    periods: there many more values agree at the same distance, but not all.
    """
    found = _longest(values[:MOST_READ])
    if found is None:
        return None
    before, stretch = values[: found.second], values[found.first : found.first + found.length]
    if not all(map(fine, stretch)) or _periodic(values[:MOST_READ], found):
        return None
    p = max(collision_probability([before]), collision_probability([stretch]))
    chance = math.comb(len(values), 2) * p**found.length if p <= MOST_CHANCE else math.inf
    period = _period(values[:MOST_READ], found)
    return Repeat(found.first, found.second, found.length, chance, period) if chance < error else None


def _period(values: Sequence[float], found: Repeat) -> int | None:
    lag = found.second - found.first
    return lag if all(values[i] == values[i + lag] for i in range(len(values) - lag)) else None


def _periodic(values: Sequence[float], found: Repeat) -> bool:
    """Whether values outside of a stretch agree at its distance, more often than by chance and less than in a copy."""
    lag = found.second - found.first
    outside = [i for i in range(len(values) - lag) if not found.first <= i < found.first + found.length]
    equal = sum(values[i] == values[i + lag] for i in outside)
    return len(outside) >= LEAST and PERIODIC * len(outside) < equal < COPIED * len(outside)


def _longest(values: Sequence[float]) -> Repeat | None:
    """Return the longest stretch of at least LEAST values that a later one equals, in linear time."""
    seen: dict[tuple[float, ...], int] = {}
    best: Repeat | None = None
    start = 0
    while start + LEAST <= len(values):
        first = seen.setdefault(tuple(values[start : start + LEAST]), start)
        length = 0
        if first + LEAST <= start:
            most = min(start - first, len(values) - start)
            length = next((n for n in range(LEAST, most) if values[first + n] != values[start + n]), most)
        if length > (best.length if best is not None else 0):
            best = Repeat(first, start, length, math.inf)
        start += max(length, 1)
    return best


@fact
def whole_copies(case: Case, side: Side, column: str, error: float = ERROR) -> Copies | None:
    """Return the trials of an arm, too short to be told apart one by one, that are copies; None where chance does it.

    Only completed trials of 3 to 5 different values of at least 6 digits count. How probable it is that two values are
    equal is bounded by the ties at one place of the trials that are no copies: each place may time an input of its own.
    """
    rows = {item.trial: tuple(item.values) for item in kept_series(case, side, column)}
    short = {name: row for name, row in rows.items() if SHORTEST <= len(row) < LEAST and len(set(row)) == len(row)}
    short = {name: row for name, row in short.items() if all(map(fine, row))}
    holders: dict[tuple[float, ...], str] = {}
    pairs = tuple((first, name) for name, row in short.items() if (first := holders.setdefault(row, name)) != name)
    if not pairs:
        return None
    p = collision_probability([[row[i] for row in holders if i < len(row)] for i in range(max(map(len, holders)))])
    expected = math.comb(len(short), 2) * p ** min(map(len, holders)) if p <= MOST_CHANCE else math.inf
    chance = _at_least(len(pairs), expected)
    return Copies(pairs[:MOST_SHOWN], chance) if chance < error else None


def _at_least(count: int, expected: float) -> float:
    """Return an upper bound of the Poisson probability of at least so many: (e expected / count)^count."""
    return min(1.0, (math.e * expected / count) ** count * math.exp(-expected)) if math.isfinite(expected) else 1.0
