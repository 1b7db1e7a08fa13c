"""Units and metrics that stand without a number, as in the header of a column; and the metric beside a number."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from . import lexicon
from .names import Name
from .numbers import Number
from .quantity import Owner, Quantity, made
from .tokens import BREAK, WORD, Tokens
from .units import Unit, settled, spelled, unit_at

MOST_WORDS, MOST_OF_METRIC, MOST_OF_LABEL, MOST_JOINED = 8, 4, 10, 6
"""Words of a header, and of one that is only a metric; tokens of a label, and between a metric and its number."""
COUNTLESS = ("ratio", "points")


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


def metric_near(tokens: Tokens, first: int, last: int, owner: Owner) -> Name | None:
    """Return the quality metric that stands directly behind a number, or before it over a few words."""
    changed = tokens.low(last) in lexicon.classes("compare", "nouns") and tokens.low(last + 1) in ("in", "of")
    at = last + 2 * changed + (tokens.low(last) in lexicon.words("metrics", "before"))
    name = owner(at)
    if name is not None and name.kind in ("dataset", "split"):
        name = owner(name.last)
    # In "8 GPUs, accuracy = 76.1" the metric belongs to the number after it.
    if name is not None and is_quality(name) and tokens.low(name.last) not in ("=", ":"):
        return name
    joins, at = lexicon.words("numbers", "quality_joins"), first - 1
    if tokens.low(at) == "(" and tokens.glued(at) and tokens.low(last) == ")":  # the threshold of "mAP(0.5)"
        return None
    for _ in range(MOST_JOINED):
        name = owner(at)
        if is_quality(name):
            return name
        if name is not None and name.kind not in ("dataset", "split"):
            return None
        if name is None and tokens.low(at) not in joins:
            return None
        at = name.first - 1 if name is not None else at - 1
    return name if is_quality(name := owner(at)) else None


def scored_on(tokens: Tokens, number: Number, owner: Owner) -> Name | None:
    """Return the data set that a bare score is of: "63.4 on MMLU", "GSM8K: 84.1"."""
    if "." not in tokens[number.first].text or not 0 < number.low <= 100:
        return None
    signed = tokens.low(number.first - 1) in (":", "=")
    on = tokens.low(number.last) == "on"
    name = owner(number.last + 1) if on else owner(number.first - 2) if signed else None
    return name if name is not None and name.kind == "dataset" else None


def is_change(tokens: Tokens, found: Quantity) -> bool:
    """Whether a percentage is a change: "by 2 %", "2 % higher", "+3 %", "loses just 0.3 %"; not "rises to 76 %"."""
    first = found.number.first if found.number is not None else found.first
    if tokens.low(found.first - 1) in ("by", "within") or "+" in (tokens.low(found.first), tokens.low(first)):
        return True
    behind = tokens.lows(found.last, found.last + 2)
    if behind[:1] and behind[0] not in lexicon.words("nouns", "stops") | {",", ".", ")"}:
        changing = {"than", *lexicon.classes("compare", "adjectives"), *lexicon.classes("compare", "nouns")}
        if not changing.isdisjoint(behind):
            return True
    at, fillers = found.first - 1, lexicon.words("compare", "left_fillers") - {"by", "of"}
    while found.first - at < 4 and tokens.low(at) in fillers:
        at -= 1
    return tokens.low(at) in lexicon.classes("compare", "verbs")


def units_alone(tokens: Tokens, owner: Owner, taken: set[int], kind: str | None) -> list[Quantity]:
    """Return the units that stand without a number: "(ms)", "[GB]", the last word of a short title, a metric."""
    found = _in_brackets(tokens, owner, taken)
    numbered = any(t.counts and owner(k) is None for k, t in enumerate(tokens))
    words = sum(t.kind == WORD for t in tokens)
    titled = kind in ("header", "th", "column")
    short = words <= MOST_WORDS and (titled or kind in ("cell", None))
    if found or not short or ((taken or numbered) and not titled):
        return found
    for at in range(len(tokens)):
        unit = _alone(tokens, at) if owner(at) is None and at not in taken else None
        rate = titled and unit is not None and (unit.dimension == "rate" or unit.last - unit.first > 1)
        if unit is not None and (rate or (not numbered and _is_header_unit(tokens, unit, kind))):
            return [made(tokens, unit.first, unit.last, None, settled(tokens, unit, None, None)[0])]
    name = next((n for k in range(len(tokens)) if is_quality(n := owner(k))), None)
    if name is None or taken or not (titled or words <= MOST_OF_METRIC):
        return found
    return [replace(made(tokens, name.first, name.last, None, None, "quality"), metric=name.text)]


def _alone(tokens: Tokens, at: int) -> Unit | None:
    return unit_at(tokens, at, numbered=False)


def _is_header_unit(tokens: Tokens, unit: Unit, kind: str | None) -> bool:
    """Whether a word ends a title as its unit: long enough to be no variable, and no common word."""
    several, text = unit.last - unit.first > 1, tokens[unit.first].text
    short = text in lexicon.words("units", "short_of_headers") and (kind == "header" or len(tokens) > 1)
    clear = several or (unit.last == len(tokens) and (len(text) > 2 or text == "%" or short))
    return clear and text.lower() not in lexicon.words("units", "common_words") and unit.dimension not in COUNTLESS


def labelled(tokens: Tokens, number: Number, owner: Owner) -> Quantity | None:
    """Return a number whose unit stands in its label: "Mean TTFT (ms): 27.8", "images/sec: 1656"."""
    at = number.first - 1
    if tokens.low(at) not in (":", "=") or number.worded:
        return None
    for k in range(at - 1, max(-1, at - MOST_OF_LABEL), -1):
        if tokens.kind(k) == BREAK or tokens.counts(k) or tokens.low(k) in (":", "=", ",", ";"):
            return None
        unit = _alone(tokens, k) if owner(k) is None and tokens.kind(k) == WORD else None
        if unit is None:
            continue
        enclosed = tokens.low(k - 1) in ("(", "[") and not tokens.glued(k - 1) and tokens.low(unit.last) in (")", "]")
        if (enclosed and unit.dimension != "ratio") or unit.dimension == "rate":
            unit = _alone(tokens, k - 1) or unit
            return made(tokens, unit.first, number.last, number, settled(tokens, unit, number.high, None)[0])
    return None


def _in_brackets(tokens: Tokens, owner: Owner, taken: set[int]) -> list[Quantity]:
    found: list[Quantity] = []
    for at, token in enumerate(tokens):
        unit = _enclosed(tokens, at, owner) if token.text in ("(", "[") else None
        if unit is not None and unit.first not in taken:
            unit = settled(tokens, unit, None, None)[0]
            quality = unit.name == "%" and any(is_quality(owner(k)) for k in range(max(0, at - 6), at))
            found.append(made(tokens, at, unit.last + 1, None, unit, "quality" if quality else None))
    return found


def _enclosed(tokens: Tokens, at: int, owner: Owner) -> Unit | None:
    """Return the unit that closes the bracket at a token, after up to three words; not the plural of "GPU(s)"."""
    before, inner = tokens.low(at - 1), at + 1
    if before in lexicon.words("units", "work_labels") and tokens.low(at + 2) in (")", "]"):  # FLOPs (G)
        known = spelled(tokens[inner].text + tokens[at - 1].text)
        if known is not None:
            return Unit(inner, inner + 1, *known, None, inner)
    while inner - at < 4 and owner(inner) is None and _alone(tokens, inner) is None:
        if tokens.kind(inner) != WORD and tokens.low(inner) != ":":
            return None
        inner += 1
    unit = _alone(tokens, inner) if owner(inner) is None else None
    if unit is None or tokens.low(unit.last) not in (")", "]", ","):
        return None
    letter = tokens[inner].text if unit.last == inner + 1 else ""
    plural = len(tokens[inner].text) == 1 and tokens.glued(at) and before in lexicon.classes("nouns", "heads")
    inside = tokens.glued(at) and tokens.glued(unit.last + 1)  # "ResNe(X)t"
    factor = unit.name == "x" and at and (inside or tokens.kind(at - 1) != WORD)
    return None if plural or factor or letter in lexicon.words("units", "variables") else unit
