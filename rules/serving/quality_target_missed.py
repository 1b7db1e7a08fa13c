"""L10: equal to the reference, and below it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality, Target
from ...schemas.submission import Claim
from ..case import Case
from ..facts.training.stated_quality import same_metric, stated_quality
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..words import target_of

SCALE = Decimal("0.05")
"""Two values further apart are printed on different scales."""
HIGH = Decimal("99.9")
"""Percent of the reference that the names of high-accuracy variants end in."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.99, "share of the reference's quality", "rules of the inference benchmark")
    high: float = Threshold(0.999, "share, of its high-accuracy variants", "rules of the inference benchmark")


@rule(
    "L10",
    "quality-target-missed",
    effect=REFUTES,
    confidence=C3,
    applies="inference and (has(reference_quality) or has(target))",
    origin="ML",
    also=("P11",),
    thresholds=Thresholds,
)
def quality_target_missed(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A model is called equal to its reference, and its quality is below 99 % of it, or below the declared target.

    ## What it does
    Divides the stated quality by the reference's. It must reach 99 % (99.9 % for a high-accuracy variant, or where the
    claim says so; a margin that the claim states instead of either). A speed, latency or cost that is claimed at a
    target quality is held against that target. Printed digits are read in favour of the claim.

    ## Why it misleads
    Nearly every shortcut in inference costs some quality. "The same model, twice as fast" is another model.

    ## Branches
    - (a) refutes, C3: below that share of the reference, while it is claimed as equal, valid or without loss.
    - (b) undermines, C3: a performance is claimed for a model whose stated quality misses the target that the claim,
      or its arm, declares. Not where the sentence says that it is missed.
    - not applicable: no quality or direction is given, the two are of different scales, or equality is not claimed.

    ## Flagged
    On `quantised` for claim `quality`, called lossless:
    ```json
    {"claims": {"quality": {"statement": "INT8 weights are lossless: ROUGE-1 is 38.11.", "value": "38.11"}},
     "arms": {"int8": {"quality": {"rouge": {"value": "38.11"}}}}}
    ```

    ## Accepted
    On `quantised` for claim `quality`, called lossless within 1 %:
    ```json
    {"claims": {"quality": {"statement": "INT8 weights lose nothing that counts: ROUGE-1 is 38.72, a valid result."}}}
    ```

    ## How to fix
    Restore the quality, or say what is lost.

    ## References
    Quality targets of the MLPerf inference benchmark.
    """
    found = stated_quality(claim, case)
    quality = found.quality if found is not None else None
    if claim.quantity != "accuracy" and quality is not None:
        yield from _against_target(claim, case, quality)
    share = _share(quality) if quality is not None else None
    if quality is None or share is None:
        yield Inapplicable("no quality of one scale stands beside the reference's with its direction")
        return
    if not _claimed_equal(claim):
        yield Inapplicable("the model is not called equal to its reference")
        return
    wanted = _wanted(claim, thresholds)
    if share.high < wanted:
        percent = short(round((share.low + share.high) / 2 * 100, 3))
        message = (
            f"{quality.metric} {quality.value} is {percent} % of the reference {quality.reference}; {wanted:%} is due"
        )
        related = (Related(quality.place("reference"), "quality of the reference"),)
        at = quality.place("value")
        yield Violation("a", REFUTES, C3, message, at, quality.reference, f"{percent} %", related)


def _against_target(claim: Claim, case: Case, quality: Quality) -> Iterator[Branch]:
    """Hold the quality of a model against the target that a claim about its performance declares."""
    target = target_of(claim, case)
    if not isinstance(target, Target) or quality.value is None or not same_metric(target.metric, quality.metric):
        return
    higher = target.direction == "higher"
    ours, due = span(quality.value), span(target.value)
    if (not higher and target.direction != "lower") or ours.low <= 0 or due.low <= 0:
        return
    ratio = ours / due
    one_scale = ratio is not None and ratio.low > SCALE and ratio.high < 1 / SCALE
    missed = ours.high < due.low if higher else ours.low > due.high
    if one_scale and missed and not read(claim.statement).has("target_missed", affirmed=False):
        message = f"{quality.metric} is {quality.value}; the target declared for this performance is {target.value}"
        related = (Related(target.at, "the declared target"),)
        yield Violation("b", UNDERMINES, C3, message, quality.place("value"), target.value, quality.value, related)


def _share(quality: Quality) -> Span | None:
    """Return a quality as a share of its reference, more being better; None where it cannot be told."""
    if quality.value is None or quality.reference is None or quality.direction is None:
        return None
    ours, reference = span(quality.value), span(quality.reference)
    if ours.low <= 0 or reference.low <= 0:
        return None
    share = ours / reference if quality.direction == "higher" else reference / ours
    return share if share is not None and share.low > SCALE and share.high < 1 / SCALE else None


def _claimed_equal(claim: Claim) -> bool:
    closed = claim.suite == "inference" and claim.division == "closed"
    text = read(claim.statement)
    # "Without loss" in a sentence about a speed may be meant of the speed.
    meant = text.has("equal_quality") or (claim.quantity == "accuracy" and text.has("called_equal"))
    return (claim.form == "parity" and claim.quantity == "accuracy") or closed or meant


def _wanted(claim: Claim, thresholds: Thresholds) -> Decimal:
    """Return the share that is due: that of the claim's own margin, of the high-accuracy variant, or 99 %."""
    if claim.margin is not None and claim.suite != "inference":
        return 1 - abs(Decimal(claim.margin.value)) / 100
    named = claim.suite_result.benchmark or "" if claim.suite_result is not None else ""
    high = any(token.value == HIGH for text in (claim.statement, named) for token in read(text).tokens)
    return Decimal(repr(float(thresholds.high if high else thresholds.share)))
