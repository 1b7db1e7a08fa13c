"""Units: what stands behind a number, with its scale, its dimension and what it is counted per.

A unit is one line of `units.json`: a base with the prefixes that it takes, a plain spelling, or an item whose rate is
counted (tokens/s, images per second). Whether FLOPs are work or a rate is told by the prefix and by the words around.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from ...schemas.pattern import Pattern
from ..caching import remembered
from . import lexicon
from .text import normalised
from .tokens import WORD, Tokens, tokenise

BITS = Decimal("0.125")
SECONDS = {"s": 1, "min": 60, "h": 3_600, "d": 86_400, "wk": 604_800}
MOST_RATE = Decimal("1e19")
"""No machine computes faster: more operations are work."""
COUNTED = ("device", "node", "core", "user")
"""What a rate is counted per beside its time."""
ORDERS = "orders"
"""Orders of magnitude: a power of ten, not a factor."""
MOST_BELOW = 4
"""Tokens of a denominator at the end of a unit."""
_POWER = Pattern(r"[ ]?[·⋅*]?[ ]?\b(s|sec|min|h)(?:⁻¹|\^-1|\^\{-1\})$")
"""A time below the line as a power: "images·s⁻¹"."""
_ASIDE = Pattern(r"[ -]?\(?\b(?:eff|eff\.|effective|eq|eq\.|equiv|equiv\.|equivalent)\)?$", re.IGNORECASE)
"""How a number was counted, behind its unit: "EFLOPS-eq"."""
_PREFIX = Pattern(r"\b(kilo|mega|giga|tera|peta|exa|zetta)[- ]?(?:(flop)|(?:operation|op))(?=s?\b)", re.IGNORECASE)
"""A prefix in words, apart from its unit or before "operations"."""


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
    rate = "/" in name and not name.startswith("kg/")
    return "rate" if rate else "ratio" if name == ORDERS else "other"


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


def denominator(tokens: Tokens, at: int) -> Denominator | None:
    """Return what stands behind a slash or "per" at a token."""
    low, words = tokens.low(at), lexicon.table("units")
    hyphened = low == "-" and tokens.low(at + 1) == "per"
    if low not in ("/", "per", "pro", "each", "every") and not hyphened:
        return None
    each, at = low == "each", at + 1 + hyphened
    skips = lexicon.words("units", "per_skips")
    while tokens.low(at) in ("(", "1", "-") or (tokens.low(at) in skips and tokens.kind(at + 1) == WORD):
        at += 1
    low = tokens.low(at)
    if tokens.kind(at) != WORD:
        return None
    if low in words["time_denoms"] and not each:
        return Denominator(at + 1, words["time_denoms"][low], None)
    noun = next((noun for noun in COUNTED if low in lexicon.words("units", f"{noun}s")), None)
    plural = items().get(low)
    noun = words["energy_denoms"][low][0] if low in words["energy_denoms"] else noun
    return Denominator(at + 1, None, noun or (words["singulars"].get(plural, plural[:-1]) if plural else low))


@remembered(1024)
def unit_of(text: str) -> Unit | None:
    """Return the unit that is a whole text, as in a field or a column: "ktokens/min", "TFLOP/s (per GPU)"."""
    tokens = _of_field(text)
    found = unit_at(tokens, 0, numbered=False) if tokens else None
    return found if found is not None and found.last == len(tokens) else None


@remembered(1024)
def counted_per(text: str, noun: str) -> str | None:
    """Return a unit without the device, node or core that its end counts it per: "tokens/s" of "tokens/s per GPU"."""
    tokens = _of_field(text)
    for at in range(max(1, len(tokens) - MOST_BELOW), len(tokens)):
        below = denominator(tokens, at)
        if below is not None and below.last == len(tokens) and below.noun == noun:
            return text[: tokens[at - 1].end]
    return None


def _of_field(text: str) -> Tokens:
    plain = _POWER.sub(r"/\1", _ASIDE.sub("", text.strip()))
    plain = _PREFIX.sub(lambda found: f"{found[1]}{found[2] or 'op'}", plain)
    return Tokens(token for token in tokenise(normalised(plain)) if token.low not in ("(", ")", "for"))


def unit_at(tokens: Tokens, at: int, *, numbered: bool = True) -> Unit | None:
    """Return the unit expression at a token; `numbered` where a number stands before it."""
    found = (_rate(tokens, at) or _atom(tokens, at)) if 0 <= at < len(tokens) else None
    if found is None:
        return None
    letter = tokens[found.first].text if found.last == at + 1 and not tokens.glued(found.first) else ""
    if numbered and len(letter) == 1 and letter not in lexicon.words("units", "spaced_letters"):
        return None
    return _with_denominators(tokens, found)


def _rate(tokens: Tokens, at: int) -> Unit | None:
    """Return a rate of items: tokens/s, M samples/s, output tokens per second, images/GPU/s, it/s."""
    first, scale, scales = at, "1", lexicon.table("units")["item_scales"]
    if tokens[at].text in scales and tokens.low(at + 1) in items():
        at, scale = at + 1, scales[tokens[at].text]
    begin, skips = at, lexicon.words("units", "modifiers")
    while at - begin < 3 and at < len(tokens) - 1 and tokens.low(at) in skips:
        at += 1
    low = tokens.low(at)
    item = items().get(low)
    plain = spelled(low) if at > begin and item is None else None
    if plain is not None and dimension_of(plain[0]) == "rate":  # "raw FPS"
        return Unit(first, at + 1, *plain, None, at)
    if item is None and len(low) > 3 and tokens[at].text[0] in "MKk" and (item := items().get(low[1:])):
        scale = scales[tokens[at].text[0]]
    named = next((prefix for prefix in ("kilo", "mega", "giga", "tera") if low.startswith(prefix)), "")
    counted = low[len(named) :]
    if item is None and named and len(counted) > 3 and spelled(low) is None:  # "gigasamples/s"
        scale, item = lexicon.table("units")["prefixes"][named], counted
    item = item or _strange_item(tokens, at)
    below = denominator(tokens, at + 1) if item else None
    per: str | None = None
    if below is not None and below.noun in COUNTED:
        per, below = below.noun, denominator(tokens, below.last)
    energies = lexicon.table("units")["energy_denoms"]
    _, energy, share = energies.get(tokens.low(below.last - 1), (None, None, "1")) if below else (None, None, "1")
    if below is None or (below.time is None and (per or energy is None)):
        return None
    return Unit(first, below.last, f"{item}/{below.time or energy}", Decimal(scale) * Decimal(share), per, at)


def _strange_item(tokens: Tokens, at: int) -> str | None:
    """Return the plural of a noun that no list knows, counted per time: "structures per second", "cell/s"."""
    low, below = tokens.low(at), denominator(tokens, at + 1)
    known = spelled(low) is not None or low in lexicon.words("units", "common_words")
    if below is None or below.time is None or known or not (low.isalpha() and len(low) > 3):
        return None
    return low if low.endswith("s") else f"{low}s" if tokens.low(at + 1) == "/" and tokens.glued(at + 1) else None


def _atom(tokens: Tokens, at: int) -> Unit | None:
    """Return the unit at a token without what it is divided by."""
    token, phrases = tokens[at], lexicon.table("units")["phrases"]
    for size in (3, 2):
        text = " ".join(low for low in tokens.lows(at, at + size) if low != "-")
        if text in phrases and at + size <= len(tokens):
            name, scale = phrases[text]
            return Unit(at, at + size, name, Decimal(scale), None, at)
    scale, behind = lexicon.table("units")["prefixes"].get(token.text), tokens[at + 1 : at + 2]
    work = spelled(behind[0].text) if scale and behind else None
    if work is not None and work[0] in ("FLOP", "OP", "MAC", "FLOP/s") and work[1] == 1:  # "4.1G MACs"
        return Unit(at, at + 2, work[0], Decimal(scale), None, at + 1)
    if token.kind != WORD and token.text not in ("%", "×", "€", "$", "£", "¢"):
        return None
    found = ("°C", Decimal(1)) if token.text[0] == "°" else spelled(token.text)
    return Unit(at, at + 1, *found, None, at) if found else None


def _with_denominators(tokens: Tokens, unit: Unit) -> Unit:
    """Return a unit with what stands behind it: GB/s, $/hour, ms per image, TFLOPS/GPU."""
    text = tokens[unit.head].text
    below = denominator(tokens, unit.last)
    if below is not None and below.time is not None and unit.dimension != "rate":
        unit = _per_time(unit, below, text)
    while (below := denominator(tokens, unit.last)) is not None and below.noun is not None:
        if unit.dimension == "other" and tokens.low(below.last - 1) in lexicon.table("units")["energy_denoms"]:
            return replace(unit, name=f"{unit.name}/{tokens[below.last - 1].text}", last=below.last)
        share = unit.dimension == "percent" and below.noun not in ("device", "node")
        if unit.dimension in ("ratio", "points") or share or unit.per is not None:
            break
        # In "12 ms / 31 W" the slash lists.
        spaced = tokens.low(unit.last) == "/" and not tokens.glued(unit.last + 1)
        known = tokens.low(unit.last) == "/" and not tokens.glued(unit.last) and spelled(tokens[unit.last + 1].text)
        if spaced or known:
            break
        unit = replace(unit, last=below.last, per=below.noun)
    return unit


def _per_time(unit: Unit, below: Denominator, text: str) -> Unit:
    """Return a unit divided by a time: bytes and operations become rates, the others are counted per time."""
    if unit.name == "B" and below.time in SECONDS:
        bits = text[-1:] == "b" or "bit" in text.lower()
        prefix = lexicon.table("units")["prefixes"].get(text[0]) if len(text) == 2 and bits else None
        scale = (Decimal(prefix) * BITS if prefix else unit.scale) / SECONDS[below.time]
        return replace(unit, name="B/s", last=below.last, scale=scale)
    if unit.name in ("FLOP", "OP", "MAC", "FLOP/s", "OP/s") and below.time == "s":
        return replace(unit, name=unit.name.split("/")[0] + "/s", last=below.last)
    if unit.dimension in ("money", "time", "percent", "energy", "power"):
        return replace(unit, last=below.last, per=lexicon.table("units")["time_nouns"].get(below.time, below.time))
    return unit


def settled(tokens: Tokens, unit: Unit, value: Decimal | None, named: str | None) -> tuple[Unit, ...]:
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
    said = not {"s", "sec", "second"}.isdisjoint(tokens.lows(unit.head + 1, unit.last)) or text.lower().endswith("pps")
    if base not in ("FLOP", "OP", "MAC") or said:
        return (unit,)
    work_unit, rate_unit = replace(unit, name=base), replace(unit, name=base + "/s")
    if unit.per not in (None, "device", "node", "core") or (value is not None and value * unit.scale >= MOST_RATE):
        return (work_unit,)
    around = {*tokens.lows(unit.first - 8, unit.first), *tokens.lows(unit.last, unit.last + 5)}
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
