"""Units: what stands behind a number, with its scale, its dimension and what it is counted per.

A unit is one line of `units.json`: a base with the prefixes that it takes, a plain spelling, or an item whose rate is
counted (tokens/s, images per second). Whether FLOPs are work or a rate is told by the prefix and by the words around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from . import lexicon
from .tokens import WORD, Token

BITS = Decimal("0.125")
MOST_RATE = Decimal("1e19")
"""No machine computes faster: more operations are work."""
ORDERS = "orders"
"""Orders of magnitude: a power of ten, not a factor."""


class Unit(Struct, frozen=True):
    """A unit expression.

    Attributes:
        first: first token.
        last: token after the last one.
        name: one of the closed list, such as s, B/s, x, tokens/s.
        scale: what a number before it is multiplied by.
        per: device, node, core, user, or the singular noun that it is counted per; None where it is not.
        head: the token of the unit itself, after adjectives.
    """

    first: int
    last: int
    name: str
    scale: Decimal
    per: str | None = None
    head: int = 0

    @property
    def dimension(self) -> str:
        """The dimension of the closed list."""
        return dimension_of(self.name)


class Denominator(Struct, frozen=True):
    """What stands behind "/" or "per": a time, or a thing."""

    last: int
    time: str | None
    noun: str | None


def dimension_of(name: str) -> str:
    """Return the dimension of a unit; what is not known is a rate where it has a denominator, else other."""
    known = lexicon.table("units")["dimensions"].get(name)
    if known is not None:
        return str(known)
    return "rate" if "/" in name else "ratio" if name == ORDERS else "other"


@cache
def _spellings() -> Mapping[str, tuple[str, Decimal]]:
    """Return every spelling of a unit with its name and scale: prefixes and bases, and the plain ones."""
    data = lexicon.table("units")
    found: dict[str, tuple[str, Decimal]] = {}
    for base, (name, scale) in data["prefixed"].items():
        for prefix, factor in data["prefixes"].items():
            if len(prefix) < 3 or len(base) > 2:
                found[prefix + base] = (name, Decimal(factor) * Decimal(scale))
    for base, (name, scale) in data["smallable"].items():
        for prefix, factor in data["small"].items():
            found.setdefault(prefix + base, (name, Decimal(factor) * Decimal(scale)))
    for spelled, (name, scale) in data["plain"].items():
        found[spelled] = (name, Decimal(scale))
    for spelled in [s for s in found if len(s) > 2]:
        found.setdefault(spelled.lower(), found[spelled])
    for spelled in ("KW", "kw", "Kw", "KWh", "kwh", "kWH"):
        found[spelled] = found["kWh" if len(spelled) > 2 else "kW"]
    return found


def spelled(text: str) -> tuple[str, Decimal] | None:
    """Return the name and the scale of a spelt unit; case decides only where it must (mW and MW, Gb and GB)."""
    found = _spellings()
    if text in found:
        name, scale = found[text]
        return (name, scale * 8) if len(text) == 2 and text[1] == "b" else (name, scale)
    low = text.lower()
    if len(text) == 2 and low[1] == "b" and low[0] in "kmgtp":
        return "B", Decimal(lexicon.table("units")["prefixes"][low[0].upper()])
    return found.get(low) if len(text) > 1 else None


@cache
def items() -> Mapping[str, str]:
    """Return the plural of each item that is counted per time."""
    return lexicon.classes("units", "items")


def denominator(tokens: Sequence[Token], at: int) -> Denominator | None:
    """Return what stands behind a slash or "per" at a token."""
    if at + 1 >= len(tokens):
        return None
    sign = tokens[at]
    hyphened = sign.text == "-" and tokens[at + 1].low in ("per", "s")
    if not (sign.text in ("/", "*") or sign.low in ("per", "pro", "each", "every") or hyphened):
        return None
    if sign.text == "*" or (hyphened and tokens[at + 1].low == "s"):
        return None
    at += 2 if hyphened else 1
    words = lexicon.table("units")
    while (
        at < len(tokens)
        and (tokens[at].text in ("(", "1", "-") or tokens[at].low in lexicon.words("units", "per_skips"))
        and at + 1 < len(tokens)
    ):
        if tokens[at].low in lexicon.words("units", "per_skips") and tokens[at + 1].kind != WORD:
            break
        at += 1
    if at >= len(tokens) or tokens[at].kind != WORD:
        return None
    low = tokens[at].low
    if low in words["time_denoms"] and sign.low != "each":
        return Denominator(at + 1, words["time_denoms"][low], None)
    for noun, kind in (("device", "devices"), ("node", "nodes"), ("core", "cores"), ("user", "users")):
        if low in lexicon.words("units", kind):
            return Denominator(at + 1, None, noun)
    item = items().get(low)
    noun = (
        {"batches": "batch", "queries": "query", "trajectories": "trajectory", "patches": "patch"}.get(item, item[:-1])
        if item
        else low
    )
    return Denominator(at + 1, None, noun)


def unit_at(tokens: Sequence[Token], at: int, *, numbered: bool = True) -> Unit | None:
    """Return the unit expression at a token; `numbered` where a number stands before it."""
    if not 0 <= at < len(tokens):
        return None
    found = _rate(tokens, at) or _atom(tokens, at)
    if found is None:
        return None
    token = tokens[found.first]
    if (
        numbered
        and len(token.text) == 1
        and token.gap
        and found.last == at + 1
        and token.text not in lexicon.words("units", "spaced_letters")
    ):
        return None
    return _with_denominators(tokens, found)


def _rate(tokens: Sequence[Token], at: int) -> Unit | None:
    """Return a rate of items: tokens/s, M samples/s, output tokens per second, images/GPU/s, it/s."""
    token, scale, first = tokens[at], Decimal(1), at
    scales = {
        "M": "1e6",
        "K": "1e3",
        "k": "1e3",
        "B": "1e9",
        "G": "1e9",
        "million": "1e6",
        "billion": "1e9",
        "thousand": "1e3",
    }
    if token.text in scales and at + 1 < len(tokens) and tokens[at + 1].low in items():
        at, scale = at + 1, Decimal(scales[token.text])
    skips = lexicon.words("units", "modifiers")
    begin = at
    while (
        at < len(tokens) - 1
        and tokens[at].low in skips
        and at - begin < 3
        and not (tokens[at].low in items() and tokens[at + 1].text == "/")
    ):
        at += 1
    item = items().get(tokens[at].low) if at < len(tokens) else None
    glued_m = tokens[at].text[:1] in ("M", "K", "k") and items().get(tokens[at].low[1:]) if item is None else None
    if glued_m and len(tokens[at].low) > 3:
        item, scale = glued_m, Decimal(scales[tokens[at].text[0]])
    if not item:
        return None
    below = denominator(tokens, at + 1)
    per: str | None = None
    if below is not None and below.noun in ("device", "node", "core", "user"):
        further = denominator(tokens, below.last)
        if further is None or further.time is None:
            return None
        per, below = below.noun, further
    if below is None or (below.time is None and not _per_energy(tokens, at + 1, below)):
        return None
    name = f"{item}/{below.time or 'J'}"
    return Unit(first, below.last, name, scale, per, at)


def _per_energy(tokens: Sequence[Token], at: int, below: Denominator) -> bool:
    return tokens[below.last - 1].text in ("J", "j", "joule", "Joule")


def _atom(tokens: Sequence[Token], at: int) -> Unit | None:
    """Return the unit at a token without what it is divided by."""
    token = tokens[at]
    phrases = lexicon.table("units")["phrases"]
    for size in (3, 2):
        text = " ".join(t.low for t in tokens[at : at + size] if t.text != "-")
        if text in phrases and at + size <= len(tokens):
            name, scale = phrases[text]
            return Unit(at, at + size, name, Decimal(scale), None, at)
    if token.text == "order" or token.low in ("order", "orders"):
        words = [t.low for t in tokens[at : at + 5] if t.text != "-"][:3]
        if words[1:] == ["of", "magnitude"]:
            return Unit(at, at + 3 + sum(t.text == "-" for t in tokens[at : at + 5]), ORDERS, Decimal(1), None, at)
    if token.kind != WORD and token.text not in ("%", "×", "€", "$", "£", "¢"):
        return None
    found = spelled(token.text)
    if found is None and token.text[0] == "°":
        found = ("°C", Decimal(1))
    return Unit(at, at + 1, found[0], found[1], None, at) if found else None


def _with_denominators(tokens: Sequence[Token], unit: Unit) -> Unit:
    """Return a unit with what stands behind it: GB/s, $/hour, ms per image, TFLOPS/GPU."""
    text = tokens[unit.head].text
    below = denominator(tokens, unit.last)
    if below is not None and below.time is not None and unit.dimension != "rate":
        unit = _per_time(unit, below, text)
    while (below := denominator(tokens, unit.last)) is not None and below.noun is not None:
        slash = tokens[unit.last].text == "/"
        if unit.dimension in ("ratio", "points") or (
            unit.dimension == "percent" and below.noun not in ("device", "node")
        ):
            break
        listed = slash and tokens[unit.last].gap and spelled(tokens[unit.last + 1].text) is not None
        if listed or (slash and tokens[unit.last + 1].gap) or unit.per is not None:
            break
        unit = replace(unit, last=below.last, per=below.noun)
        if (
            (time := denominator(tokens, unit.last)) is not None
            and time.time is not None
            and tokens[unit.last].text == "/"
        ):
            unit = _per_time(unit, time, text)
    return unit


def _per_time(unit: Unit, below: Denominator, text: str) -> Unit:
    """Return a unit divided by a time: bytes and operations become rates, the others are counted per time."""
    if unit.name == "B" and below.time == "s":
        bits = text[-1:] == "b" or "bit" in text.lower()
        prefix = lexicon.table("units")["prefixes"].get(text[0]) if len(text) == 2 and bits else None
        return replace(unit, name="B/s", last=below.last, scale=Decimal(prefix) * BITS if prefix else unit.scale)
    if unit.name in ("FLOP", "OP", "MAC", "FLOP/s", "OP/s") and below.time == "s":
        return replace(unit, name=unit.name.split("/")[0] + "/s", last=below.last)
    if unit.dimension in ("money", "time", "percent", "energy", "power", "data"):
        nouns = lexicon.table("units")["time_nouns"]
        return replace(unit, last=below.last, per=nouns.get(below.time, below.time))
    return unit


def settled(tokens: Sequence[Token], unit: Unit, value: Decimal | None, named: str | None) -> tuple[Unit, ...]:
    """Return what a unit means, the likeliest first: operations are work or a rate, Gb are gigabytes or gigabits.

    Args:
        tokens: those of the text.
        unit: the unit.
        value: the number before it, where there is one.
        named: kind of the name nearest to it: a device has a rate, a model takes work.
    """
    base, text = unit.name.split("/")[0], tokens[unit.head].text
    if unit.name == "B" and len(text) == 2 and text[1] == "b":
        return unit, replace(unit, scale=unit.scale * BITS)
    said = tokens[unit.last - 1].low in ("s", "sec", "second") or text.lower().endswith("pps")
    if base not in ("FLOP", "OP", "MAC") or said:
        return (unit,)
    work_unit, rate_unit = replace(unit, name=base), replace(unit, name=base + "/s")
    if unit.per not in (None, "device", "node", "core") or (value is not None and value * unit.scale >= MOST_RATE):
        return (work_unit,)
    around = {t.low for t in (*tokens[max(0, unit.first - 8) : unit.first], *tokens[unit.last : unit.last + 5])}
    rate, work = lexicon.words("units", "rate_words") & around, lexicon.words("units", "work_words") & around
    upper = text.endswith("S")
    if unit.scale >= Decimal("1e12"):
        is_rate = base != "MAC" and (not work or bool(rate) or upper or unit.per is not None)
    elif unit.scale >= Decimal("1e6"):
        is_rate = bool(rate) and not work and named != "model" and base != "MAC"
    else:
        is_rate = upper and unit.scale > 1
    likely, other = (rate_unit, work_unit) if is_rate else (work_unit, rate_unit)
    clear = (rate and not work) if is_rate else (work and not rate)
    return (likely,) if clear or base == "MAC" else (likely, other)
