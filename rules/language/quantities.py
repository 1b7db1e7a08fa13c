"""Quantities: a number and its unit, as an exact value of the closed units, with what it is counted per.

Compound durations count in their smallest unit (8 hr 41 min, 1h23m, 1:23:45); money may stand behind its sign; factors
may be words (twice, an order of magnitude). A unit alone, as in a table's header, is a quantity without a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from . import lexicon
from .durations import compound
from .factors import is_factor, orders
from .names import Name
from .numbers import Number
from .quantity import Owner, Quantity, made
from .tokens import NUMBER, Token
from .units import BITS, ORDERS, Unit, denominator, settled, unit_at


def quantity_at(tokens: Sequence[Token], number: Number, owner: Owner) -> Quantity | None:
    """Return the quantity that a number begins; None where no unit belongs to it."""
    whole = _money(tokens, number) or _work(tokens, number)
    if whole is not None:
        return whole
    if is_factor(tokens, number):
        return made(tokens, number.first, number.last, number, Unit(number.first, number.last, "x", Decimal(1)))
    unit = _unit_behind(tokens, number, owner)
    if unit is None or _is_sign_of_product(tokens, unit, owner, number):
        return None
    if number.worded and unit.name in ("B", "x", "min") and tokens[unit.first].low in ("x", "b", "min", "g", "×"):
        return None
    if number.suffix in ("B", "b") and "/" not in unit.name:
        return None
    if unit.name == "x" and tokens[unit.first].low == "times" and _is_repetition(tokens, unit):
        return None
    if unit.name == "B" and unit.per is None and {t.low for t in tokens[unit.last : unit.last + 2]} & _links():
        unit = replace(unit, name="B/s", scale=unit.scale * (BITS if tokens[unit.first].text[-1:] != "B" else 1))
    unit, *others = settled(tokens, unit, number.high, _kind_near(number.first, unit.last, owner))
    if unit.name == ORDERS:
        return orders(tokens, number, unit)
    found = made(tokens, number.first, unit.last, number, unit)
    found = replace(found, also=tuple(made(tokens, number.first, unit.last, number, other) for other in others))
    if (
        found.qualifier is None
        and unit.last < len(tokens)
        and tokens[unit.last].text == "+"
        and not tokens[unit.last].gap
    ):
        found = replace(found, qualifier="at_least")
    if unit.dimension == "time":
        found = compound(tokens, found, unit)
    return _as_points(tokens, found) if unit.name == "%" else found


def _links() -> frozenset[str]:
    return lexicon.words("units", "links")


def _kind_near(first: int, last: int, owner: Owner) -> str | None:
    for at in (last, first - 1, first - 2, last + 1):
        name = owner(at)
        if name is not None and name.kind in ("model", "device"):
            return name.kind
    return None


def _money(tokens: Sequence[Token], number: Number) -> Quantity | None:
    before = tokens[number.first - 1] if number.first else None
    signs = lexicon.table("units")["currency"]
    if before is None or before.low not in signs:
        return None
    found = made(
        tokens,
        number.first - 1,
        number.last,
        number,
        Unit(number.first - 1, number.last, signs[before.low], Decimal(1)),
    )
    if number.last < len(tokens) and tokens[number.last].low in ("usd", "us"):
        found = replace(found, last=number.last + 1, end=tokens[number.last].end)
    below = denominator(tokens, found.last)
    if below is None:
        return found
    noun = lexicon.table("units")["time_nouns"].get(below.time, below.time) if below.time else below.noun
    return replace(found, per=noun, last=below.last, end=tokens[below.last - 1].end)


def _work(tokens: Sequence[Token], number: Number) -> Quantity | None:
    """Return operations whose unit stands before them: "FLOPs: 4.1G", "MACs = 300M"."""
    at = number.first - 1
    if at < 1 or tokens[at].text not in (":", "=") or tokens[at - 1].low not in lexicon.words("units", "work_labels"):
        return None
    unit = unit_at(tokens, at - 1, numbered=False)
    letter = tokens[number.last].text if number.last < len(tokens) and not tokens[number.last].gap else ""
    scale = lexicon.table("units")["prefixes"].get(letter)
    if unit is None or (unit.scale > 1 and scale):
        return None
    unit = replace(unit, first=number.first, last=number.last + bool(scale), scale=unit.scale * Decimal(scale or 1))
    return made(tokens, number.first, unit.last, number, unit)


def _unit_behind(tokens: Sequence[Token], number: Number, owner: Owner) -> Unit | None:
    """Return the unit behind a number: directly, after a hyphen, a plus, or in brackets."""
    at = number.last
    device = owner(at) if at < len(tokens) else None
    if device is not None and device.kind == "device":
        return _device_time(tokens, device)
    if at < len(tokens) and owner(at) is None and (unit := unit_at(tokens, at)) is not None:
        shape = tokens[at].text == "d" and not tokens[at].gap and number.first and tokens[number.first - 1].low == "x"
        return None if shape else unit
    if at + 1 >= len(tokens) or owner(at + 1) is not None:
        return None
    sign = tokens[at].text
    if (sign in ("-", "+") and not tokens[at].gap and not tokens[at + 1].gap) or (sign == "+" and not tokens[at].gap):
        unit = unit_at(tokens, at + 1)
        return (
            None
            if unit is not None and sign == "-" and len(tokens[at + 1].text) == 1 and tokens[at + 1].low != "x"
            else unit
        )
    if sign in ("(", "["):
        unit = unit_at(tokens, at + 1)
        closed = unit is not None and unit.last < len(tokens) and tokens[unit.last].text in (")", "]")
        return unit if closed and unit is not None and unit.dimension != "ratio" and unit.name != "%" else None
    if sign == "$":
        return None
    return None


def _device_time(tokens: Sequence[Token], device: Name) -> Unit | None:
    """Return the unit of "300 A100 hours", "2.7M H100 GPU-hours"."""
    at = device.last
    at += at < len(tokens) and tokens[at].text == "-"
    unit = unit_at(tokens, at)
    times = unit is not None and unit.dimension == "time" and len(tokens[unit.last - 1].text) > 2
    return replace(unit, first=device.first) if unit is not None and times else None


def _is_sign_of_product(tokens: Sequence[Token], unit: Unit, owner: Owner, number: Number) -> bool:
    """Whether x is a sign of multiplication: 8x A100, 4x4, 2 x 8 GPUs, 3 x (...)."""
    sign = tokens[unit.first]
    if unit.name != "x" or sign.low not in ("x", "×") or unit.last >= len(tokens):
        return False
    following, name = tokens[unit.last], owner(unit.last)
    if following.kind == NUMBER and not following.fixed and (following.gap == sign.gap):
        return True
    if following.text == "(" and sign.gap:
        return True
    part = unit_at(tokens, unit.last + 1) if following.kind == NUMBER else None
    if part is not None and part.dimension in ("data", "power") and part.last < len(tokens):
        of = owner(part.last)
        return tokens[part.last].low in lexicon.words("units", "devices") or (of is not None and of.kind == "device")
    nouns = lexicon.words("units", "devices") | lexicon.words("units", "nodes") | lexicon.words("devices", "vendors")
    if name is not None and name.kind in ("device", "system"):
        return number.low == int(number.low)
    return following.low in nouns and not _degree_follows(tokens, unit.last)


def _degree_follows(tokens: Sequence[Token], at: int) -> bool:
    words = lexicon.classes("compare", "adjectives")
    return any(t.low in words or t.low in ("utilization", "memory", "throughput") for t in tokens[at + 1 : at + 3])


def _is_repetition(tokens: Sequence[Token], unit: Unit) -> bool:
    """Whether "times" counts repetitions: "repeated 5 times", "run three times"."""
    following = tokens[unit.last].low if unit.last < len(tokens) else ""
    if following in lexicon.words("compare", "after_times") or following in lexicon.classes("compare", "adjectives"):
        return False
    left = {t.low for t in tokens[max(0, unit.first - 7) : unit.first]}
    return bool(left & lexicon.words("compare", "repeating"))


def _as_points(tokens: Sequence[Token], found: Quantity) -> Quantity:
    following = [t.low for t in tokens[found.last : found.last + 3]]
    if (
        following[:1] in (["points"], ["point"], ["absolute"], ["abs"], ["pts"])
        or following[:2] == ["-", "points"]
        or following[:2] == ["-", "point"]
        or following[:3] == ["(", "absolute", ")"]
    ):
        last = found.last + (2 if following[0] == "-" else 1 if following[0] != "(" else 3)
        return replace(found, unit="percentage_points", dimension="points", last=last, end=tokens[last - 1].end)
    return found
