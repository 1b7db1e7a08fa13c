"""Quantities: a number and its unit, as an exact value of the closed units, with what it is counted per.

Compound durations count in their smallest unit (8 hr 41 min, 1h23m, 1:23:45); money may stand behind its sign; factors
may be words (twice, an order of magnitude). A unit alone, as in a table's header, is a quantity without a value.
"""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from . import lexicon
from .durations import compound
from .factors import is_factor, orders
from .names import Name
from .numbers import Number
from .quantity import Owner, Quantity, made
from .tokens import NUMBER, WORD, Tokens
from .units import BITS, ORDERS, Unit, denominator, settled, unit_at

WIDEST = 128
"""So many bits are the width of a number, not data."""
_LETTERS = ("k", "K", "M", "T")
MOST_OF_VECTOR = 8
"""Tokens from its number of dimensions to the vector: "96d f32 vectors"."""
MOST_POINTS = 100
"""So many are at most between two shares, and hardly more between two scores."""
MOST_WORDS = 3
"""Tokens that may stand between a sign of multiplication and the devices that are multiplied."""


def quantity_at(tokens: Tokens, number: Number, owner: Owner) -> Quantity | None:
    """Return the quantity that a number begins; None where no unit belongs to it."""
    whole = _money(tokens, number) or _work(tokens, number)
    if whole is not None:
        return whole
    if is_factor(tokens, number):
        first = number.first - (tokens.glued(number.first) and tokens.low(number.first - 1) in ("x", "×"))
        return made(tokens, first, number.last, number, Unit(first, number.last, "x", Decimal(1)))
    unit = _unit_behind(tokens, number, owner) or _memory_letter(tokens, number)
    if unit is None or _is_sign_of_product(tokens, unit, owner, number) or _is_other(tokens, unit, number):
        return None
    link = not lexicon.words("units", "links").isdisjoint(tokens.lows(unit.last, unit.last + 2))
    if unit.name == "B" and unit.per is None and link:  # 100Gb Ethernet
        unit = replace(unit, name="B/s", scale=unit.scale * (1 if tokens[unit.first].text[-1:] == "B" else BITS))
    if tokens.low(unit.first) == "bits" and unit.last == unit.first + 1 and number.high <= WIDEST:
        unit = replace(unit, name="bit", scale=Decimal(1))
    unit, *others = settled(tokens, unit, number.high, _kind_near(number.first, unit.last, owner))
    if unit.name == ORDERS:
        return orders(tokens, number, unit)
    found = made(tokens, number.first, unit.last, number, unit)
    found = replace(found, also=tuple(made(tokens, number.first, unit.last, number, other) for other in others))
    if found.qualifier is None and tokens.low(unit.last) == "+" and tokens.glued(unit.last):
        found = replace(found, qualifier="at_least")
    if unit.dimension == "time":
        found = compound(tokens, found, unit)
    absolute = unit.name == "%" and "absolute" in tokens.lows(found.first - 3, found.first)
    return replace(found, unit="percentage_points", dimension="points") if absolute else found  # "absolute gain of 2 %"


def _is_other(tokens: Tokens, unit: Unit, number: Number) -> bool:
    """Whether what looks like a unit is none: "one x", "7B", "repeated 5 times"."""
    low = tokens.low(unit.first)
    if unit.name == "px" and tokens.low(number.first - 1) in ("x", "×", "*"):  # the shape "256x256 pixels"
        return True
    following = tokens.low(unit.last)
    once = unit.name == "x" and number.high == 1
    if once and (following == "schedule" or following in lexicon.classes("nouns", "heads")):
        return True
    if low == "s" and tokens.glued(unit.first) and tokens.low(unit.last) == "of":  # 100s of GB
        return True
    if low == "d" and tokens.glued(unit.first) and _is_dimension(tokens, unit, number):
        return True
    if unit.name == "percentage_points" and (number.high > MOST_POINTS or number.suffix):  # "10M points" of a cloud
        return True
    if unit.name != "x" or low != "times":
        return False
    if following in lexicon.words("compare", "after_times") or following in lexicon.classes("compare", "adjectives"):
        return False
    return not lexicon.words("compare", "repeating").isdisjoint(tokens.lows(unit.first - 7, unit.first))


def _is_dimension(tokens: Tokens, unit: Unit, number: Number) -> bool:
    """Whether a "d" behind a number is no day: "the 2d config", "k=0.001d"."""
    following = tokens.low(unit.last)
    described = tokens.kind(unit.last) == WORD and following not in lexicon.words("nouns", "stops")
    return described or number.low != int(number.low)


def _kind_near(first: int, last: int, owner: Owner) -> str | None:
    names = (owner(at) for at in (last, first - 1, first - 2, last + 1))
    return next((name.kind for name in names if name is not None and name.kind in ("model", "device")), None)


def _money(tokens: Tokens, number: Number) -> Quantity | None:
    first = number.first - 1
    currency = lexicon.table("units")["currency"].get(tokens.low(first))
    if currency is None:
        return None
    last = number.last + (tokens.low(number.last) in ("usd", "us"))
    below = denominator(tokens, last)
    noun = below.noun if below is not None else None
    if below is not None and below.time is not None:
        noun = lexicon.table("units")["time_nouns"].get(below.time, below.time)
    last = below.last if below is not None else last
    return made(tokens, first, last, number, Unit(first, last, currency, Decimal(1), noun))


def _work(tokens: Tokens, number: Number) -> Quantity | None:
    """Return operations whose unit stands before them: "FLOPs: 4.1G", "MACs = 300M"."""
    at = number.first - 1
    if tokens.low(at) not in (":", "=") or tokens.low(at - 1) not in lexicon.words("units", "work_labels"):
        return None
    unit = unit_at(tokens, at - 1, numbered=False)
    scale = lexicon.table("units")["prefixes"].get(tokens[number.last].text) if tokens.glued(number.last) else None
    if unit is None or (unit.scale > 1 and scale):
        return None
    unit = replace(unit, first=number.first, last=number.last + bool(scale), scale=unit.scale * Decimal(scale or 1))
    return made(tokens, number.first, unit.last, number, unit)


def _unit_behind(tokens: Tokens, number: Number, owner: Owner) -> Unit | None:
    """Return the unit behind a number: directly, after a hyphen, a plus, or in brackets."""
    at = number.last
    name, sign = owner(at), tokens.low(at)
    if name is not None:
        return _device_time(tokens, name) if name.kind == "device" else None
    if (unit := unit_at(tokens, at)) is not None:
        wide = not {"vector", "vectors", "embedding", "embeddings"}.isdisjoint(tokens.lows(at, at + MOST_OF_VECTOR))
        shape = tokens[at].text == "d" and tokens.glued(at) and (tokens.low(number.first - 1) == "x" or wide)
        label = tokens.low(unit.last) in ("=", ":") and unit.dimension == "rate" and unit.head > at  # "4 Total TPS="
        key = label or (tokens.low(unit.last) in ("=", "_") and tokens.glued(unit.last))  # "TP=8 PP=4", "2 h_q"
        return None if shape or key else unit
    if owner(at + 1) is not None:
        return None
    unit = unit_at(tokens, at + 1)
    if unit is None:
        return None
    if sign in ("(", "["):
        closed = tokens.low(unit.last) in (")", "]") and unit.dimension != "ratio" and unit.name != "%"
        return unit if closed else None
    letter = len(tokens[at + 1].text) == 1 and tokens.low(at + 1) != "x"
    hyphened = sign == "-" and tokens.glued(at + 1) and not letter
    return unit if tokens.glued(at) and (hyphened or sign == "+") else None


def _memory_letter(tokens: Tokens, number: Number) -> Unit | None:
    """Return the bytes of "224k RAM" and "2M memory"; the letter has scaled the number; not "1M memory slots"."""
    at = number.last + (tokens.low(number.last) == "of")
    named = tokens.low(at) in lexicon.words("units", "memories")
    plain = named and tokens.glued(number.last - 1) and not tokens.low(at + 1).endswith("s")
    return Unit(number.last - 1, number.last, "B", Decimal(1)) if plain and number.suffix in _LETTERS else None


def _device_time(tokens: Tokens, device: Name) -> Unit | None:
    """Return the unit of "300 A100 hours", "2.7M H100 GPU-hours"."""
    unit = unit_at(tokens, device.last + (tokens.low(device.last) == "-"))
    times = unit is not None and unit.dimension == "time" and len(tokens[unit.last - 1].text) > 2
    return replace(unit, first=device.first) if unit is not None and times else None


def _is_sign_of_product(tokens: Tokens, unit: Unit, owner: Owner, number: Number) -> bool:
    """Whether x is a sign of multiplication: 8x A100, 4x4, 2 x 8 GPUs, 3 x (...), 8x 24GB GPUs."""
    at, name = unit.last, owner(unit.last)
    if unit.name != "x" or tokens.low(unit.first) not in ("x", "×") or at >= len(tokens):
        return False
    again = tokens.low(at) in ("to", "and", "or") and tokens.counts(at + 1) and at + 3 < len(tokens)
    if again and tokens.low(at + 2) == tokens.low(at - 1):  # "1x to 8x GPUs"
        unit, at, name = replace(unit, last=at + 3), at + 3, owner(at + 3)
    following, gap = tokens[at], tokens[unit.first].gap
    if (following.kind == NUMBER and not following.fixed and following.gap == gap) or (following.text == "(" and gap):
        return True
    held = unit_at(tokens, at + 1) if following.kind == NUMBER else None
    if name is None and held is not None and held.dimension in ("data", "power"):
        at = held.last
    devices = lexicon.words("units", "devices") | lexicon.words("units", "nodes") | lexicon.words("devices", "vendors")
    devices = devices | lexicon.words("units", "cores")
    changes = lexicon.classes("compare", "nouns").keys() | lexicon.classes("compare", "adjectives").keys()
    degree, stops = {"utilization", "memory", "throughput", *changes}, lexicon.words("nouns", "stops") | {"the", "a"}
    head = at
    while head - at < MOST_WORDS and tokens.low(head) not in devices | degree | stops and owner(head) is None:
        if tokens.kind(head) != WORD and tokens.low(head) != "-":
            return False
        head += 1
    name = owner(head)
    last = name.last if name is not None else head + 1
    device = (name is not None and name.kind in ("device", "system")) or (name is None and tokens.low(head) in devices)
    several = tokens.low(last - 1).endswith("s") or tokens.low(last) in devices | lexicon.words("nouns", "carriers")
    if name is not None and head == unit.last:
        return device and number.low == int(number.low)
    return device and (head == at or several) and degree.isdisjoint(tokens.lows(last, last + 2))
