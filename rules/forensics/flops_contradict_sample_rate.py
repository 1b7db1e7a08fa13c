"""F21: operations per second that operations per sample and the sample rate do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.operations import claimed_flops
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.per_second import NO_SAMPLES, TOKENS, operations_per_second, says_each, work_per_second
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

FORWARD_ONLY = (Decimal(3), Decimal(1) / 3)
RECOMPUTED = (Decimal(4) / 3, Decimal(3) / 4)


class Rate(Struct, frozen=True):
    """A rate of samples of one device or of all, with its place."""

    samples: Span
    per_device: bool
    at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    tolerance: float = Threshold(0.01, "fraction of the FLOP/s", "judgement")


@rule(
    "F21",
    "flops-contradict-sample-rate",
    effect=REFUTES,
    confidence=C3,
    applies="flops and has(flop_per_sample)",
    origin="J",
    also=("P02",),
    thresholds=Thresholds,
)
def flops_contradict_sample_rate(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """FLOP/s that are not the samples per second times the operations of a sample.

    ## What it does
    Multiplies the arm's rate of samples (or of tokens, one by one or by the length of an example) with the operations
    per sample and compares the product with the claimed FLOP/s. Rates of one device meet FLOP/s of all devices by their
    number.

    ## Why it misleads
    FLOP/s of a training are never measured; they are this product. Where it does not hold, another count or another
    rate was multiplied.

    ## Branches
    - (a) refutes, C3: product and claim are apart by more than 1 %.
    - not applicable: no rate of samples, or device counts, in known units; or the two are apart by just the factor that
      a forward pass is of a training step (3), or by the recomputation that is said to be on (4/3).

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"operations": {"flop_per_sample": 7800000000.0}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`: 133000 tokens/s at 9.008 GFLOP each are 1.198 PFLOP/s.

    ## How to fix
    Give the operations per sample that were counted, and the rate they were multiplied with.

    ## References
    Kaplan et al., Scaling laws for neural language models (2020), on 6 N operations per token.
    """
    side, claimed = case.subject(claim), claimed_flops(claim, case)
    operations = side.arm.operations if side is not None else None
    if side is None or claimed is None or operations is None or operations.flop_per_sample is None:
        yield Inapplicable("FLOP/s and operations per sample of one arm are not both given")
        return
    rates = [rate for metric in side.arm.performance.values() for rate in _rates(side, metric)]
    if not rates or claim.form != "absolute":
        yield Inapplicable("no rate of samples is given in a known unit")
        return
    unit = operations_per_second(claim.unit)
    per_device = unit is not None and (unit.per_device or says_each(claim.statement))
    each = given(operations.flop_per_sample)
    products = [(rate, found) for rate in rates for found in _product(rate, each, per_device, side.devices)]
    if not products:
        yield Inapplicable("one is of one device, the other of all, and their number is not known")
        return
    if any(product.widened(thresholds.tolerance).meets(claimed) for _, product in products):
        return
    if any(_other_pass(side, product, claimed, thresholds.tolerance) for _, product in products):
        yield Inapplicable("apart by the factor of a backward pass or of recomputation: which one counts is not said")
        return
    distances = [(gap(claimed, product), rate, product) for rate, product in products]
    distance, rate, product = min(distances, key=lambda item: item[0])
    cause = likely_cause(claimed, product, counts_of(side))
    seen = short((rate.samples.low + rate.samples.high) / 2)
    message = (
        f"{seen} samples/s at {short(operations.flop_per_sample)} operations each are {product} "
        f"FLOP/s; {claim.value} {claim.unit} are claimed{cause}"
    )
    related = (Related(rate.at, "rate"), Related(operations.place("flop_per_sample"), "operations per sample"))
    effect = weighed(REFUTES, distance)
    yield Violation(
        "a", effect, C3, message, claim.place("value"), f"{claim.value} {claim.unit}", str(product), related
    )


def _rates(side: Side, metric: Metric) -> Iterator[Rate]:
    """Yield a metric's rate of what the operations may be counted for: of tokens, tokens or whole sequences."""
    unit = work_per_second(metric.unit)
    if metric.quantity != "rate" or metric.value is None or unit is None or unit.word in NO_SAMPLES:
        return
    length = side.arm.options.input_length if side.arm.options is not None else None
    lengths = (1, length) if unit.word in TOKENS and length else (1,)
    value = span(metric.value, digits=metric.digits)
    for size in lengths:
        yield Rate(value.times(unit.factor / size), unit.per_device, metric.place("value"))


def _product(rate: Rate, each: Span, per_device: bool, devices: int | None) -> Iterator[Span]:
    """Yield rate x operations on the footing of the claim: of one device, or of all."""
    product = rate.samples * each
    if rate.per_device == per_device:
        yield product
    elif devices is not None:
        yield product.times(Decimal(devices) if rate.per_device else 1 / Decimal(devices))


def _other_pass(side: Side, product: Span, claimed: Span, tolerance: float) -> bool:
    options = side.arm.options
    recomputes = options is not None and options.recomputes is True
    factors = FORWARD_ONLY + (RECOMPUTED if recomputes else ())
    return any(product.times(factor).widened(tolerance).meets(claimed) for factor in factors)
