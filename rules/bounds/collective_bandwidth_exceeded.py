"""P05: a step that is shorter than the exchange of its gradients."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace

from msgspec import Struct

from ...schemas.options import Options
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.given import given
from ..facts.limits import link_bandwidth
from ..facts.numbers import Span, short, span
from ..facts.per_second import seconds, work_per_second
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..pattern import Pattern
from ..registry import Threshold, rule

IN_NETWORK = Pattern(r"\bsharp\b|in-network|switch(?:es)? (?:that )?(?:reduc|sum)|nvls|multicast", re.IGNORECASE)
LOCAL_STEPS = Pattern(r"\blocal\b|diloco|post-local|asynchron|elastic averag", re.IGNORECASE)
TOKEN = "tok"  # noqa: S105


class Step(Struct, frozen=True):
    """The longest duration of one optimizer step that is stated, in seconds."""

    longest_s: Decimal
    printed: str
    at: str


@rule(
    "P05",
    "collective-bandwidth-exceeded",
    effect=UNDERMINES,
    confidence=C3,
    applies="points>=2 and training and has(bytes)",
    origin="S3",
    thresholds={"slack": Threshold(0.05, "fraction of the bound", "judgement")},
)
def collective_bandwidth_exceeded(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A training step that is over before its gradients could have been exchanged.

    ## What it does
    In synchronous data parallelism every device sends and receives at least 2 (p - 1) / p times the bytes of its
    gradients in each optimizer step, p being the data-parallel size; a network that adds them up itself needs them
    once. Over the bandwidth of the slowest link, stated or from the accelerator table for devices of one node, this is
    the least time of a step, however much of it overlaps with computation.

    ## Why it misleads
    A shorter step did not exchange all gradients, or exchanged others: compressed, sharded, or not in every step.

    ## Branches
    - (a) undermines, C3: the step takes less than 0.95 of the least time.
    - not applicable: bytes of gradients, bandwidth, data-parallel size or the time of an optimizer step are not stated;
      gradients are sharded, compressed or stale, or updates are local.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"systems": {"x8": {"link_bytes_per_s": 2.5e8}}, "arms": {"n8": {"footprint": {"gradient_bytes": 1.02e8}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`:
    ```json
    {"systems": {"x8": {"link_bytes_per_s": 2.5e10}}, "arms": {"n8": {"footprint": {"gradient_bytes": 1.02e8}}}}
    ```

    ## How to fix
    Check compression, the bytes of the gradients, and how often they are exchanged.

    ## References
    Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH (2005).
    """
    side = case.subject(claim)
    footprint = side.arm.footprint if side is not None else None
    if side is None or footprint is None or footprint.gradient_bytes is None:
        yield Inapplicable("the bytes of the gradients are not stated")
        return
    options, limit = side.arm.options, link_bandwidth(case, side.system)
    step, size = _step(claim, case, side), _data_parallel(side)
    if limit is None or step is None or size is None or size < 2:
        yield Inapplicable("bandwidth, data-parallel size or the time of an optimizer step are not stated")
        return
    if options is not None and _less_exchanged(options):
        yield Inapplicable("the gradients are sharded, compressed or stale, or updates are local")
        return
    share = Decimal(1) if _in_network(side) else Decimal(2 * (size - 1)) / size
    least = share * given(footprint.gradient_bytes).low / limit.value
    if step.longest_s < least * (1 - Decimal(str(settings.slack))):
        message = (
            f"a step takes {step.printed}; {footprint.gradient_bytes:g} bytes of gradients over {size} replicas at "
            f"{short(limit.value)} bytes/s take at least {short(least)} s"
        )
        related = (Related(footprint.place("gradient_bytes"), "bytes of gradients"), Related(limit.at, limit.words))
        yield Violation("a", UNDERMINES, C3, message, step.at, step.printed, f"{short(least)} s", related)


def _data_parallel(side: Side) -> int | None:
    options = side.arm.options
    if options is not None and options.data_parallel is not None:
        return options.data_parallel
    split = options is not None and any(
        (size or 1) > 1 for size in (options.tensor_parallel, options.pipeline_parallel, options.expert_parallel)
    )
    return None if split else side.devices


def _less_exchanged(options: Options) -> bool:
    names = {value.strip().casefold() for value in (options.sharding, options.compression) if value is not None}
    local = options.optimizer is not None and LOCAL_STEPS.search(options.optimizer) is not None
    return bool(names - {"none"}) or bool(options.staleness) or local


def _in_network(side: Side) -> bool:
    """Whether the network may add up the gradients: said so, or nothing is said of it."""
    wires = side.system.interconnect if side.system is not None else None
    return not isinstance(wires, str) or IN_NETWORK.search(wires) is not None


def _step(claim: Claim, case: Case, side: Side) -> Step | None:
    """Return the time of an optimizer step: global batch / rate, or a stated time of a step without accumulation."""
    options = side.arm.options
    for metric in side.arm.performance.values():
        if metric.value is None:
            continue
        value, unit, work = span(metric.value, digits=metric.digits), seconds(metric.unit), work_per_second(metric.unit)
        if metric.quantity == "time" and unit is not None and metric.scope == "step" and _one_pass(options):
            return Step(value.high * unit, f"{metric.value} {metric.unit}", metric.place("value"))
        if metric.quantity == "rate" and work is not None and options is not None and value.low > 0:
            each = _work_of_a_step(options, work.word)
            if each is not None:
                total = work.factor * (side.devices or 1 if work.per_device else 1)
                implied = Span(each, each) / (value * Span(total, total))
                words = f"{short(implied.high)} s ({each} at {metric.value} {metric.unit})" if implied else ""
                return Step(implied.high, words, metric.place("value")) if implied is not None else None
    return None


def _one_pass(options: Options | None) -> bool:
    return options is not None and options.accumulation == 1


def _work_of_a_step(options: Options, word: str) -> Decimal | None:
    if options.global_batch is None or options.batch_schedule:
        return None
    if not word.startswith(TOKEN):
        return Decimal(options.global_batch)
    return Decimal(options.global_batch * options.input_length) if options.input_length is not None else None
