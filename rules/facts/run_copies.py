"""Runs of one result whose logs hold the same numbers, found by hashing: each number is looked up, none compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, islice

from msgspec import Struct

from ..trace import Event, Logged
from .log_clock import resolution_ms

MOST_POSITIONS = 2_000
LEAST_DIGITS = 6
MOST_PAIRED = 12
FEW_PAIRED = 3
LEAST_INTERVAL_MS = 1_000.0
COARSEST_MS = 10.0
_SCHEDULED = frozenset({"lr", "learning", "rate", "batch", "step", "steps", "epoch", "epochs", "samples", "scale"})

Position = tuple[str, str, float, int]
"""Name, unit of the counter, counter, and how many stood there before: aligned where a log has lost an event."""


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


def series_of(run: Logged) -> Series:
    """Return a run's evaluation and statistic values of 6 digits and more, and its intervals of a second and more."""
    values: dict[Position, float] = {}
    counts: dict[tuple[str, str, float], int] = {}
    for event in run.trace.kind("eval", "stat"):
        for name, number in _numbers(event):
            if len(values) >= MOST_POSITIONS:
                break
            place = _position(counts, name, event)
            if _fine(number):
                values[place] = number
    return Series(_varying(values), dict(_intervals(run)))


def _position(counts: dict[tuple[str, str, float], int], name: str, event: Event) -> Position:
    unit, counter = event.counter or ("", 0.0)
    counts[name, unit, counter] = index = counts.get((name, unit, counter), -1) + 1
    return name, unit, counter, index


def _numbers(event: Event) -> Iterator[tuple[str, float]]:
    value = event.value
    named = {f"{event.key}.{name}": item for name, item in value.items()} if isinstance(value, dict) else {}
    for name, value in (named or {event.key: event.value}).items():
        told = _SCHEDULED.isdisjoint(name.rpartition(".")[2].casefold().split("_"))
        if told and isinstance(value, float) and math.isfinite(value):
            yield name, value


def _fine(number: float) -> bool:
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
    before: Event | None = None
    counts: dict[tuple[str, str, float], int] = {}
    for event in run.trace.events:
        if event.time_ms is None or not (event.kind in {"train", "eval"} or event.key in {"run_start", "run_stop"}):
            continue
        if before is not None and before.time_ms is not None:
            gap = round(event.time_ms - before.time_ms, 3)
            if gap >= LEAST_INTERVAL_MS and len(counts) < MOST_POSITIONS:
                yield _position(counts, f"{before.key}>{event.key}", event), gap
        before = event


def alike(runs: Iterable[Logged], least: int) -> tuple[tuple[Alike, ...], int]:
    """Return the pairs of runs that share numbers, and the largest count of positions that any pair could share.

    Only runs that hold `least` numbers of others at all, wherever they stand, are aligned position by position.

    Cost: linear in the numbers where few agree; of runs that agree in everything each one is compared with the first.
    """
    listed = list(runs)
    suspects = _suspects(listed, least)
    aligned = {index: series_of(listed[index]) for index in sorted(suspects)}
    comparable = _comparable(listed, least)
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


def _suspects(runs: list[Logged], least: int) -> set[int]:
    """Return the indices of runs that hold enough numbers, or intervals at their position, of other runs."""
    by_value: dict[object, int] = {}
    by_interval: dict[object, int] = {}
    values, intervals = [0] * len(runs), [0] * len(runs)
    for index, run in enumerate(runs):
        for found, hits, items in (
            (by_value, values, _bare_numbers(run)),
            (by_interval, intervals, set(_intervals(run))),
        ):
            for item in items:
                first = found.setdefault(item, index)
                if first != index:
                    hits[index] += 1
                    hits[first] += 1
    return {index for index in range(len(runs)) if values[index] >= least or intervals[index] >= least}


def _bare_numbers(run: Logged) -> set[float]:
    """Return the broken numbers of a run's evaluations and statistics, without their places."""
    found: set[float] = set()
    told: dict[str, bool] = {}
    for event in run.trace.events:
        if event.kind not in {"eval", "stat"}:
            continue
        value = event.value
        for name, number in value.items() if isinstance(value, dict) else ((event.key, value),):
            if isinstance(number, float) and not number.is_integer():
                if name not in told:
                    told[name] = _SCHEDULED.isdisjoint(name.rpartition(".")[2].casefold().split("_"))
                if told[name]:
                    found.add(number)
    return found


def _comparable(runs: list[Logged], least: int) -> int:
    """Return the most positions that two runs could share, counted no further than the threshold that asks for it."""
    values = sorted(_count_values(run, least) for run in runs)
    intervals = sorted(len(list(islice(_intervals(run), least))) for run in runs)
    return max(values[-2], intervals[-2]) if len(runs) >= 2 else 0


def _count_values(run: Logged, most: int) -> int:
    """Count a run's values that could be compared, up to `most`."""
    found: dict[str, list[float]] = {}
    for event in run.trace.events:
        for name, number in _numbers(event) if event.kind in {"eval", "stat"} else ():
            if _fine(number):
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
