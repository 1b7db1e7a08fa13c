"""A text that names a suite, as headings and paragraphs: what stands above, before and below a table."""

from __future__ import annotations

from msgspec import Struct

from ..report_file import ReportFile
from .grids import Grid
from .in_documents import TEXTS

MOST_TEXT = 100_000


class Paragraph(Struct, frozen=True):
    """A paragraph of a text: its place among the blocks, its words, and the heading that it stands under."""

    at: int
    text: str
    section: int


class Heading(Struct, frozen=True):
    """A heading: its place among the blocks, its level, its words."""

    at: int
    level: int
    text: str


class Outline(Struct, frozen=True):
    """A text: its headings and its paragraphs."""

    headings: tuple[Heading, ...]
    paragraphs: tuple[Paragraph, ...]


class Surroundings(Struct, frozen=True):
    """What stands around a table.

    Attributes:
        titles: the headings above it, highest first.
        before: the paragraphs before it in its section.
        above: those of the sections that its section belongs to.
        below: those after it in its section.
    """

    titles: tuple[str, ...]
    before: tuple[str, ...]
    above: tuple[str, ...]
    below: tuple[str, ...]


def outline(file: ReportFile) -> Outline | None:
    """Return the headings and paragraphs of a text that names the suite; None of any other."""
    if "mlperf" not in file.text[: 1 << 20].casefold():
        return None
    headings: list[Heading] = []
    paragraphs: list[Paragraph] = []
    size = 0
    for at, block in enumerate(file.written.blocks):
        if block.kind in {"heading", "title"}:
            headings.append(Heading(at, block.level, block.text[:1000]))
        elif block.kind in TEXTS and size + len(block.text) <= MOST_TEXT:
            size += len(block.text)
            paragraphs.append(Paragraph(at, block.text, block.section))
    return Outline(tuple(headings), tuple(paragraphs))


def around(text: Outline, grid: Grid) -> Surroundings:
    """Return what stands around a table of a text."""
    chain: list[Heading] = []
    for each in text.headings:
        if each.at < grid.at:
            chain = [*(other for other in chain if other.level < each.level), each]
    own, parents = chain[-1].at if chain else -1, {each.at for each in chain[:-1]}
    return Surroundings(
        tuple(each.text for each in chain),
        tuple(each.text for each in text.paragraphs if each.section == own and each.at < grid.at),
        tuple(each.text for each in text.paragraphs if each.section in parents),
        tuple(each.text for each in text.paragraphs if each.section == own and each.at > grid.at),
    )
