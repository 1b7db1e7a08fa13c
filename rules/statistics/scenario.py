"""Whether a run of a scenario of inference is valid: the conditions of the suite's load generator, from requests.

Source: MLPerf inference rules, sections on scenarios and on early stopping; `loadgen/results.cc` of the same suite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ...schemas.requests import Requests, output_tokens
from .early_stopping import least_met

Scenario = Literal["SingleStream", "MultiStream", "Server", "Offline"]
STREAMS = ("SingleStream", "MultiStream")


class Conditions(Struct, frozen=True, kw_only=True):
    """What a run has to keep.

    Attributes:
        scenario: how requests are sent.
        least_queries: queries to be sent at least; in the offline scenario samples.
        least_s: duration at least, in seconds.
        percentile: share of the queries that keep the bound of a server, or that a stream's score is taken at.
        latency_s: bound of a server's query, in seconds; None where tokens are bounded.
        ttft_s: bound of the time to the first token, in seconds.
        tpot_s: bound of the time per output token after the first, in seconds.
        confidence: that of early stopping.
    """

    scenario: Scenario
    least_queries: int
    least_s: float
    percentile: float
    latency_s: float | None = None
    ttft_s: float | None = None
    tpot_s: float | None = None
    confidence: float = 0.99


def conditions_met(requests: Requests, asked: Conditions) -> dict[str, bool]:
    """Return each condition by the name that a load generator's verdict gives it, and whether a run meets it.

    A row is a query, in the offline scenario a sample of the one query. A run is valid where it meets all of them.
    """
    rows = [row for row, end in enumerate(requests.ended_s) if end is not None]
    latencies = sorted((requests.ended_s[row] or 0.0) - requests.scheduled_s[row] for row in rows)
    bounded = _bounded(requests, rows, latencies, asked) if asked.scenario == "Server" else []
    return {
        "min_duration": _duration_s(requests, latencies, asked.scenario) >= asked.least_s,
        "min_queries": len(rows) >= asked.least_queries,
        "early_stopping": _stops(len(rows), bounded, asked),
        "performance_constraints": all(_kept(times, bound, asked.percentile) for times, bound in bounded),
    }


def percentile_of(times: Sequence[float], share: float) -> float:
    """Return the percentile of ascending times as the load generator takes it: the value at floor(n p)."""
    return times[int(len(times) * share)]


def _duration_s(requests: Requests, latencies: Sequence[float], scenario: Scenario) -> float:
    """Return how long a run lasted: to its last query, in the offline scenario to the last answer."""
    if scenario == "Offline":
        return latencies[-1] if latencies else 0.0
    times = requests.scheduled_s if scenario == "Server" else [time for time in requests.sent_s if time is not None]
    return max(times, default=0.0) - min(requests.scheduled_s, default=0.0)


def _bounded(
    requests: Requests, rows: Sequence[int], latencies: Sequence[float], asked: Conditions
) -> list[tuple[Sequence[float], float]]:
    """Return the ascending times of a server that have a bound, with it."""
    if asked.ttft_s is None or asked.tpot_s is None:
        return [(latencies, asked.latency_s)] if asked.latency_s is not None else []
    tokens, firsts, each = output_tokens(requests), [], []
    for row in rows:
        first = requests.first_content_s[row] if requests.first_content_s else None
        end, count = requests.ended_s[row], tokens[row] if tokens else None
        if first is not None and end is not None:
            firsts.append(first - requests.scheduled_s[row])
            each.append((end - first) / (count - 1) if count and count > 1 else 0.0)
    return [(sorted(firsts), asked.ttft_s), (sorted(each), asked.tpot_s)]


def _kept(times: Sequence[float], bound: float, share: float) -> bool:
    return bool(times) and percentile_of(times, share) <= bound


def _stops(count: int, bounded: Sequence[tuple[Sequence[float], float]], asked: Conditions) -> bool:
    """Whether so many queries establish the percentile: the binomial tail of early stopping."""
    if asked.scenario == "Offline":
        return True
    if asked.scenario in STREAMS:
        return count >= least_met(1, asked.percentile, asked.confidence) + 1
    over = [sum(time > bound for time in times) for times, bound in bounded]
    return all(count >= least_met(late, asked.percentile, asked.confidence) + late for late in over)
