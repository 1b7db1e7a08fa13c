"""HTML: the blocks that its tags make, with the tables among them. No script, style or link is followed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from msgspec import Struct
from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .blocks import Block, Cell, Kind, Place, Written
from .code import code
from .drawn import Line
from .html_tables import MOST_CELLS, HtmlTable, html_tables
from .marks import plain, seen_lines
from .pieces import block, of_lines, sectioned, tabled

LONGEST_TABLE = 2_000_000
DEEPEST = 100
"""Elements that are open at once; those further inside are taken as text."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(_HEADINGS, "heading"),
    "li": "item",
    "dd": "item",
    "figcaption": "caption",
    "caption": "caption",
    "pre": "code",
    "blockquote": "quote",
    "title": "title",
}
_BLOCKS = frozenset({
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog"),
    *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5"),
    *("h6", "head", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary"),
    *("title", "ul", "tr", "td", "th"),
})  # fmt: skip
_LISTS = frozenset({"ul", "ol", "dl"})
_AROUND = frozenset({"nav", "footer", "dialog"})
"""Elements around a page's text, which are those of the site."""
_OF_TEXT = frozenset({"main", "article", "h1", "table"})
"""Elements that a page's text holds: what they stand in is no part of the site, whatever it is called."""
_OF_SITE = frozenset({
    *("breadcrumb", "breadcrumbs", "consent", "contentinfo", "cookie", "cookies", "dialog", "gdpr", "navbar"),
    *("navigation", "newsletter", "related", "share", "sharing", "sidebar", "subscribe"),
})  # fmt: skip
"""Words by which the attributes of an element call it a part of the site."""
_NAMED = frozenset({"class", "id", "role"})
_WORD = Pattern(r"[A-Za-z]+")
_ANCHOR = Pattern(r"\s+[#¶§🔗]\Z")
"""The sign behind a heading that links to it."""
_ELEMENTS = ("script", "style", "template", "svg", "noscript")
_HIDDEN = Pattern(rf"<!--|<(?:{'|'.join(_ELEMENTS)})\b|<[!?]", re.IGNORECASE)
_ENDS = {
    "<!--": Pattern("-->"),
    "<!": Pattern(">"),
    "<?": Pattern(">"),
    **{f"<{name}": Pattern(rf"</{name}\b[^<>]{{0,200}}>", re.IGNORECASE) for name in _ELEMENTS},
}
_TO_THE_END = frozenset({"<!--", "<script", "<style"})
_LINE_END = Pattern(r"\n")
_STRAY = Pattern(r"<(?!/?[A-Za-z][^<>]{0,2000}>)")
_INK = Pattern(r"[^\n]+")


class _Run(Struct, frozen=True):
    """A part of a text between tags of blocks: where it begins and ends, its kind, and what of a site is around it."""

    start: int
    end: int
    kind: Kind
    level: int = 0
    inside: tuple[int, ...] = ()


class _Runs(HTMLParser):
    """Parts a text at the tags of its blocks."""

    def __init__(self, lines: Sequence[int]) -> None:
        super().__init__(convert_charrefs=False)
        self.lines = lines
        self.open: list[str] = []
        self.of_site: list[int] = []
        self.kept: set[int] = set()
        self.tables, self.cursor, self.count = 0, 0, 0
        self.found: list[_Run] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _OF_TEXT:
            self.kept.update(self.of_site)
        if tag == "table":
            self.tables += 1
            if self.tables == 1:
                self._flush(self._at())
                self.cursor = self._at()
        elif not self.tables and tag in _BLOCKS:
            self._flush(self._at())
            self.cursor = self._at() + len(self.get_starttag_text() or "")
            self._close("p")
            if tag in {"li", "dt", "dd"}:
                self._close(tag)
            if tag != "hr" and len(self.open) < DEEPEST:
                self.open.append(tag)
                self.of_site.append(self._part_of_site(tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        at = self._at()
        behind = self.rawdata.find(">", at) + 1
        if tag == "table" and self.tables:
            self.tables -= 1
            if not self.tables:
                self.end_table(behind)
        elif not self.tables and tag in _BLOCKS:
            self._flush(at)
            self.cursor = behind
            if tag in self.open:
                self._leave(len(self.open) - 1 - self.open[::-1].index(tag))

    def end_table(self, behind: int) -> None:
        """Keep the table that is open, up to a place."""
        self.found.append(_Run(self.cursor, behind, "table", inside=tuple(filter(None, self.of_site))))
        self.cursor, self.tables = behind, 0

    def end(self, behind: int) -> None:
        """Keep what is open at the end of the text."""
        if self.tables:
            self.end_table(behind)
        self._flush(behind)

    def _at(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def _close(self, tag: str) -> None:
        """Close an element that the next of its kind ends, where it is open in the innermost list."""
        for index in range(len(self.open) - 1, -1, -1):
            if self.open[index] == tag:
                self._leave(index)
            if index < len(self.open) and self.open[index] in _LISTS:
                return

    def _flush(self, end: int) -> None:
        if end > self.cursor:
            tag = next((each for each in reversed(self.open) if each in _KINDS), "")
            kind = _KINDS.get(tag, "paragraph")
            level = _HEADINGS.get(tag, 0) if kind != "item" else sum(each in _LISTS for each in self.open)
            self.found.append(_Run(self.cursor, end, kind, level, tuple(filter(None, self.of_site))))

    def _leave(self, index: int) -> None:
        """Leave the element at a depth, and all inside it."""
        del self.open[index:], self.of_site[index:]

    def _part_of_site(self, tag: str, attrs: list[tuple[str, str | None]]) -> int:
        """Return the number of a part of the site around the text, below 0 where that is beyond doubt; 0 of another."""
        named = {word.casefold() for name, value in attrs if name in _NAMED for word in _WORD.findall(value or "")}
        if tag not in _AROUND and (not named & _OF_SITE or "work" in named):  # "related-work" is of a paper
            return 0
        self.count += 1
        return -self.count if tag in _AROUND else self.count

    def texts(self) -> Iterator[_Run]:
        """Yield what was found of the page's own text."""
        for run in self.found:
            if all(part > 0 and part in self.kept for part in run.inside):
                yield run


def read(lines: Sequence[str]) -> Written:
    """Return the document that the lines of an HTML page are."""
    blocks = tuple(markup(lines))
    head = next((each.text for each in blocks if each.kind == "heading"), "")
    # the title of the window is the first heading once more, with the name of the site
    told = (each for each in blocks if each.kind != "title" or not head or not each.text.startswith(head))
    return Written("html", sectioned(told))


def markup(lines: Sequence[str], first: int = 1, most_cells: int = MOST_CELLS) -> Iterator[Block]:
    """Yield the blocks of HTML.

    Args:
        lines: of the text.
        first: the number of the first of them.
        most_cells: how many cells of tables are laid out; those behind them are left out.
    """
    text = _shown("\n".join(lines))
    starts = (0, *(match.end() for match in _LINE_END.finditer(text)))
    parser = _Runs(starts)
    parser.feed(_STRAY.sub("\0", text.replace("\0", " ")))
    parser.end(len(text))
    for run in parser.texts():
        if run.kind == "table":
            for each in _tables(text, starts, run, first, most_cells):
                most_cells -= sum(map(len, each.cells))
                yield each
        elif run.kind == "code":
            yield from code(list(_lines(text, starts, run, first)), reads=seen_lines)
        elif (found := block(run.kind, of_lines(_lines(text, starts, run, first)), run.level)) is not None:
            yield replace(found, text=_ANCHOR.sub("", found.text)) if run.kind == "heading" else found


def behind_tables(lines: Sequence[str], first: int) -> int:
    """Return the line behind the tables of HTML that open in a line, from 0; one that does not end goes to the last."""
    depth = size = 0
    for number in range(first, len(lines)):
        text = lines[number].casefold()
        size += len(text) + 1
        depth += text.count("<table") - text.count("</table")
        if depth <= 0 or size > LONGEST_TABLE:
            return number + 1
    return len(lines)


def _shown(text: str) -> str:
    """Return a text with blanks in place of what no reader sees: comments, scripts, styles and drawings.

    A comment, a script or a style that does not end goes to the end of the text; of others the tag alone is taken off.
    """
    pieces: list[str] = []
    kept = 0
    endless: set[str] = set()
    for hidden in _HIDDEN.finditer(text):
        begin = hidden[0].casefold()
        if hidden.start() < kept or begin in endless:
            continue
        end = next(_ENDS[begin].finditer(text, hidden.end()), None)
        if end is None and begin not in _TO_THE_END:
            endless.add(begin)
            continue
        behind = end.end() if end is not None else len(text)
        pieces += (text[kept : hidden.start()], _INK.sub(lambda ink: " " * len(ink[0]), text[hidden.start() : behind]))
        kept = behind
    return "".join((*pieces, text[kept:]))


def _tables(text: str, starts: Sequence[int], run: _Run, first: int, most_cells: int) -> Iterator[Block]:
    """Yield the tables of a part of a text, one in a cell by itself, and their captions."""
    line = bisect_right(starts, run.start) - 1
    # the first line begins where it does in the text, so that columns stay
    part = " " * (run.start - starts[line]) + text[run.start : min(run.end, run.start + LONGEST_TABLE)]
    for table in html_tables(part, most_cells):
        caption = block("caption", of_lines([(first + line + table.line, 1, table.caption)]))
        found = tabled(_rows(table, first + line))
        yield from (each for each in (caption, found) if each is not None)


def _rows(table: HtmlTable, first: int) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        tuple(
            Cell(plain(cell.text), Place(line=first + cell.line, column=cell.column + 1), row < table.heads)
            for cell in cells
        )
        for row, cells in enumerate(table.rows)
    )


def _lines(text: str, starts: Sequence[int], run: _Run, first: int) -> Iterator[Line]:
    """Yield the lines of a part of a text."""
    at = run.start
    line = bisect_right(starts, at) - 1
    for piece in text[run.start : run.end].split("\n"):
        yield first + line, at - starts[line] + 1, piece
        at += len(piece) + 1
        line += 1
