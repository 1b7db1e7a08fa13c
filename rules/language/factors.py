"""Factors that are words: twice, half of something, an order of magnitude, a factor of 6."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from . import lexicon
from .numbers import Number
from .quantity import Quantity, made
from .tokens import WORD, Tokens, over
from .units import Unit, unit_at

MOST_ORDERS, MOST_BOUNDS = 30, 6
_LEADING = ("to", "of", "by", "about", "over", "nearly", "almost", "~")
_RATED = ("speed", "throughput", "performance")


def word_factor_at(tokens: Tokens, at: int) -> Quantity | None:
    """Return a factor that is a word: "an order of magnitude", "twice", "half" of something, "doubles"."""
    low = tokens.low(at)
    if low in ("an", "one", "order"):
        return _magnitude(tokens, at)
    factor = lexicon.classes("compare", "multipliers").get(low)
    if factor is None or not _scales(tokens, at):
        return None
    value, more = Decimal(factor), tokens.lows(at - 2, at) == ["more", "than"]
    return Quantity(
        *over(tokens, at, at + 1), value, value, Decimal(0), "x", "ratio", worded=True,
        qualifier="at_least" if more else None,
    )  # fmt: skip


def _scales(tokens: Tokens, at: int) -> bool:
    """Whether a word such as "double" or "half" scales something: not "double precision", "the first half"."""
    low, before, behind = (tokens.low(k) for k in (at, at - 1, at + 1))
    repeats = (lexicon.words("nouns", "stops") | {"", ".", ",", ";", ")"}) - {"as", "than"}
    if low == "twice" and behind in repeats:
        return False
    if low in lexicon.words("compare", "sure_multipliers"):
        return behind != "-" or low.endswith("fold")
    if low == "half" and before in lexicon.words("compare", "halving") and behind not in ("the", "of", "as", "its"):
        return not {"split", "divide", *lexicon.classes("compare", "verbs")}.isdisjoint(tokens.lows(at - 8, at))
    numbered = tokens.counts(at - 2) or tokens.low(at - 2) in lexicon.table("numbers")["words"]
    joined = (before == "and" and not numbered) or (before == "-" and not tokens.glued(at))
    fits = behind in lexicon.words("compare", "after_halves") - lexicon.words("compare", "no_multiples")
    return fits and (joined or before not in lexicon.words("compare", "before_halves"))


def _magnitude(tokens: Tokens, at: int) -> Quantity | None:
    """Return "an order of magnitude", with hyphens or without."""
    begin = at if tokens.low(at) == "order" else at + 1
    words = [low for low in tokens.lows(begin, begin + 5) if low != "-"]
    if words[:3] != ["order", "of", "magnitude"]:
        return None
    last = next(k for k in range(begin, begin + 5) if tokens.low(k) == "magnitude") + 1
    number = Number(at, last, Decimal(10), Decimal(10), Decimal(0), worded=True)
    return made(tokens, at, last, number, Unit(begin, last, "x", Decimal(1)))


def is_factor(tokens: Tokens, number: Number) -> bool:
    """Whether a number scales something without a sign: "by a factor of 6", "RTF = 0.2", "a third of the memory"."""
    link, label, behind = (tokens.low(k) for k in (number.first - 1, number.first - 2, number.last))
    bounds = ("up", "to", "of", "about", "over", "nearly", "almost", "~", "x", "×")
    at = next((k for k in range(number.first - 1, number.first - MOST_BOUNDS, -1) if tokens.low(k) not in bounds), 0)
    if tokens.low(at) in ("factor", "factors") and at < number.first - 1:
        return behind not in ("x", "×")
    plain = number.last - number.first == 1 and not number.worded
    glued = tokens.glued(number.first) and not tokens.glued(number.first - 1)
    if plain and tokens.glued(number.first) and (label, link, behind) == ("(", "x", ")"):  # "(x1.83)"
        return number.low != int(number.low)
    if plain and glued and link in ("x", "×"):  # "X2 faster", "up to X9", not "up to x4 boards"
        changes = lexicon.classes("compare", "nouns").keys() | lexicon.classes("compare", "adjectives").keys()
        led = label in changes or label in _LEADING
        return behind in changes or behind in _RATED or (led and tokens.kind(number.last) != WORD)
    timed = label == "factor" and "time" in tokens.lows(number.first - 4, number.first)
    if plain and link in ("=", ":", "of", "is") and (timed or label in ("rtf", "speedup", "speed-up")):
        return behind != "per" and unit_at(tokens, number.last) is None
    if plain and behind == "rtf":
        return True
    if plain and behind in ("faster", "slower"):  # "25,000 faster than", not "8 faster GPUs"
        return number.low != int(number.low) or tokens.low(number.last + 1) in ("than", "and", "", ".", ",")
    scaled = not lexicon.words("compare", "scaled").isdisjoint(tokens.lows(number.last, number.last + 5))
    part = behind in ("of", "the", "as", ")") or (behind in lexicon.words("compare", "scaled") and not number.worded)
    part = part or (not plain and tokens.low(number.last + 1) in lexicon.words("compare", "scaled"))
    return (number.worded or not plain) and 0 < number.low < 1 and part and scaled


def orders(tokens: Tokens, number: Number, unit: Unit) -> Quantity:
    """Return orders of magnitude as a factor: two of them are 100."""
    if number.high <= MOST_ORDERS:
        low, high = (Decimal(10) ** int(power) for power in (number.low, number.high))
        number = replace(number, low=low, high=high, half=Decimal(0))
    return made(tokens, number.first, unit.last, number, replace(unit, name="x"))
