"""When a run was evaluated: the distances between its evaluations, by the counter that stands with them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from ..trace import Event, Logged
from .evaluation_events import counter_in, results
from .numbers import finite
from .run_times import is_successful

LEAST = 3
MOST_GROUPS = 8
CLOSE = 0.01
"""Distances that differ by at most this share, or by one, are one: whole steps and printed fractions are rounded."""


class Schedule(Struct, frozen=True, dict=True):
    """Counters of a run's evaluations, in their unit, without a last one that a step limit set."""

    run: Logged
    unit: str
    counters: tuple[float, ...]
    first: Event

    @cached_property
    def distances(self) -> tuple[float, ...]:
        """The distances between the evaluations, in their order."""
        return tuple(right - left for left, right in pairwise(self.counters))


def schedule_of(run: Logged) -> Schedule | None:
    """Return the schedule of a run, or None where fewer than 3 evaluations carry one unit of counter."""
    events = results(run)
    for unit in ("samples", "step", "epoch"):
        counted = [(value, event) for event in events if finite(value := counter_in(event, unit)) and value is not None]
        if len(counted) < len(events) or not counted:
            continue
        counters = sorted({value for value, _ in counted})
        kept = counters if is_successful(run) else counters[:-1]
        if len(kept) >= LEAST:
            return Schedule(run, unit, tuple(kept), counted[0][1])
    return None


class Late(Struct, frozen=True):
    """Runs whose first evaluation comes later than that of the others, by at least half a usual distance."""

    runs: tuple[Logged, ...]
    unit: str
    first: Event
    usual: Event


def late_start(runs: Sequence[Logged], schedules: Sequence[Schedule]) -> Late | None:
    """Return the runs that were not evaluated at the start of the schedule that the others keep, or None."""
    if not schedules:
        return None
    unit = schedules[0].unit
    firsts: list[tuple[float, Event, Logged]] = []
    for run in runs:
        counted = [
            (value, event) for event in results(run) if finite(value := counter_in(event, unit)) and value is not None
        ]
        if not counted:
            return None
        value, event = min(counted, key=lambda item: item[0])
        firsts.append((value, event, run))
    usual = Counter(distance for schedule in schedules for distance in schedule.distances).most_common(1)[0][0]
    least, event, _ = min(firsts, key=lambda item: item[0])
    late = [item for item in firsts if item[0] - least >= usual / 2]
    if not late or usual <= 0:
        return None
    return Late(tuple(run for _, _, run in late), unit, late[0][1], event)


def differ(left: Schedule, right: Schedule) -> tuple[float, float] | None:
    """Return two distances at one place that differ, or None where two runs were evaluated alike as far as both go.

    Distances that alternate by rounding alternate in every run alike.
    """
    if left.unit != right.unit:
        return None
    both = min(len(left.counters), len(right.counters)) - 1
    ours, theirs = left.distances[:both], right.distances[:both]
    for one, another, turned in ((ours, theirs, False), (theirs, ours, True)):
        known = sorted(set(another))
        odd = next((value for value in dict.fromkeys(one) if not _known(value, known, left.unit)), None)
        if odd is not None:
            usual = Counter(another).most_common(1)[0][0]
            return (usual, odd) if turned else (odd, usual)
    return None


def _known(value: float, known: list[float], unit: str) -> bool:
    """Whether a distance is one of some others, in order: the next larger or the next smaller one."""
    at = bisect_left(known, value)
    return any(_same(value, other, unit) for other in known[max(at - 1, 0) : at + 1])


def _same(left: float, right: float, unit: str) -> bool:
    whole = 1.0 if unit != "epoch" and min(left, right) > 1 / CLOSE else 0.0
    return abs(left - right) <= max(CLOSE * max(abs(left), abs(right)), whole)


def groups(schedules: Sequence[Schedule]) -> list[list[Schedule]]:
    """Return runs of one schedule together, compared with the longest of each group; of many, the last ones too."""
    found: list[list[Schedule]] = []
    for schedule in sorted(schedules, key=lambda item: -len(item.counters)):
        same = next((group for group in found if differ(group[0], schedule) is None), None)
        if same is None and len(found) == MOST_GROUPS:
            same = found[-1]
        if same is None:
            found.append([schedule])
        else:
            same.append(schedule)
    return sorted(found, key=lambda group: -len(group))
