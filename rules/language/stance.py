"""Stance: where a text denies, hedges, attributes, or sets a condition; each mark with the clause that it holds for.

"not only", "no less than" and "without loss of accuracy" deny nothing; "up to" hedges nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from . import lexicon
from .lexicon import SOFT, Phrases
from .sentences import clause_breaks, ends_sentence
from .tokens import NUMBER, WORD, Place, Token, over

NEGATION, HEDGE, ATTRIBUTION, CONDITION = "negation", "hedge", "attribution", "condition"
MOST_CONDITION = 12
"""Tokens of a condition that are read."""
FEWEST_OF_CLAUSE = 3
"""Words that a first clause has."""


class Mark(Place, frozen=True):
    """A word of stance.

    Attributes:
        kind: negation, hedge, attribution or condition.
        clause: first token of its clause, and the one after the last.
        clause_span: the clause's place in the source.
        main: whether it stands in a main clause, outside brackets and relative clauses; a negation is so only where
            it denies the verb.
    """

    kind: str
    clause: tuple[int, int]
    clause_span: tuple[int, int]
    main: bool


class Stance(Struct, frozen=True):
    """The stance of a whole text."""

    negated: bool
    hedged: bool
    of_others: bool


@cache
def _phrases(key: str) -> Phrases[str]:
    made: Phrases[str] = Phrases()
    for phrase in lexicon.table("stance")[key]:
        made.add(lexicon.cut(phrase), phrase)
    return made


def find_marks(tokens: Sequence[Token]) -> tuple[Mark, ...]:
    """Return the words of stance of a text in their order."""
    breaks, (main, second) = clause_breaks(tokens), _main(tokens)
    clauses = _clauses(breaks)
    found: list[Mark] = []
    excused = _excused(tokens)
    for at in range(len(tokens)):
        kind, last = _kind_at(tokens, at, excused)
        if not kind:
            continue
        begin, end = clauses[at]
        if kind == CONDITION:
            end = min(end, at + MOST_CONDITION)
        place = (tokens[begin].start, tokens[max(end, last) - 1].end)
        says = main[at] and (kind != NEGATION or (not second[at] and _denies(tokens, at)))
        found.append(Mark(*over(tokens, at, last), kind, (begin, max(end, last)), place, says))
    return tuple(found)


def _clauses(breaks: Sequence[bool]) -> list[tuple[int, int]]:
    """Return for each token the first token of its clause and the one after its last."""
    found: list[tuple[int, int]] = []
    begin = 0
    for at in range(1, len(breaks) + 1):
        if at == len(breaks) or breaks[at]:
            found += [(begin, at)] * (at - begin)
            begin = at
    return found


def _excused(tokens: Sequence[Token]) -> set[int]:
    """Return the tokens of phrases that look like stance and are none: "not only", "as expected"."""
    found: set[int] = set()
    for at in range(len(tokens)):
        for key in ("not_negating", "not_hedging"):
            phrases = _phrases(key)
            if phrases.starts(tokens[at].low) and (hits := phrases.match(tokens, at, SOFT)):
                found.update(range(at, hits[0][0]))
    return found


def _kind_at(tokens: Sequence[Token], at: int, excused: set[int]) -> tuple[str, int]:
    low = tokens[at].low
    said = _phrases("attributions").match(tokens, at) if _phrases("attributions").starts(low) else []
    own = said and tokens[min(said[0][0], len(tokens) - 1)].low in ("my", "our")
    if said and not own and not (said[0][0] - at == 1 and at and tokens[at - 1].low in ("we", "our", "to")):
        return ATTRIBUTION, said[0][0]
    if at in excused:
        return "", at
    if low in lexicon.words("stance", "negators") or low.endswith("n't"):
        return ("", at) if low == "none" and tokens[at].text == "NONE" else (NEGATION, at + 1)
    month = tokens[at].text == "May" and at + 1 < len(tokens) and tokens[at + 1].kind == NUMBER
    if low in lexicon.words("stance", "hedges") and not month and not _is_rule(tokens, at):
        return HEDGE, at + 1
    if low in lexicon.words("stance", "conditions"):
        return CONDITION, at + 1
    return "", at


def _is_rule(tokens: Sequence[Token], at: int) -> bool:
    """Whether "should be" is advice rather than a guess: "should be set to 8"."""
    words = [t.low for t in tokens[at : at + 3]]
    return words[:2] == ["should", "be"] and len(words) > 2 and words[2].endswith("ed")


def _denies(tokens: Sequence[Token], at: int) -> bool:
    """Whether a negation denies the verb of its clause: "does not help", "has no effect"; not "use no libraries"."""
    low, before = tokens[at].low, tokens[at - 1].low if at else ""
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low in ("not", "no", "nicht"):
        words = lexicon.words("stance", "denied_behind" if low == "not" else "none_behind")
        return before in words or before[-3:] in ("'re", "i'm") or following == "longer" or at == 0 or low == "nicht"
    if low.startswith("fail") and following != "to":  # "fails with an error" states a failure
        return False
    return low not in lexicon.words("stance", "mild")


def _main(tokens: Sequence[Token]) -> tuple[list[bool], list[bool]]:
    """Return for each token whether it stands outside brackets and subordinate clauses; and whether in a second clause.

    A second clause begins with "but" or "so" behind the first: what it denies is not the main statement.
    """
    main, second = [], []
    depth, aside, later, words = 0, False, False, 0
    for at, token in enumerate(tokens):
        depth += token.text in ("(", "[")
        ends = ends_sentence(tokens, at)
        if ends:
            depth, words, later = 0, 0, False
        later = later or (token.low in ("but", "so") and words >= FEWEST_OF_CLAUSE)
        if aside and (ends or token.text in (",", ";", ":") or token.low == "but"):
            aside = False
        elif _opens_aside(tokens, at) or (token.low == "while" and not words):
            aside = True
        main.append(depth == 0 and not aside)
        second.append(later)
        words += main[-1] and token.kind == WORD
        if token.text in (")", "]"):
            depth = max(0, depth - 1)
    return main, second


def _opens_aside(tokens: Sequence[Token], at: int) -> bool:
    """Whether a subordinate clause begins: "when ...", ", as it ...", ", in which ...", "models that do not fit"."""
    low, before = tokens[at].low, tokens[at - 1].low if at else ""
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low in lexicon.words("stance", "subordinate"):
        return True
    if low == "as":
        return following in lexicon.words("stance", "subjects")
    if low in ("which", "whose"):
        return before in (",", "in", "of", "for", "with")
    noun = before.endswith("s") and before not in lexicon.words("stance", "saying")
    addressed = following == "you" and bool(before) and before not in lexicon.words("stance", "informing")
    return low == "that" and ((noun and following in lexicon.words("stance", "denied_behind")) or addressed)


def stance_of(marks: Sequence[Mark]) -> Stance:
    """Return the stance of a text: denied and hedged in a main clause, or said of others anywhere."""
    return Stance(
        any(mark.kind == NEGATION and mark.main for mark in marks),
        any(mark.kind == HEDGE and mark.main for mark in marks),
        any(mark.kind == ATTRIBUTION for mark in marks),
    )
