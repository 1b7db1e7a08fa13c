"""Where something stands in a document, in the words of its reader: "page 5, Table 2, row 3"."""

from __future__ import annotations

from msgspec import Struct

from .blocks import Place, Written
from .captions import label

PAGED = {"pdf": "page", "xlsx": "sheet"}
WITHOUT_LINES = frozenset({"pdf", "docx", "xlsx"})


class Spot(Struct, frozen=True):
    """A line of a document.

    Attributes:
        words: where it stands; empty where its number is what a reader counts.
        text: what stands there: the words of a paragraph's line, or the cells of a row.
    """

    words: str
    text: str


def spots(written: Written) -> dict[int, Spot]:
    """Return the lines of a document at which something stands."""
    found: dict[int, Spot] = {}
    tables = 0
    for index, block in enumerate(written.blocks):
        if block.kind != "table":
            ends = [*(offset for offset, _ in block.places[1:]), len(block.text)]
            for (start, place), end in zip(block.places, ends, strict=True):
                found.setdefault(place.line, Spot(_of_text(written, place), block.text[start:end].strip()))
            continue
        tables += 1
        name = _name(written, index) or (f"table {tables}" if written.form in WITHOUT_LINES else "")
        heads = next((n for n, row in enumerate(block.cells) if not all(cell.header for cell in row)), 1)
        for n, row in enumerate(block.cells):
            which = f"row {n - heads + 1}" if n >= heads else "the header"
            page = _page(written, row[0].place)
            words = ", ".join(part for part in (page, name, which) if part) if name else page
            text = " | ".join(cell.text for cell in row)
            for cell in row:
                found.setdefault(cell.place.line, Spot(words, text))
    return found


def shown_text(written: Written) -> str:
    """Return what a reader sees of a document, each word on the line on which it stands."""
    lines: dict[int, list[str]] = {}
    for block in written.blocks:
        if block.kind == "table":
            for cell in dict.fromkeys(cell for row in block.cells for cell in row):
                lines.setdefault(cell.place.line, []).append(f"{cell.text} |")
            continue
        ends = [*(offset for offset, _ in block.places[1:]), len(block.text)]
        for (start, place), end in zip(block.places, ends, strict=True):
            lines.setdefault(place.line, []).append(block.text[start:end].replace("\n", " "))
    return "\n".join(" ".join(lines.get(number, ())) for number in range(1, max(lines, default=0) + 1))


def _page(written: Written, place: Place) -> str:
    return f"{PAGED[written.form]} {place.page}" if written.form in PAGED else ""


def _of_text(written: Written, place: Place) -> str:
    return _page(written, place) or (f"paragraph {place.line}" if written.form in WITHOUT_LINES else "")


def _name(written: Written, index: int) -> str:
    """Return what its caption calls a table, before it or behind it."""
    beside = (written.blocks[at] for at in (index - 1, index + 1) if 0 <= at < len(written.blocks))
    return next((name for each in beside if each.kind == "caption" and (name := label(each.text))), "")
