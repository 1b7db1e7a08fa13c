"""The sentences of a written document, each with the block that it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....rules.language.reading import Reading, read
from ..documents.blocks import Place, Written

WORDED = frozenset({"title", "heading", "paragraph", "item", "caption", "footnote", "quote"})
MOST_SENTENCES = 20_000
LONGEST = 2_000
"""Characters of a sentence; what is longer is a list of words, or no text."""


class Sentence(Struct, frozen=True):
    """A sentence.

    Attributes:
        text: its words.
        block: index of its block in the document.
        start: where it begins in the block's text.
        place: where it stands.
    """

    text: str
    block: int
    start: int
    place: Place

    @property
    def reading(self) -> Reading:
        """What its words say."""
        return read(self.text)


def sentences_of(written: Written) -> Iterator[Sentence]:
    """Yield the sentences of a document in the order of reading, up to a limit."""
    count = 0
    for index, block in enumerate(written.blocks):
        if block.kind not in WORDED:
            continue
        for start, end in read(block.text).sentences():
            text = block.text[start:end]
            if len(text) <= LONGEST:
                yield Sentence(text, index, start, block.place(start))
                count += 1
            if count >= MOST_SENTENCES:
                return
