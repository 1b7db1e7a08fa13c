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
from ...schemas.requests import Requests, as_columns, columns, joined, problems
from ..trial.events import (
    Accounted,
    AnyEvent,
    Controls,
    Ended,
    Evaluation,
    Iterations,
    Options,
    Outputs,
    Overhead,
    Phased,
    Placed,
    Scored,
    Served,
    ServedWork,
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
    placed: Placed | None = None
    """Where its rank ran; None where a trial has one."""
    controls: Controls | None = None
    options: Options | None = None
    warmup: dict[str, Column] = {}
    columns: dict[str, Column] = {}
    """`step_time_s`, `data_wait_s`; `loss` where the workload has one, `work` where it varies; all of one length."""
    spans: tuple[Span, ...] = ()
    """When the chunks of the columns ran."""
    requests: Requests | None = None
    """Requests to a service, in place of the columns."""
    warmup_requests: Requests | None = None
    overhead: Overhead | None = None
    outputs: Outputs | None = None
    scored: Scored | None = None
    served_work: ServedWork | None = None
    evaluations: tuple[Evaluation, ...] = ()
    accounted: Accounted | None = None
    phased: Phased | None = None
    ended: Ended | None = None
    """None for a trial that was killed."""
    ranks: tuple[Events, ...] = ()
    """What each rank told, where there are several and these are all of them as one."""
    problem: str | None = None
    """Why the file cannot be taken at its word."""

    @property
    def iterations(self) -> int:
        """Number of timed iterations, or of measured requests."""
        if self.requests is not None:
            return len(self.requests.outcome)
        return len(self.columns.get("step_time_s", ()))

    @property
    def warmed(self) -> int:
        """Number of iterations or requests before them."""
        if self.warmup_requests is not None:
            return len(self.warmup_requests.outcome)
        return len(self.warmup.get("step_time_s", ()))

    def series(self) -> Mapping[str, Sequence[float | None]]:
        """Return the columns, or those that the requests give."""
        return columns(self.requests) if self.requests is not None else self.columns

    def document(self, trial: str, telemetry: Mapping[str, Sequence[float]]) -> dict[str, Any]:
        """Return the sample file of a trial as a JSON value, with the readings of the sensors, by column."""
        evaluations = [msgspec.to_builtins(evaluation) for evaluation in self.evaluations]
        served = {"requests": self.requests, "warmup_requests": self.warmup_requests}
        return {
            "dlaudit": "samples/1",
            "trial": trial,
            "columns": self.columns,
            "warmup": self.warmup,
            **{name: as_columns(one) for name, one in served.items() if one is not None},
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
    taken: dict[str, Column] = {}
    problem = None
    for event in events:
        if isinstance(event, Iterations):
            problem = problem or _append(taken, event)
    served, wrong = _requests([one for one in events if isinstance(one, Served) and not one.warmup])
    warmed, wrong_warmup = _requests([one for one in events if isinstance(one, Served) and one.warmup])
    problem = problem or wrong or wrong_warmup
    if served is not None and taken:
        problem = problem or "it tells of iterations and of requests"
    spans = tuple(
        Span(first=one.first, count=len(one.step_time_s), began_s=one.began_s, ended_s=one.ended_s)
        for one in events
        if isinstance(one, Iterations)
    )
    problem = problem or _disorder(spans)
    once = (Started, Placed, Options, Warmup, Overhead, Outputs, Scored, ServedWork, Accounted, Phased, Ended)
    if any(sum(isinstance(event, kind) for event in events) > 1 for kind in once):
        problem = problem or "its events tell the same thing twice"
    warmup = _one(events, Warmup)
    return Events(
        started=_one(events, Started),
        placed=_one(events, Placed),
        controls=_one(events, Controls),
        options=_one(events, Options),
        warmup=_columns(warmup) if warmup is not None else {},
        columns=taken,
        spans=spans,
        requests=served,
        warmup_requests=warmed,
        overhead=_one(events, Overhead),
        outputs=_one(events, Outputs),
        scored=_one(events, Scored),
        served_work=_one(events, ServedWork),
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


def _requests(chunks: Sequence[Served]) -> tuple[Requests | None, str | None]:
    """Return the requests of all chunks together, and what is wrong with them, or None."""
    whole: Requests | None = None
    for chunk in chunks:
        length = len(whole.outcome) if whole is not None else 0
        if chunk.first != length:
            return None, f"a chunk of requests begins at {chunk.first} instead of {length}"
        try:
            part = msgspec.convert(chunk.requests, Requests)
        except msgspec.ValidationError as error:
            return None, f"a chunk of requests is none: {error}"
        wrong = next(problems(part), None)
        if wrong is not None:
            return None, f"in the chunk of requests at {length}, {wrong[0]}: {wrong[1]}"
        whole = joined(whole, part) if whole is not None else part
    return whole, None


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
