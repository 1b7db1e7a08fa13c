"""P01: more operations per second than the devices can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace

from msgspec import Struct

from ...schemas.evidence import Operations
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.given import given
from ..facts.numbers import Span, short, span
from ..facts.per_second import operations_per_second, work_per_second
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..pattern import Pattern
from ..registry import Threshold, rule

NOMINAL = Pattern(r"winograd|\bfft|strassen|spars|causal|nominal", re.IGNORECASE)


class Rate(Struct, frozen=True):
    """Operations per second that a claim states, or that its work per second amounts to."""

    span: Span
    printed: str
    per_device: bool
    at: str


@rule(
    "P01",
    "peak-flops-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="(flops or rate) and has(peak)",
    origin="S0, HB15.11",
    thresholds={"boost": Threshold(0.082, "fraction above a data-sheet peak", "highest boost over data-sheet clocks")},
)
def peak_flops_exceeded(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """More operations per second than the stated peak of the devices allows.

    ## What it does
    Takes the claimed FLOP/s, or the claimed rate times the operations per sample, at the lower end of what its digits
    allow, and compares it with the peak of one device that the document itself uses, times the devices.

    ## Why it misleads
    No program computes faster than its machine. A number above the peak was counted, timed or converted wrongly.

    ## Branches
    - (a) refutes, C3: above the peak by more than a boost clock gives (8.2 %).
    - (b) undermines, C3: above the peak by less.
    - not applicable: the peak, the device count or the operations per sample are not stated, or the operations are
      nominal: sparsity, Winograd, FFT, causal attention counted in full, emulated arithmetic.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"operations": {"flop_per_sample": 2.46e11, "peak_flops": 3.12e14, "peak_kind": "dense"}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"operations": {"flop_per_sample": 2.46e10, "peak_flops": 3.12e14, "peak_kind": "dense"}}}}
    ```

    ## How to fix
    Check the count of operations, the units, and whether the clock waited for the device.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 11.
    """
    side = case.subject(claim)
    operations = side.arm.operations if side is not None else None
    if side is None or operations is None or operations.peak_flops is None:
        yield Inapplicable("no peak of the device is stated")
        return
    rate = _rate(claim, case, side, operations)
    devices, sure = _devices(claim, case, side)
    if rate is None or (devices is None and not rate.per_device):
        yield Inapplicable("the operations per second or the device count do not follow from what is stated")
        return
    if _nominal(side, operations):
        yield Inapplicable("the operations are counted nominally")
        return
    used = 1 if rate.per_device or devices is None else devices
    peak = given(operations.peak_flops).high * used
    if rate.span.low > peak:
        beyond = rate.span.low > peak * (1 + Decimal(str(settings.boost)))
        branch, effect = ("a", REFUTES) if beyond else ("b", UNDERMINES)
        message = f"{rate.printed} is {short(rate.span.low / peak)} times the peak of {used} devices"
        related = (Related(operations.place("peak_flops"), "peak of one device"),)
        yield Violation(branch, effect, C3, message, rate.at, short(rate.span.low), short(peak), related)
    elif not sure:
        yield Inapplicable("how many devices of the system were used is not stated")


def _rate(claim: Claim, case: Case, side: Side, operations: Operations) -> Rate | None:
    metric = case.metric(claim.measured)
    if claim.form == "absolute" and claim.value is not None:
        value, unit, quantity = span(claim.value, claim.qualifier, claim.digits), claim.unit, claim.quantity
        printed, at = claim.value, claim.place("value")
    elif metric is not None and metric.value is not None:
        value, unit, quantity = span(metric.value, digits=metric.digits), metric.unit, metric.quantity
        printed, at = metric.value, metric.place("value")
    else:
        return None
    if quantity == "flops":
        flops = operations_per_second(unit)
        return (
            Rate(_times(value, flops.factor), f"{printed} {unit}", flops.per_device, at) if flops is not None else None
        )
    work = work_per_second(unit)
    if quantity != "rate" or work is None or operations.flop_per_sample is None:
        return None
    each = given(operations.flop_per_sample).low
    found = Rate(_times(value, work.factor * each), f"{printed} {unit}", work.per_device, at)
    return None if _may_be_per_sequence(found, work.word, side, operations) else found


def _times(value: Span, factor: Decimal) -> Span:
    return Span(max(value.low, Decimal(0)) * factor, value.high)


def _may_be_per_sequence(rate: Rate, word: str, side: Side, operations: Operations) -> bool:
    """Whether the operations may be those of a whole sequence, where the rate counts tokens."""
    length = side.arm.options.input_length if side.arm.options is not None else None
    if word not in {"token", "tokens"} or length is None or operations.peak_flops is None:
        return False
    peak = Decimal(repr(operations.peak_flops)) * (1 if rate.per_device else side.devices or 1)
    return rate.span.low > peak >= rate.span.low / length


def _devices(claim: Claim, case: Case, side: Side) -> tuple[int | None, bool]:
    """Return the devices, and whether that many were surely used: a system may have more than an arm used."""
    row = case.row(claim)
    own = side.arm.devices or (side.arm.options.devices if side.arm.options is not None else None)
    stated = row.devices if row is not None and row.devices is not None else own
    return (stated, True) if stated is not None else (side.devices, False)


def _nominal(side: Side, operations: Operations) -> bool:
    options = side.arm.options
    sparse = options is not None and options.sparsity not in {None, "none"}
    counted = operations.method is not None and NOMINAL.search(operations.method) is not None
    return sparse or counted or operations.emulation is not None
