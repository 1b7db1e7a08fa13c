"""How many batches a rate and a latency of one row need at once, by Little's law, and what is said of that."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.batch_and_precision import BATCHES
from ..facts.comparison.options import flat
from ..facts.document.words import words_in
from ..facts.quantities.per_second import seconds, work_per_second
from ..language.answers import Mention
from ..language.printed import Span, span
from ..language.reading import Reading, read

_MEAN = frozenset({None, "mean", "unspecified"})


class InFlight(Struct, frozen=True):
    """Batches that a rate and a latency need at once.

    Attributes:
        batches: how many, for each device.
        devices: devices that are counted with.
        rate: the rate.
        latency: the latency.
        mean: whether the latency is said to be a mean.
    """

    batches: Span
    devices: int
    rate: Metric
    latency: Metric
    mean: bool


def batches_in_flight(claim: Claim, case: Case) -> InFlight | None:
    """Return the batches that the claim's arm needs at once; None where rate, mean latency and batch are not one each.

    A rate of all devices is served by as many batches at a time as there are devices, where the batch may be that of
    one device.
    """
    side = case.subject(claim)
    if side is None or claim.mode == "training":
        return None
    metrics = list(side.arm.performance.values())
    rates = [item for item in metrics if _counts_items(item)]
    latencies = [item for item in metrics if item.quantity == "latency" and item.value and seconds(item.unit)]
    batch = _batch(side)
    if len(rates) != 1 or len(latencies) != 1 or batch is None or latencies[0].statistic not in _MEAN:
        return None
    rate, latency = rates[0], latencies[0]
    unit, each = work_per_second(rate.unit), seconds(latency.unit)
    if unit is None or each is None or rate.scope != latency.scope:
        return None
    devices = 1 if unit.per_device else side.devices or 1
    factor = unit.factor * each / (batch * devices)
    product = _positive(rate) * _positive(latency)
    found = Span(product.low * factor, product.high * factor)
    return InFlight(found, devices, rate, latency, latency.statistic == "mean")


def one_at_a_time(claim: Claim, case: Case, found: InFlight) -> str:
    """Return the words by which the rate has one batch in flight at a time; empty where nothing says so of it.

    Words that stand with the latency alone do not: it is often measured by itself.
    """
    loads = [metric.load for metric in (found.rate, found.latency)]
    if all(load is not None and load.concurrency == 1 for load in loads):
        return "a concurrency of 1"
    texts = words_in(*_texts(claim, case))
    if any(map(_several, texts)):
        return ""
    # One stream is no such bound: copies overlap with it, and it is often that of the latency alone.
    said = (item for text in texts for item in text.mentions("one_batch_at_a_time") if not _of_latency(text, item))
    return next((item.text for item in said), "")


def _several(text: Reading) -> bool:
    """Whether a text speaks of several batches at once: overlapped, or of more than one stream or client."""
    counts = [[number.low for number in text.numbers(item.span)] for item in text.mentions("several_in_flight")]
    return any(not found or max(found) > 1 for found in counts)


def _of_latency(text: Reading, item: Mention) -> bool:
    """Whether words stand in one clause with a latency."""
    return any(text.clause(item.span) == text.clause(other.span) for other in text.mentions("latency_of_it"))


def _texts(claim: Claim, case: Case) -> Iterator[str]:
    side = case.subject(claim)
    yield claim.statement
    yield from (item.quote for item in claim.said)
    for table in case.submission.tables.values():
        if side is not None and any(row.arm == side.id for row in table.rows.values()):
            yield table.caption or ""


def _counts_items(metric: Metric) -> bool:
    unit = work_per_second(metric.unit)
    return metric.quantity == "rate" and bool(metric.value) and unit is not None and read(unit.word).has("one_sample")


def _batch(side: Side) -> int | None:
    options = flat(side.arm.options)
    found = [value for key in BATCHES if isinstance(value := options.get(key), int) and value > 0]
    return max(found) if found else None


def _positive(metric: Metric) -> Span:
    value = span(metric.value or "0", digits=metric.digits)
    return Span(max(value.low, Decimal(0)), value.high)
