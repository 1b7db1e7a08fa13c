"""Notebooks: their JSON, Markdown cells as Markdown, code cells with what they printed. Nothing is executed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from . import markdown, markup
from .blocks import Block, Place, Written
from .code import code
from .pieces import sectioned

if TYPE_CHECKING:
    from ....schemas.source import Source

MOST_CELLS = 5_000


def is_notebook(value: object) -> bool:
    """Whether a JSON document is a notebook."""
    return isinstance(value, dict) and isinstance(value.get("cells"), list) and "nbformat" in value


def read(source: Source) -> Written:
    """Return the document that a notebook is."""
    value: Any = source.value
    cells: list[Any] = value["cells"]
    unread = (f"cells beyond the first {MOST_CELLS:,}",) if len(cells) > MOST_CELLS else ()
    return Written("notebook", sectioned(_blocks(source, cells[:MOST_CELLS])), unread)


def _blocks(source: Source, cells: list[Any]) -> Iterator[Block]:
    for index, cell in enumerate(cells):
        if not isinstance(cell, dict):
            continue
        at = f"/cells/{index}"
        if cell.get("cell_type") == "markdown":
            yield from _placed(source, f"{at}/source", markdown.blocks(_lines(cell.get("source"))))
        elif cell.get("cell_type") == "code":
            shown = [(number, 1, text) for number, text in enumerate(_lines(cell.get("source")), 1)]
            yield from _placed(source, f"{at}/source", code(shown, "python"))
            outputs = cell.get("outputs")
            for number, output in enumerate(outputs if isinstance(outputs, list) else ()):
                yield from _output(source, f"{at}/outputs/{number}", output)


def _output(source: Source, at: str, output: Any) -> Iterator[Block]:
    """Yield what a cell printed: a table of HTML, else its text."""
    if not isinstance(output, dict):
        return
    data = output.get("data")
    data = data if isinstance(data, dict) else {}
    html = "\n".join(_lines(data.get("text/html")))
    if "<table" in html:
        yield from _placed(source, f"{at}/data/text~1html", markup.markup(html.split("\n")))
        return
    if output.get("output_type") == "stream":
        name, text = "text", output.get("text")
    else:
        name, text = "data/text~1plain", data.get("text/plain")
    shown = [(number, 1, line) for number, line in enumerate(_lines(text), 1)]
    yield from _placed(source, f"{at}/{name}", code(shown, "output") if text else ())


def _lines(text: Any) -> list[str]:
    """Return the lines of a text, which a notebook holds as one string or as a list of them."""
    parts = text if isinstance(text, list) else [text]
    return "".join(part for part in parts if isinstance(part, str)).split("\n")


def _placed(source: Source, at: str, blocks: Any) -> Iterator[Block]:
    """Yield blocks with their places in the file instead of those in their cell."""
    known: dict[int, Place] = {}

    def moved(place: Place) -> Place:
        if place.line not in known:
            found = source.place(f"{at}/{place.line - 1}")
            known[place.line] = Place(line=found.line, column=found.column)
        base = known[place.line]
        return Place(line=base.line, column=base.column + place.column)

    for block in blocks:
        places = tuple((offset, moved(place)) for offset, place in block.places)
        cells = tuple(tuple(replace(cell, place=moved(cell.place)) for cell in row) for row in block.cells)
        yield replace(block, places=places, cells=cells)
