"""Units that several numbers share ("8, 16 and 32 ms"), and quantities that are one range ("1.5x to 2x")."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from . import lexicon, structure
from .numbers import Number
from .phrases import Count
from .quantity import Quantity, made
from .tokens import Tokens

MOST_LINKS = 3
_RANGES = ("to", "-", "–", "—", "~", "through", "bis")


def lender(tokens: Tokens, number: Number, starting: dict[int, Quantity]) -> tuple[Quantity, str] | None:
    """Return the quantity whose unit a number before it may share, with the word that joins them."""
    links = lexicon.words("numbers", "borrow_links") | lexicon.words("numbers", "borrow_fillers")
    at = number.last
    while at < len(tokens) and tokens[at].low in links and at - number.last < MOST_LINKS:
        at += 1
    if at == number.last:
        return None
    other = starting.get(at)
    if other is None and at + 1 < len(tokens) and tokens[at].text in ("-", "+"):
        other = starting.get(at + 1)
    return (other, tokens[at - 1].text) if other is not None else None


def shared(tokens: Tokens, number: Number, other: Quantity, link: str, kind: str | None) -> Quantity | None:
    """Return a number with the unit of the next quantity: "99 → 80GiB", "from 67 to 44 minutes"; else None."""
    theirs = other.number
    if theirs is None or not theirs.low or other.value is None or other.dimension == "money":
        return None
    if theirs.suffix or number.suffix or number.worded != theirs.worded:
        return None
    listed = other.unit == "x" and link == "," and number.last - number.first == 1
    counted = other.unit == "%" and link == "/" and number.low == int(number.low) > 100  # "1200/95.1%"
    if counted or (listed and number.low == int(number.low) > 10) or structure.is_structural(tokens, number, kind):
        return None
    if link == "," and number.first > 1 and tokens[number.first - 1].text.istitle():  # "Bi-Real Net 18, 56.4 %"
        return None
    scale = other.value / theirs.low
    low, high = number.low * scale, number.high * scale
    found = made(tokens, number.first, number.last, number, None, other.dimension)
    return replace(found, value=low, high=high, half=number.half * abs(scale), unit=other.unit, per=other.per)


def with_ranges(tokens: Tokens, quantities: Sequence[Quantity]) -> list[Quantity]:
    """Return quantities in order, with one range for "1.5x to 2x" and "24%-60%"; "from A to B" stays two."""
    merged: list[Quantity] = []
    for other in sorted(quantities, key=lambda q: q.first):
        spread = tokens.low(other.first - 1) in ("±", "+/-", "+-") and merged and merged[-1].unit == other.unit
        if spread and merged[-1].last == other.first - 1:  # "41.6 ms ± 1.3 ms"
            continue
        if merged and _is_range(tokens, merged[-1], other):
            merged[-1] = replace(merged[-1], high=other.value, last=other.last, end=other.end)
        else:
            merged.append(other)
    return merged


def with_spans(tokens: Tokens, counts: Sequence[Count]) -> list[Count]:
    """Return counts in order, with one range for the two ends of "between 8 to 64"; "from 8 to 64" stays two."""
    merged: list[Count] = []
    for other in counts:
        before = merged[-1] if merged else None
        joined = before is not None and (before.last, tokens.low(before.last)) == (other.first - 1, "to")
        joined = joined and before is not None and before.of == other.of and before.value < other.value
        if joined and before is not None and tokens.low(before.first - 1) == "between":
            merged[-1] = replace(before, high=other.high, last=other.last, end=other.end)
        else:
            merged.append(other)
    return merged


def _is_range(tokens: Tokens, low: Quantity, high: Quantity) -> bool:
    if high.first != low.last + 1 or low.unit != high.unit or (low.dimension == "money" and low.per != high.per):
        return False
    sign = tokens[low.last]
    if sign.low not in _RANGES or (sign.low in ("—", "-") and sign.gap and not tokens[high.first].gap):
        return False
    if low.value is None or high.value is None or low.is_range or high.is_range or low.value >= high.value:
        return False
    starters = lexicon.words("numbers", "range_starters")
    started = any(t.low in starters for t in tokens[max(0, low.first - 3) : low.first])
    return not (started and sign.low in ("to", "bis")) and not low.worded
