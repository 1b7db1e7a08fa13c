"""What the words around a claim say: its sentence, what is quoted beside it, captions and labels, each read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ....schemas.submission import Claim
from ...case import Case
from ...language.answers import Mention
from ...language.reading import Reading, read


class Place(Struct, frozen=True):
    """A text with its place in the document."""

    at: str
    reading: Reading


class Quoted(Struct, frozen=True):
    """Words that say something, as printed, with their place in the document."""

    at: str
    text: str


class Words(Struct, frozen=True):
    """Some texts of a document; a question is asked of each, never of two run together."""

    places: tuple[Place, ...]

    def __iter__(self) -> Iterator[Reading]:
        return (place.reading for place in self.places)

    def has(self, *concepts: str, affirmed: bool = True) -> bool:
        """Whether some text speaks of one of these concepts; one that is only denied counts where not `affirmed`."""
        return any(reading.has(concept, affirmed) for reading in self for concept in concepts)

    def mentions(self, *concepts: str) -> Iterator[tuple[Place, Mention]]:
        """Yield where the texts speak of these concepts, denied ones too."""
        for place in self.places:
            for concept in concepts:
                yield from ((place, mention) for mention in place.reading.mentions(concept))

    def quoted(self, *concepts: str) -> Quoted | None:
        """Return the first text that affirms one of these concepts; None where none does."""
        for place, mention in self.mentions(*concepts):
            if not mention.negated:
                return Quoted(place.at, place.reading.source)
        return None

    def formats(self) -> tuple[str, ...]:
        """Return the number formats that are named, by their usual names."""
        return tuple(dict.fromkeys(name for reading in self for name in reading.formats()))

    def and_(self, *texts: tuple[str, str | None]) -> Words:
        """Return the same with further texts, each with its place; absent ones are left out."""
        return Words((*self.places, *_read(texts)))


def words_of(claim: Claim) -> Words:
    """Return a claim's sentence and what is quoted beside it."""
    quotes = ((item.at, item.quote) for item in claim.said)
    return Words(tuple(_read([(claim.place("statement"), claim.statement), *quotes])))


def words_around(claim: Claim, case: Case) -> Words:
    """Return a claim's sentence, what is quoted beside it, and the caption of its table."""
    table = case.table(claim)
    return words_of(claim).and_((table.place("caption"), table.caption)) if table is not None else words_of(claim)


def words_in(*texts: str | None) -> Words:
    """Return texts whose places are of no matter, each read once."""
    return Words(tuple(_read(("", text) for text in texts)))


def _read(texts: Iterable[tuple[str, str | None]]) -> Iterator[Place]:
    return (Place(at, read(text)) for at, text in texts if text)
