"""The instances of a result that is scored by the throughput of many at once: their numbers, and whether they met."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ..facts.runs.overlaps import Timed
from ..trace import Event, Logged

KEYS = ("instance_id", "instance")
MOST = 100_000
LEAST_AT_ONCE = 3


def numbers(runs: Iterable[Logged]) -> dict[int, list[tuple[Logged, Event]]]:
    """Return the logs by the number of their instance; those that give none, or several, are left out."""
    found: dict[int, list[tuple[Logged, Event]]] = {}
    for run in runs:
        events = [event for event in run.trace.of(*KEYS) if isinstance(event.value, int | float)]
        if len({event.value for event in events}) == 1 and float(events[0].value).is_integer():
            found.setdefault(int(events[0].value), []).append((run, events[0]))
    return found


def missing(given: Iterable[int]) -> list[int]:
    """Return the numbers between the lowest and the highest that no instance has."""
    known = sorted(given)
    if not known or known[-1] - known[0] > MOST:
        return []
    return [number for left, right in pairwise(known) for number in range(left + 1, right)]


def apart(runs: Iterable[Timed], slack_s: float) -> tuple[list[Timed], list[Timed]] | None:
    """Return the few instances that ran while no other did, and the many that all ran at one time; else None.

    Runs that merely follow each other are no such instances.
    """
    ordered = sorted(runs, key=lambda run: run.start_ms)
    stop = float("-inf")
    for index, run in enumerate(ordered):
        if index and run.start_ms - stop > slack_s * 1000:
            few, many = sorted((ordered[:index], ordered[index:]), key=len)
            at_once = max(other.start_ms for other in many) < min(other.stop_ms for other in many)
            return (few, many) if len(many) >= LEAST_AT_ONCE and at_once and len(few) < len(many) else None
        stop = max(stop, run.stop_ms)
    return None
