"""Markdown: the blocks that markdown-it finds, their words, and the HTML between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern
from .arrays import array_in
from .blocks import Block, Kind, Written
from .code import code
from .comments import uncommented
from .drawn import LONGEST_LINE, Line, is_rule, parts
from .html_tables import MOST_CELLS
from .markup import behind_tables, markup
from .pieces import block, of_lines, sectioned, tabled

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

TITLE = "title"
MOST_FRONT_MATTER = 1_000
_DEFINITION = Pattern(r"\[[^\[\]^][^\[\]]{0,400}\]:\s*\S+(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*")
_FOOTNOTE = Pattern(r"\[\^[^\[\]]{1,40}\]:\s*")
_LEAVES = frozenset({"heading_open", "paragraph_open", "fence", "code_block", "html_block", "pipe_table"})


def read(lines: Sequence[str]) -> Written:
    """Return the document that the lines of a Markdown text are."""
    return Written("markdown", sectioned(blocks(lines)))


def blocks(lines: Sequence[str], first: int = 1) -> Iterator[Block]:
    """Yield the blocks of a Markdown text.

    Args:
        lines: its lines.
        first: the number of the first of them.
    """
    # The parser takes a carriage return for the end of a line, and counts lines by its own.
    whole = uncommented(tuple(line.replace("\r", " ") for line in lines))
    shown = _without_front_matter(whole)
    yield from _titles(whole[: len(whole) if shown is not whole else 0], shown, first)
    behind, depth, quoted, cells = 0, 0, 0, MOST_CELLS
    opens = False
    tokens = _parser().parse("\n".join(shown))
    for index, token in enumerate(tokens):
        if token.type in {"list_item_open", "list_item_close"}:
            depth += token.nesting
            opens = token.nesting > 0
        elif token.type in {"blockquote_open", "blockquote_close"}:
            quoted += token.nesting
        if token.type not in _LEAVES or token.map is None:
            continue
        begin, end = token.map
        if token.type == "pipe_table":
            yield from _lines(_numbered(shown, begin, end, first))
        if begin < behind:  # inside of a table of HTML, or reaching out of it
            continue
        if token.type == "html_block" or (token.type == "paragraph_open" and _holds_table(shown, begin, end)):
            behind = max(behind_tables(shown, begin), end)
            for each in markup(shown[begin:behind], first + begin, cells):
                cells -= sum(map(len, each.cells))
                yield each
        elif token.type in {"fence", "code_block"}:
            language = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
            yield from code(_content(token, shown, first), language.strip("{}."))
        elif token.type == "heading_open":
            found = block("heading", of_lines(_content(tokens[index + 1], shown, first)), int(token.tag[1:]))
            yield from () if found is None else (found,)
        elif token.type == "paragraph_open":
            kind: Kind = "item" if depth and opens else "quote" if quoted else "paragraph"
            yield from _paragraph(_content(tokens[index + 1], shown, first), kind, depth if kind == "item" else 0)
        opens = False


def _paragraph(lines: Sequence[Line], kind: Kind, level: int) -> Iterator[Block]:
    """Yield the blocks of a paragraph: footnotes apart, and without definitions of links."""
    formula = tabled(array_in(lines))
    if formula is not None:
        yield formula
        return
    held: list[Line] = []
    noted = False
    for line in lines:
        mark = _FOOTNOTE.match(line[2])
        if mark is not None or (not held and _DEFINITION.fullmatch(line[2][:2_000])):
            yield from _lines(held, "footnote" if noted else kind, level)
            held, noted = [], noted or mark is not None
        if mark is not None:
            held.append((line[0], line[1] + mark.end(), line[2][mark.end() :]))
        elif not _DEFINITION.fullmatch(line[2][:2_000]):
            held.append(line)
    yield from _lines(held, "footnote" if noted else kind, level)


def _lines(lines: Sequence[Line], kind: Kind = "paragraph", level: int = 0) -> Iterator[Block]:
    for part, rows in parts(lines):
        found = tabled(rows) if rows else None
        found = found or block(kind, of_lines(part), level)
        if found is not None:
            yield found


def _content(token: Token, shown: Sequence[str], first: int) -> list[Line]:
    """Return the lines of a token's content, each with where it stands: what a list or a quotation needs is not of it.

    Args:
        token: with its map of lines.
        shown: the lines of the text.
        first: the number of the first of them.
    """
    begin, end = token.map or [0, 0]
    number = begin + (token.type == "fence")
    found: list[Line] = []
    for text in token.content.removesuffix("\n").split("\n") if token.content else ():
        whole = shown[number] if number < min(end, len(shown)) else ""
        found.append((first + number, max(whole.find(text), 0) + 1, text))
        number += 1
    return found


def _numbered(shown: Sequence[str], begin: int, end: int, first: int) -> list[Line]:
    """Return lines of a table without the marks of quotations and lists before them."""
    found = []
    for number in range(begin, end):
        text = shown[number]
        bare = text.lstrip(" \t>")
        found.append((first + number, len(text) - len(bare) + 1, bare))
    return found


def _holds_table(shown: Sequence[str], begin: int, end: int) -> bool:
    return any("<table" in text.casefold() for text in shown[begin:end])


def _without_front_matter(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines without the metadata that some documents begin with, between two lines of dashes."""
    if not lines or lines[0].rstrip() != "---":
        return lines
    end = next((n for n, text in enumerate(lines[1:MOST_FRONT_MATTER], 1) if text.rstrip() == "---"), 0)
    if not end or not any(":" in text for text in lines[1:end]):
        return lines
    return (*[""] * (end + 1), *lines[end + 1 :])


def _titles(whole: tuple[str, ...], shown: tuple[str, ...], first: int) -> Iterator[Block]:
    """Yield the title that the metadata before a document gives it."""
    for number, (text, left) in enumerate(zip(whole[:MOST_FRONT_MATTER], shown, strict=False)):
        key, colon, words = text.rstrip().partition(": ")
        if text != left and colon and key == TITLE:
            shown_from = len(text) - len(words.lstrip(" '\"")) + 1
            named = block("title", of_lines([(first + number, shown_from, words.strip(" '\""))]))
            yield from () if named is None else (named,)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    found = MarkdownIt("commonmark")
    found.core.ruler.enableOnly(["normalize", "block"])
    found.block.ruler.disable(["reference"])
    found.block.ruler.before("code", "pipe_table", _pipe_table, {"alt": ["paragraph"]})
    return found


def _pipe_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Find a table of pipes, also one whose rule is not as long as its header: a rule of markdown-it."""
    if start + 2 > end or state.is_code_block(start) or state.sCount[start + 1] < state.blkIndent:
        return False
    header, rule = (state.src[state.bMarks[n] + state.tShift[n] : state.eMarks[n]] for n in (start, start + 1))
    if "|" not in header or not is_rule(rule):
        return False
    if silent:
        return True
    behind = start + 2
    while behind < end and state.sCount[behind] >= state.blkIndent:
        begins, ends = state.bMarks[behind] + state.tShift[behind], state.eMarks[behind]
        if ends - begins > LONGEST_LINE or state.src.find("|", begins, ends) < 0:
            break
        behind += 1
    token = state.push("pipe_table", "", 0)
    token.map = [start, behind]
    state.line = behind
    return True
