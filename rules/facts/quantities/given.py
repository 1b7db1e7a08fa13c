"""Plain numbers of a document as intervals: how many of their digits were meant is not known."""

from __future__ import annotations

from decimal import Decimal

from ...language.printed import Span


def given(value: float, most: str = "0.05") -> Span:
    """Return half a unit of a number's last digit that is not 0 either way, at most a share of the number.

    Args:
        value: a number that the document gives as such, not as a printed string: 3e11 may stand for "300 billion".
        most: the largest share.
    """
    number = Decimal(repr(float(value))).normalize()
    exponent = number.as_tuple().exponent
    half = Decimal(1).scaleb(exponent) / 2 if isinstance(exponent, int) else Decimal(0)
    half = min(half, abs(number) * Decimal(most))
    return Span(number - half, number + half)
