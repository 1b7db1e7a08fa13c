"""Keys: numbers that are the value of a named setting ("batch size 256", "TP=8"), and the sizes of models.

A key is added to `nouns.json` under the class that its value counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from . import lexicon
from .lexicon import SOFT, Phrases
from .numbers import Number
from .phrases import Count, counted
from .quantity import Owner
from .tokens import NUMBER, WORD, Token, over


@cache
def _keys() -> Phrases[tuple[str, str]]:
    made: Phrases[tuple[str, str]] = Phrases()
    for kind, phrases in lexicon.table("nouns")["keys"].items():
        for phrase in phrases:
            made.add(lexicon.cut(phrase)[::-1], (kind, phrase))
    return made


def by_key(tokens: Sequence[Token], number: Number, owner: Owner) -> Count | None:
    """Return the value of a key to the left: "batch size 12", "TP=8", "sequence length of 2048"."""
    joins, whole = lexicon.words("nouns", "key_joins"), number.low == int(number.low)
    at, joined = number.first - 1, ""
    while at >= 0 and tokens[at].low in joins and number.first - at < 5:
        if tokens[at].text in ("=", ":"):
            joined = tokens[at].text
        else:
            joined = joined or tokens[at].low
        at -= 1
    if at >= 0 and tokens[at].text == ")":
        at = _before_bracket(tokens, at)
    if at < 0 or tokens[at].kind not in (WORD, NUMBER):
        return None
    left = tokens[max(0, at - 7) : at + 1][::-1]
    for end, (kind, phrase) in _keys().match(left, 0, SOFT):
        if (
            at - end >= 0
            and tokens[at - end].counts
            and owner(at - end) is None
            and not tokens[at - end + 1].text.isupper()
            and joined == "="
        ):
            continue
        if not _key_fits(tokens, at - end + 1, at, phrase, "=" if _is_flag(tokens, at - end + 1) else joined, number):
            continue
        begin = at - end + 1
        if (
            owner(begin) is not None
            and owner(begin) is not owner(number.first)
            and kind != "tokens"
            and joined not in ("=", ":")
        ):
            continue
        return counted(tokens, number, kind, phrase) if whole or kind in ("parameters", "setting") else None
    return None


def by_key_behind(tokens: Sequence[Token], number: Number) -> Count | None:
    """Return the value of a key of several words behind it: "a 2048 hidden size", "4k sequence length"."""
    at = number.last + 1 if number.last < len(tokens) and tokens[number.last].text == "-" else number.last
    if at < len(tokens) and tokens[at].low == "way":
        at += 1
    if at >= len(tokens):
        return None
    for _, (kind, phrase) in _forward_keys().match(tokens, at, SOFT):
        return counted(tokens, number, kind, phrase)
    return None


@cache
def _forward_keys() -> Phrases[tuple[str, str]]:
    made: Phrases[tuple[str, str]] = Phrases()
    for kind, phrases in lexicon.table("nouns")["keys"].items():
        for phrase in phrases:
            if len(phrase.split()) > 1 and phrase.split()[-1] not in ("of", "requests", "users", "prompts"):
                made.add(lexicon.cut(phrase), (kind, phrase))
    return made


def _before_bracket(tokens: Sequence[Token], at: int) -> int:
    """Return the place before a short bracket: "batch size (per GPU): 8"."""
    for k in range(at, max(-1, at - 6), -1):
        if tokens[k].text == "(":
            return k - 1
    return -1


def _is_flag(tokens: Sequence[Token], begin: int) -> bool:
    """Whether a key is an option of a command: --epochs 90."""
    return begin > 1 and tokens[begin - 1].text == "-" and tokens[begin - 2].text == "-" and not tokens[begin].gap


def _key_fits(tokens: Sequence[Token], begin: int, at: int, phrase: str, joined: str, number: Number) -> bool:
    if phrase == "context" and joined == "" and number.low % 128 == 0:
        return True
    strict = phrase in lexicon.words("nouns", "strict_keys")
    abbreviation = len(phrase) <= 3 and phrase not in (
        "bs",
        "gas",
        "mbs",
        "gbs",
        "bsz",
        "lbs",
        "isl",
        "osl",
        "ctx",
        "seq",
    )
    if (
        phrase in ("bs", "batch", "seq", "tp", "pp", "dp", "ep")
        and joined == ""
        and (tokens[at].text.isupper() or phrase in ("bs", "batch", "seq"))
    ):
        return begin == at and not (phrase == "batch" and at and tokens[at - 1].low in ("a", "the", "each", "per"))
    if strict and joined not in ("=", ":"):
        counting = {t.low for t in tokens[max(0, begin - 4) : begin]} & lexicon.words("nouns", "number_words")
        return bool(counting) and joined in ("to", "of", "is", "from", "was")
    if phrase == "b" and not (joined == "=" and tokens[at].text == "B"):
        return False
    if phrase == "n" and ((begin and tokens[begin - 1].text not in ("(", ",", "[", ";")) or joined == ":"):
        return False
    if abbreviation and begin and not tokens[begin].gap and tokens[begin - 1].text in ("-", "_"):
        return tokens[begin - 1].text == "-"
    return not (joined == "" and phrase in ("parameters", "model size", "depth"))


def glued_keys(tokens: Sequence[Token], owner: Owner) -> list[Count]:
    """Return the counts of keys written as one word with their number: TP8, bs16."""
    found: list[Count] = []
    lower = lexicon.words("nouns", "glued_lower")
    for at in range(len(tokens) - 1):
        key, number = tokens[at], tokens[at + 1]
        if key.kind != WORD or number.kind != NUMBER or number.gap or owner(at) is not None or number.value is None:
            continue
        if (
            key.low not in lexicon.words("nouns", "glued_keys")
            or not (key.text.isupper() or key.low in lower)
            or number.value != int(number.value)
        ):
            continue
        kind = lexicon.classes("nouns", "keys")[key.low]
        found.append(Count(*over(tokens, at, at + 2), number.value, number.value, Decimal("0.5"), kind, None, key.low))
    return found


def parameters(tokens: Sequence[Token], number: Number, owner: Owner) -> Count | None:
    """Return the size of a model: "7B model", "(124M)", "0.8B FP16", "1.3 billion parameters"."""
    following = tokens[number.last] if number.last < len(tokens) else None
    low = following.low if following is not None else ""
    named = any(t.low in ("parameters", "params", "parameter") for t in tokens[number.last : number.last + 6])
    if number.suffix in ("B", "b") and (named or low not in lexicon.words("nouns", "not_sized")):
        return counted(tokens, number, "parameters", "b")
    if number.suffix in ("M", "T") and (
        low in lexicon.words("nouns", "model_heads") or _model_before(tokens, number.first, owner)
    ):
        return counted(tokens, number, "parameters", "m")
    return None


def _model_before(tokens: Sequence[Token], first: int, owner: Owner) -> bool:
    at = first - 1
    if at >= 0 and tokens[at].text in ("(", "-"):
        at -= 1
    name = owner(at) if at >= 0 else None
    return name is not None and name.kind == "model"
