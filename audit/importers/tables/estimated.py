"""Ratios that are no quotient of two printed numbers: averages and extremes of many, and those with an interval."""

from __future__ import annotations

from ....rules.facts.quantities.ratios import read_ratio
from ....rules.language.printed import Span, span
from ....rules.language.reading import read
from .cells import Number
from .grids import Grid
from .words import in_english

_MOST = 4
"""Numbers of a cell that may be the ends of an interval."""


def aggregated(heading: str, words: str) -> bool:
    """Whether a column of ratios holds an average or an extreme of several ratios, as its heading or the text says.

    Args:
        heading: of the column.
        words: what stands above and below the table.
    """
    if read(in_english(heading), "header").has("average_or_extreme", affirmed=False):
        return True
    return read(words, "caption").has("average_of_ratios", affirmed=False)


def interval_of(grid: Grid, row: int, told: Number) -> Span | None:
    """Return the interval that a row prints for its ratio in columns of their own; None where none holds it."""
    ends: list[Span] = []
    for cell, head in zip(grid.rows[row], grid.header, strict=True):
        if read(head.text, "header").has("interval_column"):
            for end in read(cell.text, "cell").numbers()[:_MOST]:
                ends += [Span(value - end.half, value + end.half) for value in (end.low, end.high)]
    found = Span(min(end.low for end in ends), max(end.high for end in ends)) if len(set(ends)) > 1 else None
    return found if found is not None and found.meets(span(told.printed)) else None


def allows(interval: Span, gained: Span, percent: bool, down: bool, change: bool) -> bool:
    """Whether an interval of a ratio holds what two numbers give."""
    return any(reading.meets(gained) for reading in read_ratio(interval, percent, down, change))
