"""Where sentences and clauses end."""

from __future__ import annotations

from collections.abc import Sequence

from . import lexicon
from .tokens import BREAK, WORD, Token


def ends_sentence(tokens: Sequence[Token], at: int) -> bool:
    """Whether a sentence ends at a token: not after "e.g.", "et al.", within a version, or before a small letter."""
    token = tokens[at]
    if token.kind == BREAK or token.text in ("!", "?", "|"):
        return True
    if token.text != ".":
        return False
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is not None and following.kind != BREAK:
        if not following.gap and following.text not in (")", '"', "'"):
            return False
        if following.text[:1].islower():
            return False
    if at == 0:
        return True
    before = tokens[at - 1]
    if before.kind == WORD and before.low in lexicon.words("stance", "abbreviations"):
        return False
    # The last letter of "i.e." or of an initial.
    return not (
        len(before.text) == 1
        and before.kind == WORD
        and before.text.isalpha()
        and following is not None
        and _initial(tokens, at)
    )


def _initial(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at - 1].text.isupper() or (at > 1 and tokens[at - 2].text == "." and not tokens[at - 1].gap)


def sentences(tokens: Sequence[Token]) -> tuple[tuple[int, int], ...]:
    """Return the sentences as pairs of first and last token (excluded)."""
    found: list[tuple[int, int]] = []
    begin = 0
    for at in range(len(tokens)):
        if ends_sentence(tokens, at):
            if at > begin:
                found.append((begin, at + 1))
            begin = at + 1
    if begin < len(tokens):
        found.append((begin, len(tokens)))
    return tuple(found)


def clause_breaks(tokens: Sequence[Token]) -> tuple[bool, ...]:
    """Return for each token whether a clause ends before it: at signs, and at words such as "but" and "which"."""
    breaks = lexicon.words("stance", "clause_breaks")
    out: list[bool] = []
    for at, token in enumerate(tokens):
        stop = token.text in (";", "(", ")", "[", "]", "—", ":") or token.low in breaks or ends_sentence(tokens, at)
        out.append(stop or _opens_clause(tokens, at))
    return tuple(out)


def _opens_clause(tokens: Sequence[Token], at: int) -> bool:
    """Whether a comma, or "and", opens a clause of its own: a subject or a verb follows."""
    if tokens[at].text != "," and tokens[at].low not in ("and", "or"):
        return False
    return any(token.low in lexicon.words("stance", "clause_openers") for token in tokens[at + 1 : at + 3])
