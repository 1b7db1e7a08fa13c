"""P01: more operations per second than the devices can do."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.operations import formats_of, texts
from ..facts.device.peak_bound import BOUND, STATED, PeakBound, peak_bound
from ..facts.document.words import words_in
from ..facts.quantities.given import given
from ..facts.quantities.per_second import operations_per_second, work_per_second
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Effect, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  a:
    performance: {flops: {quantity: flops, value: "421", unit: TFLOP/s/GPU}}     # or FLOP/s, as the number is printed
"""


class Rate(Struct, frozen=True):
    """Operations per second that a claim states, in a unit of them, or that its work per second amounts to."""

    span: Span
    nominal: Decimal
    printed: str
    per_device: bool
    at: str
    stated: bool = False


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    boost: float = Threshold(0.3, "fraction above a published peak", "measured: consumer devices exceed theirs by 21 %")
    slack: float = Threshold(0.02, "fraction of the bound", "judgement: rounding of clocks and peaks")
    unit: float = Threshold(1000, "times the bound from which on the unit is doubted", "a prefix of units is 1,000")


@rule(
    "P01",
    "peak-flops-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="(flops or rate) and has(peak)",
    origin="S0, HB15.11",
    thresholds=Thresholds,
)
def peak_flops_exceeded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """More operations per second than the devices can do.

    ## What it does
    Takes the claimed FLOP/s, or the claimed rate times the operations per sample, at the lower end of what its digits
    allow, and compares it with the peak of one device times the devices. The accelerator table gives units x operations
    per clock x highest clock, of the largest variant that fits what is stated, and in the fastest of the formats that
    may have run; where it does not know the device, the peak that the document itself uses counts. Of the two the
    larger one.

    ## Why it misleads
    No program computes faster than its machine. A number above the peak was counted, timed or converted wrongly.

    ## Branches
    - (a) refutes, C3: more than 2 % above what the highest clock gives, where the table vouches for units, operations
      per clock and clock; or more than 30 % above the stated peak of a device that the table does not know.
    - (b) undermines, C3: above the published peak by less; or by any amount where a published peak is all that is known
      of the device, since some clock above their rated boost; or, in inference, by less than twice where nothing says
      that the weights are dense.
    - not shown: stated FLOP/s of more than 1,000 times the bound, as a wrong prefix of the unit gives: which unit is
      meant decides.
    - not applicable: no peak is stated and no table knows one for the device and the format; the device count or the
      operations per sample are not stated; the rate fits only some of the formats or variants that may be meant; or
      the operations are nominal, by how they are counted or by the sentence: sparsity, pruned weights, Winograd, FFT,
      masked attention counted in full, emulated arithmetic.

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
    limit = peak_bound(claim, case, side) if side is not None else None
    if side is None or limit is None:
        yield Inapplicable("no peak is stated, and no table knows one for this device and format")
        return
    rate = _rate(claim, case, side, limit)
    devices, sure = _devices(claim, case, side)
    if rate is None or (devices is None and not rate.per_device):
        yield Inapplicable("the operations per second or the device count do not follow from what is stated")
        return
    if _nominal(claim, side) or _said_sparse(claim, case):
        yield Inapplicable("the operations are counted nominally")
        return
    used = 1 if rate.per_device or devices is None else devices
    if rate.span.low > min(limit.data_sheet, limit.bound) * used:
        branch, effect, peak = _strength(rate.span.low / used, limit, _may_skip(claim, side), thresholds)
        many = "one device" if used == 1 else f"{used} devices"
        if rate.stated and rate.span.low > limit.bound * used * int(thresholds.unit):
            message = f"{rate.printed} would be more than {thresholds.unit:,.0f} times {limit.words} for {many}"
            yield NotShown(f"{message}: its unit is not the one that is meant", rate.at, provide=PROVIDE)
            return
        words = limit.words if peak == limit.bound else limit.words.replace(BOUND, "the published peak of")
        message = f"{rate.printed} is {float(rate.nominal / (peak * used)):.4g} times {words} for {many}"
        claimed = f"{rate.printed} ({short(rate.nominal)} FLOP/s)"
        yield Violation(branch, effect, C3, message, rate.at, claimed, short(peak * used), _related(side))
    elif not sure:
        yield Inapplicable("how many devices of the system were used is not stated")
    elif rate.span.low > limit.certain * used:
        yield Inapplicable("the rate fits only some of the formats or variants that may be meant")


def _strength(each: Decimal, limit: PeakBound, skips: bool, thresholds: Thresholds) -> tuple[str, Effect, Decimal]:
    """Return branch, effect and the peak that a rate of one device exceeds."""
    sure = limit.reliable and limit.words != STATED
    most = limit.bound * (1 + Decimal(str(thresholds.slack if sure else thresholds.boost)))
    if limit.reliable and each > most and not (skips and each <= limit.skipping):
        return "a", REFUTES, limit.bound
    return "b", UNDERMINES, min(limit.data_sheet, limit.bound)


def _may_skip(claim: Claim, side: Side) -> bool:
    """Return whether the weights may be sparse without a word."""
    return claim.mode != "training" and (side.arm.options is None or side.arm.options.sparsity is None)


def _related(side: Side) -> tuple[Related, ...]:
    operations = side.arm.operations
    if operations is not None and operations.peak_flops is not None:
        return (Related(operations.place("peak_flops"), "peak of one device"),)
    return (Related(side.system.place("device"), "the device"),) if side.system is not None else ()


def _rate(claim: Claim, case: Case, side: Side, limit: PeakBound) -> Rate | None:
    operations = side.arm.operations
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
        if flops is None:
            return None
        nominal = Decimal(printed) * flops.factor
        return Rate(_times(value, flops.factor), nominal, f"{printed} {unit}", flops.per_device, at, stated=True)
    work = work_per_second(unit)
    if quantity != "rate" or work is None or operations is None or operations.flop_per_sample is None:
        return None
    each = given(operations.flop_per_sample).low
    factor = work.factor * each
    found = Rate(_times(value, factor), Decimal(printed) * factor, f"{printed} {unit}", work.per_device, at)
    return None if _may_be_per_sequence(found, work.word, side, limit) else found


def _times(value: Span, factor: Decimal) -> Span:
    return Span(max(value.low, Decimal(0)) * factor, value.high)


def _may_be_per_sequence(rate: Rate, word: str, side: Side, limit: PeakBound) -> bool:
    """Whether the operations may be those of a whole sequence, where the rate counts tokens."""
    length = side.arm.options.input_length if side.arm.options is not None else None
    if word not in {"token", "tokens"}:
        return False
    peak = limit.bound * (1 if rate.per_device else side.devices or 1)
    return rate.span.low > peak and (length is None or peak >= rate.span.low / length)


def _devices(claim: Claim, case: Case, side: Side) -> tuple[int | None, bool]:
    """Return the devices, and whether that many were surely used: a system may have more than an arm used."""
    row = case.row(claim)
    own = side.arm.devices or (side.arm.options.devices if side.arm.options is not None else None)
    stated = row.devices if row is not None and row.devices is not None else own
    return (stated, True) if stated is not None else (side.devices, False)


def _said_sparse(claim: Claim, case: Case) -> bool:
    """Return whether the words beside the number, or those above its table, say that sparse products are counted."""
    words = words_in(*texts(claim, case), *formats_of(claim, case))
    return any(text.has("sparse_products") and not text.has("no_sparse_products", False) for text in words)


def _nominal(claim: Claim, side: Side) -> bool:
    if read(claim.statement).has("called_nominal") or read(claim.unit or "").has("counted_as_equal"):
        return True
    options, operations = side.arm.options, side.arm.operations
    sparse = options is not None and options.sparsity not in {None, "none"}
    if operations is None:
        return sparse
    counted = words_in(operations.method).has("nominal_operations", affirmed=False)
    return sparse or counted or operations.emulation is not None
