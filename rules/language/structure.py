"""Numbers that only number: list marks, citations, references, years."""

from __future__ import annotations

from . import lexicon
from .names import Name
from .numbers import Number
from .tokens import BREAK, NUMBER, SIGN, WORD, Tokens
from .units import spelled

MOST_CITED = 24
HARDWARE = ("devices", "nodes", "cores", "threads")
_TIMES = ("x", "×", "*")
_LISTED = (",", "-", "–", ";")


def is_reference(tokens: Tokens, number: Number) -> bool:
    """Whether a number stands behind a word that is numbered: "Table 3", "Section 4.2", "Figure 2x"."""
    known = tokens.low(number.first - 1) in lexicon.words("numbers", "references")
    return known and not number.suffix and tokens[number.first - 1].text[:1].isupper()


def is_structural(tokens: Tokens, number: Number, kind: str | None) -> bool:
    """Whether a number says nothing of what is measured: "3. Results", "[12]", "Table 1", "in 2021"."""
    first, last = number.first, number.last
    before, after = tokens.low(first - 1), tokens[last].text if last < len(tokens) else ""
    if _opens_block(tokens, first):
        listed = after in (".", ")") and last + 1 < len(tokens)
        if listed or (kind == "heading" and number.low != int(number.low) and after[:1].isupper()):
            return True
    if tokens.lows(first - 2, first) == ["+", "+"] and tokens.glued(first):  # "C++17"
        return True
    if _in_shape(tokens, first, last) or _in_clock(tokens, first, last) or _in_citation(tokens, first, last):
        return True
    modified = before == "of" and after.lower() in lexicon.words("nouns", "head_modifiers")
    noun = last + modified  # "windows of 2000 consecutive tokens"
    follows = tokens.low(noun) in lexicon.classes("nouns", "heads") or after.lower() in ("x", "h")
    if _is_ordinal(tokens[first].text) or (_is_year(tokens, number) and _is_acronym(tokens, first - 1)):
        return True
    months = lexicon.words("numbers", "months")
    if before in months or after.lower() in months:
        return not follows or before in months
    if follows:
        return False
    dated = before in lexicon.words("numbers", "before_years") or tokens.kind(first - 1) in ("", BREAK)
    referred = before in lexicon.words("numbers", "references") and not number.suffix
    return referred or (_is_year(tokens, number) and dated)


def _in_shape(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a number is a side of a shape: 224x224, 1024 × 1024; not of "2 x 32 cores"."""
    right = tokens.low(last) in _TIMES and tokens.kind(last + 1) == NUMBER
    left = tokens.low(first - 1) in _TIMES and tokens.kind(first - 2) == NUMBER
    heads, behind = lexicon.classes("nouns", "heads"), last + 2 if right else last
    square = tokens.low(first) == tokens.low(first - 2 if left else last + 1)
    held = (spelled(tokens[behind].text) if behind < len(tokens) else None) or ("",)
    if not (right or left) or held[0] in ("B", "B/s", "W"):
        return False
    kinds = {heads.get(low, "samples") for low in tokens.lows(behind, behind + 2)}
    return kinds.isdisjoint(HARDWARE) if square else kinds <= {"samples"}


def _in_clock(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a number is a part of 31:12: of a time of day, a progress bar or a proportion."""
    right = tokens.low(last) == ":" and tokens.kind(last + 1) == NUMBER
    left = tokens.low(first - 1) == ":" and tokens.kind(first - 2) == NUMBER
    return (right and tokens.glued(last) and tokens.glued(last + 1)) or (
        left and tokens.glued(first) and tokens.glued(first - 1)
    )


def past_versions(tokens: Tokens, name: Name) -> int:
    """Return the token behind a name and the further versions of a model: "ResNet-18, 34 and 50 models"."""
    at = name.last
    if name.kind != "model" or tokens.kind(at - 1) != NUMBER:
        return at
    while tokens.kind(at) == NUMBER or tokens.low(at) in (",", "/", "and", "or"):
        at += 1
    return at if tokens.low(at) in lexicon.words("nouns", "model_heads") else name.last


def _opens_block(tokens: Tokens, first: int) -> bool:
    at = first - 1
    while tokens.kind(at) == SIGN and tokens.low(at) not in ("(", "|"):
        at -= 1
    return tokens.kind(at) in ("", BREAK)


def _in_citation(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a number stands alone or in a list in square brackets: [12], [3, 17, 25]."""
    at = first - 1
    while first - at < MOST_CITED // 2 and (tokens.low(at) in _LISTED or _is_plain(tokens, at)):
        at -= 1
    while last - first < MOST_CITED and (tokens.low(last) in _LISTED or tokens.kind(last) == NUMBER):
        last += 1
    return tokens.low(at) == "[" and (tokens.low(last) == "]" or (at == first - 1 and tokens.low(first + 1) in _LISTED))


def _is_plain(tokens: Tokens, at: int) -> bool:
    return tokens.kind(at) == NUMBER and tokens[at].value is not None


def _is_year(tokens: Tokens, number: Number) -> bool:
    token = tokens[number.first]
    plain = not number.suffix and not number.worded and token.kind != WORD
    return plain and len(token.text) == 4 and token.text.isdigit() and 1980 <= number.low <= 2040


def _is_acronym(tokens: Tokens, at: int) -> bool:
    """Whether a word is one of a conference: "SOSP 2019"."""
    return tokens.kind(at) == WORD and tokens[at].text.isupper() and len(tokens[at].text) > 2


def _is_ordinal(text: str) -> bool:
    """Whether digits only number: "09 Offload"."""
    return len(text) > 1 and text[0] == "0" and text.isdigit()
