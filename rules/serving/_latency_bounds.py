"""The latency that a claim promises to keep, and the percentile that the document gives for it."""

from __future__ import annotations

import math
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, LatencyBound
from ..case import Case, Side
from ..facts.comparison.options import Same
from ..facts.quantities.per_second import seconds
from ..facts.series.raw_numbers import candidates, samples
from ..facts.serving.latency_parts import COLUMNS, WHOLE, part_of
from ..facts.serving.loads import same_load
from ..language.printed import Span, span
from ..language.reading import read

LEAST, PERCENT = 10, 100
"""A P4 or a P100 is a device."""


class Kept(Struct, frozen=True):
    """A percentile beside its bound, in seconds.

    Attributes:
        value: what is stated or follows from raw numbers.
        printed: it, as words.
        n: requests behind it; None where not stated.
        at: its place.
    """

    value: Span
    printed: str
    n: int | None
    at: str


def bound_s(bound: LatencyBound) -> Span:
    """Return a bound in seconds."""
    return _seconds(bound.value, bound.unit)


def percentiles(claim: Claim, case: Case, bound: LatencyBound) -> tuple[Kept, ...]:
    """Return every number that a document gives for the bounded percentile: printed ones, and that of the raw times."""
    side = case.subject(claim)
    if bound.percentile is None:
        return ()
    percent, part = Decimal(bound.percentile), bound.part or WHOLE
    found = list(_claimed(claim, case, part)) if _named(claim, percent) else []
    if side is not None:
        for metric in _under_the_load(case.metric(claim.measured), side, part):
            found += _printed(metric, percent)
        if _one_load(side):
            found += _raw(case, side, part, percent)
    return tuple(found)


def _under_the_load(own: Metric | None, side: Side, part: str) -> list[Metric]:
    """Return the latencies of an arm under the load of a claim's own number: that number itself where it is one."""
    named = side.arm.performance.items()
    latencies = [metric for name, metric in named if metric.quantity == "latency" and part_of(name) == part]
    if any(metric is own for metric in latencies):
        return [metric for metric in latencies if metric is own]
    load = own.load if own is not None else None
    same = [metric for metric in latencies if same_load(metric.load, load) is Same.EQUAL]
    if same or len(latencies) != 1:
        return same
    return [metric for metric in latencies if same_load(metric.load, load) is not Same.DIFFERENT]


def _one_load(side: Side) -> bool:
    """Whether nothing tells that the arm's raw times were taken under several loads."""
    loads = [metric.load for metric in side.arm.performance.values() if metric.load is not None]
    return all(same_load(loads[0], load) is not Same.DIFFERENT for load in loads[1:])


def _named(claim: Claim, percent: Decimal) -> bool:
    """Whether a claim is of a percentile that its sentence names, and that is not above the bounded one."""
    text = read(claim.statement)
    places = [item.span for item in text.mentions("percentile_of_latency")]
    named = {token.value for token in text.tokens for a, b in places if token.value and a <= token.start < b}
    named = {value for value in named if LEAST <= value < PERCENT}
    return claim.statistic == "percentile" and len(named) == 1 and max(named) <= percent


def _claimed(claim: Claim, case: Case, part: str) -> tuple[Kept, ...]:
    metric = case.metric(claim.measured)
    name = (claim.measured.metric if claim.measured is not None else None) or ""
    if claim.quantity != "latency" or claim.form != "absolute" or claim.value is None or part_of(name) != part:
        return ()
    if seconds(claim.unit) is None:
        return ()
    value = _scaled(span(claim.value, claim.qualifier, claim.digits), claim.unit)
    return (Kept(value, f"{claim.value} {claim.unit}", _requests(metric), claim.place("value")),)


def _printed(metric: Metric, percent: Decimal) -> list[Kept]:
    if metric.summary is None or seconds(metric.unit) is None:
        return []
    return [
        Kept(
            _seconds(text, metric.unit),
            f"{text} {metric.unit}",
            _requests(metric),
            metric.summary.place("percentiles", key),
        )
        for key, text in metric.summary.percentiles.items()
        if _percent(key) == percent
    ]


def _raw(case: Case, side: Side, part: str, percent: Decimal) -> list[Kept]:
    """Return the percentile of all raw times; the lowest and the highest of the usual ways to take it."""
    found = samples(case, side, COLUMNS[part])
    kept = [item for item in (found, found.cut if found is not None else None) if item is not None]
    ways = [way for item in kept for way in candidates(item, "percentile", float(percent))]
    ends = [end for way in ways for end in way if math.isfinite(end)]
    if found is None or not ends:
        return []
    value = Span(Decimal(repr(min(ends))), Decimal(repr(max(ends))))
    return [Kept(value, f"{value} s in the raw times", len(found.pooled), found.at)]


def _requests(metric: Metric | None) -> int | None:
    n = metric.n if metric is not None else None
    return n.completed if n is not None and n.unit == "request" else None


def _percent(key: str) -> Decimal | None:
    text = key.strip().casefold().removeprefix("p").removesuffix("%").strip()
    return Decimal(text) if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit() else None


def _seconds(text: str, unit: str | None) -> Span:
    return _scaled(span(text), unit)


def _scaled(interval: Span, unit: str | None) -> Span:
    factor = seconds(unit) or Decimal(1)
    return Span(interval.low * factor, interval.high * factor)
