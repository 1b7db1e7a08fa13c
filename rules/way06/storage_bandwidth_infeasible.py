"""W0603: the data cannot arrive that fast."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Pipeline
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.given import given
from ..facts.quantities.per_second import work_per_second
from ..language.printed import INFINITY, Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

READ = frozenset({"real", "cached_host"})
SAMPLES = frozenset({"sample", "image", "img", "example", "item", "sequence", "seq", "sentence", "frame"})
GIB = 2**30
PROVIDE = """\
arms:
  a:
    measurement:
      pipeline: {kind: real, bytes_per_sample: 115000, dataset_bytes: 147000000000,
                 cache_bytes: 200000000000, link_bytes_per_s: 2e9}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.05, "fraction above the slowest link", "judgement: rounding of data sheets")


@rule(
    "W0603",
    "storage-bandwidth-infeasible",
    effect=REFUTES,
    confidence=C3,
    applies="rate and has(bytes)",
    origin="S1.6, ML",
    thresholds=Thresholds,
)
def storage_bandwidth_infeasible(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """More samples per second than the slowest link carries bytes for.

    ## What it does
    Multiplies the rate, at the lower end of its digits, by the bytes of one sample. What the declared cache or the host
    memory can hold of the data set (memory only where no cache is declared) need not be read again, so only the rest
    has to come over the slowest link: with C of D bytes cached, the share 1 - C / D. A full cache could be excused, a
    partial one cannot be counted as none.

    ## Why it misleads
    Such a rate was not measured on this data, from this storage.

    ## Branches
    - (a) refutes, C3: the bytes that must come over the slowest link exceed it by more than 5 %, and the data set does
      not fit the cache.
    - not applicable: the inputs are generated or lie on the device; bytes per sample, a link or a rate of samples are
      not stated; the number is not measured.
    - not shown: the rate exceeds the link, and the sizes of data set and cache are not stated; or every node or device
      may have a link of its own.
    - Bytes of one sample are the smaller of what is stated and the size of the data set on disk divided by its
      examples, for compressed files grow when they are read.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"pipeline": {"kind": "real", "bytes_per_sample": 600000,
       "dataset_bytes": 9000000000000, "cache_bytes": 400000000000, "link_bytes_per_s": 1e9}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, from a link that is fast enough:
    ```json
    {"arms": {"a": {"measurement": {"pipeline": {"kind": "real", "bytes_per_sample": 115000,
       "dataset_bytes": 9000000000000, "cache_bytes": 400000000000, "link_bytes_per_s": 1e9}}}}}
    ```

    ## How to fix
    Correct the bytes per sample, or show where the data lay.

    ## References
    Hoefler, Twelve ways to fool the masses, way 6.
    """
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    pipeline = measurement.pipeline if measurement is not None else None
    if side is None or pipeline is None or pipeline.bytes_per_sample is None or pipeline.link_bytes_per_s is None:
        yield Inapplicable("bytes per sample and the bandwidth of the slowest link are not stated")
        return
    if pipeline.kind not in READ or claim.basis not in {None, "measured"}:
        yield Inapplicable("the inputs are not read from storage, or the number was not measured")
        return
    rate = _samples_per_s(claim, case, side)
    if rate is None or rate.low <= 0:
        yield Inapplicable("no rate of samples is stated")
        return
    link = given(pipeline.link_bytes_per_s).high * (1 + Decimal(str(thresholds.slack)))
    demand = rate.low * _bytes_per_sample(side, pipeline)
    if demand <= link:
        return
    share = _uncached(side, pipeline)
    if share is None:
        message = f"{short(demand)} bytes/s exceed the slowest link, and the sizes of data set and cache are not stated"
        yield NotShown(message, pipeline.at, provide=PROVIDE)
        return
    yield from _judge(claim, side, pipeline, demand * share, link)


def _judge(claim: Claim, side: Side, pipeline: Pipeline, demand: Decimal, link: Decimal) -> Iterator[Branch]:
    if demand <= link:
        return
    nodes = side.system.nodes if side.system is not None else None
    links = max(side.devices or 1, nodes or 1)
    if demand <= link * links:
        message = (
            f"{short(demand)} bytes/s must come over a link of {pipeline.link_bytes_per_s:g}; whether each of {links} "
            "nodes or devices has one is not stated"
        )
        yield NotShown(message, pipeline.at, provide=PROVIDE)
        return
    message = (
        f"at this rate {short(demand)} bytes/s of data that fit no cache must come over the slowest link, which "
        f"carries {pipeline.link_bytes_per_s:g}"
    )
    related = (Related(pipeline.place("link_bytes_per_s"), "the slowest link"),)
    at = claim.place("value")
    yield Violation("a", REFUTES, C3, message, at, claim.value, f"{pipeline.link_bytes_per_s:g} bytes/s", related)


def _samples_per_s(claim: Claim, case: Case, side: Side) -> Span | None:
    """Return the rate of samples of all devices: the claim's own, else that of its metric."""
    metric = case.metric(claim.measured)
    if claim.form == "absolute" and claim.value is not None:
        value, unit = span(claim.value, claim.qualifier, claim.digits), work_per_second(claim.unit)
    elif metric is not None and metric.value is not None:
        value, unit = span(metric.value, digits=metric.digits), work_per_second(metric.unit)
    else:
        return None
    if unit is None:
        return None
    factor = unit.factor * (side.devices or 1 if unit.per_device else 1)
    word = unit.word.removesuffix("s") if unit.word != "s" else unit.word
    if word in {"token", "tok"}:
        length = side.arm.options.input_length if side.arm.options is not None else None
        if length is None:
            return None
        factor = factor / length
    elif word not in SAMPLES:
        return None
    return Span(max(value.low, Decimal(0)) * factor, value.high * factor if value.high < INFINITY else INFINITY)


def _bytes_per_sample(side: Side, pipeline: Pipeline) -> Decimal:
    assert pipeline.bytes_per_sample is not None
    stated = given(pipeline.bytes_per_sample).low
    train = side.arm.splits.get("train")
    if pipeline.dataset_bytes and train is not None and train.examples:
        return min(stated, Decimal(pipeline.dataset_bytes) / train.examples)
    return stated


def _uncached(side: Side, pipeline: Pipeline) -> Decimal | None:
    """Return the share of the data set that no cache can hold; None where a size is not stated.

    The declared cache counts, and 0 declares that there is none; host memory may hold data only where none is declared.
    """
    system = side.system
    memory = system.host_memory_gib * (system.nodes or 1) * GIB if system is not None and system.host_memory_gib else 0
    cache = memory if pipeline.cache_bytes is None else float(pipeline.cache_bytes)
    if not pipeline.dataset_bytes or (pipeline.cache_bytes is None and not memory):
        return None
    return max(Decimal(0), 1 - Decimal(repr(cache)) / Decimal(pipeline.dataset_bytes))
