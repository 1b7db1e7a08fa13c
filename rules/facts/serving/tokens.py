"""Token times of requests, and what the time of a whole request must be by each definition of time per output token."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Metric, TokenTimes
from ...case import Case, Side
from ...language.printed import Span, span
from ..quantities.per_second import work_per_second
from ..series.raw_numbers import raw

DEFINITIONS = ("after_first", "all_tokens", "mean_gap")
COLUMNS = ("ttft_s", "tpot_s", "latency_s", "output_tokens")


def counts_output(metric: Metric, suite: str | None = None) -> bool:
    """Whether a number is a rate of output tokens over whole requests, as those of the inference suite all are."""
    unit = work_per_second(metric.unit)
    counted = metric.load.tokens_counted if metric.load is not None else None
    whole = metric.n is not None and metric.n.unit == "request" and metric.n.completed is not None
    output = counted == "output" or (counted is None and suite == "inference")
    return unit is not None and unit.word in {"token", "tokens"} and whole and output


class Requests(Struct, frozen=True):
    """Token times per request, in seconds, with half a unit of each column's last digit."""

    first: Sequence[float]
    each: Sequence[float]
    total: Sequence[float]
    tokens: Sequence[float]
    halves: tuple[float, float, float]


def requests(case: Case, side: Side) -> Requests | None:
    """Return the token times of every request of an arm; None where a column is missing or of another length."""
    columns: list[list[float]] = [[], [], [], []]
    for _, found in raw(case, side):
        rows = [found.get(name) for name in COLUMNS]
        if any(row is None or rows[0] is None or len(row) != len(rows[0]) for row in rows):
            return None
        for column, row in zip(columns, rows, strict=True):
            column.extend(row or ())
    if not columns[0] or any(not value < float("inf") for column in columns for value in column):
        return None
    halves = (_half(columns[0]), _half(columns[1]), _half(columns[2]))
    return Requests(columns[0], columns[1], columns[2], columns[3], halves)


def _half(values: Sequence[float]) -> float:
    """Return half a unit of the last decimal that any value of a column shows."""
    decimals = max(len(repr(value).partition(".")[2]) if "e" not in repr(value) else 17 for value in values)
    return 0.5 * 10.0**-decimals


def share_off(found: Requests, definition: str, tolerance: float, gaps_counted: bool) -> float:
    """Return the share of requests whose total differs from the definition's by more than rounding and a tolerance.

    Args:
        found: the requests.
        definition: how a time per output token is defined.
        tolerance: share of the total.
        gaps_counted: whether every token came alone. If not, fewer gaps than tokens make up the time, and a mean gap
            only bounds the total from above.
    """
    off = 0
    for first, each, total, tokens in zip(found.first, found.each, found.total, found.tokens, strict=True):
        count = tokens if definition == "all_tokens" else max(tokens - 1, 0)
        expected = each * count + (0 if definition == "all_tokens" else first)
        allowed = tolerance * total + found.halves[0] + found.halves[1] * count + found.halves[2]
        below = definition == "mean_gap" and not gaps_counted and total < expected
        off += abs(total - expected) > allowed and not below
    return off / len(found.total)


def expected_total(times: TokenTimes, definition: str) -> Span | None:
    """Return the mean time of a request that the printed means imply, in their unit; None where one is missing."""
    if times.per_output_token is None or times.output_tokens is None:
        return None
    each, tokens = span(times.per_output_token), Decimal(times.output_tokens)
    if definition == "all_tokens":
        return each * Span(tokens, tokens)
    if times.first_token is None or tokens < 1:
        return None
    first, rest = span(times.first_token), each * Span(tokens - 1, tokens - 1)
    return Span(first.low + rest.low, first.high + rest.high)
