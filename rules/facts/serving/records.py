"""What the recorded requests of an arm show: their arrivals, how many were in flight, and how it went on."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from ....schemas.requests import Requests, output_tokens
from ...caching import fact
from ...case import Case, Side
from ...statistics.intervals import median

UNANSWERED = frozenset({"failed", "timed_out", "not_sent"})
CLOCK_S = 1e-3
"""What any client may be late."""
LONGEST = 20
"""Pauses that are looked at."""
WAITING = 3
"""Requests that have to wait for a pause to be one of the service."""


class Stall(Struct, frozen=True):
    """A time in which requests waited and nothing came."""

    length_s: float
    waiting: int
    usual_s: float
    """Median time to the first token, or of a whole request where nothing tells of tokens."""


class Record(Struct, frozen=True):
    """The requests of one trial.

    Attributes:
        trial: its id.
        planned: rows.
        completed: those that were answered to their end.
        unanswered: those that failed, were given up, or were never sent.
        arrivals_per_s: rate at which they were due; None below two.
        most: the most in flight at once.
        at_most: share of the later requests that were sent into one place less than the most in flight.
        following: share of the later requests that were sent right after an answer.
        late: share of the requests that were sent late, by more than a tenth of the median latency and 1 ms.
        stall: the longest time without any sign of the service.
        repeated: share of the prompts that repeat another; None where prompts are not told.
        cached: share of the prompts' tokens that a cache held; None where it is not told.
        tokens: output tokens of the answered requests by the server's count and by a tokenizer, where both are told.
        asked: output tokens that were asked of the answered requests, and those that came, where both are told.
    """

    trial: str
    planned: int
    completed: int
    unanswered: int
    arrivals_per_s: float | None
    most: int
    at_most: float
    following: float
    late: float
    stall: Stall | None
    repeated: float | None
    cached: float | None
    tokens: tuple[float, float] | None
    asked: tuple[float, float] | None


@fact
def records(case: Case, side: Side) -> tuple[Record, ...]:
    """Return what the requests of each timed trial of an arm show; empty where none are recorded."""
    return tuple(_record(name, requests) for name, requests in side.requests() if requests.scheduled_s)


def _record(name: str, requests: Requests) -> Record:
    due = requests.scheduled_s
    span = max(due) - min(due)
    sent = sorted(time for time in requests.sent_s if time is not None)
    ends = sorted(time for time in requests.ended_s if time is not None)
    most, at_most = _in_flight(sent, ends)
    latencies = [(requests.ended_s[row] or 0.0) - due[row] for row in requests.completed]
    usual = median(latencies) if latencies else 0.0
    lags = [(time - begun) for time, begun in zip(requests.sent_s, due, strict=True) if time is not None]
    return Record(
        trial=name,
        planned=len(due),
        completed=len(requests.completed),
        unanswered=sum(outcome in UNANSWERED for outcome in requests.outcome),
        arrivals_per_s=(len(due) - 1) / span if span > 0 else None,
        most=most,
        at_most=at_most,
        following=_following(sent, ends, most),
        late=sum(lag > max(usual / 10, CLOCK_S) for lag in lags) / len(lags) if lags and usual else 0.0,
        stall=_stall(requests, usual),
        repeated=_repeated(requests),
        cached=_share(_sums(requests, requests.cached_tokens, requests.input_tokens)),
        tokens=_sums(requests, requests.output_tokens, requests.tokenizer_output_tokens),
        asked=_sums(requests, requests.asked_output_tokens, output_tokens(requests)),
    )


def _in_flight(sent: Sequence[float], ends: Sequence[float]) -> tuple[int, float]:
    """Return the most requests in flight, and the share of those after the first that many that reached it again."""
    counts = [index + 1 - bisect_right(ends, time) for index, time in enumerate(sent)]
    most = max(counts, default=0)
    later = counts[most:]
    return most, sum(count == most for count in later) / len(later) if later else 0.0


def _following(sent: Sequence[float], ends: Sequence[float], most: int) -> float:
    """Return the share of requests that were sent within a tenth of the mean gap after an answer."""
    later = sent[most:]
    if not later or len(sent) < 2:
        return 0.0
    tolerance = (sent[-1] - sent[0]) / (len(sent) - 1) / 10
    before = [(time, bisect_right(ends, time)) for time in later]
    return sum(index > 0 and time - ends[index - 1] <= tolerance for time, index in before) / len(later)


def _stall(requests: Requests, usual_s: float) -> Stall | None:
    """Return the longest time in which some requests waited and nothing came."""
    signs = sorted(_signs(requests))
    firsts = [
        first - requests.scheduled_s[row]
        for row in requests.completed
        if requests.content_s and requests.first_content_s and (first := requests.first_content_s[row]) is not None
    ]
    usual = median(firsts) if firsts else usual_s
    last = signs[-1] if signs else 0.0
    due_and_end = zip(requests.scheduled_s, requests.ended_s, strict=True)
    spans = [(due, last if end is None else end) for due, end in due_and_end]
    for begin, end in sorted(pairwise(signs), key=lambda pair: pair[0] - pair[1])[:LONGEST]:
        waiting = sum(due <= (begin + end) / 2 and until >= end for due, until in spans)
        if waiting >= WAITING:
            return Stall(end - begin, waiting, usual)
    return None


def _signs(requests: Requests) -> Iterator[float]:
    """Yield every time at which something came."""
    for column in (requests.first_chunk_s, requests.first_content_s, requests.ended_s):
        yield from (time for time in column if time is not None)
    for times in requests.content_s:
        yield from times


def _repeated(requests: Requests) -> float | None:
    told = [number for number in requests.prompt if number is not None]
    return 1 - len(Counter(told)) / len(told) if told else None


def _sums(requests: Requests, one: Sequence[float | None], other: Sequence[float | None]) -> tuple[float, float] | None:
    """Return the sums of two columns over the answered requests that tell both; None where none does."""
    if not one or not other:
        return None
    pairs = [(a, b) for row in requests.completed if (a := one[row]) is not None and (b := other[row]) is not None]
    return (sum(a for a, _ in pairs), sum(b for _, b in pairs)) if pairs else None


def _share(sums: tuple[float, float] | None) -> float | None:
    return sums[0] / sums[1] if sums is not None and sums[1] > 0 else None
