"""A text that names a suite, as headings and paragraphs: what stands above, before and below a table."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..documents.comments import CODE, kinds, uncommented
from ..report_file import ReportFile
from .grids import Grid, plain

MOST_TEXT = 100_000
_HEADING = Pattern(r"(#{1,6})\s+(.*)")
_ITEM = Pattern(r"(?:[*+-] |> ?|: )+")


class Paragraph(Struct, frozen=True):
    """A paragraph of a text: its first line, from 1, its words, and the heading that it stands under, as a number."""

    line: int
    text: str
    section: int


class Heading(Struct, frozen=True):
    """A heading: its line, its level from 1, its words."""

    line: int
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
    lines = uncommented(file.lines)
    code = kinds(lines)
    headings: list[Heading] = []
    paragraphs: list[Paragraph] = []
    held: list[str] = []
    first = size = 0

    def close() -> None:
        nonlocal size
        words = plain(" ".join(held))
        size += len(words)
        if words and size <= MOST_TEXT:
            paragraphs.append(Paragraph(first, words, headings[-1].line if headings else 0))
        held.clear()

    for number, line in enumerate(lines, 1):
        text = line.strip()
        heading = _HEADING.match(text) if number - 1 not in code else None
        prose = bool(text) and heading is None and "|" not in text and "<table" not in text.casefold()
        item = _ITEM.match(text)
        if not prose or item is not None:
            close()
        if heading is not None:
            headings.append(Heading(number, len(heading[1]), plain(heading[2][:1000])))
        elif prose and code.get(number - 1) != CODE:
            first = first if held else number
            held.append(text[item.end() if item is not None else 0 :][:2000])
    close()
    return Outline(tuple(headings), tuple(paragraphs))


def around(text: Outline, grid: Grid) -> Surroundings:
    """Return what stands around a table of a text."""
    at = grid.header[0].line
    chain: list[Heading] = []
    for each in text.headings:
        if each.line < at:
            chain = [*(other for other in chain if other.level < each.level), each]
    own, parents = chain[-1].line if chain else 0, {each.line for each in chain[:-1]}
    return Surroundings(
        tuple(each.text for each in chain),
        tuple(each.text for each in text.paragraphs if each.section == own and each.line < at),
        tuple(each.text for each in text.paragraphs if each.section in parents),
        tuple(each.text for each in text.paragraphs if each.section == own and each.line > at),
    )
