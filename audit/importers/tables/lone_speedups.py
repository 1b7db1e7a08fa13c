"""Speed-ups of a table that prints nothing else: the ratios are what it claims, relative to what its words name."""

from __future__ import annotations

from ....rules.language.reading import read
from ..drafting import Drafting
from .arms import Arm, Series, draft_row
from .cells import Number
from .claims import common, put_claim
from .context import Context
from .ratio_words import said_of
from .roles import RATIOS, VALUES
from .series import Columns, row_of

PRODUCTS = ("framework", "library", "system")
"""Kinds of names that make what is compared with another's work."""


def are_alone(found: Columns) -> bool:
    """Whether a table holds speed-ups, and no number that they could be of."""
    held = [role.role for role in found.roles if role.role in (*VALUES, *RATIOS)]
    return bool(held) and set(held) == {"speedup"}


def claim_alone(draft: Drafting, file: str, found: Columns, around: Context, position: int) -> None:
    """Draft an arm for each row with a speed-up, and a claim for each of its speed-ups; 1 is the base itself."""
    series = Series(f"t{position}", "", found, around, {})
    for index in range(len(found.grid.rows)):
        told = {at: value for at in range(len(found.roles)) if (value := _speedup(found, index, at)) is not None}
        if told:
            arm = draft_row(draft, file, series.table, found, row_of(found, index, "", around), "", around)
            for at, value in told.items():
                _claim(draft, file, series, arm, at, value)


def _speedup(found: Columns, row: int, column: int) -> Number | None:
    """Return the speed-up of a cell; nothing where it is a change in per cent, or that of the base."""
    named = read(found.grid.header[column].text, "header").has("heading.speedup", affirmed=False)
    value = found.number(row, column) if named and found.roles[column].role == "speedup" else None
    told = value is not None and not value.unit.startswith("%") and float(value.printed) not in {0.0, 1.0}
    return value if told else None


def _claim(draft: Drafting, file: str, series: Series, arm: Arm, column: int, value: Number) -> None:
    cell, heading = series.columns.grid.rows[arm.row.index][column], series.columns.grid.header[column].text
    _, said = said_of(heading, series.context.caption)
    at = heading.casefold().find(said.casefold())
    base = heading[at : at + len(said)] if at >= 0 else said
    another = any(read(base).names(kind) for kind in PRODUCTS)
    claim = common(series, arm, column, cell.text) | {
        "value": value.printed,
        "unit": "x",
        "quantity": "time",
        "form": "ratio",
        "scope": "not_stated",
        "mode": series.context.mode,
        "compares": "other_system" if another else "own_variants" if base else "not_stated",
        "measured": {"arm": arm.id},
    }
    if base:
        claim |= {"comparator": {"name": base}} if another else {"base": {"definition": base}}
    put_claim(draft, file, f"{arm.id}-speedup", claim, cell, value)
