"""P08: two number formats of which neither holds the other, compared without their quality."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.formats import holds
from ..facts.labels import compute_format
from ..facts.numbers import span
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule


@rule(
    "P08",
    "incomparable-formats-compared",
    effect=CAVEAT,
    confidence=C3,
    applies="comparison and has(formats)",
    origin="S0",
    thresholds={"parity": Threshold(0.01, "relative difference of equal qualities", "judgement")},
)
def incomparable_formats_compared(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A comparison between number formats of which each holds values that the other does not.

    ## What it does
    Compares the compute formats of the two sides: FP16 has more mantissa than BF16 and less exponent, as E4M3 has
    beside E5M2. Where neither holds the other, it asks for one quality that both sides state: equal within 1 %, or
    meeting one target.

    ## Why it misleads
    A speed-up between two widths has an order that everybody knows. Between formats that trade range for digits, only
    quality says which of the two gave up more.

    ## Branches
    - (a) caveat, C3: incomparable formats, and no quality that both sides reach.
    - not applicable: the format of a side is not stated.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quality": null}},
     "arms": {"plain": {"options": {"precision": {"compute": "fp16"}}, "quality": null,
                        "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where both sides compute in BF16.

    ## How to fix
    Show that both sides reach the target.

    ## References
    Micikevicius and others, Mixed precision training (2017); Kalamkar and others, A study of BFLOAT16 (2019).
    """
    sides = case.subject(claim), case.base(claim)
    formats = compute_format(sides[0]), compute_format(sides[1])
    if sides[0] is None or sides[1] is None or formats[0] is None or formats[1] is None:
        yield Inapplicable("the compute format of a side is not stated")
        return
    apart = not holds(formats[0], formats[1]) and not holds(formats[1], formats[0])
    if apart and not _equal_quality(sides[0], sides[1], settings.parity):
        message = f"{formats[0]} and {formats[1]} are compared, and no quality that both sides reach is shown"
        related = (Related(sides[1].arm.place("options"), formats[1]),)
        yield Violation("a", CAVEAT, C3, message, sides[0].arm.place("options"), formats[0], None, related)


def _equal_quality(left: Side, right: Side, parity: float) -> bool:
    for quality in left.arm.quality.values():
        for other in right.arm.quality.values():
            if quality.metric != other.metric or quality.value is None or other.value is None:
                continue
            if span(quality.value).widened(parity).meets(span(other.value)):
                return True
    return all(_reaches(side) for side in (left, right))


def _reaches(side: Side) -> bool:
    """Whether every convergence run of an arm reached its target."""
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"]
    return bool(runs) and all(run.crossing is not None and run.crossing.reached for run in runs)
