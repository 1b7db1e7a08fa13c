"""How the questions of a reading are answered from tokens, counts and concepts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from . import lexicon
from .answers import Clause, Mention, Repetition
from .binding import Bound
from .concepts import WordIndex, phrases_of
from .headers import plain
from .sentences import ends_sentence
from .tokens import Token

if TYPE_CHECKING:
    from .reading import Reading

REPEATED = ("seeds", "runs", "trials", "repetitions")
MOST_BEHIND = 10


@cache
def concepts_of(prefix: str) -> tuple[str, ...]:
    """Return the concepts whose names begin with a prefix."""
    return tuple(name for name in lexicon.concepts() if name.startswith(prefix))


@cache
def _formats() -> Mapping[str, str]:
    return lexicon.classes("formats", "aliases")


def format_of(printed: str) -> str | None:
    """Return the usual name of a printed number format; None where it is none of the known ones."""
    bare = "".join(c for c in printed.lower() if c.isalnum())
    known = _formats()
    if bare in known:
        return known[bare]
    longest = max((alias for alias in known if len(alias) > 3 and bare.startswith(alias)), key=len, default=None)
    inner = next((name for name in ("e4m3", "e5m2") if name in bare), None)
    return inner or (known[longest] if longest else None)


@cache
def _directions() -> Mapping[str, str]:
    return {plain(name): way for key in ("quality", "columns") for name, way in lexicon.classes("metrics", key).items()}


def direction_of(printed: str) -> str | None:
    """Return whether higher or lower values of a printed quality metric are better; None for a utilisation."""
    return _directions().get(plain(printed))


def split_of(printed: str) -> str:
    """Return train, validation or test for the printed name of a part of a data set."""
    low = printed.lower()
    if low.startswith(("train",)):
        return "train"
    return "validation" if low.startswith(("val", "dev", "mini")) else "test"


def mentions(reading: Reading, index: WordIndex, concept: str) -> tuple[Mention, ...]:
    """Return the places where a text speaks of a concept; the longest where several begin together."""
    ends: dict[int, int] = {}
    for phrase in phrases_of(concept):
        for at, end in index.find(phrase):
            ends[at] = max(end, ends.get(at, 0))
    found: list[Mention] = []
    stop = 0
    for at in sorted(ends):
        if at < stop:
            continue
        stop = ends[at]
        start, end = index.tokens[at].start, index.tokens[stop - 1].end
        span = (start, end)
        found.append(
            Mention(concept, start, end, reading.source[start:end], reading.negated(span), reading.hedged(span))
        )
    return tuple(found)


def repetitions(bound: Bound, intervals: Sequence[Mention]) -> tuple[Repetition, ...]:
    """Return the counts of what is repeated, "n = 10", and the intervals that are named."""
    found = [Repetition(c.of, c.value, c.start, c.end) for c in bound.counts if c.of in REPEATED]
    found += [
        Repetition("samples", c.value, c.start, c.end) for c in bound.counts if c.of == "samples" and c.noun == "n"
    ]
    found += [Repetition("interval", None, item.start, item.end) for item in intervals]
    return tuple(sorted(found, key=lambda item: item.start))


def behind(source: str, tokens: Sequence[Token], found: Sequence[Mention]) -> tuple[Clause, ...]:
    """Return what stands behind some words, up to the end of their clause."""
    starts = [t.start for t in tokens]
    clauses: list[Clause] = []
    for item in found:
        begin = bisect_left(starts, item.end)
        first = begin if begin < len(tokens) else None
        last = first
        while last is not None and last < len(tokens) and last - (first or 0) < MOST_BEHIND and not _ends(tokens, last):
            last += 1
        if first is None or last is None or last == first:
            clauses.append(Clause(item.start, item.end, source[item.start : item.end]))
        else:
            clauses.append(
                Clause(tokens[first].start, tokens[last - 1].end, source[tokens[first].start : tokens[last - 1].end])
            )
    return tuple(clauses)


def _ends(tokens: Sequence[Token], at: int) -> bool:
    ended = tokens[at].low in (",", ";", ")", "(", ":", "but", "is", "was", "are", "which")
    return ended or ends_sentence(tokens, at)
