"""Which side of a comparison has the better number."""

from __future__ import annotations

from ...schemas.submission import Claim
from ..case import Case
from .numbers import span
from .parties import Party, performance
from .performance import more_is_better


def behind(claim: Claim, case: Case, this: Party, other: Party) -> bool:
    """Whether the printed numbers prove that the claim's side is the worse one: its effort bought it no victory.

    Never for a claim of parity, whose point is that the difference does not matter.
    """
    ours, theirs = performance(this, claim, case), performance(other, claim, case)
    if claim.form == "parity" or claim.quantity == "accuracy" or ours is None or theirs is None:
        return False
    higher = more_is_better(claim.quantity, ours[1])
    if higher is None or (theirs[1] is not None and ours[1] != theirs[1]):
        return False
    left, right = span(ours[0]), span(theirs[0])
    return left.high < right.low if higher else left.low > right.high
