"""P07: a result called by a format above the lowest that computed it."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.formats import named
from ..facts.device.labels import covers, labels, too_high, touched, worded
from ..facts.device.operations import formats_in
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule


@rule(
    "P07",
    "precision-label-too-high",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(formats)",
    origin="S0",
)
def precision_label_too_high(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result that is called by a wider number format than the one that computed a part of it.

    ## What it does
    Takes the formats in which products were computed: those with at least 1 % of the operations, as stated or as
    counters saw them, integers with at least 10 % as stated, and those observed in the running program. The lowest of
    them, by bits of exponent and mantissa, is what the result may be called by. Storage, communication, accumulation
    and optimizer state do not count. "FP8", "MXFP8" or "FP6" may be either format of its size. The label is the stated
    compute format, else that of the column, else the one in the sentence.

    ## Why it misleads
    The lowest precision infects the result. "FP32" beside products in TF32 promises 13 bits that were not computed.

    ## Branches
    - (a) undermines, C3: the label is above a lowest format, and no other label says that one.
    - not applicable: no format is called by name, or none is known to have computed the products. "mixed" is no format.
    - guard: integers that the sentence, the weights or the quantisation name.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"operations": {"fractions": {"bf16": 0.6, "fp32": 0.0, "e4m3": 0.4},
                                   "counters": {"bf16": 0.6, "fp32": 0.0, "e4m3": 0.4}}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`, which is called BF16: 99 % of the operations are, and the rest is above.

    ## How to fix
    Call it by all lowest formats: "BF16 + FP8 (E4M3)".

    ## References
    Hoefler, Twelve ways to fool the masses, way 7.
    """
    side = case.subject(claim)
    names, found = labels(claim, case), touched(side) if side is not None else ()
    if not names or not found:
        yield Inapplicable("no format is called by name, or none is known to have computed the products")
        return
    least = too_high(names, found)
    if least is not None and not _said_quantised(claim, case, least.name):
        called = " and ".join(names)
        message = f"called {called}, and products were computed in {least.name}"
        related = (Related(least.at, least.name),)
        yield Violation("a", UNDERMINES, C3, message, claim.at, called, least.name, related)


def _said_quantised(claim: Claim, case: Case, name: str) -> bool:
    """Whether integers that computed the products are named beside the label: in words, weights or quantisation."""
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    if not name.startswith("int") or options is None:
        return False
    weights = options.precision.weights if options.precision is not None else None
    told = (*worded(claim, case), *formats_in(f"{options.quantisation or ''} {weights or ''}"))
    return any(named(each) and covers(each, name) for each in told)
