"""Printed numbers as intervals: what a reader may believe of a number with the digits that it shows."""

from __future__ import annotations

import struct
from decimal import Decimal

from msgspec import Struct

from ..caching import remembered

INFINITY = Decimal("Infinity")
ABOUT = Decimal("0.05")
NEARLY = Decimal("0.9")
MOST_DIGITS = 100
"""More are read as so many: they change nothing, and an exponent without bound has no value."""
OF_DOUBLE, OF_SINGLE = 15, 8
"""Digits from which on a number with decimals shows all that its binary format holds."""
LARGEST = 300
"""Power of ten beyond which a number is none of these formats."""
TWO_ULP_OF_DOUBLE, TWO_ULP_OF_SINGLE = Decimal(2) ** -51, Decimal(2) ** -22
"""Two units in the last place of binary64 and binary32, at most, as a share of the number."""


class Span(Struct, frozen=True):
    """A closed interval of real numbers; an end may be infinite."""

    low: Decimal
    high: Decimal

    def meets(self, other: Span) -> bool:
        """Whether the two intervals share a point."""
        return self.low <= other.high and other.low <= self.high

    def widened(self, share: float | Decimal) -> Span:
        """Return the interval with both ends moved outwards by a share of their size."""
        share = Decimal(str(share))
        return Span(self.low - abs(self.low) * share, self.high + abs(self.high) * share)

    def times(self, factor: Decimal | int) -> Span:
        """Return the interval times a number above 0."""
        return Span(self.low * factor, self.high * factor)

    def __mul__(self, other: Span) -> Span:
        products = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Span(min(products), max(products))

    def __truediv__(self, other: Span) -> Span | None:
        """Return the quotient, or None where the divisor contains 0."""
        if other.low <= 0 <= other.high:
            return None
        quotients = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Span(min(quotients), max(quotients))

    def __str__(self) -> str:
        low, high = short(self.low), short(self.high)
        return low if low == high else f"{low} to {high}"


@remembered(4096)
def span(printed: str, qualifier: str | None = None, digits: int | None = None) -> Span:
    """Return the interval that a printed number implies: half a unit in the last place either way.

    Where so many digits stand there that the last ones are those of a binary format, the interval holds what two
    roundings of that format may have moved: 336/408 prints as 0.8235294117647058.

    Args:
        printed: the decimal string.
        qualifier: a word in front of it. "over" and "at least" leave the upper side open, "up to" and "less than" the
            lower side; "about" allows 5 %, and what rounds to it; "nearly" allows from 90 % of the value.
        digits: significant digits, where trailing zeros do not tell ("1200" has unit 1 unless digits are given).
    """
    value = Decimal(printed)
    half = _unit(value, digits) / 2 + abs(value) * _rounded(value)
    low, high = value - half, value + half
    if qualifier in {"over", "at_least"}:
        high = INFINITY
    elif qualifier in {"up_to", "less_than"}:
        low = -INFINITY
    elif qualifier == "about":
        loose = max(abs(value) * ABOUT, half)
        low, high = value - loose, value + loose
    elif qualifier == "nearly":
        low, high = (NEARLY * value, value) if value >= 0 else (value, NEARLY * value)
    return Span(low, high)


def _unit(value: Decimal, digits: int | None) -> Decimal:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    shown = Decimal(1).scaleb(exponent if exponent < 0 or "E" in str(value) else 0)
    if digits is None:
        return shown
    # Digits say how many of the last zeros count: they add none that are printed, and take no other digit back.
    least = Decimal(1).scaleb(value.adjusted() - min(digits, MOST_DIGITS) + 1)
    told = value.normalize().as_tuple().exponent
    assert isinstance(told, int)
    return max(shown, min(least, Decimal(1).scaleb(told)))


def _rounded(value: Decimal) -> Decimal:
    """Return what binary rounding may have changed of a number with decimals, as a share of it; 0 where digits do."""
    _, shown, exponent = value.as_tuple()
    if not isinstance(exponent, int) or exponent >= 0 or len(shown) < OF_SINGLE or abs(value.adjusted()) > LARGEST:
        return Decimal(0)
    single = len(shown) <= OF_SINGLE + 1 or is_single(float(value))
    return TWO_ULP_OF_SINGLE if single else TWO_ULP_OF_DOUBLE if len(shown) >= OF_DOUBLE else Decimal(0)


def is_single(value: float) -> bool:
    """Whether binary32 holds a number, as it does a mean that was formed in it, even where that prints as a double."""
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False


def short(value: float | Decimal) -> str:
    """Return a number with at most six significant digits and no trailing zeros."""
    return f"{float(value):.6g}"
