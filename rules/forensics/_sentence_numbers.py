"""The numbers of a sentence that carry a given unit, as intervals in that unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ...schemas.pattern import Pattern
from ..caching import remembered
from ..facts.quantities.numbers import INFINITY, PERCENT, Span, span
from ..facts.quantities.per_second import operations_per_second, seconds, work_per_second

_NUMBER = Pattern(
    r"(?<![\w.,])(?<![A-Za-z]-)(?P<number>\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?)"
    r"\s?-?\s?(?P<scale>thousand|million|billion|trillion|[kKMBT](?=\s|\b(?![/·])))?(?=\s*-?\s*(?P<rest>.{0,40}))"
)
_SIGN = Pattern(r"(?:^|[\s(\[|:=~≈])[-−–]$")
_SCALES = {"k": 3, "K": 3, "thousand": 3, "M": 6, "million": 6, "B": 9, "billion": 9, "T": 12, "trillion": 12}
_TIMES = Pattern(r"(?:x\b|×|times\b|-?fold\b)", re.IGNORECASE)
_PIECES = Pattern(r"[x×]\s*[A-Z0-9]")
_PERCENT = Pattern(r"(?:%|percent\b|per ?cent\b|pct\b|percentage points?\b)", re.IGNORECASE)
_COMPOUND = Pattern(
    r"\d\s?(?:h|hours?|m|min|minutes?)\s?(?:and\s)?\d+\s?(?:m|min|minutes?|s|sec|seconds?)\b", re.IGNORECASE
)
_WORD = Pattern(r"[A-Za-zµμ]+(?:\s?(?:/|per)\s?[A-Za-zµμ]+){0,2}")
_OVER = Pattern(r"\b(?:over|above|more than|at least|exceed\w*|beyond|upwards of)\b|[>≥]|\d\s?\+", re.IGNORECASE)
_UNDER = Pattern(r"\b(?:under|below|less than|fewer than|at most|up to|within|as much as)\b|[<≤]", re.IGNORECASE)
_ABOUT = Pattern(r"\b(?:about|around|approx\w*|roughly|nearly|almost|close to|circa|some)\b|[~≈∼]", re.IGNORECASE)
ABOUT = Decimal("0.1")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty")
_TENS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SPELLED: dict[str, tuple[int | str, ...]] = {
    **{word: (number,) for number, word in enumerate(_COUNTS + _TEENS, 1)},
    **{word: (number,) for number, word in zip(range(30, 100, 10), _TENS, strict=True)},
    "half": (50, "0.5"),
    "third": (33, "0.33"),
    "thirds": (67, "0.67"),
    "quarter": (25, "0.25"),
    "quarters": (75, "0.75"),
    "fifth": (20, "0.2"),
    "tenth": (10, "0.1"),
    "twice": (2,),
    "double": (2, 100),
    "doubles": (2, 100),
    "doubled": (2, 100),
    "triple": (3,),
    "triples": (3,),
}
_SPELLING = Pattern(rf"\b(?:{'|'.join(_SPELLED)})\b", re.IGNORECASE)
TIMES = frozenset({"x", "times", "×", "fold"})


@remembered(1024)
def numbers_of(text: str, unit: str | None) -> tuple[Span, ...]:
    """Return the numbers of a text that stand with a unit, in that unit; every reading of separators and signs.

    A sentence with "over", "up to" or "about" widens all of its numbers: which one the word belongs to is not told.
    Empty where the unit is not one that is read: a factor, a percentage, a time, work or operations per second.
    """
    if unit is None or _COMPOUND.search(text):
        return ()
    found = tuple(value for match in _NUMBER.finditer(text) for value in _in_unit(match, unit))
    return tuple(_widened(value, text) for value in found)


@remembered(1024)
def bare_numbers(text: str) -> tuple[Span, ...]:
    """Return all numbers of a text, whatever stands behind them, with its thousands and millions."""
    found = []
    for match in _NUMBER.finditer(text):
        scales = {Decimal(1), Decimal(1).scaleb(_SCALES.get(match["scale"] or "", 0))}
        found += [
            Span(value.low * scale, value.high * scale)
            for value in map(span, _signed(match))
            for scale in sorted(scales)
        ]
    return tuple(_widened(value, text) for value in found)


@remembered(1024)
def spelled_numbers(text: str) -> tuple[Decimal, ...]:
    """Return the numbers that a text spells out: twelve, twice; a third as 33 and 3, too."""
    found = [_SPELLED[word.casefold()] for word in _SPELLING.findall(text)]
    return tuple(Decimal(value) for values in found for value in values)


def _in_unit(match: re.Match[str], unit: str) -> Iterator[Span]:
    rest = (match["rest"] or "").strip()
    factor = _factor(rest, unit, match["scale"])
    if factor is None:
        return
    for printed in _signed(match):
        value = span(printed)
        yield Span(value.low * factor, value.high * factor)


def _signed(match: re.Match[str]) -> Iterator[str]:
    """Yield what a printed number may be; below 0 as well where a minus, or a dash, stands before it."""
    negative = _SIGN.search(match.string[max(match.start() - 2, 0) : match.start()]) is not None
    for printed in _readings(match["number"]):
        yield printed
        if negative:
            yield f"-{printed}"


def _readings(printed: str) -> tuple[str, ...]:
    """Return what a printed number may be: "41,300" is 41300, or 41.300 where commas mark decimals."""
    plain = re.sub(r"[\u202f\u00a0 ]", "", printed)
    if "," not in plain and "." not in plain:
        return (plain,)
    if "," in plain and "." in plain:
        return (plain.replace(",", ""),)
    whole = re.sub("[.,]", "", plain)
    pointed = plain.replace(",", ".")
    one = pointed.count(".") == 1
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", plain) is not None
    return ((pointed,) if one else ()) + ((whole,) if grouped else ())


def _factor(rest: str, unit: str, scale: str | None) -> Decimal | None:
    """Return how many of a unit one of the sentence's is; None where it is another unit."""
    power = Decimal(1).scaleb(_SCALES[scale]) if scale is not None else Decimal(1)
    if unit in TIMES:
        # "8x A100" and "224 x 224" are no factors.
        return power if _TIMES.match(rest) and not _PIECES.match(rest) else None
    if unit in PERCENT:
        return power if _PERCENT.match(rest) else None
    words = _WORD.match(rest)
    text = words[0] if words is not None else ""
    for candidate in _shortened(text):
        if _known(candidate):
            ratio = _ratio(candidate, unit)
            return power * ratio if ratio is not None else None
    return None


def _known(text: str) -> bool:
    return any(parse(text) is not None for parse in (seconds, work_per_second, operations_per_second))


def _shortened(text: str) -> Iterator[str]:
    """Yield a unit and its beginnings: "images per second on" is "images per second"."""
    yield text
    while " " in text:
        text = text.rpartition(" ")[0]
        yield text


def _ratio(text: str, unit: str) -> Decimal | None:
    ours, theirs = seconds(text), seconds(unit)
    if ours is not None and theirs is not None:
        return ours / theirs
    for parse in (work_per_second, operations_per_second):
        left, right = parse(text), parse(unit)
        if left is not None and right is not None and _plural(left.word) == _plural(right.word):
            return left.factor / right.factor if left.per_device == right.per_device else None
    return None


def _plural(word: str) -> str:
    return word.rstrip("s")


def _widened(value: Span, text: str) -> Span:
    low, high = value.low, value.high
    if _ABOUT.search(text):
        low, high = low - abs(low) * ABOUT, high + abs(high) * ABOUT
    if _OVER.search(text):
        high = INFINITY
    if _UNDER.search(text):
        low = -INFINITY
    return Span(low, high)
