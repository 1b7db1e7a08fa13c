"""A number of a sentence as a claim prints it: its digits, and a unit that rules know."""

from __future__ import annotations

from decimal import Decimal

from ....rules.language.quantity import Quantity
from ....rules.language.reading import Reading
from ..draft import LONGEST_NUMBER
from ..tables.units import measure

LARGEST_EXPONENT = 30


def digits(value: Decimal, half: Decimal) -> str | None:
    """Return a value with the digits that half a unit of its last printed place leaves: 270e3 of 270k."""
    exponent = half.adjusted() if half else None
    if exponent is None or half != Decimal(5).scaleb(exponent):
        return _plain(value)
    last = exponent + 1
    if abs(last) > LARGEST_EXPONENT:
        return None
    rounded = value.quantize(Decimal(1).scaleb(last))
    if last <= 0:
        return _plain(rounded)
    return _short(f"{rounded.scaleb(-last):f}e{last}")


def _plain(value: Decimal) -> str | None:
    return _short(f"{value:f}") if abs(value.adjusted()) <= LARGEST_EXPONENT else None


def _short(text: str) -> str | None:
    return text if len(text) <= LONGEST_NUMBER else None


def in_unit(reading: Reading, quantity: Quantity) -> tuple[str, str, str] | None:
    """Return a quantity as its low end, its high end and its unit; None where they cannot be printed."""
    if quantity.value is None or quantity.high is None or quantity.unit is None:
        return None
    number = quantity.number
    unit = measure(reading.source[reading.tokens[number.last - 1].end : quantity.end]) if number is not None else None
    scale = quantity.value / number.low if number is not None and number.low else None
    told = unit is not None and (unit.sized or not unit.exponent)
    if number is not None and unit is not None and told and scale == _scale(unit.exponent, unit.base):
        low, high, named = digits(number.low, number.half), digits(number.high, number.half), unit.at(unit.exponent)
    else:
        low, high, named = digits(quantity.value, quantity.half), digits(quantity.high, quantity.half), quantity.unit
    return (low, high, named) if low is not None and high is not None else None


def _scale(exponent: int, base: str) -> Decimal:
    return Decimal(1024) ** (exponent // 3) if base == "iB" else Decimal(1).scaleb(exponent)
