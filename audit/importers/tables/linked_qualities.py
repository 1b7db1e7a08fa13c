"""Qualities that a table prints beside the speed of another precision: its headings or its caption say so."""

from __future__ import annotations

from ..drafting import Drafting
from .arms import Series
from .precisions import precision_of
from .roles import VALUES


def link_qualities(draft: Drafting, every: dict[str, Series]) -> None:
    """Link the speeds of a precision without a quality to the one quality in their row, which is of another precision.

    Not where that precision has speeds of its own, which the quality then belongs to.
    """
    roles = [role for role in next(iter(every.values())).columns.roles if role.role in VALUES]
    rated = {role.variant for role in roles if role.role == "accuracy"}
    timed = {role.variant for role in roles if role.role != "accuracy"}
    if len(rated) != 1 or rated & timed or not all(map(precision_of, rated | timed)):
        return
    (other,) = rated
    columns = every[other].columns
    head = [cell.text for cell, role in zip(columns.grid.header, columns.roles, strict=True) if role.role in VALUES]
    quote = f"{every[other].context.caption}: {'; '.join(head)}"[:4000]
    arms = {arm.id: row for name in timed for row, arm in every[name].arms.items()}
    for claim in draft.claims.values():
        row = arms.get(claim["measured"]["arm"]) if "measured" in claim and "quality" not in claim else None
        beside = every[other].arms.get(row) if row is not None else None
        if beside is not None and beside.quality is not None:
            claim["quality"] = {"arm": beside.id, "quality": beside.quality}
            claim["said"] = [{"topic": "option_sets_differ", "quote": quote}]
