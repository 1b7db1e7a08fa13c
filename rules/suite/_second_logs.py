"""Logs of one and the same run that stand twice in a document, with other values: one of the two was edited."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ..case import Case, Side
from ..facts.runs.times import is_unix
from ..trace import Event, Logged, normalised

LEAST = 8
"""Timed events that have to coincide: to the millisecond, at the same lines and under the same keys."""


class Altered(Struct, frozen=True):
    """A run of an arm, its other log, and what the two give differently: with places and values."""

    run: Logged
    other: Logged
    what: str
    ours: str
    theirs: str
    at: str
    there: str


def altered_logs(side: Side, case: Case) -> Iterator[Altered]:
    """Yield the first difference of every run of an arm that another arm of the same system logs with other values."""
    if case.whole is not None:  # a folder of many results is read log by log, never all against all
        return
    for other in case.sides():
        if other.id == side.id or other.arm.system != side.arm.system:
            continue
        for copy in case.runs_of(other):
            for run in case.runs_of(side):
                if run.role == copy.role and _one_run(run, copy) and (found := _first(run, copy)) is not None:
                    yield found


def _one_run(run: Logged, copy: Logged) -> bool:
    ours, theirs = run.trace.events, copy.trace.events
    timed = sum(event.time_ms is not None for event in ours)
    if timed < LEAST or len(ours) != len(theirs) or not (is_unix(run) and is_unix(copy)):
        return False
    return all(
        (left.line, left.time_ms, left.key) == (right.line, right.time_ms, right.key)
        for left, right in zip(ours, theirs, strict=True)
    )


def _first(run: Logged, copy: Logged) -> Altered | None:
    for left, right in zip(run.trace.events, copy.trace.events, strict=True):
        if not _same(left, right):
            places = run.trace.place(left), copy.trace.place(right)
            return Altered(run, copy, left.key, _shown(left.value), _shown(right.value), *places)
    ours, theirs = run.run.record, copy.run.record
    if ours is None or theirs is None:
        return None
    for name, value in ours.metrics.items():
        before = theirs.metrics.get(name)
        if before is not None and normalised(before) != normalised(value):
            return Altered(run, copy, name, _shown(value), _shown(before), ours.place("metrics", name), theirs.at)
    return None


def _same(left: Event, right: Event) -> bool:
    return normalised(left.value) == normalised(right.value) and left.counter == right.counter


def _shown(value: object) -> str:
    return str(value)[:60]
