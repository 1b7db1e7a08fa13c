"""Units and metrics that stand without a number, as in the header of a column; and the metric beside a number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from . import lexicon
from .names import Name
from .numbers import Number
from .quantity import Owner, Quantity, made
from .sentences import ends_sentence
from .tokens import BREAK, WORD, Tokens
from .units import COUNTED, Unit, denominator, settled, spelled, unit_at

MOST_WORDS, MOST_OF_METRIC, MOST_OF_LABEL, MOST_JOINED, MOST_SAID = 8, 4, 10, 6, 24
"""Words of a header, and of one that is only a metric; tokens of a label, and between a metric and its number."""
MOST_CHANGED = 6
"""Tokens of a unit, and of the verb between it and its value."""
UNIT = frozenset({"unit", "units"})
ANNOUNCED, SHOWN = UNIT | {"in", "`", '"'}, frozenset({"numbers", "figures", "values"})
"""What stands before a unit that a sentence speaks of, and behind one."""
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
    if name is None or name.kind != "metric":
        return False
    stem = name.text.partition("@")[0].partition("-L")[0].rstrip("0123456789")  # "mAPH@L2", "AR1000"
    return not quality_words().isdisjoint((plain(name.text), plain(stem)))


def metric_near(tokens: Tokens, first: int, last: int, owner: Owner) -> Name | None:
    """Return the quality metric that stands directly behind a number, or before it over a few words."""
    changed = tokens.low(last) in lexicon.classes("compare", "nouns") and tokens.low(last + 1) in ("in", "of")
    at = last + 2 * changed + (tokens.low(last) in lexicon.words("metrics", "before"))
    name = owner(at)
    if tokens.low(first - 1) in ("at", "with") and name is None and not ends_phrase(tokens, last):
        return None  # "accuracy at 50 % sparsity"
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


def ends_phrase(tokens: Tokens, at: int) -> bool:
    """Whether no noun stands at a token, behind a share or a score."""
    return tokens.kind(at) != WORD or tokens.low(at) in lexicon.words("metrics", "after_scores")


def metric_said(tokens: Tokens, found: Quantity, owner: Owner) -> Name | None:
    """Return the metric of a share that only the sentence says: "the accuracy of the small model is: 81.5 %"."""
    if tokens.low(found.first - 1) in lexicon.words("metrics", "before_shares") or not ends_phrase(tokens, found.last):
        return None
    said = lexicon.classes("compare", "dimensions")
    changing = lexicon.classes("compare", "nouns").keys() | lexicon.classes("compare", "verbs").keys()
    for at in range(found.first - 1, max(-1, found.first - MOST_SAID), -1):
        if is_quality(name := owner(at)):
            return name
        low = tokens.low(at)
        if ends_sentence(tokens, at) or low in changing:
            return None
        if low in said and not said[low].startswith(("quality", "size", "other")):
            return None
    behind = range(found.last, min(found.last + MOST_SAID, len(tokens)))
    terms = next((k for k in behind if tokens.lows(k, k + 3) == ["in", "terms", "of"]), None)
    return owner(terms + 3) if terms is not None and is_quality(owner(terms + 3)) else None


def scored_on(tokens: Tokens, first: int, last: int, owner: Owner) -> Name | None:
    """Return the data set that a score or a share is of: "63.4 on MMLU", "94 % on CIFAR-10", "GSM8K: 84.1"."""
    signed = tokens.low(first - 1) in (":", "=") and tokens.low(last) != "%"
    on = tokens.low(last) == "on"
    name = owner(last + 1) if on else owner(first - 2) if signed else None
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
    if not titled:
        found += _said(tokens, owner, taken | {at for q in found for at in range(q.first, q.last)})
    if found or not short or ((taken or numbered) and not titled):
        return found
    for at in range(len(tokens)):
        part = at in taken or tokens.low(at - 1) == "of"  # "hundreds of ms"
        unit = _alone(tokens, at) if owner(at) is None and not part else None
        rate = titled and unit is not None and (unit.dimension == "rate" or unit.last - unit.first > 1)
        if unit is not None and (rate or (not numbered and _is_header_unit(tokens, unit, kind))):
            return [made(tokens, unit.first, unit.last, None, settled(tokens, unit, None, None)[0])]
    metrics = list(dict.fromkeys(n for k in range(len(tokens)) if (n := owner(k)) is not None and is_quality(n)))
    if taken or not (titled or words <= MOST_OF_METRIC):
        return found
    joined = metrics[: 1 + (tokens.low(metrics[0].last) == "/")] if metrics else []  # "AP/AR"
    return [replace(made(tokens, n.first, n.last, None, None, "quality"), metric=n.text) for n in joined]


def _said(tokens: Tokens, owner: Owner, taken: set[int]) -> list[Quantity]:
    """Return the units that a sentence speaks of: "measured in hours", "unit: ms", "the `tokens/s` of both"."""
    found: list[Quantity] = []
    for at in _spoken_of(tokens):
        unit = _alone(tokens, at) if owner(at) is None and at not in taken else None
        if unit is None or (found and at < found[-1].last):
            continue
        before, said = tokens.low(at - 1), tokens.low(at - 2) in lexicon.words("units", "said_in")
        told = (before == "in" and said and unit.dimension == "time") or UNIT & {before, tokens.low(at - 2)}
        quoted = before in ("`", '"') or tokens.low(unit.last) in SHOWN
        if told or (unit.dimension == "rate" and unit.last - at > 1 and quoted):
            found.append(made(tokens, unit.first, unit.last, None, settled(tokens, unit, None, None)[0]))
    return found


def _spoken_of(tokens: Tokens) -> Sequence[int]:
    """Return the tokens at which such a unit may begin: those behind a word that announces one, or all."""
    lows = tokens.lows(0, len(tokens))
    if not SHOWN.isdisjoint(lows):
        return range(len(lows))
    return [at for at in range(1, len(lows)) if lows[at - 1] in ANNOUNCED or lows[max(0, at - 2)] in UNIT]


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
    if tokens.low(at) not in (":", "=") or number.worded or _is_operand(tokens, number):
        return None
    for k in range(at - 1, max(-1, at - MOST_OF_LABEL), -1):
        if tokens.kind(k) == BREAK or tokens.counts(k) or tokens.low(k) in (":", "=", ",", ";"):
            return None
        unit = _alone(tokens, k) if owner(k) is None and tokens.kind(k) == WORD else None
        if unit is None:
            continue
        plural = tokens.glued(k - 1) and len(tokens[k].text) == 1  # "GPU(s): 8"
        enclosed = tokens.low(k - 1) in ("(", "[") and not plural and tokens.low(unit.last) in (")", "]")
        timed = unit.per is not None and unit.dimension == "time" and tokens.low(k - 1) != "/"
        if (enclosed and unit.dimension != "ratio") or unit.dimension == "rate" or (timed and unit.last == at):
            unit = _alone(tokens, k - 1) or unit
            return made(tokens, unit.first, number.last, number, settled(tokens, unit, number.high, None)[0])
    return None


def of_subject(tokens: Tokens, number: Number, owner: Owner, before: Quantity | None) -> Quantity | None:
    """Return a number whose rate its subject names: "tokens/s rose from 90 to 120, then 150"; `before` is the last."""
    led, at = tokens.low(number.first - 1), number.first - 2
    if before is not None and number.first - before.last < MOST_OF_LABEL and led in ("to", "and", "then"):
        found = made(tokens, number.first, number.last, number, None, before.dimension)
        return replace(found, unit=before.unit, per=before.per)
    while number.first - at < MOST_CHANGED and tokens.low(at) in {"also", "then", *lexicon.classes("compare", "verbs")}:
        at -= 1
    if led != "from" or at == number.first - 2:
        return None
    at -= tokens.low(at) in (")", "]")
    units = (
        _alone(tokens, k) for k in range(at, at - MOST_CHANGED, -1) if not tokens.counts(k - 1) and owner(k) is None
    )
    unit = next((unit for unit in units if unit and unit.dimension == "rate" and unit.last == at + 1), None)
    return made(tokens, number.first, number.last, number, unit) if unit is not None and unit.scale == 1 else None


def _is_operand(tokens: Tokens, number: Number) -> bool:
    """Whether a formula divides a number by a name: "tokens/s: 1000 / latency_ms" defines, and measures nothing."""
    below = denominator(tokens, number.last) if tokens.low(number.last) == "/" else None
    return below is not None and below.noun is not None and below.noun not in COUNTED


def _in_brackets(tokens: Tokens, owner: Owner, taken: set[int]) -> list[Quantity]:
    found: list[Quantity] = []
    for at, token in enumerate(tokens):
        unit = _enclosed(tokens, at, owner) if token.text in ("(", "[") else None
        short = unit is not None and tokens.low(at - 2) in ("per", "/") and tokens[unit.first].text.isupper()
        if unit is not None and unit.first not in taken and not short:  # "90 frames per second (FPS)"
            unit = settled(tokens, unit, None, None)[0]
            quality = unit.name == "%" and any(is_quality(owner(k)) for k in range(max(0, at - 6), at))
            found.append(made(tokens, at, unit.last + 1, None, unit, "quality" if quality else None))
    return found


def _enclosed(tokens: Tokens, at: int, owner: Owner) -> Unit | None:
    """Return the unit that closes the bracket at a token, after up to three words; not the plural of "GPU(s)"."""
    before, inner = tokens.low(at - 1), at + 1
    if before == "o" and tokens.glued(at):  # "O(hours)"
        return None
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
    scales = letter.isupper() and unit.dimension == "time" and is_quality(owner(at - 1))  # "mIoU (MS)"
    return None if plural or factor or scales or letter in lexicon.words("units", "variables") else unit
