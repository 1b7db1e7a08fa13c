"""The tables of a document with what stands around each: headings, the text before it, its caption, the text below."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..documents import blocks as document
from ..documents.blocks import Block, Written
from ..documents.html_tables import MOST_CELLS, MOST_COLUMNS
from ..report_file import ReportFile
from .grids import JOINED, Cell, Grid, fitted, of_columns
from .units import captioned_in, rates_in
from .words import with_unit

MOST_TABLES = 2_000
MOST_HEADS = 3
MOST_TITLE = 1_000
MOST_BELOW = 2_000
MOST_BLOCKS_BELOW = 20
SEARCHED = 1 << 20
"""Characters of a text without a plain sign of a table in which columns held apart by blanks are looked for."""
_SIGNS = Pattern(
    r"<table|\\begin\{(?:tabular|longtable|array)|^\.\. [a-z-]*table::|^ *={2,} +={2,}|"
    r"^[ \t>]*(?=[ :-]*\|)[ |:-]{3,}$|^[ \t>]*\+[-=+:]{2,}\+[ \t]*$|[┌┏╔╭├┼]",
    re.IGNORECASE | re.MULTILINE,
)
_BLANKS = Pattern(r"^[^\n]*\S(?: {2,}|\t)\S[^\n]*\n[^\n]*\S(?: {2,}|\t)\S", re.MULTILINE)
TEXTS = frozenset({"paragraph", "item", "caption", "footnote", "quote"})


def grids(file: ReportFile) -> tuple[Grid, ...]:
    """Return the tables of a file, in order; of more than 2,000 the first.

    Those in blocks of code count, but for code that shows how to write a document: such a table is returned where there
    is no other. What stands in a comment is not shown to a reader, and not read.
    """
    shown, examples = shown_and_examples(file)
    return shown or examples or of_columns(file)


def shown_and_examples(file: ReportFile) -> tuple[tuple[Grid, ...], tuple[Grid, ...]]:
    """Return the tables of a document, apart from those in code that shows how to write one."""
    shown: list[Grid] = []
    examples: list[Grid] = []
    for inside, grid in _in_document(file) if may_hold_tables(file) else ():
        (examples if inside == "example" else shown).append(grid)
        if len(shown) + len(examples) >= MOST_TABLES:
            break
    return tuple(shown), tuple(examples)


def may_hold_tables(file: ReportFile) -> bool:
    """Whether a file shows signs of a table: most files of a folder do not, and need no parser."""
    if file.packed or file.json is not None or _SIGNS.search(file.text):
        return True
    return not of_columns(file) and _BLANKS.search(file.text[:SEARCHED]) is not None


def _in_document(file: ReportFile) -> Iterator[tuple[str, Grid]]:
    """Yield the tables of a document, each with the kind of code that it stands in."""
    written = file.written
    before = stated = ""
    since: list[str] = []
    cells = MOST_CELLS
    for index, block in enumerate(written.blocks):
        if block.kind in {"heading", "title"}:
            before = ""
        elif block.kind in TEXTS:
            before = block.text[:MOST_TITLE]
            since.append(before)
        elif block.kind == "table":
            stated = next((text for text in reversed(since) if _states_numbers(text)), stated)
            titles = [each.text[:MOST_TITLE] for each in written.titles(block)]
            grid = _grid(
                block, titles[-1] if titles else file.short_name, _caption_below(written, index) or before, cells
            )
            if grid is not None:
                cells -= len(grid.header) * len(grid.rows)
                above = ". ".join(titles[:-1])[:MOST_TITLE]
                yield block.inside, replace(grid, stated=stated, below=_below(written, index), above=above, at=index)
            before, since = "", []


def _states_numbers(text: str) -> bool:
    """Whether a text says of the numbers of a document what they are: a quality that it names, or a unit."""
    low = with_unit(text.casefold())
    reading = read(text)
    if low == text.casefold() and not reading.has("numbers_of_a_document"):
        return False
    timed = any(captioned_in(low, f"caption.{role}") for role in ("time", "latency"))
    return bool(reading.metrics() or rates_in(low) or timed)


def _caption_below(written: Written, index: int) -> str:
    """Return the caption behind a table, where none stands before it and no other table follows it."""
    before, *behind = (each.kind for each in written.blocks[max(index - 1, 0) : index + 3])
    if behind[1:2] != ["caption"] or before == "caption" or behind[2:3] == ["table"]:
        return ""
    return written.blocks[index + 1].text[:MOST_TITLE]


def _below(written: Written, index: int) -> str:
    """Return the text below a table, up to the next heading or table; what leads over to a table is that one's."""
    found: list[str] = []
    for each in written.blocks[index + 1 : index + 1 + MOST_BLOCKS_BELOW]:
        if each.kind in {"heading", "title"}:
            break
        if each.kind == "table":
            found = found[:-1]
            break
        if each.kind in TEXTS:
            found.append(each.text[:MOST_BELOW])
    return " ".join(found)[:MOST_BELOW]


def _grid(block: Block, title: str, sentence: str, most_cells: int) -> Grid | None:
    """Return a table with one heading a column: those of several levels joined; None where it is too small."""
    heads = [_cells(row) for row in block.cells[: _heads(block)]]
    body = block.cells[len(heads) :]
    if len(heads) > 1 and len({cell.text for cell in heads[0]}) == 1:
        sentence, heads = f"{heads[0][0].text}. {sentence}".strip(". "), heads[1:]
    width = max(map(len, heads))
    if not 2 <= width <= MOST_COLUMNS or not body:
        return None
    header, groups = [], []
    for index in range(width):
        levels = [row[index] for row in heads if index < len(row)]
        texts = list(dict.fromkeys(cell.text for cell in levels if cell.text))
        header.append(Cell(JOINED.join(texts), levels[-1].line, levels[-1].column, levels[-1].page))
        groups.append(texts[0] if len(texts) > 1 else "")
    most = max(most_cells, 0) // width
    left_out = (
        (f"rows from line {body[most][0].place.line} on: more than {MOST_CELLS:,} cells",) if most < len(body) else ()
    )
    rows, cut = fitted(tuple(header), map(_cells, body[:most]))
    return Grid(title, sentence, tuple(header), rows, cut, tuple(groups) if any(groups) else (), left_out)


def _heads(block: Block) -> int:
    """Return how many of the first rows of a table are headings, at least one."""
    rows = block.cells[: min(MOST_HEADS, len(block.cells) - 1)]
    return next((n for n, row in enumerate(rows) if not all(cell.header for cell in row)), len(rows)) or 1


def _cells(row: tuple[document.Cell, ...]) -> tuple[Cell, ...]:
    return tuple(Cell(cell.text, cell.place.line, cell.place.column, cell.place.page) for cell in row)
