"""A cell of a table as an interval, without a look at its column."""

from __future__ import annotations

from decimal import Decimal

from ...language.printed import Span, span


def cell(value: str | None) -> Span | None:
    """Return what a positive cell's digits imply; None where it is empty or may be 0.

    A whole number below 100 may have been cut off instead of rounded, so that no other cell has to be read.
    """
    if value is None:
        return None
    printed = span(value)
    if value.isdigit() and len(value) <= 2:
        printed = Span(printed.low, Decimal(value) + 1)
    return printed if printed.low > 0 else None
