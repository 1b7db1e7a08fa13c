"""The sentences of a written document, each with the block that it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ....rules.language.reading import Reading, read
from ..documents.blocks import Place, Written
from ..documents.reader import written
from ..report_file import ReportFile

WORDED = frozenset({"title", "heading", "paragraph", "item", "caption", "footnote", "quote"})
ENDS = frozenset(".!:)")
FEWEST_WORDS = 5
"""Words of a paragraph that is told."""
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


def prose_of(file: ReportFile) -> Written | None:
    """Return the written document that a file is; None where it is data."""
    if file.json is not None or file.json_lines or _is_table(file.table):
        return None
    document = written(file)
    return document if document.form != "text" or _is_told(document) else None


def _is_table(rows: Sequence[tuple[int, tuple[str, ...]]]) -> bool:
    """Whether a text with separators is a table: each of its rows has as many cells."""
    return len(rows) > 1 and len({len(cells) for _, cells in rows}) == 1


def _is_told(document: Written) -> bool:
    """Whether a plain text is told in sentences: a log is not."""
    texts = [block.text for block in document.blocks if block.kind in WORDED]
    ended = sum(text.rstrip()[-1:] in ENDS and len(text.split()) >= FEWEST_WORDS for text in texts)
    return 2 * ended >= len(texts) > 0


def sentences_of(document: Written) -> Iterator[Sentence]:
    """Yield the sentences of a document in the order of reading, up to a limit."""
    count = 0
    for index, block in enumerate(document.blocks):
        if block.kind not in WORDED:
            continue
        for start, end in read(block.text).sentences():
            text = block.text[start:end]
            if len(text) <= LONGEST:
                yield Sentence(text, index, start, block.place(start))
                count += 1
            if count >= MOST_SENTENCES:
                return
