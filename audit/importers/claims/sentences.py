"""The sentences of a written document, each with the block that it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ....rules.language.reading import Reading, read
from ....schemas.pattern import Pattern
from ..documents.blocks import Place, Written
from ..documents.notebook import is_notebook
from ..documents.reader import written
from ..report_file import ReportFile

WORDED = frozenset({"title", "heading", "paragraph", "item", "caption", "footnote", "quote"})
ENDS = frozenset(".!:)")
FEWEST_WORDS = 5
"""Words of a paragraph that is told."""
MOST_SENTENCES = 20_000
_LOGGED = Pattern(
    r"[0-9]{1,9}/[0-9]{1,9} \[[0-9:]{2,12}<[0-9:?]{1,12}|"
    r"\b(?:INFO|WARNING|DEBUG|ERROR):? {1,4}(?:\[|[0-9]{2}[-:/][0-9]{2})|"
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}"
)
"""What a logger puts before a line, and the bar of something that goes on: "3/90 [00:12<05:48, 1.2it/s]"."""
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


def document_of(file: ReportFile) -> Written | None:
    """Return the written document that a file is; None where it is data."""
    is_data = file.json is not None and not is_notebook(file.json.value)
    return None if is_data or file.json_lines or _is_table(file.table) else written(file)


def prose_of(file: ReportFile) -> Written | None:
    """Return the document that a file is, where it tells something in sentences; None of data and plain tables."""
    document = document_of(file)
    return document if document is None or document.form != "text" or _is_told(document) else None


def _is_table(rows: Sequence[tuple[int, tuple[str, ...]]]) -> bool:
    """Whether a text with separators is a table: each of its rows has as many cells."""
    return len(rows) > 1 and len({len(cells) for _, cells in rows}) == 1


def _is_told(document: Written) -> bool:
    """Whether a plain text is told in sentences: a log is not."""
    texts = [block.text for block in document.blocks if block.kind in WORDED]
    ended = sum(map(is_told, texts))
    return 2 * ended >= len(texts) > 0


def is_told(text: str) -> bool:
    """Whether a text is written for readers: some words that end as a sentence does, and no line of a logger."""
    return not _LOGGED.search(text) and text.rstrip()[-1:] in ENDS and len(text.split()) >= FEWEST_WORDS


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
