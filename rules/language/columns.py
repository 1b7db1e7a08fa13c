"""What the heading of a column states of its numbers: their unit, and by which power of ten they stand for more."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache

from . import lexicon
from .numbers import number_at
from .reading import Reading, read
from .sentences import ends_sentence
from .tokens import NUMBER, SIGN, WORD, Tokens
from .units import Unit, denominator, unit_at

_OPEN, _CLOSED = ("(", "["), (")", "]")
LONGEST_END = 4
"""Letters of a unit of seconds that may end a heading without a word of time: ms, sec, but no "second"."""
MOST_BETWEEN = 10
"""Tokens between what a caption names and its unit."""
POWERS = {Decimal(10) ** power: power for power in (3, 6, 9)}


def captioned(text: str, concept: str) -> tuple[Unit, ...]:
    """Return the unit that a caption states behind each mention of a quantity: "Latency in ms", "step time (s)"."""
    reading = read(text, "caption")
    found = (_behind(reading.tokens, item.end) for item in reading.mentions(concept))
    return tuple(unit for unit in found if unit is not None)


def _behind(tokens: Tokens, place: int) -> Unit | None:
    """Return the unit in brackets or behind "in", or the rate, that stands a few words behind a place."""
    first = next((at for at, token in enumerate(tokens) if token.start >= place), len(tokens))
    for at in range(first, min(len(tokens), first + MOST_BETWEEN)):
        if ends_sentence(tokens, at) or tokens.low(at) in (";", "|"):
            return None
        unit = unit_at(tokens, at, numbered=False) if not tokens.counts(at - 1) else None
        introduced = tokens.low(at - 1) in ("in", "per", *_OPEN)
        if unit is not None and (unit.dimension == "rate" or (unit.dimension == "time" and introduced)):
            return unit
    return None


@lru_cache(maxsize=4096)
def units_of(heading: str) -> tuple[Tokens, tuple[Unit, ...]]:
    """Return the units that a heading states, and the tokens that they stand in.

    Rates stand anywhere, and so does a time for one of something; others stand in brackets, behind "in", or at the end
    behind what they measure.
    """
    reading = read(heading.replace(" / ", "/"), "header")
    tokens, found, at = reading.tokens, [], 0
    named = {at for name in reading.all_names for at in range(name.first, name.last)}
    while at < len(tokens):
        unit = unit_at(tokens, at, numbered=False) if at not in named else None
        if unit is None or unit.name.endswith("/ms"):  # "time for an iteration / ms"
            at += 1
            continue
        each = unit.dimension != "time" or unit.per is None or unit.per in singulars()
        if each and (_is_rate(tokens, unit) or _is_stated(tokens, unit)):
            found.append(unit)
        at = unit.last
    return tokens, tuple(found)


@lru_cache(maxsize=4096)
def is_quality(heading: str) -> bool:
    """Whether a heading names a quality: "Top-1 acc", "mAP val 50-95", "MMLU"."""
    reading = read(heading, "header")
    named = ("quality_column", "prompted_benchmark")
    said = any(reading.has(concept, affirmed=False) for concept in named)
    return said or _average_precision(reading.tokens) or _is_name_of_metric(reading)


def _is_name_of_metric(reading: Reading) -> bool:
    """Whether a heading is the name of a metric, with a split or a data set at most: "Recall", "dev EM"."""
    names = [name for name in reading.names() if name.kind in ("metric", "split", "dataset")]
    covered = {at for name in names for at in range(name.first, name.last)}
    splits = lexicon.classes("columns", "splits")
    words = {at for at, token in enumerate(reading.tokens) if token.kind == WORD and token.low not in splits}
    return words <= covered and any(name.kind == "metric" for name in names)


def _average_precision(tokens: Tokens) -> bool:
    """Whether mAP or AP stands alone, or before a word that says which one: `ap_fixed` is a number."""
    for at, token in enumerate(tokens):
        if token.low in ("map", "ap", "aps", "apm", "apl"):
            behind = next((t.low for t in tokens[at + 1 : at + 3] if t.kind != SIGN or t.text not in "-_ "), "")
            if not behind.isalpha() or behind in lexicon.words("columns", "after_average_precision"):
                return True
    return False


def units_at(heading: str) -> tuple[Tokens, tuple[Unit, ...]]:
    """Return the units that stand anywhere in a heading, and its tokens: what they are counted per tells of numbers."""
    tokens = read(heading, "header").tokens
    found = (unit_at(tokens, at, numbered=False) for at in range(len(tokens)))
    return tokens, tuple(unit for unit in found if unit is not None)


@cache
def singulars() -> frozenset[str]:
    """Return the items that a time may be for one of."""
    irregular = lexicon.table("units")["singulars"]
    return frozenset(irregular.get(plural, plural[:-1]) for plural in lexicon.table("units")["items"])


def _is_rate(tokens: Tokens, unit: Unit) -> bool:
    several = unit.last - unit.first > 1
    if unit.dimension == "rate" or (unit.dimension == "work_rate" and several):
        return True
    return unit.dimension == "time" and unit.per is not None and several and tokens.kind(unit.first - 1) != NUMBER


def _is_stated(tokens: Tokens, unit: Unit) -> bool:
    before, behind = tokens.low(unit.first - 1), tokens.low(unit.last)
    labelled = before == ":" and tokens.low(unit.first - 2) in ("unit", "units")
    if before in _OPEN or labelled or (before == "in" and tokens.low(unit.first - 2) in _OPEN):
        plural = tokens.glued(unit.first - 1) and tokens.low(unit.first - 2) in lexicon.classes("nouns", "heads")
        return behind in _CLOSED and not (plural and unit.name == "s" and len(tokens[unit.first].text) == 1)
    if tokens.counts(unit.first - 1):
        return False
    if unit.dimension == "data":
        return len(tokens[unit.first].text) > 1 and (unit.first > 0 or not behind)
    divided = before == "/" and unit.name == "s" and unit.scale < 1
    if behind or not unit.first or not (tokens[unit.first].gap or divided):
        return False
    timed = unit.dimension == "time" and not lexicon.words("columns", "times").isdisjoint(tokens.lows(0, unit.first))
    return before == "in" or timed or (unit.name == "s" and len(tokens[unit.first].text) <= LONGEST_END)


def other_rate(heading: str) -> str | None:
    """Return what is counted per second, where it stands in brackets and is none of the known units: "(tasks/s)"."""
    tokens = read(heading, "header").tokens
    for at in range(len(tokens)):
        below = denominator(tokens, at)
        begin = next((k for k in range(at - 1, max(-1, at - 4), -1) if tokens.kind(k) != WORD), -1)
        bracketed = below is not None and below.time == "s" and tokens.low(below.last) in _CLOSED
        if bracketed and begin < at - 1 and tokens.low(begin) in _OPEN:
            return " ".join(tokens.lows(begin + 1, at))
    return None


def power_in(heading: str) -> int:
    """Return the power of ten by which a heading says that its numbers stand for more: "(x1000)", "(thousands)"."""
    tokens = read(heading.replace("_", " "), "header").tokens
    for at in range(len(tokens)):
        if tokens.low(at) in _OPEN and (power := _power_at(tokens, at + 1)):
            return power
    last = len(tokens) - 1
    below = denominator(tokens, last - 2)
    return 3 if tokens.low(last) == "k" and below is not None and below.time == "s" else 0


def _power_at(tokens: Tokens, at: int) -> int:
    """Return the power of ten that stands at the beginning of a bracket, or 0."""
    at += tokens.low(at) == "in"
    signed = tokens.low(at) in ("x", "×", "*")
    at += signed
    if tokens.low(at) in lexicon.words("columns", "thousands"):
        return 3 if signed or tokens.low(at + 1) in _CLOSED or tokens.low(at) != "k" else 0
    if tokens.low(at) in ("million", "millions"):
        return 6
    number = number_at(tokens, at) if tokens.counts(at) else None
    value = number.low if number is not None else tokens[at].value if tokens.kind(at) == NUMBER else None
    last = number.last if number is not None else at + 1
    item = unit_at(tokens, last, numbered=False)
    scales = signed or last > at + 1 or tokens.low(last) in _CLOSED or (item is not None and item.dimension == "rate")
    return POWERS.get(value, 0) if scales and value is not None else 0
