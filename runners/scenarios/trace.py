"""Requests from the trace of LoadGen: when each query was due, sent and answered, by the generator's own clock.

The trace is a list of events in the form of Chrome's tracing; one event begins each sample:

    {"name":"Sample",...,"ph":"b",...,"ts":147.540,"args":{"sample_seq":0,"query_seq":0,"sample_idx":50,
     "issue_start_ns":90,"complete_ns":2104290}},

`ts` is when the sample was due, in microseconds; the two other times are nanoseconds since then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from ...schemas.errors import UserError

_BEGIN = b'{"name":"Sample"'


class _Arguments(msgspec.Struct, frozen=True):
    sample_seq: int
    query_seq: int
    sample_idx: int
    issue_start_ns: int
    complete_ns: int


class _Sample(msgspec.Struct, frozen=True):
    ph: str
    ts: float
    args: _Arguments | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A query, or one of its samples; times in seconds by the generator's clock."""

    samples: tuple[int, ...]
    """Numbers of its samples in the data set."""
    order: tuple[int, ...]
    """Numbers of its samples in the order in which they were issued, from 0."""
    due_s: float
    sent_s: float
    ended_s: float


def read(data: bytes, *, whole: bool) -> tuple[Query, ...]:
    """Return the queries of a trace in the order in which they were due.

    Args:
        data: the trace.
        whole: whether the samples of a query belong together; else each is one of its own, as in the offline scenario.

    Raises:
        UserError: a line of it that begins a sample cannot be read.
    """
    queries: dict[int, list[tuple[float, _Arguments]]] = {}
    for due_us, sample in _samples(data):
        queries.setdefault(sample.query_seq if whole else sample.sample_seq, []).append((due_us, sample))
    return tuple(sorted(map(_query, queries.values()), key=lambda query: (query.due_s, query.order)))


def _samples(data: bytes) -> Iterator[tuple[float, _Arguments]]:
    decoder = msgspec.json.Decoder(_Sample)
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.startswith(_BEGIN):
            try:
                sample = decoder.decode(line.rstrip().removesuffix(b","))
            except msgspec.DecodeError as error:
                raise UserError(f"no sample: {error}", "repeat the trial", f"trace:{number}") from None
            if sample.ph == "b" and sample.args is not None:
                yield sample.ts, sample.args


def _query(samples: list[tuple[float, _Arguments]]) -> Query:
    ordered = sorted(samples, key=lambda one: one[1].sample_seq)
    due_s = min(due for due, _ in ordered) / 1e6
    return Query(
        samples=tuple(one.sample_idx for _, one in ordered),
        order=tuple(one.sample_seq for _, one in ordered),
        due_s=due_s,
        sent_s=due_s + min(one.issue_start_ns for _, one in ordered) / 1e9,
        ended_s=due_s + max(one.complete_ns for _, one in ordered) / 1e9,
    )
