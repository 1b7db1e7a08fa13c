"""P06: a model that does not fit into the memory of its devices."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.options import Options
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.limits import memory_capacity
from ..facts.device.weights import weight_bytes
from ..facts.document.words import words_in
from ..facts.quantities.given import given
from ..language.printed import short
from ..outcome import C2, C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule

MOMENTS = 2
TWO_MOMENTS = frozenset({"adam", "adamw", "nadam", "radam", "lamb"})


@rule(
    "P06",
    "memory-capacity-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="(training or inference) and has(memory)",
    origin="S3",
)
def memory_capacity_exceeded(claim: Claim, case: Case) -> Iterator[Branch]:
    """Parameters that need more memory than the devices that hold them have.

    ## What it does
    Multiplies the parameters by the bytes that each needs on the devices (as stated, else in the format of the
    weights), divides by the devices that share one copy, adds the stated least bytes of activations, and compares with
    the memory of one device, stated or from the accelerator table. Without sharding, one copy is shared by tensor,
    pipeline and expert parallelism; with it, or where their sizes are not stated, by all devices. Where the bytes of a
    parameter are not stated, a training with Adam keeps two moments beside each trained weight, in its format.

    ## Why it misleads
    The run as described cannot have happened: something was sharded, moved to the host or kept in fewer bits.

    ## Branches
    - (a) refutes, C3: the least bytes on one device exceed its memory.
    - (b) undermines, C3: the same where the memory is a published figure that the table does not vouch for.
    - (c) undermines, C2: the same only with the two moments of Adam; not where the optimizer is said to keep them in
      few bits, or only a part of the parameters is trained.
    - not applicable: whether state is sharded or moved to the host is not stated, or it is moved; parameters, format,
      devices or memory are not stated.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"footprint": {"parameters": 7.0e9, "bytes_per_parameter": 16},
                    "options": {"sharding": "none", "offload": "none", "expert_parallel": 1}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"footprint": {"parameters": 1.3e9, "bytes_per_parameter": 16},
                    "options": {"sharding": "none", "offload": "none", "expert_parallel": 1}}}}
    ```

    ## How to fix
    State sharding, offload and the format of optimizer state.

    ## References
    Rajbhandari and others, ZeRO (2019), section 3.
    """
    side = case.subject(claim)
    options, footprint = (side.arm.options, side.arm.footprint) if side is not None else (None, None)
    if side is None or footprint is None or options is None or not _kept_on_devices(options):
        yield Inapplicable("whether state is sharded or moved to the host is not stated, or it is moved")
        return
    needed, limit, sharers = _bytes(side), memory_capacity(case, side.system), _sharers(side, options)
    if needed is None or limit is None or sharers is None:
        yield Inapplicable("parameters, their format, devices or memory are not stated")
        return
    rest = given(footprint.activation_bytes).low if footprint.activation_bytes is not None else Decimal(0)
    least = needed / sharers + rest
    related = (Related(limit.at, "memory of one device"),)
    if least > limit.value:
        branch, effect = ("a", REFUTES) if limit.reliable else ("b", UNDERMINES)
        message = (
            f"at least {short(least)} bytes on one device ({short(needed)} over {sharers}); its memory is "
            f"{short(limit.value)} bytes {limit.words}"
        )
        yield Violation(branch, effect, C3, message, footprint.at, short(least), short(limit.value), related)
    elif _keeps_moments(claim, side, options) and least + MOMENTS * needed / sharers > limit.value:
        all_of_it = short(least + MOMENTS * needed / sharers)
        message = (
            f"weights and the two moments of {options.optimizer} take {all_of_it} bytes on one device, whose memory is "
            f"{short(limit.value)} bytes {limit.words}"
        )
        yield Violation("c", UNDERMINES, C2, message, footprint.at, all_of_it, short(limit.value), related)


def _keeps_moments(claim: Claim, side: Side, options: Options) -> bool:
    """Whether the arm trains all its weights with an optimizer that keeps two moments of each as it is."""
    footprint, name = side.arm.footprint, (options.optimizer or "").casefold().replace(" ", "")
    if claim.mode != "training" or footprint is None or footprint.bytes_per_parameter is not None:
        return False
    told = words_in(claim.statement, side.arm.label, options.model, options.optimizer, options.quantisation)
    return name.removeprefix("fused") in TWO_MOMENTS and not told.has("trains_a_part", affirmed=False)


def _kept_on_devices(options: Options) -> bool:
    return options.sharding is not None and options.offload is not None and _none(options.offload)


def _none(text: str) -> bool:
    return text.strip().casefold() in {"none", "no", "off"}


def _bytes(side: Side) -> Decimal | None:
    footprint = side.arm.footprint
    if footprint is not None and footprint.parameters is not None and footprint.bytes_per_parameter is not None:
        return given(footprint.parameters).low * given(footprint.bytes_per_parameter).low
    return weight_bytes(side)


def _sharers(side: Side, options: Options) -> int | None:
    """Return the most devices that may share one copy; None where the devices are not stated."""
    sizes = (options.tensor_parallel, options.pipeline_parallel, options.expert_parallel)
    if options.sharding is None or not _none(options.sharding) or None in sizes:
        return side.devices
    product = 1
    for size in sizes:
        product *= size or 1
    return product
