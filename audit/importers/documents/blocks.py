"""A written document as blocks: what its reader sees as headings, paragraphs, captions, tables, each with its place."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal

from msgspec import Struct

Kind = Literal["title", "heading", "paragraph", "item", "caption", "table", "code", "console", "footnote", "quote"]
"""What a block is: an `item` is one entry of a list, a `console` a block of code that shows what a program printed."""


class Place(Struct, frozen=True, order=True):
    """Where something stands in a document.

    Attributes:
        page: from 1, or the number of a sheet; 0 where the document has none.
        line: from 1, in the file's text; of a document without lines, in what was read of it, over all its pages.
        column: from 1, in code points.
        box: left, top, right and bottom on the page, in points from its upper left corner; None where there is no page.
    """

    page: int = 0
    line: int = 1
    column: int = 1
    box: tuple[float, float, float, float] | None = None


class Cell(Struct, frozen=True):
    """A cell of a table: its text as a reader sees it, and its place; one that spans stands in each row and column."""

    text: str
    place: Place
    header: bool = False


class Block(Struct, frozen=True):
    """A block of a document.

    Attributes:
        kind: what it is.
        text: its words as a reader sees them: without the marks of inline markup, on one line; code and console keep
            their lines. Of a table nothing.
        places: from offsets in the text, ascending and the first 0, to where the text from there on stands.
        level: of a heading from 1, of an item its depth from 1; 0 of others.
        section: index of the heading that it stands under, in the document's blocks; -1 where there is none.
        cells: of a table, its rows.
        inside: where a table stands in a block of code, what that block shows: "code", or "example" where it shows how
            to write a document.
    """

    kind: Kind
    text: str
    places: tuple[tuple[int, Place], ...]
    level: int = 0
    section: int = -1
    cells: tuple[tuple[Cell, ...], ...] = ()
    inside: str = ""

    def place(self, offset: int = 0) -> Place:
        """Return where the text at an offset stands."""
        start, place = self.places[bisect_right(self.places, offset, key=lambda each: each[0]) - 1]
        if place.box is not None:
            return place
        return Place(place.page, place.line, place.column + offset - start)


class Written(Struct, frozen=True):
    """A document as its reader sees it.

    Attributes:
        form: what it was: markdown, html, latex, pdf, docx, xlsx, notebook, rst or text.
        blocks: in the order of reading.
        unread: what of it was not read, and why: "page 7: no text, a scanned image".
    """

    form: str
    blocks: tuple[Block, ...]
    unread: tuple[str, ...] = ()

    def titles(self, block: Block) -> tuple[Block, ...]:
        """Return the headings that a block stands under, highest first."""
        found: list[Block] = []
        at = block.section
        while at >= 0:
            found.append(self.blocks[at])
            at = self.blocks[at].section
        return tuple(reversed(found))
