"""P05: a step that is shorter than the exchange of its gradients."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.options import Options
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.limits import link_bandwidth
from ..facts.device.weights import weight_bytes
from ..facts.document.words import words_in
from ..facts.quantities.given import given
from ..facts.quantities.per_second import seconds, work_per_second
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  n64:
    options: {extra: {exchange: "hierarchical: inside of each node first, then between nodes over all of its ports"}}
"""
TOKEN = "tok"  # noqa: S105


class Step(Struct, frozen=True):
    """The longest duration of one optimizer step that is stated, in seconds."""

    longest_s: Decimal
    printed: str
    at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.05, "fraction of the bound", "judgement")


@rule(
    "P05",
    "collective-bandwidth-exceeded",
    effect=UNDERMINES,
    confidence=C3,
    applies="training and has(bytes)",
    origin="S3",
    thresholds=Thresholds,
)
def collective_bandwidth_exceeded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A training step that is over before its gradients could have been exchanged.

    ## What it does
    In synchronous data parallelism every device sends and receives at least 2 (p - 1) / p times the bytes of its
    gradients in each optimizer step, p being the data-parallel size; a network that adds them up itself needs them
    once. Over the bandwidth of the slowest link, stated or from the accelerator table for devices of one node, this is
    the least time of a step, however much of it overlaps with computation. Devices of one node may add up their
    gradients among themselves first and share what leaves the node: then p are the nodes, and each device's link
    carries its part of the bytes.

    ## Why it misleads
    A shorter step did not exchange all gradients, or exchanged others: compressed, sharded, or not in every step.

    ## Branches
    - (a) undermines, C3: the step takes less than 0.95 of the least time, even where the devices of a node share.
    - not shown: it takes less than 0.95 of what each device needs by itself, gradients and parameters apart where the
      optimizer is sharded: whether the devices of a node share the exchange is not stated.
    - not applicable: bytes of gradients, bandwidth, data-parallel size, nodes or the time of an optimizer step are not
      stated; gradients are compressed or stale, or updates are local.

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
    step, size = _step(side), _data_parallel(side)
    if limit is None or step is None or size is None or size < 2:
        yield Inapplicable("bandwidth, data-parallel size or the time of an optimizer step are not stated")
        return
    if options is not None and _less_exchanged(options):
        yield Inapplicable("the gradients are compressed or stale, or updates are local")
        return
    apart, shared = _least_bytes(side, size)
    related = (Related(footprint.place("gradient_bytes"), "bytes of gradients"), Related(limit.at, limit.words))
    slack = 1 - Decimal(str(thresholds.slack))
    message = (
        f"a step takes {step.printed}; {footprint.gradient_bytes:g} bytes of gradients over {size} replicas at "
        f"{short(limit.value)} bytes/s take at least"
    )
    if shared is None:
        yield Inapplicable("how the devices are spread over nodes is not stated")
    elif step.longest_s < shared / limit.value * slack:
        least = short(shared / limit.value)
        yield Violation("a", UNDERMINES, C3, f"{message} {least} s", step.at, step.printed, f"{least} s", related)
    elif step.longest_s < apart / limit.value * slack and not _said_shared(side):
        least = short(apart / limit.value)
        message += f" {least} s, unless the devices of a node share the exchange, which is not stated"
        yield NotShown(message, step.at, provide=PROVIDE, related=related, question=True)


def _least_bytes(side: Side, size: int) -> tuple[Decimal, Decimal | None]:
    """Return the least bytes over one device's link in a step: alone, and where the devices of a node share them.

    With a sharded optimizer the gradients are added up and scattered, and the parameters gathered: each once.
    """
    footprint, options = side.arm.footprint, side.arm.options
    assert footprint is not None
    assert footprint.gradient_bytes is not None
    gradients, once = given(footprint.gradient_bytes).low, _in_network(side)
    nodes, each = _spread(side)
    sharded = options is not None and (options.sharding or "none").strip().casefold() != "none"
    if sharded:
        gathered = weight_bytes(side) or Decimal(0)
        total = max(gradients, gathered) if once else (gradients + gathered) * (size - 1) / size
        least = gradients * (nodes - 1) / nodes / each if nodes and each else None
        return total, least
    total = gradients * (1 if once else Decimal(2 * (size - 1)) / size)
    if nodes is None or each is None:
        return total, None
    if nodes == 1 or each == 1:
        return total, total
    return total, gradients / each * (1 if once else Decimal(2 * (nodes - 1)) / nodes)


def _said_shared(side: Side) -> bool:
    """Whether the arm's options or the interconnect say that the devices of a node share what leaves it."""
    extra = side.arm.options.extra.values() if side.arm.options is not None else ()
    wires = side.system.interconnect if side.system is not None else None
    return words_in(*map(str, (*extra, wires))).has("exchange_in_node_first")


def _spread(side: Side) -> tuple[int | None, int | None]:
    """Return nodes and devices of each; one device a node where nothing is said of nodes, each None where unknown."""
    system = side.system
    if system is None:
        return None, None
    each, nodes, devices = system.devices_per_node, system.nodes, side.devices
    if nodes is None and each and devices:
        nodes = -(-devices // each)
    return nodes, each


def _data_parallel(side: Side) -> int | None:
    options = side.arm.options
    if options is not None and options.data_parallel is not None:
        return options.data_parallel
    split = options is not None and any(
        (size or 1) > 1 for size in (options.tensor_parallel, options.pipeline_parallel, options.expert_parallel)
    )
    return None if split else side.devices


def _less_exchanged(options: Options) -> bool:
    compressed = options.compression is not None and options.compression.strip().casefold() != "none"
    local = words_in(options.optimizer).has("local_updates")
    return compressed or bool(options.staleness) or local


def _in_network(side: Side) -> bool:
    """Whether the network may add up the gradients: said so, or nothing is said of it."""
    wires = side.system.interconnect if side.system is not None else None
    return not isinstance(wires, str) or read(wires).has("in_network_sum", affirmed=False)


def _step(side: Side) -> Step | None:
    """Return the time of an optimizer step: global batch / rate, or a stated time of a step without accumulation."""
    options = side.arm.options
    one_pass = options is not None and options.accumulation == 1
    for metric in side.arm.performance.values():
        if metric.value is None:
            continue
        value, unit, work = span(metric.value, digits=metric.digits), seconds(metric.unit), work_per_second(metric.unit)
        if metric.quantity == "time" and unit is not None and metric.scope == "step" and one_pass:
            return Step(value.high * unit, f"{metric.value} {metric.unit}", metric.place("value"))
        if metric.quantity == "rate" and work is not None and options is not None and value.low > 0:
            each = _work_of_a_step(options, work.word)
            if each is not None:
                total = work.factor * (side.devices or 1 if work.per_device else 1)
                implied = Span(each, each) / (value * Span(total, total))
                words = f"{short(implied.high)} s ({each} at {metric.value} {metric.unit})" if implied else ""
                return Step(implied.high, words, metric.place("value")) if implied is not None else None
    return None


def _work_of_a_step(options: Options, word: str) -> Decimal | None:
    if options.global_batch is None or options.batch_schedule:
        return None
    if not word.startswith(TOKEN):
        return Decimal(options.global_batch)
    return Decimal(options.global_batch * options.input_length) if options.input_length is not None else None
