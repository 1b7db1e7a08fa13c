"""Which side of a comparison has the better number."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...case import Case
from ...language.printed import span
from ..quantities.performance import more_is_better
from .parties import Party, performance


def behind(claim: Claim, case: Case, this: Party, other: Party) -> bool:
    """Whether the printed numbers prove that the claim's side is the worse one: its effort bought it no victory.

    Never for a claim of parity, whose point is that the difference does not matter.
    """
    if claim.form != "parity" and claim.quantity == "accuracy":
        return _worse(claim, case, other)
    ours, theirs = performance(this, claim, case), performance(other, claim, case)
    if claim.form == "parity" or ours is None or theirs is None:
        return False
    higher = more_is_better(claim.quantity, ours[1])
    if higher is None or (theirs[1] is not None and ours[1] != theirs[1]):
        return False
    left, right = span(ours[0]), span(theirs[0])
    return left.high < right.low if higher else left.low > right.high


def _worse(claim: Claim, case: Case, other: Party) -> bool:
    """Whether the quality that a claim cites is worse than the other side's of the same name and metric."""
    ours = case.quality(claim.quality)
    if ours is None or claim.quality is None or other.side is None:
        return False
    theirs = other.side.arm.quality.get(claim.quality.quality or "")
    if theirs is None or theirs.metric != ours.metric or theirs.unit != ours.unit or theirs.split != ours.split:
        return False
    if ours.value is None or theirs.value is None or ours.direction is None:
        return False
    left, right = span(ours.value), span(theirs.value)
    return left.high < right.low if ours.direction == "higher" else left.low > right.high
