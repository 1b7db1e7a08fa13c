"""How many digits a column of whole numbers means, where trailing zeros do not tell."""

from __future__ import annotations

from collections.abc import Iterable

from ..language.printed import Span, span

FEWEST = 3
LEAST_DIGITS = 3
"""Fewer are not believed of a column: 1000, 2000 and 4000 may be exact."""


def shared_digits(values: Iterable[str]) -> int | None:
    """Return the significant digits to which a column of whole numbers was rounded; None where that is not seen.

    "418300", "1636000" and "25240000" were printed to four digits: of three values and more that were printed to the
    unit, hardly all end in a zero.
    """
    given = [value.lstrip("+-") for value in values]
    if len(given) < FEWEST or not all(
        value.isdecimal() and value.endswith("0") and value.strip("0") for value in given
    ):
        return None
    return max(LEAST_DIGITS, *(len(value.strip("0")) for value in given))


def in_column(value: str, column: Iterable[str]) -> Span:
    """Return what a cell's digits imply beside all cells of its column."""
    return span(value, digits=shared_digits(column))
