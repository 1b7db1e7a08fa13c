"""The tables of a file: CSV and TSV, and those of a Markdown or HTML text with what stands above them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from msgspec import Struct
from msgspec.structs import replace

from ....schemas.pattern import Pattern
from ..documents.comments import CODE, EXAMPLE, kinds, uncommented
from ..documents.html_tables import MOST_CELLS, MOST_COLUMNS, HtmlTable, html_tables
from ..report_file import ReportFile
from .text_below import text_below

LONGEST_LINE = 100_000
LONGEST_HTML = 2_000_000
MOST_TABLES = 2_000
_IMAGE = Pattern(r"!\[[^\[\]]{0,400}\]\([^()]{0,2000}\)")
_STRUCK = Pattern(r"~~[^~]{1,400}~~|<(del|s|strike)>[^<>]{0,400}</\1>", re.IGNORECASE)
_RAISED = Pattern(r"(?<=[A-Za-z])<su[bp]>(?=[A-Za-z])")
_ESCAPED = Pattern(r"\\([!-/:-@\[-`{-~])")
_BREAK = Pattern(r"<br */?>", re.IGNORECASE)
_LINK = Pattern(r"\[([^\[\]]{0,400})\]\([^()]{0,2000}\)")
_MARKS = Pattern(r"\*{1,3}|`|\[\^[^\]]{0,40}\]|<sup>[^<>]{0,40}</sup>|</?[A-Za-z][^<>]{0,200}>")
_BOLD = Pattern(r"(?<![A-Za-z0-9_])__(?=[^\s_])((?:[^_]|_(?!_)){1,400})__(?![A-Za-z0-9_])")
_STATED = Pattern(
    r"\b(?:metrics?|numbers|values|results|figures|measurements)\b[^.|]{0,60}\b(?:is|are|in|as)\b", re.IGNORECASE
)
_HEADING = Pattern(r"<h[1-6][^<>]{0,200}>(.{1,600}?)</h[1-6]>", re.IGNORECASE)
_RULE = Pattern(r":?-+:?")
JOINED = " - "
"""Between the levels of a heading, as published tables with one level write it: "Throughput - FP16"."""
_SPACES = Pattern(r"\s+")


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
        groups: where the header has two levels, the upper one of each column, empty where a column has none.
        left_out: what to say of columns that its shape leaves no room for.
        stated: what the document says of all its numbers: "The reported metric is throughput (tokens/s)."
        below: the text that follows it.
        above: the headings of higher levels that it stands under.
    """

    title: str
    sentence: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    cut: int = 0
    groups: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    stated: str = ""
    below: str = ""
    above: str = ""

    @property
    def place(self) -> str:
        """The table in words."""
        return f"the table in line {self.header[0].line}"


def grids(file: ReportFile) -> tuple[Grid, ...]:
    """Return the tables of a file, in order; of more than 2,000 the first.

    Those in blocks of code count, but for code that is Markdown itself, which shows how to write one: such a table is
    returned where there is no other. What stands in a comment is not shown to a reader, and not read.
    """
    shown, examples = shown_and_examples(file)
    return shown or examples or _of_columns(file)


def shown_and_examples(file: ReportFile) -> tuple[tuple[Grid, ...], tuple[Grid, ...]]:
    """Return the tables of a text, apart from those in code that is Markdown itself."""
    shown: list[Grid] = []
    examples: list[Grid] = []
    for kind, grid in _in_text(file):
        (examples if kind == EXAMPLE else shown).append(grid)
        if len(shown) + len(examples) >= MOST_TABLES:
            break
    return tuple(shown), tuple(examples)


def plain(text: str) -> str:
    """Return a cell or a heading as a reader sees it: without Markdown's marks, images and what is struck out."""
    text = _STRUCK.sub("", _BREAK.sub(" ", text)) if "<" in text or "~" in text else text
    text = _LINK.sub(r"\1", _IMAGE.sub("", text)) if "](" in text else text
    text = _BOLD.sub(r"\1", text) if "__" in text else text
    text = _MARKS.sub("", _RAISED.sub(" ", text.replace("\\*", "")))
    text = _ESCAPED.sub(r"\1", text) if "\\" in text else text
    return _SPACES.sub(" ", unescape(text) if "&" in text else text).strip()


def _of_columns(file: ReportFile) -> tuple[Grid, ...]:
    rows = file.table
    width = len(rows[0][1]) if rows else 0
    # a text with commas is no table: most of the rows are as long as the first
    if len(rows) < 2 or not 2 <= width <= MOST_COLUMNS or sum(len(row[1]) == width for row in rows) < 0.8 * len(rows):
        return ()
    header = _placed(file, rows[0])
    body = [_placed(file, row) for row in rows[1:]]
    return (Grid(file.short_name, "", header, *_fitted(header, body)),)


def _placed(file: ReportFile, row: tuple[int, tuple[str, ...]]) -> tuple[Cell, ...]:
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


def _in_text(file: ReportFile) -> Iterator[tuple[str, Grid]]:
    """Yield the tables of a text, each with the kind of lines that it stands in."""
    lines = uncommented(file.lines)
    kind_of = kinds(lines)
    number, title, sentence, stated, markup_to = 0, "", "", "", 0
    levels: list[tuple[int, str]] = []
    cells = MOST_CELLS
    while number < len(lines) - 1:
        text = lines[number]
        kind = kind_of.get(number, "")
        heading = _heading(text, lines[number + 1]) if not kind else None
        if heading is not None:
            title, sentence = heading, ""
            levels = [each for each in levels if each[0] < _level(text)] + [(_level(text), title)]
        elif "|" in text and _is_rule(lines[number + 1]):
            header = _cells(text, number + 1)
            first, number = number + 2, _behind(lines, number + 2)
            most = max(cells, 0) // len(header)
            body = [_cells(lines[row], row + 1) for row in range(first, min(number, first + most))]
            cells -= len(header) * len(body)
            cut = (
                (f"rows from line {first + most + 1} on: more than {MOST_CELLS:,} cells",)
                if number - first > most
                else ()
            )
            if 2 <= len(header) <= MOST_COLUMNS and body:
                rows, longer = _fitted(header, body)
                found = Grid(title or file.short_name, sentence, header, rows, longer, left_out=cut, stated=stated)
                yield kind, replace(found, below=plain(text_below(lines, number)), above=_above(levels))
            sentence = ""
            continue
        elif not kind and number >= markup_to and "<table" in text.casefold():
            markup_to, piece = _markup(lines, number)
            for table in html_tables(piece, cells):
                cells -= max(map(len, table.rows)) * len(table.rows)
                caption = plain(table.caption) or sentence
                grid = _of_markup(table, title or file.short_name, caption, number)
                if grid is not None:
                    yield (
                        kind,
                        replace(grid, stated=stated, below=plain(text_below(lines, markup_to)), above=_above(levels)),
                    )
            sentence = ""
        elif kind != CODE and number >= markup_to and text.strip() and "|" not in text:
            sentence = plain(text[:1000]) or sentence
            stated = sentence if _STATED.search(sentence) else stated
        number += 1


def _behind(lines: tuple[str, ...], first: int) -> int:
    """Return the line behind the rows of a pipe table."""
    number = first
    while number < len(lines) and "|" in lines[number] and len(lines[number]) <= LONGEST_LINE:
        number += 1
    return number


def _markup(lines: tuple[str, ...], first: int) -> tuple[int, str]:
    """Return the line behind a table in HTML, and the text to there; one that does not end goes to the last line."""
    depth, size = 0, 0
    for number in range(first, len(lines)):
        text = lines[number].casefold()
        size += len(text) + 1
        depth += text.count("<table") - text.count("</table")
        if depth <= 0 or size > LONGEST_HTML:
            break
    return number + 1, "\n".join(lines[first : number + 1])[:LONGEST_HTML]


def _of_markup(table: HtmlTable, title: str, caption: str, first: int) -> Grid | None:
    """Return a table of HTML with one heading a column: those of several levels joined; None where it is too small."""
    rows = [tuple(Cell(plain(cell.text), first + cell.line + 1, cell.column + 1) for cell in row) for row in table.rows]
    heads, body = rows[: table.heads], rows[table.heads :]
    width = max(len(row) for row in heads)
    if len(heads) > 1 and len({cell.text for cell in heads[0]}) == 1:
        caption, heads = f"{heads[0][0].text}. {caption}".strip(". "), heads[1:]
    if not 2 <= width <= MOST_COLUMNS:
        return None
    header, groups = [], []
    for index in range(width):
        levels = [row[index] for row in heads if index < len(row)]
        texts = list(dict.fromkeys(cell.text for cell in levels if cell.text))
        header.append(Cell(JOINED.join(texts), levels[-1].line, levels[-1].column))
        groups.append(texts[0] if len(texts) > 1 else "")
    fitted, cut = _fitted(tuple(header), body)
    return Grid(title, caption, tuple(header), fitted, cut, tuple(groups) if any(groups) else ())


def _heading(text: str, following: str) -> str | None:
    if text.startswith("#"):
        return plain(text[:1000].lstrip("#"))
    marked = _HEADING.search(text[:1000]) if "<h" in text[:1000] else None
    if marked is not None:
        return plain(marked[1])
    stripped = text.strip()
    if stripped and "|" not in stripped and following and len(following) >= 3 and set(following.strip()) in ({"="},):
        return plain(stripped[:1000])
    return None


def _level(text: str) -> int:
    """Return the level of a heading: 1 of the highest; of one that is underlined it is taken to be."""
    marked = re.search(r"<h([1-6])", text, re.IGNORECASE)
    return int(marked[1]) if marked is not None else max(len(text) - len(text.lstrip("#")), 1)


def _above(levels: list[tuple[int, str]]) -> str:
    return ". ".join(title for _, title in levels[:-1])[:1000]


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
