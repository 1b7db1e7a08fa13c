"""The numbers of a sentence as intervals: those that carry a given unit, all of them, and those that it spells out."""

from __future__ import annotations

from decimal import Decimal

from ..caching import remembered
from ..language import lexicon
from ..language.numbers import worded_at
from ..language.printed import INFINITY, Span, span
from ..language.quantity import Quantity
from ..language.reading import read

ABOUT = Decimal("0.1")
COMPARED = frozenset({"ratio", "percent", "points", "time", "rate", "work_rate"})
"""Dimensions in which a sentence is held against a claim; of others it names many numbers: 80 GB, 400 W."""
SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}


@remembered(1024)
def numbers_of(text: str, unit: str | None) -> tuple[Span, ...]:
    """Return the numbers in digits of a text that stand with a unit, in that unit, as wide as digits and words allow.

    Empty where the unit is not one that is compared: a factor, a percentage, a time, work or operations per second.
    """
    own = read(f"1 {unit}").quantities() if unit is not None else ()
    if len(own) != 1 or own[0].dimension not in COMPARED or not own[0].value:
        return ()
    kind, one = _kind(own[0]), own[0].value * _factor(own[0])
    found = [item for item in read(text).quantities() if not item.worded and _kind(item) == kind]
    return tuple(_widened(item, _factor(item) / one) for item in found if item.value is not None)


@remembered(1024)
def all_numbers(text: str) -> tuple[Span, ...]:
    """Return all numbers of a text, whatever they belong to: as printed, and with their thousands and millions."""
    words = read(text)
    scaled = (*(item.number for item in words.quantities() if item.number is not None), *words.unbound_numbers())
    counts = tuple(Span(count.value - count.half, count.high + count.half) for count in words.counts())
    bare = (span(str(token.value)) for token in words.tokens if token.value is not None)
    return (*bare, *counts, *(Span(item.low - item.half, item.high + item.half) for item in scaled))


@remembered(1024)
def spelled_numbers(text: str) -> tuple[Decimal, ...]:
    """Return the numbers that a text spells out, each as itself and in percent: "twice" is 2, 200 % and 100 % more."""
    tokens, factors = read(text).tokens, lexicon.classes("compare", "multipliers")
    found = [Decimal(factors[token.low]) for token in tokens if token.low in factors]
    found += [number.low for at in range(len(tokens)) if (number := worded_at(tokens, at)) is not None]
    return tuple(value for number in found for value in (number, 100 * number, 100 * number - 100))


def _kind(quantity: Quantity) -> tuple[str, str | None]:
    """Return what must be alike in two quantities: the unit without its size, and what they are counted per."""
    unit = quantity.unit or ""
    item, slash, time = unit.partition("/")
    if unit in SECONDS or (slash and time in SECONDS):
        return f"{item}/s" if slash else "s", quantity.per
    return "%" if quantity.dimension == "points" else unit, quantity.per


def _factor(quantity: Quantity) -> Decimal:
    """Return how many of its kind a unit is: 60 seconds of a minute, 1/60 per second of one per minute."""
    unit = quantity.unit or ""
    if unit in SECONDS:
        return Decimal(SECONDS[unit])
    return 1 / Decimal(SECONDS.get(unit.partition("/")[2], 1))


def _widened(quantity: Quantity, factor: Decimal) -> Span:
    interval = quantity.interval
    assert interval is not None
    low, high = interval.low * factor, interval.high * factor
    if quantity.qualifier == "about":
        low, high = low - abs(low) * ABOUT, high + abs(high) * ABOUT
    at_least, at_most = (quantity.qualifier == word for word in ("at_least", "at_most"))
    return Span(-INFINITY if at_most else low, INFINITY if at_least else high)
