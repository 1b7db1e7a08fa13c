"""Concepts: named sets of words and phrases, found in a text word by word.

A concept is one line of a file of `rules/tables/lexicon/concepts`: its name and a list of phrases. Words are matched
whole, whatever their case, number, hyphens or British spelling: `data-loading` finds "data loading", "Data-Loading"
and "dataloading". In a phrase

- `averag*` is any word that begins so;
- `mean|median` is either word;
- `_` is up to two words in between, `..` up to eight within the sentence;
- `the?` may be absent;
- `#` is a number, in digits or in words;
- `@name` is any single word of another concept;
- `-word` at an end must not stand there: `change -detection`, `-no gain`;
- `MoE!` must be written just so, and `test!` is not "tests".

A word with a hyphen is a phrase of its own: `geo-mean|gmean` is refused, and written as two phrases.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from . import lexicon
from .sentences import ends_sentence
from .tokens import NUMBER, Token

FEW, MANY = 2, 8
"""Words that `_` and `..` may skip."""
_SKIPPED = frozenset("-_/'\"")


class UnknownConcept(KeyError):
    """A concept is asked for that no list defines."""


class Atom(Struct, frozen=True):
    """One place of a phrase.

    Attributes:
        words: folded words that fit.
        prefixes: beginnings that fit.
        exact: words that must stand there as written.
        number: whether a number fits.
        skips: how many words may be skipped here; the atom itself is then no word.
        optional: whether it may be absent.
        refused: whether none of its words may stand here.
    """

    words: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    exact: frozenset[str] = frozenset()
    number: bool = False
    skips: int = 0
    optional: bool = False
    refused: bool = False

    def fits(self, token: Token, key: str) -> bool:
        """Whether a token with its folded key fits."""
        if key in self.words or token.low in self.words or token.text in self.exact:
            return True
        if self.prefixes and (token.low.startswith(self.prefixes) or key.startswith(self.prefixes)):
            return True
        return self.number and (token.kind == NUMBER or token.low in lexicon.table("numbers")["words"])


Phrase = tuple[Atom, ...]


@cache
def phrases_of(concept: str) -> tuple[Phrase, ...]:
    """Return the compiled phrases of a concept.

    Raises:
        UnknownConcept: no list defines it.
    """
    entries = lexicon.concepts()
    if concept not in entries:
        raise UnknownConcept(concept)
    return tuple(compiled for phrase in entries[concept] for compiled in _compiled(phrase))


def _compiled(phrase: str) -> Iterator[Phrase]:
    """Yield a phrase as atoms; a hyphened word also as one word."""
    parts = phrase.split()
    yield tuple(atom for part in parts for atom in _atoms(part))
    joined = [part.replace("-", "") if _is_hyphened(part) else part for part in parts]
    if joined != parts:
        yield tuple(atom for part in joined for atom in _atoms(part))


def _is_hyphened(part: str) -> bool:
    """Whether a part is a hyphened word.

    Raises:
        ValueError: it is one of several alternatives, of which none could be found.
    """
    hyphened = "-" in part[1:] and not part.startswith("-")
    if hyphened and "|" in part:
        msg = f"a hyphened word cannot be an alternative: {part}"
        raise ValueError(msg)
    return hyphened


def _atoms(part: str) -> Iterator[Atom]:
    if part == "_":
        yield Atom(skips=FEW)
    elif part == "..":
        yield Atom(skips=MANY)
    elif _is_hyphened(part):
        star = "*" if part.endswith("*") else ""
        pieces = part.rstrip("*").split("-")
        for k, piece in enumerate(pieces):
            yield from _atoms(piece + (star if k == len(pieces) - 1 else ""))
    elif part.isascii() and part.replace(".", "").replace("_", "").isalnum():
        for piece in lexicon.cut(part):
            yield _atom(piece)
    else:
        yield _atom(part)


def _atom(part: str) -> Atom:
    refused, optional = part.startswith("-") and len(part) > 1, part.endswith("?") and len(part) > 1
    part = part[1:] if refused else part
    part = part[:-1] if optional else part
    words: set[str] = set()
    prefixes: list[str] = []
    exact: set[str] = set()
    number = False
    for piece in part.split("|"):
        if piece == "#":
            number = True
        elif piece.startswith("@") and len(piece) > 1:
            for single in _single_words(piece[1:]):
                words |= single.words
                prefixes += single.prefixes
                exact |= single.exact
                number |= single.number
        elif piece.endswith("*") and len(piece) > 1:
            prefixes.append(piece[:-1].lower())
        elif piece.endswith("!") and len(piece) > 1:
            exact.update({piece[:-1]} if not piece[:-1].islower() else {piece[:-1], piece[:-1].capitalize()})
        else:
            words.add(lexicon.folded(piece))
    return Atom(frozenset(words), tuple(prefixes), frozenset(exact), number, 0, optional, refused)


def _single_words(concept: str) -> list[Atom]:
    return [phrase[0] for phrase in phrases_of(concept) if len(phrase) == 1 and not phrase[0].refused]


class WordIndex:
    """The words of one text by their folded form, for looking phrases up without a walk over the text."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [t for t in tokens if t.text not in _SKIPPED]
        self.numbers = {id(t): k for k, t in enumerate(tokens)}
        self.keys = [lexicon.folded(t.low) if t.text.isalpha() else t.low for t in self.tokens]
        self._places: dict[str, list[int]] = {}
        for at, (token, key) in enumerate(zip(self.tokens, self.keys, strict=True)):
            self._places.setdefault(key, []).append(at)
            if token.low != key:
                self._places.setdefault(token.low, []).append(at)
        self._sorted = sorted(self._places)

    def starts(self, atom: Atom) -> Iterator[int]:
        """Yield the places where a phrase that begins with an atom may begin."""
        if atom.number or atom.exact:
            yield from (at for at, token in enumerate(self.tokens) if atom.fits(token, self.keys[at]))
            return
        for word in atom.words:
            yield from self._places.get(word, ())
        for prefix in atom.prefixes:
            at = bisect_left(self._sorted, prefix)
            while at < len(self._sorted) and self._sorted[at].startswith(prefix):
                yield from self._places[self._sorted[at]]
                at += 1

    def find(self, phrase: Phrase) -> Iterator[tuple[int, int]]:
        """Yield the places where a phrase stands: the first word and the one after the last, in `tokens`."""
        before = phrase[0] if phrase[0].refused else None
        body = phrase[1:] if before is not None else phrase
        begin = 0
        while begin < len(body) and body[begin].optional:
            begin += 1
        seen: set[int] = set()
        for at in self.starts(body[begin]):
            if at in seen or (before is not None and at and before.fits(self.tokens[at - 1], self.keys[at - 1])):
                continue
            seen.add(at)
            end = self._end(body, begin + 1, at + 1)
            if end is not None:
                yield at, end

    def _end(self, phrase: Phrase, atom: int, at: int) -> int | None:
        """Return where the rest of a phrase ends that goes on at a place; None where it does not fit."""
        if atom == len(phrase):
            return at
        now = phrase[atom]
        if now.refused:
            stands = at < len(self.tokens) and now.fits(self.tokens[at], self.keys[at])
            return None if stands else self._end(phrase, atom + 1, at)
        if now.skips:
            return self._over(phrase, atom + 1, at, now.skips)
        if at < len(self.tokens) and now.fits(self.tokens[at], self.keys[at]):
            end = self._end(phrase, atom + 1, at + 1)
            if end is not None:
                return end
        return self._end(phrase, atom + 1, at) if now.optional else None

    def _over(self, phrase: Phrase, atom: int, at: int, most: int) -> int | None:
        for skipped in range(most + 1):
            end = self._end(phrase, atom, at + skipped)
            if end is not None:
                return end
            place = at + skipped
            if place >= len(self.tokens) or ends_sentence(self.tokens, place):
                return None
            if most == FEW and not self.tokens[place].text[0].isalnum():
                return None
        return None
