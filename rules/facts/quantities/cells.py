"""A cell of a table as an interval, without a look at its column."""

from __future__ import annotations

from ...language.printed import Span
from ..comparison.base_row import cut_span, small_counts


def cell(value: str | None) -> Span | None:
    """Return what a positive cell's digits imply; None where it is empty or may be 0.

    A whole number below 100 may have been cut off instead of rounded, so that no other cell has to be read.
    """
    if value is None:
        return None
    printed = cut_span(value, small_counts([value]))
    return printed if printed.low > 0 else None
