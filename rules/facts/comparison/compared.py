"""The two configurations that a comparison sets side by side, from its arms or from the rows of its table."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...case import Case, Side
from .base_row import base_rows
from .points import Point, side_point, table_points


def compared(claim: Claim, case: Case) -> tuple[Point | None, tuple[Point, ...]]:
    """Return the subject of a comparison and the bases that it may be relative to.

    The arm that the claim names as its base is the one base; else the rows of its table that may be it. Options that a
    row states win over those of its arm.
    """
    table, own, base = case.table(claim), case.subject(claim), case.base(claim)
    rows = {point.id: point for point in table_points(table, case)} if table is not None else {}
    name = claim.row.row if claim.row is not None else None
    in_row = rows.get(name or "")
    of_row = in_row.side.id if in_row is not None and in_row.side is not None else None
    subject = in_row if own is None or of_row == own.id else side_point(own)
    if base is not None:
        return subject, (side_point(base, claim.base.devices if claim.base is not None else None),)
    if table is None or name is None or name not in table.rows:
        return subject, ()
    return subject, tuple(rows[other] for other in base_rows(table, name, claim))


def one_machine(left: Side | None, right: Side | None) -> bool:
    """Whether two arms of one document ran on one system that it names."""
    if left is None or right is None or left.arm.system is None:
        return False
    return left.study is right.study and left.arm.system == right.arm.system
