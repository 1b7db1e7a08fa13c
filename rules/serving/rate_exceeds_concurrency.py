"""L04: more requests in flight than there are clients."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.per_second import seconds, work_per_second
from ..facts.serving.latency_parts import WHOLE, part_of
from ..facts.serving.records import records
from ..items import ITEMS
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import serving
from ._batches_in_flight import batches_in_flight, one_at_a_time

PROVIDE = """\
arms:
  a:
    performance:
      rate: {quantity: rate, value: "5000", unit: images/s, load: {concurrency: 10, loop: closed}}
"""
REQUESTS = frozenset({"request", "requests", "req", "reqs", "query", "queries"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.05, "fraction of the concurrency", "judgement")
    statistic: float = Threshold(2, "times by which a latency may exceed its mean unsaid", "judgement: a percentile")


@rule(
    "L04",
    "rate-exceeds-concurrency",
    effect=REFUTES,
    confidence=C3,
    applies="(serving and has(load)) or (rate and not training)",
    origin="J, MEAS",
    thresholds=Thresholds,
)
def rate_exceeds_concurrency(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A rate and a mean latency that need more requests in flight than the load offers.

    ## What it does
    Multiplies the request rate and the mean latency of one load: in a closed loop the product is the mean number of
    requests in flight, which the concurrency bounds. The times to the first token and between tokens are parts of that
    latency, and multiply to nothing. A rate of output tokens is divided by the mean tokens of a request
    that stand beside it. Outside of services, a rate of images or sequences times their latency is held against the
    batch of each device.

    ## Why it misleads
    Rate and latency then come from different runs: the one with many clients, the other with few.

    ## Branches
    - (a) refutes, C3: rate times mean latency exceeds the concurrency by more than 5 %, at the lower ends of both; or
      the batch of each device, where rate and latency both have a concurrency of 1, or it is said of the rate that
      one batch is computed at a time. A latency that is not said to be a mean may be twice that.
    - (b) refutes, C3: by the requests that are recorded one by one, more were in flight at once than the concurrency of
      a closed loop.
    - not shown: rate times latency is more than twice the batch of each device, and how many batches were in flight at
      once is not stated: one stream does not bound them, as copies overlap with it, and the latency may be measured by
      itself.
    - pass with a note: the mean in flight is printed, for a claim about the rate or that latency.
    - not applicable: an open loop, a window with ramp-up, independent replicas, or rate and mean latency of one load
      are not both given.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"performance": {"rate": {"value": "8.40"}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`: 6.27 per second x 2.503 s = 15.7 of 16 in flight.

    ## How to fix
    Take rate and latency from one steady window of one run.

    ## References
    Little, A proof for the queuing formula L = lambda W (1961).
    """
    side = case.subject(claim)
    if not (serving(claim, case) and ITEMS["load"](claim, case)):
        yield from _of_batches(claim, case, thresholds)
        return
    yield from _recorded(claim, case, side)
    pairs = list(_pairs(side)) if side is not None and claim.replicated is not True else []
    told = list(_by_tokens(claim, case, thresholds)) if claim.replicated is not True else []
    yield from told
    if not pairs and not told:
        yield Inapplicable("rate and mean latency of one closed, steady load are not both given")
    own = case.metric(claim.measured)
    for rate, latency, clients in pairs:
        product = _rate(rate) * _latency(latency)
        allowed = Decimal(repr(clients)) * (1 + Decimal(str(thresholds.slack)))
        if product.low > allowed:
            message = f"rate x mean latency is {short(product.low)} requests in flight; {clients:g} were allowed"
            related = (Related(latency.at, "mean latency"),)
            yield Violation("a", REFUTES, C3, message, rate.at, f"{clients:g}", short(product.low), related)
        elif own is rate or own is latency:
            flight = short((product.low + product.high) / 2)
            yield Note(f"request rate x mean end-to-end latency: {flight} requests in flight of {clients:g}")


def _recorded(claim: Claim, case: Case, side: Side | None) -> Iterator[Branch]:
    """Judge the concurrency of a closed loop by the most requests that were in flight at once."""
    metric = case.metric(claim.measured)
    load = metric.load if metric is not None else None
    if side is None or load is None or load.concurrency is None or load.loop == "open":
        return
    most = max((record.most for record in records(case, side)), default=0)
    if most > load.concurrency:
        message = f"by the record {most} requests were in flight at once; the concurrency is {load.concurrency:g}"
        yield Violation("b", REFUTES, C3, message, load.place("concurrency"), f"{load.concurrency:g}", str(most))


def _of_batches(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Judge a rate and a latency of batches by how many of them have to be in flight at once."""
    found = batches_in_flight(claim, case) if claim.replicated is not True else None
    if found is None:
        yield Inapplicable("rate, latency and batch of one arm are not each given once")
        return
    words = one_at_a_time(claim, case, found)
    most = 1 + Decimal(str(thresholds.slack)) if words and found.mean else Decimal(int(thresholds.statistic))
    if found.batches.low <= most:
        return
    many = f" on each of {found.devices} devices" if found.devices > 1 else ""
    message = (
        f"{found.rate.value} {found.rate.unit} at {found.latency.value} {found.latency.unit} are "
        f"{short(found.batches.low)} batches at once{many}"
    )
    related = (Related(found.latency.at, "the latency"),)
    if words:
        message += f'; "{words}" allows one'
        yield Violation("a", REFUTES, C3, message, found.rate.at, "1", short(found.batches.low), related)
    else:
        message += ": how many were in flight is not stated"
        yield NotShown(message, found.rate.at, provide=PROVIDE, related=related)


def _by_tokens(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Judge rates of output tokens, of a claim and its base, by the mean times that are printed with them."""
    for metric in (case.metric(claim.measured), case.metric(claim.base)):
        product = _in_flight(metric) if metric is not None else None
        clients = metric.load.concurrency if metric is not None and metric.load is not None else None
        if metric is None or product is None or clients is None:
            continue
        if product.low > Decimal(repr(clients)) * (1 + Decimal(str(thresholds.slack))):
            message = (
                f"{metric.value} {metric.unit} at the printed mean time and tokens of a request are "
                f"{short(product.low)} requests in flight; {clients:g} were allowed"
            )
            yield Violation("a", REFUTES, C3, message, metric.at, f"{clients:g}", short(product.low))
        else:
            yield Note(f"mean in flight {short((product.low + product.high) / 2)} of {clients:g}")


def _in_flight(metric: Metric) -> Span | None:
    """Return the requests in flight that a rate of output tokens needs; None where it cannot be told."""
    times, unit = metric.token_times, work_per_second(metric.unit)
    if times is None or times.statistic != "mean" or times.end_to_end is None or times.output_tokens is None:
        return None
    known = unit is not None and unit.word.startswith("token") and not unit.per_device and metric.quantity == "rate"
    totals = metric.scope == "serving_window" and metric.statistic in {"total", "mean", None}
    load, each = metric.load, seconds(times.unit)
    counted = load is not None and load.tokens_counted == "output" and _closed(metric)
    tokens = span(times.output_tokens)
    if not known or not totals or not counted or each is None or metric.value is None or tokens.low < 1:
        return None
    return _rate(metric) * _scaled(span(times.end_to_end), each) / tokens


def _pairs(side: Side) -> Iterator[tuple[Metric, Metric, float]]:
    metrics = side.arm.performance
    rates = [metric for metric in metrics.values() if _counts_requests(metric)]
    latencies = [
        metric
        for name, metric in metrics.items()
        if metric.quantity == "latency" and _mean(metric) is not None and part_of(name) == WHOLE
    ]
    for rate in rates:
        for latency in latencies:
            clients = {load.concurrency for load in (rate.load, latency.load) if load is not None}
            one_load = rate.load is not None and latency.load is not None
            alone = len(rates) == len(latencies) == 1
            known = next(iter(clients)) if len(clients) == 1 else None
            if known is not None and (one_load or alone) and _closed(rate) and _closed(latency):
                yield rate, latency, known


def _counts_requests(metric: Metric) -> bool:
    unit = work_per_second(metric.unit)
    known = unit is not None and unit.word in REQUESTS and not unit.per_device
    return known and metric.quantity == "rate" and metric.value is not None


def _closed(metric: Metric) -> bool:
    load = metric.load
    if load is None:
        return True
    offered = load.loop is None and load.request_rate is not None
    return load.loop != "open" and load.steady is not False and not offered


def _mean(metric: Metric) -> str | None:
    if seconds(metric.unit) is None:
        return None
    if metric.statistic == "mean":
        return metric.value
    return metric.summary.mean if metric.summary is not None else None


def _rate(metric: Metric) -> Span:
    unit = work_per_second(metric.unit)
    assert unit is not None
    return _scaled(span(metric.value or "0", digits=metric.digits), unit.factor)


def _latency(metric: Metric) -> Span:
    unit = seconds(metric.unit)
    assert unit is not None
    return _scaled(span(_mean(metric) or "0"), unit)


def _scaled(interval: Span, factor: Decimal) -> Span:
    return Span(max(interval.low, Decimal(0)) * factor, interval.high * factor)
