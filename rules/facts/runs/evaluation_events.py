"""Evaluations in a run's log: the results, those of one metric, and the one that decides whether a target was met."""

from __future__ import annotations

import math

from ....schemas.evidence import Target
from ...trace import Event, Logged

COUNTERS = ("samples", "step", "epoch")


def results(run: Logged) -> tuple[Event, ...]:
    """Return the evaluation results of a log in the order of the file, without marks such as `eval_start`."""
    return tuple(event for event in run.trace.evaluations if not event.key.endswith(("_start", "_stop")))


def of_metric(run: Logged, metric: str) -> tuple[Event, ...]:
    """Return the results of a metric: those of its key, else those of the only key that is logged; else none.

    None, too, where one counter holds two different values under the key: two metrics are logged under one name.
    """
    logged = results(run)
    own = tuple(event for event in logged if event.key == metric) or logged
    if len({event.key for event in own}) != 1:
        return ()
    seen: dict[tuple[str, float], float | None] = {}
    for event in own:
        if event.counter is not None and not _same(seen.setdefault(event.counter, event.number), event.number):
            return ()
    return own


def _same(left: float | None, right: float | None) -> bool:
    return left == right or (left is not None and right is not None and math.isnan(left) and math.isnan(right))


def deciding(run: Logged, target: Target) -> Event | None:
    """Return the evaluation that meets a target first by its counter (by time where it has none), or None."""
    sign, goal = (1 if target.direction == "higher" else -1), float(target.value)
    meeting = [
        event
        for event in of_metric(run, target.metric)
        if event.number is not None and math.isfinite(event.number) and sign * (event.number - goal) >= 0
    ]
    units = {event.counter[0] if event.counter is not None else None for event in meeting}
    if not meeting or len(units) > 1:
        return None
    return min(meeting, key=lambda event: event.counter[1] if event.counter is not None else event.time_ms or 0.0)


def counter_in(event: Event, unit: str) -> float | None:
    """Return an event's counter in a unit: samples, step or epoch."""
    value: float | None = getattr(event, unit)
    return value
