"""What a text says of the MLPerf suites: their name with its part and its rounds, and the organisations that submit."""

from __future__ import annotations

from collections.abc import Iterator

from . import lexicon
from .reading import Reading
from .tokens import BREAK, WORD, Place, Tokens, over

LONGEST_NAME = 12
"""Tokens of an organisation's name."""
_ASIDE = frozenset(",:(")
_ENDS = frozenset(".,;:)(")


class SuiteName(Place, frozen=True):
    """The name of the suite.

    Attributes:
        part: training or inference, where it stands with the name; empty otherwise.
        rounds: the rounds that stand with it: "5.0".
    """

    part: str
    rounds: tuple[str, ...]


def suite_names(reading: Reading) -> tuple[SuiteName, ...]:
    """Return where a text names the suite, in order."""
    names = lexicon.words("suites", "name")
    return tuple(_suite_name(reading.tokens, at) for at, token in enumerate(reading.tokens) if token.low in names)


def _suite_name(tokens: Tokens, first: int) -> SuiteName:
    parts, kinds = lexicon.classes("suites", "parts"), lexicon.words("suites", "kinds")
    part, rounds, at, last = "", [], first + 1, first + 1
    while at < len(tokens):
        found = round_at(tokens, at)
        if found is not None:
            rounds.append(found[0])
            at = last = found[1]
        elif not part and tokens.low(at) in parts:
            part = parts[tokens.low(at)]
            at = last = at + 1
        elif tokens.low(at) in kinds or tokens.low(at) in ("data", "center", "centre") or tokens[at].text in _ASIDE:
            at += 1
        elif rounds and tokens.low(at) in lexicon.words("suites", "lists"):
            at += 1 + (tokens.low(at + 1) == "in")
            if round_at(tokens, at) is None:
                break
        else:
            break
    return SuiteName(*over(tokens, first, last), part, tuple(rounds))


def round_at(tokens: Tokens, at: int) -> tuple[str, int] | None:
    """Return the round that begins at a token, as "5.0", and the token after it; "5.1-0042" names an entry."""
    while at < len(tokens) and tokens.low(at) in lexicon.words("suites", "counted"):
        at += 1
    text = tokens.low(at)
    is_round = len(text) == 3 and text[0].isdigit() and text[1] == "." and text[2].isdigit()
    entry = tokens.low(at + 1) == "-" and tokens.glued(at + 1)
    return (text, at + 1) if is_round and not entry else None


def rounds_alone(reading: Reading) -> set[str]:
    """Return the rounds that a heading or a cell names with a v: "v5.0"."""
    tokens = reading.tokens
    found = (round_at(tokens, at) for at, token in enumerate(tokens) if token.low == "v" and tokens.glued(at + 1))
    return {each[0] for each in found if each is not None}


def organisations(reading: Reading) -> set[str]:
    """Return the organisations that a text names as submitters or owners of its results."""
    return {name for name in _organisations(reading) if not _is_pronoun(name)}


def _organisations(reading: Reading) -> Iterator[str]:
    tokens = reading.tokens
    places = {token.start: at for at, token in enumerate(tokens)}
    ends = {token.end: at for at, token in enumerate(tokens)}
    for mention in reading.mentions("suite.submitter_follows"):
        last = _name_end(tokens, ends[mention.end] + 1)
        if last >= len(tokens) or tokens[last].text in _ENDS or tokens[last].kind == BREAK:
            yield _text(reading, ends[mention.end] + 1, last)
    for mention in reading.mentions("suite.owner_follows"):
        last = _name_end(tokens, ends[mention.end] + 1)
        if tokens.low(last) in (",", "in", *lexicon.words("suites", "name")):
            yield _text(reading, ends[mention.end] + 1, last)
    for mention in reading.mentions("suite.submits"):
        begin = _sentence_begin(reading, mention.start, places)
        if _name_end(tokens, begin) >= places[mention.start]:
            yield _text(reading, begin, places[mention.start])
    for mention in reading.mentions("suite.owner_stands"):
        begin = places[mention.start] + 1
        owned = next((at for at in range(begin, ends[mention.end] + 1) if tokens.low(at) in ("'s", "'")), begin)
        if _name_end(tokens, begin) >= owned:
            yield _text(reading, begin, owned)


def _is_pronoun(name: str) -> bool:
    return not name or name.split()[0].lower() in lexicon.words("suites", "no_organisations")


def _name_end(tokens: Tokens, at: int) -> int:
    """Return the token after the capitalised name that begins at a token; the same one where none does."""
    joins, last = lexicon.words("suites", "joins"), at
    suite = lexicon.words("suites", "name")
    for place in range(at, min(at + LONGEST_NAME, len(tokens))):
        token = tokens[place]
        if token.kind == WORD and token.text[0].isupper() and token.low not in suite:
            last = place + 1
        elif place == at or (token.low not in joins and not (token.value is not None and tokens.glued(place))):
            break
    return last


def _sentence_begin(reading: Reading, place: int, places: dict[int, int]) -> int:
    return next((places[begin] for begin, end in reading.sentences() if begin <= place < end), 0)


def _text(reading: Reading, first: int, last: int) -> str:
    if last <= first:
        return ""
    return reading.source[reading.tokens[first].start : reading.tokens[last - 1].end].strip()
