"""Runs of one result whose logs hold the same numbers, found by hashing: each number is looked up, none compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, combinations, groupby, pairwise

from msgspec import Struct

from ...trace import Event, Logged
from .log_clock import resolution_ms

MOST_POSITIONS = 2_000
LEAST_DIGITS = 6
MOST_PAIRED = 12
FEW_PAIRED = 3
LEAST_INTERVAL_MS = 1_000.0
COARSEST_MS = 10.0
FEWEST_LONG, LONG_MS = 3, 60_000.0
_SCHEDULED = frozenset({"lr", "learning", "rate", "batch", "step", "steps", "epoch", "epochs", "samples", "scale"})
_ENDS = frozenset({"run_start", "run_stop"})

Position = tuple[str, str, float, int]
"""Name, unit of the counter, counter, and how many stood there before: aligned where a log has lost an event."""
Intervals = list[tuple[Position, float]]
"""Milliseconds by position."""


class Series(Struct, frozen=True):
    """What a log holds in order that no other run should: numbers by position, and intervals by position."""

    values: dict[Position, float]
    intervals: dict[Position, float]


class Alike(Struct, frozen=True):
    """Two runs with equal numbers.

    Attributes:
        left, right: the runs.
        values, equal_values: positions that both hold, and those of them that agree to the last digit.
        intervals, equal_intervals: the same of the time between events.
    """

    left: Logged
    right: Logged
    values: int
    equal_values: int
    intervals: int
    equal_intervals: int


def series_of(run: Logged, intervals: Intervals) -> Series:
    """Return a run's evaluation and statistic values of 6 digits and more, and its intervals of a second and more."""
    values: dict[Position, float] = {}
    counts: dict[tuple[str, str, float], int] = {}
    for event in run.trace.kind("eval", "stat"):
        if len(values) >= MOST_POSITIONS:
            break
        for name, number in _numbers(event):
            place = _position(counts, name, event)
            if fine(number):
                values[place] = number
    return Series(_varying(values), dict(intervals))


def _position(counts: dict[tuple[str, str, float], int], name: str, event: Event) -> Position:
    unit, counter = event.counter or ("", 0.0)
    counts[name, unit, counter] = index = counts.get((name, unit, counter), -1) + 1
    return name, unit, counter, index


def _numbers(event: Event) -> Iterator[tuple[str, float]]:
    value = event.value
    named = {f"{event.key}.{name}": item for name, item in value.items()} if isinstance(value, dict) else {}
    for name, value in (named or {event.key: event.value}).items():
        if isinstance(value, float) and math.isfinite(value) and _is_told(name):
            yield name, value


def fine(number: float) -> bool:
    """Whether a number has at least 6 significant digits, and is no whole one: those are counts and settings."""
    if number.is_integer():
        return False
    digits = repr(abs(number)).partition("e")[0].replace(".", "").strip("0")
    return len(digits) >= LEAST_DIGITS


def _varying(values: dict[Position, float]) -> dict[Position, float]:
    """Leave out what stays one number over a whole run: a setting, not a measurement."""
    distinct: dict[str, set[float]] = {}
    for place, number in values.items():
        distinct.setdefault(place[0], set()).add(number)
    return {place: number for place, number in values.items() if len(distinct[place[0]]) > 1}


def _intervals(run: Logged) -> Iterator[tuple[Position, float]]:
    """Yield the time between one train, eval, start or stop event and the next one, in milliseconds."""
    resolution = resolution_ms(run)
    if resolution is None or resolution > COARSEST_MS:
        return
    counts: dict[tuple[str, str, float], int] = {}
    marks = [event for event in run.trace.kind("train", "eval", "mark") if event.kind != "mark" or event.key in _ENDS]
    for before, event in pairwise(event for event in marks if event.time_ms is not None):
        gap = round((event.time_ms or 0.0) - (before.time_ms or 0.0), 3)
        if gap >= LEAST_INTERVAL_MS and len(counts) < MOST_POSITIONS:
            yield _position(counts, f"{before.key}>{event.key}", event), gap


def short_copies(runs: Iterable[Logged], least: int) -> Iterator[tuple[Logged, Logged, int]]:
    """Yield a run, an earlier one with just its intervals, and how many these are, for logs of fewer than `least`.

    So few tell something where each is long: two runs of ten minutes that end in the same millisecond are one by
    chance once in thousands, and three times in a row never.
    """
    first: dict[tuple[tuple[Position, float], ...], Logged] = {}
    for run in runs:
        intervals = tuple(_intervals(run))
        if FEWEST_LONG <= len(intervals) < least and min(gap for _, gap in intervals) >= LONG_MS:
            earlier = first.setdefault(intervals, run)
            if earlier is not run:
                yield run, earlier, len(intervals)


def alike(runs: Iterable[Logged], least: int) -> tuple[tuple[Alike, ...], int]:
    """Return the pairs of runs that share numbers, and the largest count of positions that any pair could share.

    Only runs that hold `least` numbers of others at all, wherever they stand, are aligned position by position.

    Cost: linear in the numbers where few agree; of runs that agree in everything each one is compared with the first.
    """
    listed = list(runs)
    timed = [list(_intervals(run)) for run in listed]
    suspects = _suspects(listed, timed, least)
    aligned = {index: series_of(listed[index], timed[index]) for index in sorted(suspects)}
    comparable = _comparable(listed, timed, least)
    order = list(aligned)
    values = _shared([aligned[index].values for index in order])
    intervals = _shared([aligned[index].intervals for index in order])
    found = []
    for left, right in sorted(values.keys() | intervals.keys()):
        of_first, of_second = aligned[order[left]], aligned[order[right]]
        found.append(
            Alike(
                listed[order[left]],
                listed[order[right]],
                len(of_first.values.keys() & of_second.values.keys()),
                values.get((left, right), 0),
                min(len(of_first.intervals), len(of_second.intervals)),
                intervals.get((left, right), 0),
            )
        )
    return tuple(found), comparable


def _suspects(runs: list[Logged], timed: list[Intervals], least: int) -> set[int]:
    """Return the indices of runs that hold enough numbers, or intervals at their position, of other runs."""
    logged = [_logged_values(run) for run in runs]
    values = _hits(logged, {item for item in _in_several(logged) if isinstance(item, float) and not item.is_integer()})
    if sum(values) >= least:
        # what a schedule sets, and many runs share, is told apart only where it may decide
        numbers = [_bare_numbers(run) for run in runs]
        values = _hits(numbers, _in_several(numbers))
    gaps = [set(found) for found in timed]
    intervals = _hits(gaps, _in_several(gaps))
    return {index for index in range(len(runs)) if values[index] >= least or intervals[index] >= least}


def _in_several(sets: Iterable[AbstractSet[object]]) -> set[object]:
    """Return the items that more than one set holds."""
    seen: set[object] = set()
    shared: set[object] = set()
    for items in sets:
        shared |= items & seen
        seen |= items
    return shared


def _hits(sets: Sequence[AbstractSet[object]], shared: AbstractSet[object]) -> list[int]:
    """Count for each set its shared items that an earlier one holds, and those that it was the first to hold."""
    first: dict[object, int] = {}
    hits = [0] * len(sets)
    for index, items in enumerate(sets if shared else ()):
        for item in items & shared:
            before = first.setdefault(item, index)
            if before != index:
                hits[index] += 1
                hits[before] += 1
    return hits


def _logged_values(run: Logged) -> set[object]:
    """Return all that a run's evaluations and statistics hold, its numbers and what else there is."""
    logged = [event.value for event in run.trace.kind("eval", "stat")]
    try:
        found: set[object] = set(chain.from_iterable(value.values() for value in logged if value.__class__ is dict))
        return found.union(value for value in logged if value.__class__ is not dict)
    except TypeError:
        # a list stands among them
        return set(_bare_numbers(run))


def _bare_numbers(run: Logged) -> set[float]:
    """Return the broken numbers of a run's evaluations and statistics, without their places."""
    events = run.trace.kind("eval", "stat")
    named = [event.value for event in events if event.value.__class__ is dict]
    numbers = [event.value for event in events if event.value.__class__ is not dict and _is_told(event.key)]
    # most statistics of a log have the same names: each is looked at once for all of them
    for names, alike_named in groupby(named, tuple):
        for name, values in zip(names, zip(*map(dict.values, alike_named), strict=True), strict=True):
            if _is_told(name):
                numbers += values
    return {number for number in numbers if number.__class__ is float and not number.is_integer()}


@lru_cache(1024)
def _is_told(name: str) -> bool:
    """Whether a number of this name is measured, not set by a schedule."""
    return _SCHEDULED.isdisjoint(name.rpartition(".")[2].casefold().split("_"))


def _comparable(runs: list[Logged], timed: list[Intervals], least: int) -> int:
    """Return the most positions that two runs could share, counted no further than the threshold that asks for it."""
    if len(runs) < 2:
        return 0
    intervals = sorted(min(len(found), least) for found in timed)[-2]
    return intervals if intervals >= least else max(intervals, sorted(_count_values(run, least) for run in runs)[-2])


def _count_values(run: Logged, most: int) -> int:
    """Count a run's values that could be compared, up to `most`."""
    found: dict[str, list[float]] = {}
    for event in run.trace.kind("eval", "stat"):
        for name, number in _numbers(event):
            if fine(number):
                found.setdefault(name, []).append(number)
        if len(found) < most and sum(len(held) for held in found.values()) < most:
            continue
        count = sum(len(held) for held in found.values() if len(set(held)) > 1)
        if count >= most:
            return most
    return sum(len(held) for held in found.values() if len(set(held)) > 1)


def _shared(series: list[dict[Position, float]]) -> dict[tuple[int, int], int]:
    """Count the positions in which two series hold one number, by their indices; whole copies only with the first."""
    first_of: dict[int, int] = {}
    holders: dict[tuple[Position, float], list[int]] = {}
    shared: dict[tuple[int, int], int] = {}
    for index, one in enumerate(series):
        whole = hash(frozenset(one.items()))
        first = first_of.setdefault(whole, index)
        if first != index and series[first] == one:
            if one:
                shared[first, index] = len(one)
            continue
        for item in one.items():
            holders.setdefault(item, []).append(index)
    for indices in holders.values():
        for pair in _pairs(indices):
            shared[pair] = shared.get(pair, 0) + 1
    return shared


def _pairs(indices: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of runs that hold one number; of many runs each one beside the first few, which tells as much."""
    if len(indices) <= MOST_PAIRED:
        yield from combinations(indices, 2)
        return
    for place, left in enumerate(indices[:FEW_PAIRED]):
        yield from ((left, right) for right in indices[place + 1 :])
