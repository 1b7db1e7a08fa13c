"""Units and metrics that stand without a number, as in the header of a column; and the metric beside a number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from . import lexicon
from .names import Name
from .quantity import Owner, Quantity, made
from .tokens import WORD, Token
from .units import Unit, settled, unit_at

MOST_WORDS = 8
"""A text of more words is no header."""


@cache
def quality_words() -> frozenset[str]:
    """Return the quality metrics as folded text without signs."""
    quality = lexicon.table("metrics")["quality"]
    return frozenset(plain(name) for direction in ("higher", "lower") for name in quality[direction])


def plain(name: str) -> str:
    """Return a metric's name without signs and spaces."""
    return "".join(c for c in name.lower() if c.isalnum())


def is_quality(name: Name | None) -> bool:
    """Whether a name is a quality metric; utilisation is none."""
    return name is not None and name.kind == "metric" and plain(name.text) in quality_words()


def metric_near(tokens: Sequence[Token], first: int, last: int, owner: Owner) -> Name | None:
    """Return the quality metric that stands directly behind a number, or before it over a few words."""
    at = last
    if at < len(tokens) and tokens[at].low in (
        "in",
        "(",
        "zero-shot",
        "average",
        "avg",
        "mean",
        "test",
        "validation",
        "val",
        "overall",
        "box",
        "mask",
        "final",
    ):
        at += 1
    name = owner(at)
    if is_quality(name) and not _other_number(tokens, name, at):
        return name
    joins = lexicon.words("numbers", "quality_joins")
    at, steps = first - 1, 0
    while at >= 0 and steps < 6 and not is_quality(owner(at)):
        far = owner(at)
        if far is not None and far.kind in ("dataset", "split"):
            at, steps = far.first - 1, steps + 1
            continue
        if far is not None or (
            tokens[at].low not in joins and tokens[at].low not in ("on", "in", "↑", "↓", ")", "the")
        ):
            return None
        at, steps = at - 1, steps + 1
    name = owner(at) if at >= 0 else None
    return name if is_quality(name) else None


def _other_number(tokens: Sequence[Token], name: Name | None, at: int) -> bool:
    """Whether a metric behind a number belongs to the number after it: "8 GPUs, accuracy 76.1"."""
    return name is not None and name.last < len(tokens) and tokens[name.last].text in ("=", ":")


def is_change(tokens: Sequence[Token], found: Quantity) -> bool:
    """Whether a percentage is a change: "by 2 %", "2 % higher", "+3 %"."""
    compare = lexicon.table("compare")
    before = tokens[found.first - 1].low if found.first else ""
    signed = tokens[found.first].text == "+" or (found.number is not None and tokens[found.number.first].text in ("+",))
    behind = [t.low for t in tokens[found.last : found.last + 2]]
    changed = any(w in compare["adjectives"] or w in compare["nouns"] for w in behind)
    within = before == "within" or "than" in behind
    return before in ("by", "within") or signed or changed or within or _behind_change(tokens, found.first)


def _behind_change(tokens: Sequence[Token], first: int) -> bool:
    """Whether a verb of change stands directly before a number: "loses just 0.3 %"; not "rises to 76 %"."""
    at = first - 1
    fillers = lexicon.words("compare", "left_fillers")
    while at >= 0 and first - at < 4 and tokens[at].low in fillers and tokens[at].low not in ("by", "of"):
        at -= 1
    return at >= 0 and tokens[at].low in lexicon.table("compare")["verbs"]


def units_alone(tokens: Sequence[Token], owner: Owner, taken: set[int], kind: str | None) -> list[Quantity]:
    """Return the units that stand without a number: "(ms)", "[GB]", the last word of a short title, a metric."""
    found = _in_brackets(tokens, owner, taken)
    numbered = any(t.counts and owner(k) is None for k, t in enumerate(tokens))
    words = sum(t.kind == WORD for t in tokens)
    header = kind in ("header", "th", "column", "cell") or (kind is None and words <= MOST_WORDS)
    if found or not header or numbered or words > MOST_WORDS or not tokens or any(q for q in taken):
        return found
    for at, token in enumerate(tokens):
        if owner(at) is not None or at in taken:
            continue
        unit = unit_at(tokens, at, numbered=False)
        if unit is not None and _is_header_unit(tokens, unit, token, kind):
            unit = settled(tokens, unit, None, None)
            return [made(tokens, unit.first, unit.last, None, unit)]
    for at in range(len(tokens)):
        name = owner(at)
        if name is not None and is_quality(name) and (kind in ("header", "th", "column") or words <= 4):
            return [replace(made(tokens, name.first, name.last, None, None, "quality"), metric=name.text)]
    return found


def _is_header_unit(tokens: Sequence[Token], unit: Unit, token: Token, kind: str | None) -> bool:
    long = (
        len(token.text) > 2
        or unit.last - unit.first > 1
        or token.text == "%"
        or (kind == "header" and token.text in ("ms", "GB", "us", "µs"))
    )
    ends = unit.last == len(tokens) or unit.last - unit.first > 1
    common = token.low in (
        "times",
        "points",
        "min",
        "day",
        "second",
        "bytes",
        "hours",
        "days",
        "point",
        "week",
        "minute",
        "fold",
        "order",
        "year",
        "month",
    )
    two = token.text in ("ms", "GB", "MB", "us", "µs", "kW") and unit.last == len(tokens) and len(tokens) > 1
    return (long or two) and ends and not common and unit.dimension not in ("ratio", "points")


def _in_brackets(tokens: Sequence[Token], owner: Owner, taken: set[int]) -> list[Quantity]:
    found: list[Quantity] = []
    for at, token in enumerate(tokens):
        if token.text not in ("(", "["):
            continue
        inner = at + 1
        while (
            inner < len(tokens)
            and inner - at < 4
            and tokens[inner].kind == WORD
            and owner(inner) is None
            and unit_at(tokens, inner, numbered=False) is None
        ):
            inner += 1
        if inner >= len(tokens) or owner(inner) is not None or inner in taken:
            continue
        unit = unit_at(tokens, inner, numbered=False)
        if unit is None or unit.last >= len(tokens) or tokens[unit.last].text not in (")", "]", ","):
            continue
        if (
            len(tokens[inner].text) == 1
            and not token.gap
            and at
            and tokens[at - 1].low in lexicon.classes("nouns", "heads")
        ):
            continue
        if tokens[inner].text in ("G", "M", "B", "d", "m", "V", "T", "K") and unit.last == inner + 1:
            continue
        if unit.name == "x" and at and tokens[at - 1].kind != WORD:
            continue
        unit = settled(tokens, unit, None, None)
        quality = unit.name == "%" and any(is_quality(owner(k)) for k in range(max(0, at - 6), at))
        made_here = made(tokens, at, unit.last + 1, None, unit, "quality" if quality else None)
        found.append(made_here)
    return found
