"""Whether a sentence about quality claims a gain at all."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...language.reading import read
from ..training.final_quality import FinalQuality, is_percent, of_one_scale
from .quality_change import final_of, not_alike


def denies_difference(claim: Claim) -> bool:
    """Whether a sentence says itself that its difference may be chance."""
    return read(claim.statement).has("within_noise", affirmed=False)


def speaks_of_gain(claim: Claim) -> bool:
    """Whether a sentence uses a word that says that a quality is better."""
    return read(claim.statement).has("gain")


def no_better(ours: FinalQuality, theirs: FinalQuality) -> bool:
    """Whether one quality, as it is given, is equal to another one or worse; False where that cannot be told."""
    directions = {ours.higher, theirs.higher} - {None}
    if directions not in ({True}, {False}) or not_alike(ours, theirs):
        return False
    return ours.centre <= theirs.centre if directions == {True} else ours.centre >= theirs.centre


def below_quoted(claim: Claim, ours: FinalQuality) -> bool:
    """Whether a quality is no better than the one that the claim quotes of another system, in the same metric."""
    quoted = claim.comparator.quality if claim.comparator is not None else None
    if quoted is None or ours.higher is None:
        return False
    other = float(quoted)
    if not of_one_scale((ours.centre,), (other,), ours.metric) and is_percent(claim.unit):
        other /= 100
    if not of_one_scale((ours.centre,), (other,), ours.metric):
        return False
    return ours.centre <= other if ours.higher else ours.centre >= other


@fact
def unnamed_other(case: Case, side: Side, claim: Claim) -> Side | None:
    """Return the arm that a claim about quality is compared with where it names no base.

    That of its table's base row, else the only other arm that states the same metric of the same split.
    """
    ours, table = final_of(side, claim, case), case.table(claim)
    if ours is None:
        return None
    if table is not None and claim.row is not None:
        row = table.rows.get(claim.row.base_row or table.base_row or "")
        other = case.own(row.arm) if row is not None and row.arm is not None else None
        if other is not None and other.id != side.id:
            return other
    others = [
        other
        for other in case.sides()
        if other.id != side.id and (theirs := final_of(other, claim, case)) is not None and not not_alike(ours, theirs)
    ]
    return others[0] if len(others) == 1 else None
