"""A number of a sentence as a claim prints it: its digits, and a unit that rules know."""

from __future__ import annotations

from decimal import Decimal

from ....rules.language.quantity import Quantity
from ....rules.language.reading import Reading
from ..draft import LONGEST_NUMBER
from ..tables.units import measure

LARGEST_EXPONENT = 30
PER = ("per", "/", "each")


def digits(value: Decimal, half: Decimal) -> str | None:
    """Return a value with the digits that half a unit of its last printed place leaves: 270e3 of 270k."""
    exponent = half.adjusted() if half else None
    if exponent is None or half != Decimal(5).scaleb(exponent):
        return _plain(value)
    last = exponent + 1
    if abs(last) > LARGEST_EXPONENT:
        return None
    rounded = value.quantize(Decimal(1).scaleb(last))
    if rounded != value:  # the other end of a range may be printed with more digits: 3-11.5
        return _plain(value)
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
    unit = measure(_unit_text(reading, reading.tokens[number.last - 1].end, quantity.end)) if number else None
    scale = quantity.value / number.low if number is not None and number.low else None
    told = unit is not None and (unit.sized or not unit.exponent)
    if number is not None and unit is not None and told and scale == _scale(unit.exponent, unit.base):
        low, high, named = digits(number.low, number.half), digits(number.high, number.half), unit.at(unit.exponent)
    else:
        low, high, named = digits(quantity.value, quantity.half), digits(quantity.high, quantity.half), quantity.unit
    return (low, high, named) if low is not None and high is not None else None


def _unit_text(reading: Reading, start: int, end: int) -> str:
    """Return the unit behind a number; a device that it is counted per stands for any: "TFLOP/s per A100 GPU"."""
    for name in (each for each in reading.all_names if each.kind == "device"):
        before = reading.source[start : name.start].rstrip()
        if start < name.start <= end + 1 and before.endswith(PER):
            return f"{before} GPU"
    return reading.source[start:end]


def _scale(exponent: int, base: str) -> Decimal:
    return Decimal(1024) ** (exponent // 3) if base == "iB" else Decimal(1).scaleb(exponent)


def real_time(reading: Reading, end: int) -> tuple[int, int] | None:
    """Return the place of "real time" right behind a factor: "7.6x real-time"; None where it does not stand there."""
    for each in reading.mentions("claims.real_time"):
        if each.start >= end and reading.source[end : each.start].strip(" -") in {"", "of", "the"}:
            return each.start, each.end
    return None
