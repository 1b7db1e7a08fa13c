"""Plain text: paragraphs between blank lines, headings that are underlined or numbered, lists, and drawn tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....schemas.pattern import Pattern
from .blocks import Block, Written
from .drawn import Line, parts
from .pieces import block, of_lines, sectioned, tabled

LONGEST_HEADING = 100
_ITEM = Pattern(r"(?:[-*+•‣◦·–]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)])[ \t]+")
_NUMBERED = Pattern(r"(?P<number>[0-9]{1,2}(?:\.[0-9]{1,2}){0,4}\.?)[ \t]+[^\W\d_][^.!?;:]*")
_UNDERLINES = "=-~^"


def read(lines: Sequence[str]) -> Written:
    """Return the document that the lines of a plain text are."""
    return Written("text", sectioned(_blocks(lines)))


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    held: list[Line] = []
    for number, text in enumerate(lines, 1):
        if text.strip():
            held.append((number, 1, text.rstrip()))
            continue
        yield from _paragraph(held)
        held = []
    yield from _paragraph(held)


def _paragraph(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield the blocks of lines without a blank one among them."""
    if len(lines) > 1 and (level := _underlined(lines[0][2], lines[1][2])):
        heading = block("heading", of_lines(lines[:1]), level)
        yield from () if heading is None else (heading,)
        lines = lines[2:]
    numbered = _NUMBERED.fullmatch(lines[0][2].strip()[:LONGEST_HEADING]) if len(lines) == 1 else None
    if numbered is not None and len(lines[0][2].strip()) < LONGEST_HEADING:
        heading = block("heading", of_lines(lines), numbered["number"].strip(".").count(".") + 1)
        yield from () if heading is None else (heading,)
        return
    for part, rows in parts(lines):
        found = tabled(rows) if rows else None
        yield from _listed(part) if found is None else (found,)


def _underlined(text: str, below: str) -> int:
    """Return the level of a heading that the line below underlines; 0 where it does not."""
    rule = below.strip()
    alike = len(set(rule)) == 1 and rule[0] in _UNDERLINES and len(rule) >= 3
    long_enough = abs(len(rule) - len(text.strip())) <= max(3, len(text.strip()) // 2)
    return _UNDERLINES.index(rule[0]) + 1 if alike and long_enough and "  " not in text.strip() else 0


def _listed(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield the items of lists among lines, each with the lines that go on with it, and what stands before them."""
    held: list[Line] = []
    depth = 0
    indents: list[int] = []
    for number, column, text in lines:
        indent = len(text) - len(text.lstrip())
        mark = _ITEM.match(text, indent)
        if mark is None:
            held.append((number, column + indent, text[indent:]))
            continue
        yield from _one(held, depth)
        indents = [*(each for each in indents if each < indent), indent]
        held, depth = [(number, column + mark.end(), text[mark.end() :])], len(indents)
    yield from _one(held, depth)


def _one(lines: Sequence[Line], depth: int) -> Iterator[Block]:
    found = block("item" if depth else "paragraph", of_lines(lines), depth) if lines else None
    if found is not None:
        yield found
