"""From lines of a document to a block: the words that stand there, each with its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from .blocks import Block, Cell, Kind, Place
from .marks import Seen, runs, seen


class Piece(Struct, frozen=True):
    """A part of a document as it is written.

    Attributes:
        text: its characters.
        starts: from offsets in it, ascending and the first 0, to where the text from there on stands.
    """

    text: str
    starts: tuple[tuple[int, Place], ...]

    def place(self, offset: int) -> Place:
        """Return where a character stands."""
        start, place = self.starts[bisect_right(self.starts, offset, key=lambda each: each[0]) - 1]
        return Place(place.page, place.line, place.column + offset - start, place.box)


def of_lines(lines: Iterable[tuple[int, int, str]]) -> Piece:
    """Return the piece of lines, each given as its number, the column of its first character, and its text."""
    texts: list[str] = []
    starts: list[tuple[int, Place]] = []
    size = 0
    for number, column, text in lines:
        texts.append(text)
        starts.append((size, Place(line=number, column=column)))
        size += len(text) + 1
    return Piece("\n".join(texts), tuple(starts))


def block(kind: Kind, piece: Piece, level: int = 0, reads: Callable[[str], Seen] = seen) -> Block | None:
    """Return the block that a piece is; None where its reader sees nothing of it.

    Args:
        kind: what it is.
        piece: what is written.
        level: of a heading or an item.
        reads: from what is written to what a reader sees.
    """
    text, at = reads(piece.text)
    if not text.strip():
        return None
    begins = dict.fromkeys(start for start, _ in piece.starts)
    places = tuple((offset, piece.place(place)) for offset, place in runs(at, begins))
    return Block(kind, text, places, level)


def sectioned(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return blocks in their order, each with the heading that it stands under."""
    found: list[Block] = []
    open_: list[tuple[int, int]] = []
    for each in blocks:
        if each.kind in {"heading", "title"}:
            open_ = [above for above in open_ if above[0] < each.level]
        found.append(replace(each, section=open_[-1][1] if open_ else -1))
        if each.kind in {"heading", "title"}:
            open_.append((each.level, len(found) - 1))
    return tuple(found)


def tabled(rows: tuple[tuple[Cell, ...], ...], inside: str = "") -> Block | None:
    """Return the block of a table; None where no cell holds anything."""
    if not any(cell.text for row in rows for cell in row):
        return None
    return Block("table", "", ((0, rows[0][0].place),), cells=rows, inside=inside)
