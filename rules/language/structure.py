"""Numbers that only number: list marks, citations, references, years."""

from __future__ import annotations

from collections.abc import Sequence

from . import lexicon
from .numbers import Number
from .tokens import BREAK, NUMBER, SIGN, WORD, Token


def is_reference(tokens: Sequence[Token], number: Number) -> bool:
    """Whether a number stands behind a word that is numbered: "Table 3", "Section 4.2", "Figure 2x"."""
    before = tokens[number.first - 1] if number.first else None
    return (
        before is not None
        and before.low in lexicon.words("numbers", "references")
        and not number.suffix
        and before.text[:1].isupper()
    )


def is_structural(tokens: Sequence[Token], number: Number, kind: str | None) -> bool:
    """Whether a number says nothing of what is measured: "3. Results", "[12]", "Table 1", "in 2021"."""
    first, last = number.first, number.last
    before = tokens[first - 1].low if first else ""
    after = tokens[last].text if last < len(tokens) else ""
    if _opens_block(tokens, first) and (
        (after in (".", ")") and last + 1 < len(tokens))
        or (kind == "heading" and number.low != int(number.low) and after[:1].isupper())
    ):
        return True
    if _in_shape(tokens, first, last) or _in_clock(tokens, first, last):
        return True
    if (before == "[" and after in ("]", ",", "-", "–")) or _in_citation(tokens, first, last):
        return True
    heads = lexicon.classes("nouns", "heads")
    follows = last < len(tokens) and (tokens[last].low in heads or tokens[last].low in ("x", "h"))
    months = lexicon.words("numbers", "months")
    if before in months or after.lower() in months:
        return not follows or before in months
    if (
        _is_year(tokens, number)
        and not follows
        and (
            before
            in (
                "in",
                "of",
                "since",
                ",",
                "(",
                "until",
                "by",
                "year",
                "'",
                "©",
                "and",
                "–",
                "-",
                "before",
                "after",
                "late",
                "early",
                "mid",
            )
            or first == 0
            or tokens[first - 1].kind == BREAK
        )
    ):
        return True
    return before in lexicon.words("numbers", "references") and not number.suffix and not follows


def _in_shape(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a number is a side of a shape: 224x224, 1024 × 1024."""
    signs = ("x", "×", "*")
    heads = lexicon.classes("nouns", "heads")
    right = last + 1 < len(tokens) and tokens[last].low in signs and tokens[last + 1].kind == NUMBER
    left = first > 1 and tokens[first - 1].low in signs and tokens[first - 2].kind == NUMBER
    behind = tokens[last + 2 if right else last : last + 4]
    return (right or left) and not any(heads.get(t.low, "samples") != "samples" for t in behind[:2])


def _in_clock(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a number is a part of 31:12: of a time of day, a progress bar or a proportion."""
    right = (
        last + 1 < len(tokens) and tokens[last].text == ":" and not tokens[last].gap and tokens[last + 1].kind == NUMBER
    )
    left = first > 1 and tokens[first - 1].text == ":" and not tokens[first].gap and tokens[first - 2].kind == NUMBER
    return (right and not tokens[last + 1].gap) or (left and not tokens[first - 1].gap)


def _opens_block(tokens: Sequence[Token], first: int) -> bool:
    at = first - 1
    while at >= 0 and tokens[at].kind == SIGN and tokens[at].text not in ("(", "|"):
        at -= 1
    return at < 0 or tokens[at].kind == BREAK


def _in_citation(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a number stands in a list in square brackets: [3, 17, 25]."""
    at = first - 1
    while (
        at >= 0
        and first - at < 12
        and (tokens[at].text in (",", "-", "–", ";") or (tokens[at].kind == NUMBER and tokens[at].value is not None))
    ):
        at -= 1
    if at < 0 or tokens[at].text != "[":
        return False
    while (
        last < len(tokens)
        and last - first < 24
        and (tokens[last].text in (",", "-", "–", ";") or tokens[last].kind == NUMBER)
    ):
        last += 1
    return last < len(tokens) and tokens[last].text == "]"


def _is_year(tokens: Sequence[Token], number: Number) -> bool:
    plain = tokens[number.first].text
    return (
        not number.suffix
        and not number.worded
        and number.low == int(number.low)
        and 1980 <= number.low <= 2050
        and len(plain) == 4
        and plain.isdigit()
        and tokens[number.first].kind != WORD
    )
