"""When a run of LoadGen began, by the stamps in its log, and stamps of it that no clock can have shown.

The times of its lines count from its own start. The date of the test is UTC; the stamps around the queries are local
times of the machine, whose zone nobody states.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...trace import Event, Logged
from ..runs.instants import instant_s, stamp_s

HOUR_S, DAY_S = 3600, 86_400
ZONE_S = 15 * HOUR_S
"""Local times lie at most 14 hours from UTC."""
SLACK_S = 60


class Odd(Struct, frozen=True):
    """A stamp that contradicts another one.

    Attributes:
        message: what is odd.
        event: that bears the stamp.
        other: the event that it contradicts, where there is one.
    """

    message: str
    event: Event
    other: Event | None = None


def began_s(run: Logged) -> float | None:
    """Return when a run began, in seconds since 1970, UTC; None where its log dates it not once."""
    found = run.trace.of("test_datetime")
    values = {event.value for event in found}
    return instant_s(str(found[0].value)) if len(values) == 1 and str(found[0].value).endswith("Z") else None


def span_ms(run: Logged) -> tuple[float, float] | None:
    """Return begin and end of a run whose lines count from its start, in milliseconds since 1970."""
    began, lines = began_s(run), run.trace.span_ms
    if began is None or lines is None or lines[1] <= 0:
        return None
    return began * 1000, began * 1000 + lines[1]


def impossible(run: Logged) -> Iterator[Odd]:
    """Yield the stamps of a run that contradict each other."""
    timed = [event for event in run.trace.events if event.time_ms is not None]
    first = min(timed, key=lambda event: event.time_ms or 0.0, default=None)
    if first is not None and (first.time_ms or 0.0) < 0:
        yield Odd(f"{run.name} logs {first.key} {-(first.time_ms or 0.0) / 1000:.6g} s before its own start", first)
        return
    yield from _results(run, timed)
    yield from _built(run)
    yield from _window(run)


def _results(run: Logged, timed: list[Event]) -> Iterator[Odd]:
    """Yield a result that is timed before the settings were in effect."""
    settings = [event for event in timed if event.key.startswith("effective_")]
    results = [event for event in timed if event.key.startswith("result_")]
    if not settings or not results:
        return
    last = max(settings, key=lambda event: event.time_ms or 0.0)
    early = min(results, key=lambda event: event.time_ms or 0.0)
    if (early.time_ms or 0.0) < (last.time_ms or 0.0):
        yield Odd(f"{run.name} logs {early.key} at {early.time_ms:.6g} ms, before its run was set up", early, last)


def _built(run: Logged) -> Iterator[Odd]:
    """Yield a run that is dated before its generator was built."""
    built = next(iter(run.trace.of("loadgen_build_date_utc", "build_date_utc")), None)
    when, began = instant_s(str(built.value)) if built is not None else None, began_s(run)
    if built is not None and when is not None and began is not None and when - began > DAY_S:
        event = run.trace.of("test_datetime")[0]
        what = f"{run.name} is dated {(when - began) / DAY_S:.0f} days before its load generator was built"
        yield Odd(f"{what}, {str(built.value)[:10]}", event, built)


def _window(run: Logged) -> Iterator[Odd]:
    """Yield stamps around the queries that are in the wrong order, or of another day than the test."""
    begins, ends = run.trace.of("power_begin"), run.trace.of("power_end")
    lasted = run.trace.span_ms[1] / 1000 if run.trace.span_ms is not None else 0.0
    for begin, end in zip(begins, ends, strict=False):
        left, right = stamp_s(str(begin.value)), stamp_s(str(end.value))
        if left is not None and right is not None and right < left and not _summer(left, right, lasted):
            yield Odd(f"the queries of {run.name} end {left - right:.0f} s before they begin", end, begin)
            return
    began, first = began_s(run), stamp_s(str(begins[0].value)) if begins else None
    if began is not None and first is not None and not -ZONE_S < first - began < ZONE_S + lasted:
        days = abs(first - began) / DAY_S
        what = f"{run.name} is dated {days:.1f} days from the stamp at which its queries began"
        yield Odd(what, begins[0], run.trace.of("test_datetime")[0])


def _summer(begin_s: float, end_s: float, lasted_s: float) -> bool:
    """Whether an end before its beginning would be in time had the clock not been set back, as summer time ended."""
    return abs(end_s + HOUR_S - begin_s - lasted_s) <= SLACK_S
