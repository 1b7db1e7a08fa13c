"""The tables of a file: CSV and TSV, and the pipe tables of a Markdown text with what stands above them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from .handed import Handed

LONGEST_LINE = 100_000
MOST_COLUMNS = 500
MOST_TABLES = 2_000
_LINK = re.compile(r"\[([^\[\]]{0,400})\]\([^()]{0,2000}\)")
_MARKS = re.compile(r"\*{1,3}|`|\[\^[^\]]{0,40}\]|<sup>[^<>]{0,40}</sup>|</?[A-Za-z][^<>]{0,200}>")
_RULE = re.compile(r":?-+:?")
_SPACES = re.compile(r"\s+")


class Cell(Struct, frozen=True):
    """A cell: its plain text, and where it stands."""

    text: str
    line: int
    column: int


class Grid(Struct, frozen=True):
    """A table.

    Attributes:
        title: the heading above it, else the file's name.
        sentence: the text between the heading and the table.
        header: its first row.
        rows: the others, each as long as the header.
        cut: rows that are longer than the header: what stands beyond it is left out.
    """

    title: str
    sentence: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    cut: int = 0

    @property
    def place(self) -> str:
        """The table in words."""
        return f"the table in line {self.header[0].line}"


def grids(file: Handed) -> tuple[Grid, ...]:
    """Return the tables of a file, in order; of more than 2,000 the first."""
    found = []
    for grid in _in_text(file):
        found.append(grid)
        if len(found) >= MOST_TABLES:
            break
    return tuple(found) or _of_columns(file)


def plain(text: str) -> str:
    """Return a cell or a heading without Markdown's marks."""
    return _SPACES.sub(" ", _MARKS.sub("", _LINK.sub(r"\1", text))).strip()


def _of_columns(file: Handed) -> tuple[Grid, ...]:
    rows = file.table
    width = len(rows[0][1]) if rows else 0
    # a text with commas is no table: most of the rows are as long as the first
    if len(rows) < 2 or not 2 <= width <= MOST_COLUMNS or sum(len(row[1]) == width for row in rows) < 0.8 * len(rows):
        return ()
    header = _placed(file, rows[0])
    body = [_placed(file, row) for row in rows[1:]]
    return (Grid(file.short_name, "", header, *_fitted(header, body)),)


def _placed(file: Handed, row: tuple[int, tuple[str, ...]]) -> tuple[Cell, ...]:
    line, texts = row
    text, at = file.lines[line - 1] if line <= len(file.lines) else "", 0
    found = []
    for cell in texts:
        start = text.find(cell, at)
        column = (start if start >= 0 else at) + 1
        at = max(at, column - 1 + len(cell))
        found.append(Cell(cell, line, column))
    return tuple(found)


def _fitted(header: tuple[Cell, ...], body: list[tuple[Cell, ...]]) -> tuple[tuple[tuple[Cell, ...], ...], int]:
    rows, cut = [], 0
    for row in body:
        missing = tuple(Cell("", row[0].line, row[-1].column) for _ in range(len(header) - len(row)))
        cut += any(cell.text for cell in row[len(header) :])
        rows.append((*row[: len(header)], *missing))
    return tuple(rows), cut


def _in_text(file: Handed) -> Iterator[Grid]:
    lines, number, title, sentence = file.lines, 0, "", ""
    while number < len(lines) - 1:
        text = lines[number]
        heading = _heading(text, lines[number + 1])
        if heading is not None:
            title, sentence = heading, ""
        elif "|" in text and _is_rule(lines[number + 1]):
            header = _cells(text, number + 1)
            body, number = [], number + 2
            while number < len(lines) and "|" in lines[number] and len(lines[number]) <= LONGEST_LINE:
                body.append(_cells(lines[number], number + 1))
                number += 1
            if 2 <= len(header) <= MOST_COLUMNS and body:
                yield Grid(title or file.short_name, sentence, header, *_fitted(header, body))
            sentence = ""
            continue
        elif text.strip() and "|" not in text:
            sentence = plain(text[:1000])
        number += 1


def _heading(text: str, following: str) -> str | None:
    if text.startswith("#"):
        return plain(text[:1000].lstrip("#"))
    stripped = text.strip()
    if stripped and "|" not in stripped and following and len(following) >= 3 and set(following.strip()) in ({"="},):
        return plain(stripped[:1000])
    return None


def _is_rule(text: str) -> bool:
    if "-" not in text or len(text) > LONGEST_LINE:
        return False
    return all(_RULE.fullmatch(cell.text.strip()) for cell in _cells(text, 0, marks=True))


def _cells(text: str, line: int, marks: bool = False) -> tuple[Cell, ...]:
    """Return the cells of a line; an escaped pipe belongs to its cell."""
    found, start = [], 0
    for at in [*(index for index, sign in enumerate(text) if sign == "|" and text[index - 1 : index] != "\\"), -1]:
        piece = text[start : at if at >= 0 else len(text)]
        blank = len(piece) - len(piece.lstrip())
        shown = piece.replace("\\|", "|") if marks else plain(piece.replace("\\|", "|"))
        found.append(Cell(shown, line, start + min(blank, max(len(piece) - 1, 0)) + 1))
        start = at + 1
    if found and not found[0].text and text.lstrip().startswith("|"):
        found = found[1:]
    if found and not found[-1].text.strip() and text.rstrip().endswith("|"):
        found = found[:-1]
    return tuple(found) or (Cell("", line, 1),)
