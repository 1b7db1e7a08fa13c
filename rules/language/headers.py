"""Units and metrics that stand without a number, as in the header of a column; and the metric beside a number."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from msgspec.structs import replace

from . import lexicon
from .names import Name
from .numbers import Number
from .quantity import Owner, Quantity, made
from .tokens import BREAK, WORD, Token
from .units import Unit, settled, unit_at

MOST_WORDS, MOST_OF_LABEL = 8, 10
"""A text of more words is no header; a label is looked back over so many tokens."""


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
    if at < len(tokens) and tokens[at].low in lexicon.words("metrics", "before"):
        at += 1
    name = owner(at)
    if name is not None and name.kind in ("dataset", "split"):
        name = owner(at := name.last)
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


def scored_on(tokens: Sequence[Token], number: Number, owner: Owner) -> Name | None:
    """Return the data set that a bare score is of: "63.4 on MMLU", "GSM8K: 84.1"."""
    if "." not in tokens[number.first].text or not 0 < number.low <= 100:
        return None
    at = number.first - 1
    before = owner(at - 1) if at > 0 and tokens[at].text in (":", "=") else None
    on = number.last < len(tokens) and tokens[number.last].low == "on"
    name = owner(number.last + 1) if on else before
    return name if name is not None and name.kind == "dataset" else None


def _other_number(tokens: Sequence[Token], name: Name | None, at: int) -> bool:
    """Whether a metric behind a number belongs to the number after it: "8 GPUs, accuracy 76.1"."""
    return name is not None and name.last < len(tokens) and tokens[name.last].text in ("=", ":")


def is_change(tokens: Sequence[Token], found: Quantity) -> bool:
    """Whether a percentage is a change: "by 2 %", "2 % higher", "+3 %"."""
    adjectives, nouns = lexicon.classes("compare", "adjectives"), lexicon.classes("compare", "nouns")
    before = tokens[found.first - 1].low if found.first else ""
    signed = tokens[found.first].text == "+" or (found.number is not None and tokens[found.number.first].text in ("+",))
    behind = [t.low for t in tokens[found.last : found.last + 2]]
    if behind[:1] and behind[0] in lexicon.words("nouns", "stops") | {",", ".", ")"}:
        behind = []
    changed = any(w in adjectives or w in nouns for w in behind)
    within = before == "within" or "than" in behind
    return before in ("by", "within") or signed or changed or within or _behind_change(tokens, found.first)


def _behind_change(tokens: Sequence[Token], first: int) -> bool:
    """Whether a verb of change stands directly before a number: "loses just 0.3 %"; not "rises to 76 %"."""
    at = first - 1
    fillers = lexicon.words("compare", "left_fillers")
    while at >= 0 and first - at < 4 and tokens[at].low in fillers and tokens[at].low not in ("by", "of"):
        at -= 1
    return at >= 0 and tokens[at].low in lexicon.classes("compare", "verbs")


def units_alone(tokens: Sequence[Token], owner: Owner, taken: set[int], kind: str | None) -> list[Quantity]:
    """Return the units that stand without a number: "(ms)", "[GB]", the last word of a short title, a metric."""
    found = _in_brackets(tokens, owner, taken)
    numbered = any(t.counts and owner(k) is None for k, t in enumerate(tokens))
    words = sum(t.kind == WORD for t in tokens)
    titled = kind in ("header", "th", "column")
    if found or not (titled or kind == "cell" or (kind is None and words <= MOST_WORDS)) or words > MOST_WORDS:
        return found
    if (taken or numbered) and not titled:
        return found
    for at, token in enumerate(tokens):
        unit = unit_at(tokens, at, numbered=False) if owner(at) is None and at not in taken else None
        rate = titled and unit is not None and (unit.dimension == "rate" or unit.last - unit.first > 1)
        if unit is not None and (rate or (not numbered and _is_header_unit(tokens, unit, token, kind))):
            unit = settled(tokens, unit, None, None)[0]
            return [made(tokens, unit.first, unit.last, None, unit)]
    name = next((n for k in range(len(tokens)) if is_quality(n := owner(k))), None)
    if name is None or taken or not (titled or words <= 4):
        return found
    return [replace(made(tokens, name.first, name.last, None, None, "quality"), metric=name.text)]


def _is_header_unit(tokens: Sequence[Token], unit: Unit, token: Token, kind: str | None) -> bool:
    """Whether a word ends a title as its unit: long enough to be no variable, and no common word."""
    several, ends = unit.last - unit.first > 1, unit.last == len(tokens)
    short = token.text in lexicon.words("units", "short_of_headers")
    clear = several or len(token.text) > 2 or token.text == "%" or (short and (kind == "header" or len(tokens) > 1))
    common = token.low in lexicon.words("units", "common_words")
    return clear and (ends or several) and not common and unit.dimension not in ("ratio", "points")


def labelled(tokens: Sequence[Token], number: Number, owner: Owner) -> Quantity | None:
    """Return a number whose unit stands in its label: "Mean TTFT (ms): 27.8", "images/sec: 1656"."""
    at = number.first - 1
    if at < 1 or tokens[at].text not in (":", "="):
        return None
    for k in range(at - 1, max(-1, at - MOST_OF_LABEL), -1):
        if tokens[k].kind == BREAK or tokens[k].counts or tokens[k].text in (":", "=", ",", ";"):
            return None
        unit = unit_at(tokens, k, numbered=False) if owner(k) is None and tokens[k].kind == WORD else None
        if unit is None:
            continue
        opened = k > 0 and tokens[k - 1].text in ("(", "[") and tokens[k - 1].gap
        enclosed = opened and tokens[unit.last].text in (")", "]")
        if (enclosed and unit.dimension != "ratio") or unit.dimension == "rate":
            begin = k - 1 if k > 0 and unit_at(tokens, k - 1, numbered=False) is not None else k
            unit = unit_at(tokens, begin, numbered=False) or unit
            return made(tokens, unit.first, number.last, number, settled(tokens, unit, number.high, None)[0])
    return None


def _work_header(tokens: Sequence[Token], at: int) -> Unit | None:
    """Return operations whose scale alone stands in brackets: "FLOPs (G)", "MACs [M]"."""
    label = tokens[at - 1] if at else None
    if label is None or label.low not in lexicon.words("units", "work_labels") or at + 1 >= len(tokens):
        return None
    unit, scale = unit_at(tokens, at - 1, numbered=False), lexicon.table("units")["prefixes"].get(tokens[at + 1].text)
    return replace(unit, first=at + 1, last=at + 2, scale=Decimal(scale)) if unit is not None and scale else None


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
        unit = _work_header(tokens, at) or unit_at(tokens, inner, numbered=False)
        if unit is None or unit.last >= len(tokens) or tokens[unit.last].text not in (")", "]", ","):
            continue
        if (
            len(tokens[inner].text) == 1
            and not token.gap
            and at
            and tokens[at - 1].low in lexicon.classes("nouns", "heads")
        ):
            continue
        if (
            unit.dimension != "work"
            and tokens[inner].text in ("G", "M", "B", "d", "m", "V", "T", "K")
            and unit.last == inner + 1
        ):
            continue
        if unit.name == "x" and at and tokens[at - 1].kind != WORD:
            continue
        unit = settled(tokens, unit, None, None)[0]
        quality = unit.name == "%" and any(is_quality(owner(k)) for k in range(max(0, at - 6), at))
        made_here = made(tokens, at, unit.last + 1, None, unit, "quality" if quality else None)
        found.append(made_here)
    return found
