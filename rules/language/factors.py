"""Factors that are words: twice, half of something, an order of magnitude, a factor of 6."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from . import lexicon
from .numbers import Number
from .quantity import Quantity, made
from .tokens import Token, over
from .units import Unit


def word_factor_at(tokens: Sequence[Token], at: int) -> Quantity | None:
    """Return a factor that is a word: "an order of magnitude", "twice", "half" of something, "doubles"."""
    low = tokens[at].low
    if low in ("an", "one", "order"):
        return _magnitude(tokens, at)
    factor = lexicon.classes("compare", "multipliers").get(low)
    if factor is None or not _scales(tokens, at):
        return None
    value = Decimal(factor)
    return Quantity(*over(tokens, at, at + 1), value, value, Decimal(0), "x", "ratio", worded=True,
        qualifier="at_least" if at > 1 and tokens[at - 1].low == "than" and tokens[at - 2].low == "more" else None,
    )  # fmt: skip


def _scales(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word such as "double" or "half" scales something: not "double precision", "the first half"."""
    low = tokens[at].low
    before = tokens[at - 1].low if at else ""
    behind = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low in lexicon.words("compare", "sure_multipliers"):
        return behind not in ("-",) or low.endswith("fold")
    if before == "in" and low == "half":
        verbs = lexicon.classes("compare", "verbs")
        return any(t.low in verbs or t.low in ("split", "divide") for t in tokens[max(0, at - 8) : at])
    if before in (
        "first",
        "second",
        "other",
        "top",
        "bottom",
        "one",
        "upper",
        "lower",
        "and",
        "-",
        "in",
    ) or behind in lexicon.words("compare", "no_multiples"):
        return False
    return behind in (
        "the",
        "as",
        "fast",
        "that",
        "of",
        "its",
        "their",
        "our",
        "throughput",
        "memory",
        "speed",
        "latency",
        "performance",
        "time",
        "size",
        "bandwidth",
        "cost",
        "to",
        "in",
    )


def _magnitude(tokens: Sequence[Token], at: int) -> Quantity | None:
    begin = at if tokens[at].low == "order" else at + 1
    words = [t.low for t in tokens[begin : begin + 5] if t.text != "-"][:3]
    if words != ["order", "of", "magnitude"]:
        return None
    last = next(k for k in range(begin, begin + 5) if tokens[k].low == "magnitude") + 1
    number = Number(at, last, Decimal(10), Decimal(10), Decimal(0), worded=True)
    return made(tokens, at, last, number, Unit(begin, last, "x", Decimal(1)))


def is_factor(tokens: Sequence[Token], number: Number) -> bool:
    """Whether a number scales something without a sign: "by a factor of 6", "a third of the memory"."""
    if (
        number.first > 1
        and tokens[number.first - 1].low == "of"
        and tokens[number.first - 2].low in ("factor", "factors")
    ):
        return number.last >= len(tokens) or tokens[number.last].low not in ("x", "×")
    if number.first > 1 and tokens[number.first - 1].low in ("=", ":", "of", "is") and number.last - number.first == 1:
        following = tokens[number.last] if number.last < len(tokens) else None
        if tokens[number.first - 2].low in ("rtf", "speedup", "speed-up") and not number.worded:
            return following is None or following.low not in ("x", "×", "%", "times")
    if not number.worded or not 0 < number.low < 1:
        return False
    behind = {t.low for t in tokens[number.last : number.last + 5]}
    return (
        tokens[number.last].low in ("of", "the", "as") and bool(behind & lexicon.words("compare", "scaled"))
        if number.last < len(tokens)
        else False
    )


def orders(tokens: Sequence[Token], number: Number, unit: Unit) -> Quantity:
    """Return orders of magnitude as a factor: two of them are 100."""
    ten = Decimal(10)
    if number.high > 30:
        return made(tokens, number.first, unit.last, number, replace(unit, name="x"))
    low, high = ten ** int(number.low), ten ** int(number.high)
    powered = replace(number, low=low, high=high, half=Decimal(0))
    return made(tokens, number.first, unit.last, powered, replace(unit, name="x"))
