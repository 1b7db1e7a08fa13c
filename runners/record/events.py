"""What the events of one attempt say about it, and the sample file that they make.

A worker is not trusted to be well-behaved: its file may be missing, end in the middle of a line, or contradict itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ...schemas.errors import UserError
from ..trial.events import (
    Accounted,
    AnyEvent,
    Controls,
    Ended,
    Evaluation,
    Iterations,
    Options,
    Phased,
    Started,
    Warmup,
    read,
)

Column = list[float | None]
E = TypeVar("E")


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """When a chunk of iterations ran, on the monotonic clock that all processes share."""

    first: int
    """Number of its first iteration."""
    count: int
    began_s: float | None
    """None where the trial does not tell."""
    ended_s: float | None


class Events(msgspec.Struct, frozen=True, kw_only=True):
    """What the events of one attempt say."""

    started: Started | None = None
    controls: Controls | None = None
    options: Options | None = None
    warmup: dict[str, Column] = {}
    columns: dict[str, Column] = {}
    """`step_time_s`, `data_wait_s`; `loss` where the workload has one, `work` where it varies; all of one length."""
    spans: tuple[Span, ...] = ()
    """When the chunks of the columns ran."""
    evaluations: tuple[Evaluation, ...] = ()
    accounted: Accounted | None = None
    phased: Phased | None = None
    ended: Ended | None = None
    """None for a trial that was killed."""
    problem: str | None = None
    """Why the file cannot be taken at its word."""

    @property
    def iterations(self) -> int:
        """Number of timed iterations."""
        return len(self.columns.get("step_time_s", ()))

    def document(self, trial: str, telemetry: Mapping[str, Sequence[float]]) -> dict[str, Any]:
        """Return the sample file of a trial as a JSON value, with the readings of the sensors, by column."""
        evaluations = [msgspec.to_builtins(evaluation) for evaluation in self.evaluations]
        return {
            "dlaudit": "samples/1",
            "trial": trial,
            "columns": self.columns,
            "warmup": self.warmup,
            **({"telemetry": telemetry} if telemetry else {}),
            "evaluations": [{key: value for key, value in one.items() if key != "event"} for one in evaluations],
        }


def gather(path: Path) -> Events:
    """Read the events of one attempt; a missing file is one without events."""
    if not path.exists():
        return Events()
    try:
        events = read(path)
    except UserError as error:
        return Events(problem=f"its events cannot be read: {error.what}")
    columns: dict[str, Column] = {}
    problem = None
    for event in events:
        if isinstance(event, Iterations):
            problem = problem or _append(columns, event)
    spans = tuple(
        Span(first=one.first, count=len(one.step_time_s), began_s=one.began_s, ended_s=one.ended_s)
        for one in events
        if isinstance(one, Iterations)
    )
    problem = problem or _disorder(spans)
    once = (Started, Options, Warmup, Accounted, Phased, Ended)
    if any(sum(isinstance(event, kind) for event in events) > 1 for kind in once):
        problem = problem or "its events tell the same thing twice"
    warmup = _one(events, Warmup)
    return Events(
        started=_one(events, Started),
        controls=_one(events, Controls),
        options=_one(events, Options),
        warmup=_columns(warmup) if warmup is not None else {},
        columns=columns,
        spans=spans,
        evaluations=tuple(event for event in events if isinstance(event, Evaluation)),
        accounted=_one(events, Accounted),
        phased=_one(events, Phased),
        ended=_one(events, Ended),
        problem=problem,
    )


def _one(events: tuple[AnyEvent, ...], kind: type[E]) -> E | None:
    return next((event for event in events if isinstance(event, kind)), None)


def _columns(event: Iterations | Warmup) -> dict[str, Column]:
    columns: dict[str, Column] = {"step_time_s": list(event.step_time_s)}
    if event.data_wait_s:
        columns["data_wait_s"] = list(event.data_wait_s)
    if event.loss is not None:
        columns["loss"] = list(event.loss)
    if isinstance(event, Iterations) and event.work:
        columns["work"] = list(event.work)
    return columns


def _disorder(spans: Sequence[Span]) -> str | None:
    """Return what is wrong with when the chunks ran, or None."""
    times = [time for span in spans for time in (span.began_s, span.ended_s) if time is not None]
    if len(times) not in (0, 2 * len(spans)):
        return "some chunks of iterations tell when they ran, and others do not"
    if any(later < sooner for sooner, later in pairwise(times)):
        return "the chunks of iterations ran one before the other's end"
    return None


def _append(columns: dict[str, Column], event: Iterations) -> str | None:
    """Append one chunk to the columns; return what is wrong with it, or None."""
    chunk = _columns(event)
    length = len(columns.get("step_time_s", ()))
    if event.first != length:
        return f"a chunk of iterations begins at {event.first} instead of {length}"
    if columns and chunk.keys() != columns.keys():
        return f"the chunk at iteration {length} has other columns than the first"
    if len({len(values) for values in chunk.values()}) > 1:
        return f"the columns of the chunk at iteration {length} differ in length"
    for name, values in chunk.items():
        columns.setdefault(name, []).extend(values)
    return None
