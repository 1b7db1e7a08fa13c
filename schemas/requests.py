"""Requests to a service, one by one: the raw numbers of a serving trial, in columns of one length.

A row is a request that was planned, whatever became of it, in the order in which it was scheduled; requests overlap.
Times are seconds on one monotonic clock of the client. None stands for what did not happen, or was not told.
"""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from .model import Node

OUTCOMES = ("completed", "failed", "timed_out", "cut_off", "not_sent")
"""Answered to its end; refused or broken; given up by the client; ended without its end being told; never sent."""
Numbers = tuple[float | None, ...]


class Requests(Node, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Requests in columns, as `requests` in common.schema.json, which describes each field with its unit."""

    scheduled_s: tuple[float, ...]
    sent_s: Numbers
    ended_s: Numbers
    outcome: tuple[str, ...]
    first_chunk_s: Numbers = ()
    first_content_s: Numbers = ()
    content_s: tuple[tuple[float, ...], ...] = ()
    input_tokens: Numbers = ()
    output_tokens: Numbers = ()
    tokenizer_input_tokens: Numbers = ()
    tokenizer_output_tokens: Numbers = ()
    asked_output_tokens: Numbers = ()
    cached_tokens: Numbers = ()
    prompt: Numbers = ()

    @property
    def completed(self) -> tuple[int, ...]:
        """Rows of the requests that were answered to their end."""
        return tuple(row for row, outcome in enumerate(self.outcome) if outcome == "completed")


def column_names() -> tuple[str, ...]:
    """Return the names of all columns."""
    return tuple(name for name in Requests.__struct_fields__ if name != "at")


def window_s(requests: Requests) -> tuple[float, float] | None:
    """Return when the first request was due and the last one ended; None without an end."""
    ends = [end for end in requests.ended_s if end is not None]
    return (min(requests.scheduled_s), max(ends)) if ends and requests.scheduled_s else None


def columns(requests: Requests) -> "dict[str, array[float]]":
    """Return the times of the answered requests by the columns that metrics name; those that are incomplete left out.

    `latency_s` and `ttft_s` begin when a request was due, so that a late client hides no wait; the first token is the
    first chunk with content. `tpot_s` is the rest of the time over the tokens after the first, of each answer that did
    not come whole: what came in one chunk has no time per token.
    """
    rows = requests.completed
    began = [requests.scheduled_s[row] for row in rows]
    ends, firsts = _taken(requests.ended_s, rows), _taken(requests.first_content_s, rows)
    tokens = _taken(output_tokens(requests), rows)
    found: dict[str, Sequence[float] | None] = {
        "latency_s": _minus(ends, began),
        "ttft_s": _minus(firsts, began),
        "output_tokens": tokens,
    }
    if ends and firsts and tokens and min(tokens) > 1:
        spans = zip(ends, firsts, tokens, strict=True)
        found["tpot_s"] = [(end - first) / (count - 1) for end, first, count in spans if end > first]
    return {name: array("d", column) for name, column in found.items() if column}


def output_tokens(requests: Requests) -> Numbers:
    """Return the output tokens of each request: by the server's count, else by the tokenizer's."""
    return requests.output_tokens or requests.tokenizer_output_tokens


def gaps_s(requests: Requests) -> list[float]:
    """Return the times between neighbouring chunks with content of all answered requests."""
    if not requests.content_s:
        return []
    times = (requests.content_s[row] for row in requests.completed)
    return [later - sooner for row in times for sooner, later in pairwise(row)]


def problems(requests: Requests) -> Iterator[tuple[str, str]]:
    """Yield the name of a wrong column, and what is wrong with it."""
    length = len(requests.scheduled_s)
    for name in column_names():
        column = getattr(requests, name)
        if len(column) not in ({length} if name in ("scheduled_s", "sent_s", "ended_s", "outcome") else {0, length}):
            yield name, f"it has {len(column):,} values, and scheduled_s {length:,}"
        elif name == "content_s":
            if any(not _ascends(row) for row in column):
                yield name, "the times of a request do not ascend"
        elif name == "outcome":
            if not set(column) <= set(OUTCOMES):
                yield name, f"an outcome is none of {', '.join(OUTCOMES)}"
        elif any(value is not None and not 0 <= value < math.inf for value in column):
            yield name, "a value is below zero"
    if len(requests.outcome) == len(requests.ended_s) == len(requests.sent_s) == length:
        yield from _disorder(requests)


def _disorder(requests: Requests) -> Iterator[tuple[str, str]]:
    steps = ("scheduled_s", "sent_s", "first_chunk_s", "first_content_s", "ended_s")
    named = [(name, column) for name in steps if len(column := getattr(requests, name)) == len(requests.outcome)]
    for row, outcome in enumerate(requests.outcome):
        if outcome == "completed" and None in (requests.sent_s[row], requests.ended_s[row]):
            yield "ended_s", f"request {row} is completed, and was never sent or never ended"
            return
        times = [(name, column[row]) for name, column in named if column[row] is not None]
        late = next((two[0] for one, two in pairwise(times) if two[1] < one[1]), None)
        if late is not None:
            yield late, f"in request {row} it lies before what comes before it"
            return


def _ascends(times: Sequence[float]) -> bool:
    return all(one <= two for one, two in pairwise(times)) and all(0 <= time < math.inf for time in times)


def _taken(column: Numbers, rows: Sequence[int]) -> list[float]:
    """Return a column at these rows; nothing where one of them lacks it."""
    values = [column[row] for row in rows] if column else []
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []


def _minus(ends: Sequence[float], began: Sequence[float]) -> list[float]:
    return [end - begin for end, begin in zip(ends, began, strict=True)] if ends else []


def as_columns(requests: Requests) -> Mapping[str, Sequence[object]]:
    """Return the columns that hold something, as a document has them."""
    return {name: list(column) for name in column_names() if (column := getattr(requests, name))}


def joined(one: Requests, other: Requests) -> Requests:
    """Return the requests of two chunks together; a column that one of them lacks is left out."""
    both = {name: (getattr(one, name), getattr(other, name)) for name in column_names()}
    columns_of_both: dict[str, Any] = {
        name: (*first, *then) if first and then else () for name, (first, then) in both.items()
    }
    return Requests(**columns_of_both)
