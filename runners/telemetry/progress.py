"""How far a trial was at a moment: the work done until then, from the spans and the durations of its chunks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from ...schemas.requests import Requests, output_tokens, window_s
from ..record.events import Events, Span
from .readings import Window


def window(events: Events) -> Window | None:
    """Return the span of a trial's timed iterations; None where it did not tell it."""
    if events.requests is not None:
        span = window_s(events.requests)
        return Window(began_s=span[0], ended_s=span[1]) if span is not None else None
    if not events.spans or any(span.began_s is None for span in events.spans):
        return None
    return Window(began_s=events.spans[0].began_s or 0.0, ended_s=events.spans[-1].ended_s or 0.0)


def position(events: Events) -> Callable[[float], float] | None:
    """Return what tells the work done until a time of the monotonic clock; None where the trial did not tell it.

    Between two chunks nothing is done. Inside one, iterations follow each other at their recorded durations, and an
    iteration that is half over counts half.
    """
    if events.requests is not None and events.options is not None:
        return _tokens(events.requests, events.options.work_per_iteration)
    known = window(events)
    steps = events.columns.get("step_time_s", [])
    if known is None or events.options is None or events.options.work_per_iteration <= 0 or not steps:
        return None
    work = events.options.work_per_iteration
    chunks = [
        _Chunk(span, [step or 0.0 for step in steps[span.first : span.first + span.count]]) for span in events.spans
    ]
    return lambda time: work * sum(chunk.done(time) for chunk in chunks)


def _tokens(requests: Requests, each: float) -> Callable[[float], float]:
    """Return what tells the work of answered requests until a time: a chunk of an answer is its part of the tokens."""
    tokens, done = output_tokens(requests), []
    for row in requests.completed:
        whole = (tokens[row] if tokens else None) or each
        times = requests.content_s[row] if requests.content_s else ()
        times = times or (requests.ended_s[row] or 0.0,)
        done += [(time, whole / len(times)) for time in times]
    done.sort()
    moments, sums = [time for time, _ in done], list(accumulate((part for _, part in done), initial=0.0))
    return lambda time: sums[bisect_right(moments, time)]


class _Chunk:
    def __init__(self, span: Span, steps: Sequence[float]) -> None:
        self._began_s, self._ended_s = span.began_s or 0.0, span.ended_s or 0.0
        self._ends = list(accumulate(steps))

    def done(self, time: float) -> float:
        """Return how many iterations were over at a time; of the running one, the part."""
        if time <= self._began_s:
            return 0.0
        if time >= self._ended_s or not self._ends or self._ends[-1] <= 0:
            return float(len(self._ends))
        # The loop itself takes a little between iterations: their sum is stretched to the chunk's span.
        passed = (time - self._began_s) / (self._ended_s - self._began_s) * self._ends[-1]
        index = bisect_right(self._ends, passed)
        if index >= len(self._ends):
            return float(len(self._ends))
        before = self._ends[index - 1] if index else 0.0
        length = self._ends[index] - before
        return index + ((passed - before) / length if length > 0 else 0.0)
