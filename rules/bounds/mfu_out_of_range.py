"""P02: a utilisation above 1, or one that its own rate and peak do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.numbers import Span, short
from ..facts.utilisation import Implied, implied_utilisations, share
from ..outcome import C1, C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

PARTS = frozenset({"kernel", "collective", "layer"})


@rule(
    "P02",
    "mfu-out-of-range",
    effect=REFUTES,
    confidence=C3,
    applies="mfu",
    origin="S4, ML, MEAS",
    thresholds={
        "high": Threshold(0.85, "utilisation of a training step", "judgement: best steps reported reach 0.7 to 0.8"),
        "match": Threshold(0.02, "relative width of a match", "judgement: clocks and rounding of data sheets"),
    },
)
def mfu_out_of_range(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A utilisation that is impossible, or that the stated rate and peak contradict.

    ## What it does
    Compares the utilisation, at what its digits allow, with 1; then with rate / peak, where the arm states its FLOP/s,
    or a rate and the operations per sample. The peak is the declared one; else every peak that the accelerator table
    gives for a device that fits what is stated, dense and sparse, in every format that is not excluded. The rate may be
    that of one device or of all; operations per sample may count a sequence or a token, the forward pass or a whole
    step, a multiply-add as one or as two. Where recomputed operations may be in one of the two numbers and not in the
    other, they may differ by a third.

    ## Why it misleads
    A utilisation is a fraction. One that its own numbers do not give was divided by another peak or counts other
    operations than it says.

    ## Branches
    - (a) refutes, C3: above 1; or different from rate / peak by more than 2 %, for every such peak.
    - (b) undermines, C1: above 0.85 for a training step.
    - not applicable: no number; or a ratio of utilisations. The rate is not held against it where device and peak are
      not stated, or where rate and utilisation are different statistics.

    ## Flagged
    On `training-flops` for claim `mfu`:
    ```json
    {"claims": {"mfu": {"value": "58.0"}}}
    ```

    ## Accepted
    On `training-flops` for claim `mfu`, where 1.198 PFLOP/s are 48.0 % of eight times 312 TFLOP/s.

    ## How to fix
    Recompute it from model operations, the time of a step, and the dense peak of the format.

    ## References
    Chowdhery and others, PaLM (2022), appendix B.
    """
    side = case.subject(claim)
    stated = share(claim) if claim.form == "absolute" else None
    if stated is None:
        yield Inapplicable("no utilisation is stated as a number")
        return
    if stated.low > 1:
        yield Violation(
            "a", REFUTES, C3, f"a utilisation of {_printed(claim)} is above 1", claim.place("value"), claim.value, "1"
        )
        return
    if claim.mode == "training" and claim.scope not in PARTS and stated.low > Decimal(str(settings.high)):
        message = f"a utilisation of {_printed(claim)} for a training step: above {settings.high:g} is not seen"
        yield Violation("b", UNDERMINES, C1, message, claim.place("value"), claim.value)
    found = implied_utilisations(claim, case, side) if side is not None else ()
    if found:
        yield from _contradicted(claim, stated, found, settings)


def _contradicted(
    claim: Claim, stated: Span, found: tuple[Implied, ...], settings: SimpleNamespace
) -> Iterator[Violation]:
    if any(item.share.widened(settings.match).meets(stated) for item in found):
        return
    nearest = min(found, key=lambda item: _distance(item.share, stated))
    message = f"{_printed(claim)} is stated; {nearest.words} give {short(nearest.share.low * 100)} %"
    related = tuple(Related(at, note) for at, note in nearest.places)
    recomputed = f"{short(nearest.share.low * 100)} to {short(nearest.share.high * 100)} %"
    yield Violation("a", REFUTES, C3, message, claim.place("value"), _printed(claim), recomputed, related)


def _distance(one: Span, other: Span) -> Decimal:
    return max(one.low - other.high, other.low - one.high)


def _printed(claim: Claim) -> str:
    return f"{claim.value} {claim.unit}" if claim.unit else str(claim.value)
