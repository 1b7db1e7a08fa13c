"""reStructuredText by docutils, which includes no file, runs no directive of raw output, and reads no configuration."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from docutils.core import publish_doctree

from .aligned import Lines, aligned, one_line
from .blocks import Block, Cell, Kind, Written
from .code import code
from .drawn import Line
from .pieces import sectioned, tabled

SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "input_encoding": "unicode",
    "doctitle_xform": False,
    "smart_quotes": False,
}
_UNSEEN = (nodes.system_message, nodes.comment, nodes.target, nodes.label)
MOST_SPAN = 500
_KINDS: dict[type[nodes.Node], Kind] = {nodes.caption: "caption", nodes.rubric: "heading", nodes.term: "paragraph"}


def read(data: bytes) -> Written:
    """Return the document that the bytes of a reStructuredText are."""
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    tree = publish_doctree(text, settings_overrides=SETTINGS)
    return Written("rst", sectioned(_blocks(tree, Lines(text.split("\n")), 0, "paragraph", 0)))


def _blocks(node: nodes.Element, lines: Lines, depth: int, kind: Kind, level: int) -> Iterator[Block]:
    """Yield the blocks below a node.

    Args:
        node: the node.
        lines: of the text.
        depth: of its section.
        kind: what a paragraph is there.
        level: how deep its list is.
    """
    for child in node.children:
        if isinstance(child, nodes.system_message | nodes.comment | nodes.target) or not isinstance(
            child, nodes.Element
        ):
            continue
        if isinstance(child, nodes.section):
            yield from _blocks(child, lines, depth + 1, "paragraph", 0)
        elif isinstance(child, nodes.title):
            named: Kind = "heading" if isinstance(node, nodes.section | nodes.document) else "caption"
            yield from _one(named, child, lines, max(depth, 1) if named == "heading" else 0)
        elif isinstance(child, nodes.list_item | nodes.definition):
            yield from _blocks(child, lines, depth, "item", level + 1)
        elif isinstance(child, nodes.block_quote):
            yield from _blocks(child, lines, depth, "quote", 0)
        elif isinstance(child, nodes.footnote):
            yield from _blocks(child, lines, depth, "footnote", 0)
        elif isinstance(child, nodes.table):
            yield from _table(child, lines)
        elif isinstance(child, nodes.literal_block | nodes.doctest_block):
            yield from _code(child, lines)
        elif isinstance(child, nodes.TextElement):
            found = _KINDS.get(type(child), kind)
            yield from _one(found, child, lines, level if found == "item" else depth + 1 if found == "heading" else 0)
        else:
            yield from _blocks(child, lines, depth, kind, level)


def _one(kind: Kind, node: nodes.Element, lines: Lines, level: int = 0) -> Iterator[Block]:
    for mark in list(node.findall(nodes.footnote_reference)):
        mark.parent.remove(mark)
    found = aligned(kind, node.astext(), lines.next(node.rawsource or node.astext()), level)
    if found is not None:
        yield found


def _code(node: nodes.Element, lines: Lines) -> Iterator[Block]:
    piece = lines.next(node.astext())
    first = piece.place(0)
    shown = [(first.line + n, first.column, text) for n, text in enumerate(node.astext().split("\n"))]
    kept: list[Line] = shown
    classes: list[str] = node.get("classes", [])
    yield from code(kept, next((each for each in classes if each != "code"), ""))


def _table(node: nodes.Element, lines: Lines) -> Iterator[Block]:
    """Yield the caption of a table, and the table with what spans laid out."""
    for title in node.findall(nodes.title):
        yield from _one("caption", title, lines)
    rows: list[tuple[Cell, ...]] = []
    held: dict[int, tuple[int, Cell]] = {}
    for row in node.findall(nodes.row):
        head = isinstance(row.parent, nodes.thead)
        laid: list[Cell] = []
        for entry in row.findall(nodes.entry):
            _reach(laid, held)
            text = one_line(entry.astext())
            cell = Cell(text, lines.next(text).place(0), head)
            down, across = int(entry.get("morerows", 0)), int(entry.get("morecols", 0)) + 1
            for _ in range(min(across, MOST_SPAN)):
                if down:
                    held[len(laid)] = (down, cell)
                laid.append(cell)
        _reach(laid, held)
        rows.append(tuple(laid))
    found = tabled(tuple(rows)) if rows else None
    if found is not None:
        yield found


def _reach(laid: list[Cell], held: dict[int, tuple[int, Cell]]) -> None:
    """Put cells of rows above, which reach into this one, where they stand."""
    while len(laid) in held:
        down, cell = held.pop(len(laid))
        if down > 1:
            held[len(laid)] = (down - 1, cell)
        laid.append(cell)
