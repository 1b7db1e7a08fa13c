"""Marks of a log whose times no clock can have shown: an end before its beginning, a unit that is not the others'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from ..facts.runs.times import is_unix
from ..trace import Event, Logged

YEAR_MS = 366 * 86_400_000.0
INSTANT_MS = 1e11
"""Milliseconds since 1970 until 1973: what is above is an instant, no time since a machine or a run began."""


class Ended(Struct, frozen=True):
    """An interval of a log that ends before it begins.

    Attributes:
        name: what ran in it: "eval", "staging".
        start, stop: its two marks.
        seconds: how much earlier the end is.
    """

    name: str
    start: Event
    stop: Event
    seconds: float


def ended_before(run: Logged, slack_s: float) -> Iterator[Ended]:
    """Yield intervals that end earlier than they begin, where starts and stops of one name alternate in the file.

    Where several processes write, they do not alternate, and which stop belongs to which start is not known.
    """
    for key, starts in run.trace.by_key.items():
        name = key.removesuffix("_start")
        stops = run.trace.by_key.get(f"{name}_stop", ()) if name != key else ()
        if not stops:
            continue
        marks = sorted((*starts, *stops), key=lambda event: event.line)
        if marks[0].key != key or any(left.key == right.key for left, right in pairwise(marks)):
            continue
        for start, stop in zip(starts, stops, strict=False):
            early = (start.time_ms - stop.time_ms) / 1000 if start.time_ms and stop.time_ms else 0.0
            if early > slack_s:
                yield Ended(name, start, stop, early)


def initialised_late(run: Logged, slack_s: float) -> Ended | None:
    """Return the marks of an initialisation that stands before the start in the log, and ends after it by its time."""
    starts = [event for event in run.trace.of("run_start") if event.time_ms is not None]
    stops = [event for event in run.trace.of("init_stop") if event.time_ms is not None]
    if len(starts) != 1 or not stops or any(event.line >= starts[0].line for event in stops):
        return None
    first = min(stops, key=lambda event: event.time_ms or 0.0)
    late = ((first.time_ms or 0.0) - (starts[0].time_ms or 0.0)) / 1000
    return Ended("init", starts[0], first, late) if late > slack_s else None


def in_seconds(runs: Sequence[Logged]) -> list[Logged]:
    """Return runs whose times are instants in seconds, while those of others of their result are in milliseconds.

    Read as seconds, they lie within a year of the others; as milliseconds, they are of January 1970.
    """
    spans = [(run, run.trace.span_ms) for run in runs]
    known = [span for run, span in spans if span is not None and span[0] > INSTANT_MS and is_unix(run)]
    if not known:
        return []
    low, high = min(span[0] for span in known) - YEAR_MS, max(span[1] for span in known) + YEAR_MS
    return [run for run, span in spans if span is not None and low <= 1000 * span[0] <= 1000 * span[1] <= high]
