"""P02: a utilisation above 1, or one that its own rate and peak do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.flop_counts import count_of, factors_of, kind_of
from ..facts.device.operations import own_texts
from ..facts.document.words import words_in
from ..language.printed import Span, short
from ..language.reading import read
from ..outcome import C1, C3, REFUTES, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import kernel
from ._utilisation import Implied, implied_utilisations, share

PROVIDE = """\
arms:
  a:
    operations: {counted: model, flop_per_sample: 8.1e9}     # without the operations that are computed again
"""
UNIT = """\
arms:
  a:
    performance: {flops: {quantity: flops, value: "421", unit: TFLOP/s/GPU}}     # or FLOP/s, as the number is printed
"""
MOST_APART = Decimal(2)
"""Attention costs as much as 6 operations per parameter at a length of six times the width."""
FMA, MOST_PER_PARAMETER = 2, 8
"""A training step costs 6 operations per parameter and token, 8 where the forward pass is computed twice."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    high: float = Threshold(0.85, "utilisation of a training step", "judgement: best steps reported reach 0.7 to 0.8")
    unit: float = Threshold(1000, "times the utilisation from which on a unit is doubted", "a prefix of units is 1,000")
    match: float = Threshold(0.02, "relative width of a match", "judgement: clocks and rounding of data sheets")


@rule(
    "P02",
    "mfu-out-of-range",
    effect=REFUTES,
    confidence=C3,
    applies="mfu",
    origin="S4, ML, MEAS",
    thresholds=Thresholds,
)
def mfu_out_of_range(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A utilisation that is impossible, or that the stated rate and peak contradict.

    ## What it does
    Compares the utilisation, at what its digits allow, with 1; then with rate / peak, where the arm states its FLOP/s,
    or a rate and the operations per sample. The peak is the declared one; else every peak that the accelerator table
    gives for a device that fits what is stated, dense and sparse, in every format that is not excluded. The rate may be
    that of one device or of all; operations per sample may count a sequence or a token, the forward pass or a whole
    step, a multiply-add as one or as two. Where recomputed operations may be in one of the two numbers and not in the
    other, they may differ by a third: a utilisation of model operations lies below, one of executed operations above.

    ## Why it misleads
    A utilisation is a fraction. One that its own numbers do not give was divided by another peak or counts other
    operations than it says.

    ## Branches
    - (a) refutes, C3: above 1; or different from rate / peak by more than 2 %, for every such peak.
    - (b) undermines, C1: above 0.85 for a training step; or of a count that says itself that it takes more than 8
      operations per parameter, a multiply-add as two, and names no further pass over the parameters.
    - not shown, instead of (a): the two differ by at most a third, and how one of them counts is not stated: recomputed
      operations, attention or logits may be in one and not in the other. Or by at most a factor of 2, where the claim
      says that it counts attention, logits or embeddings apart.
    - not shown: the number is called one of model operations, and only a count that holds recomputed ones gives it: how
      many of them there are decides. Or every reading of the rate is more than 1,000 times off, as a wrong prefix of
      its unit gives: which unit is meant decides.
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
        message = f"a utilisation of {_printed(claim)} is above 1"
        yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, "1")
        return
    step = claim.mode == "training" and not kernel(claim, case)
    if step and stated.low > Decimal(str(thresholds.high)):
        message = f"a utilisation of {_printed(claim)} for a training step: above {thresholds.high:g} is not seen"
        yield Violation("b", UNDERMINES, C1, message, claim.place("value"), claim.value)
    elif step and side is not None:
        yield from _overcounted(claim, side)
    found = implied_utilisations(claim, case, side) if side is not None else ()
    if found and side is not None:
        yield from _contradicted(claim, case, side, (stated, found), thresholds)


def _contradicted(
    claim: Claim, case: Case, side: Side, numbers: tuple[Span, tuple[Implied, ...]], thresholds: Thresholds
) -> Iterator[Branch]:
    stated, found = numbers
    if any(item.share.widened(thresholds.match).meets(stated) for item in found):
        yield from _recomputed(claim, case, side)
        return
    nearest = min(found, key=lambda item: _distance(item.share, stated))
    times = int(thresholds.unit)
    if nearest.share.low > stated.high * times or stated.low > nearest.share.high * times:
        message = (
            f"{nearest.words} are more than {thresholds.unit:,.0f} times off {_printed(claim)}: the unit of the rate "
            "is not the one that is meant"
        )
        yield NotShown(message, nearest.places[0].at, provide=UNIT)
        return
    end = nearest.share.low if nearest.share.low > stated.high else nearest.share.high
    message = f"{_printed(claim)} is stated; {nearest.words} give {short(end * 100)} %"
    recomputed = f"{short(nearest.share.low * 100)} to {short(nearest.share.high * 100)} %"
    close = any(item.either.widened(thresholds.match).meets(stated) for item in found)
    if close or (words_in(*own_texts(claim, case)).has("counted_apart", affirmed=False) and _within(found, stated)):
        message += ": which operations each of the two counts (recomputed ones, attention, logits) decides"
        yield NotShown(message, claim.place("value"), provide=PROVIDE, related=nearest.places)
        return
    yield Violation("a", REFUTES, C3, message, claim.place("value"), _printed(claim), recomputed, nearest.places)


def _within(found: tuple[Implied, ...], stated: Span) -> bool:
    """Whether operations that one count leaves out may lie between a utilisation and rate / peak."""
    return any((item.share * Span(1 / MOST_APART, MOST_APART)).meets(stated) for item in found)


def _overcounted(claim: Claim, side: Side) -> Iterator[Violation]:
    """Yield a method of counting that takes more operations per parameter than a training step has."""
    operations, options = side.arm.operations, side.arm.options
    method = (operations.method or "") if operations is not None else ""
    per = factors_of(method)
    more = options is not None and options.recomputes is True
    if operations is None or not per or max(per) <= MOST_PER_PARAMETER or more or operations.counted == "hardware":
        return
    if count_of(method).fma == FMA and not read(method).has("several_passes", affirmed=False):
        message = (
            f"{_printed(claim)} counts {max(per)} operations per parameter; a training step has 6, a multiply-add "
            "being two"
        )
        at, related = operations.place("method"), (Related(claim.place("value"), "the claim"),)
        yield Violation("b", UNDERMINES, C1, message, at, str(max(per)), "6", related)


def _recomputed(claim: Claim, case: Case, side: Side) -> Iterator[NotShown]:
    """Yield that recomputed operations stand in what a utilisation of model operations was checked with."""
    operations, options = side.arm.operations, side.arm.options
    recomputes = options is not None and options.recomputes is True
    if operations is None or operations.counted != "hardware" or not recomputes:
        return
    if kind_of(" ".join(own_texts(claim, case))) == "model":
        message = f"{_printed(claim)} of model operations; the count behind it holds those that are computed again"
        yield NotShown(message, operations.place("counted"), provide=PROVIDE)


def _distance(one: Span, other: Span) -> Decimal:
    return max(one.low - other.high, other.low - one.high)


def _printed(claim: Claim) -> str:
    return f"{claim.value} {claim.unit}" if claim.unit else str(claim.value)
