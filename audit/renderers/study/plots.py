"""What a page shows of one aspect of a study: a plot, the words under it, and its data as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class Table:
    """Texts in rows; `more` rows are left out."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with the words that go with it."""

    title: str
    svg: str
    says: str
    table: Table


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    """Return a table of at most 200 rows, spread evenly over those given."""
    if len(rows) <= MOST_ROWS:
        return Table(heads, tuple(rows))
    kept = [rows[round(index * (len(rows) - 1) / (MOST_ROWS - 1))] for index in range(MOST_ROWS)]
    return Table(heads, tuple(kept), len(rows) - len(kept))
