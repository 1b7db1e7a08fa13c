"""When a run was evaluated: the distances between its evaluations, by the counter that stands with them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..trace import Event, Logged
from .evaluation_events import counter_in, results
from .run_times import is_successful

LEAST = 3
CLOSE = 0.01
"""Distances that differ by at most this share, or by one, are one: whole steps and printed fractions are rounded."""


class Schedule(Struct, frozen=True):
    """Counters of a run's evaluations, in their unit, without a last one that a step limit set."""

    run: Logged
    unit: str
    counters: tuple[float, ...]
    first: Event

    @property
    def distances(self) -> tuple[float, ...]:
        """The distances between the evaluations, in their order."""
        return tuple(right - left for left, right in zip(self.counters, self.counters[1:], strict=False))


def schedule_of(run: Logged) -> Schedule | None:
    """Return the schedule of a run, or None where fewer than 3 evaluations carry one unit of counter."""
    events = results(run)
    for unit in ("samples", "step", "epoch"):
        counted = [(value, event) for event in events if (value := counter_in(event, unit)) is not None]
        if len(counted) < len(events) or not counted:
            continue
        counters = sorted({value for value, _ in counted})
        kept = counters if is_successful(run) else counters[:-1]
        if len(kept) >= LEAST:
            return Schedule(run, unit, tuple(kept), counted[0][1])
    return None


def differ(left: Schedule, right: Schedule) -> tuple[float, float] | None:
    """Return two distances at one place that differ, or None where two runs were evaluated alike as far as both go.

    Distances that alternate by rounding alternate in every run alike.
    """
    if left.unit != right.unit:
        return None
    both = min(len(left.distances), len(right.distances))
    ours, theirs = left.distances[:both], right.distances[:both]
    for one, another, several in ((ours, theirs, False), (theirs, ours, True)):
        odd = next((value for value in one if not any(_same(value, other, left.unit) for other in another)), None)
        if odd is not None:
            usual = max(set(another), key=another.count)
            return (usual, odd) if several else (odd, usual)
    return None


def _same(left: float, right: float, unit: str) -> bool:
    whole = 1.0 if unit != "epoch" and min(left, right) > 1 / CLOSE else 0.0
    return abs(left - right) <= max(CLOSE * max(abs(left), abs(right)), whole)


def groups(schedules: Sequence[Schedule]) -> list[list[Schedule]]:
    """Return runs of one schedule together, compared with the longest of each group."""
    found: list[list[Schedule]] = []
    for schedule in sorted(schedules, key=lambda item: -len(item.counters)):
        same = next((group for group in found if differ(group[0], schedule) is None), None)
        if same is None:
            found.append([schedule])
        else:
            same.append(schedule)
    return sorted(found, key=lambda group: -len(group))
