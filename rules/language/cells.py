"""One printed number: the whole of a cell, or of a field, as an exact interval with its unit.

Read are 1,200 / 1.200.000 / 1 200 / 1.2k / 10^3 / 1.1e18 / 2^16 / two thirds / 3-5 / 77.02 ± 0.04 / 8.6 (+299 %) /
~2 / >=4 / 3.12 ms. What is not wholly understood is None: a cell is a number or it is none.
"""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from . import lexicon
from .numbers import Number, number_at, single_at
from .printed import INFINITY, Span
from .quantity import Quantity
from .reading import read
from .text import THIN, normalised
from .tokens import NUMBER, Tokens, tokenise
from .units import unit_at

ABOUT = Decimal("0.05")
_MARKS = frozenset("*†‡§^↑↓#")


class Printed(Struct, frozen=True):
    """A printed number.

    Attributes:
        low: its value, or the lower end of a range.
        high: the upper end.
        half: half a unit of the last printed place.
        qualifier: at_most, at_least, about or None.
        spread: what stands behind ±, or None.
        unit: its unit of the closed list, None where none is printed.
        aside: what stands in brackets behind it, as printed; empty otherwise.
    """

    low: Decimal
    high: Decimal
    half: Decimal
    qualifier: str | None = None
    spread: Decimal | None = None
    unit: str | None = None
    aside: str = ""

    @property
    def rounding(self) -> Span:
        """What the printed digits allow, whatever stands before them."""
        return Span(self.low - self.half, self.high + self.half)

    @property
    def interval(self) -> Span:
        """What a reader may believe: "over" leaves the upper side open, "about" allows 5 %."""
        low, high = self.low - self.half, self.high + self.half
        if self.qualifier == "at_least":
            high = INFINITY
        elif self.qualifier == "at_most":
            low = -INFINITY
        elif self.qualifier == "about":
            low = min(low, self.low - abs(self.low) * ABOUT)
            high = max(high, self.high + abs(self.high) * ABOUT)
        return Span(low, high)


def printed(source: str) -> Printed | None:
    """Return the number that a cell prints, or None where it is not wholly a number with its unit."""
    if len(source) > 200:
        return None
    tokens = tokenise(normalised(_with_thin_groups(source.strip())))
    while tokens and tokens[-1].text in _MARKS:
        tokens = Tokens(tokens[:-1])
    found = _begins(tokens)
    if found is None:
        return None
    number, at = found
    if number.last < len(tokens) and tokens[number.last].text == "+" and not tokens[number.last].gap:
        at += 1
    unit = unit_at(tokens, at) if at < len(tokens) else None
    last = unit.last if unit is not None else at
    if last < len(tokens) and tokens[last].text == "+" and not tokens[last].gap:
        number, last = replace(number, qualifier=number.qualifier or "at_least"), last + 1
    rest = tokens[last:]
    aside = ""
    if rest and rest[0].text == "(" and rest[-1].text == ")":
        aside, rest = "".join((" " if t.gap and k else "") + t.text for k, t in enumerate(rest[1:-1])), ()
    if rest:
        return _of_compound(source)
    currency = lexicon.table("units")["currency"].get(tokens.low(number.first - 1))
    scale = unit.scale if unit is not None else Decimal(1)
    spread = number.spread * scale if number.spread is not None else None
    name = unit.name if unit is not None else currency
    return Printed(number.low * scale, number.high * scale, number.half * scale, number.qualifier, spread, name, aside)


def _with_thin_groups(source: str) -> str:
    """Return a cell with the plain spaces between groups of three digits made thin: "1 200"."""
    parts = source.split(" ")
    grouped = len(parts) > 1 and all(len(p) == 3 and p.isdigit() for p in parts[1:]) and parts[0].isdigit()
    return THIN.join(parts) if grouped and len(parts[0]) <= 3 else source


def _begins(tokens: Tokens) -> tuple[Number, int] | None:
    """Return the number that stands first, behind its qualifier, and the token after it."""
    for at, token in enumerate(tokens[:4]):
        if token.kind == NUMBER or single_at(tokens, at) is not None:
            number = number_at(tokens, at)
            understood = number is not None and (
                at == 0 or number.qualifier is not None or tokens[0].text in ("$", "€", "£", "+")
            )
            return (number, number.last) if number is not None and understood else None
    return None


def _of_compound(source: str) -> Printed | None:
    whole = compound(source)
    if whole is None or whole.value is None or whole.high is None:
        return None
    return Printed(whole.value, whole.high, whole.half, whole.qualifier, whole.spread, whole.unit)


def compound(source: str) -> Quantity | None:
    """Return the one quantity that a whole cell is, such as "8 hr 41 min" or "1:23:45"; None otherwise."""
    found = read(source.strip(), "cell").quantities()
    whole = len(found) == 1 and found[0].value is not None and found[0].span == (0, len(source.strip()))
    return found[0] if whole else None
