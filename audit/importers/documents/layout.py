"""From pieces of text on pages to blocks: columns of a page, lines, paragraphs, headings and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ....schemas.pattern import Pattern
from .blocks import Block, Cell, Kind, Place
from .captions import label
from .pieces import sectioned, tabled

WIDE = 0.3
"""Share of a page's width from which on a piece is a line of a text."""
MARGIN = 0.08
"""Share of a page's height in which running heads stand."""
LEAST_RECURRING = 3
LONGEST_HEADING = 120
LEAST_NUMERIC = 0.3
MOST_HEADS = 3
_DIGITS = Pattern(r"[0-9]+")
LONGEST_NUMBER = 24
LEAST_FILLED = 0.6
_NUMBERED = Pattern(r"(?P<number>(?:[0-9]{1,2}|[A-Z])(?:\.[0-9]{1,2}){0,3})\.? +[^\W\d_]")
_VALUE = Pattern(r"[~<>≈≤≥$€£(+±−-]{0,3} ?\.?[0-9]")
_OUTLINED = Pattern(r"(?:(?P<roman>[IVX]{1,5})|[A-Z])\. +[A-Z][^.]*")


class Segment(Struct, frozen=True):
    """What stands on one line of a page without a wide gap, with its box from the upper left corner, in points."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    base: float
    size: float


class Page(Struct, frozen=True):
    """A page: its number from 1, its size, and its pieces of text."""

    number: int
    width: float
    height: float
    segments: tuple[Segment, ...]


Row = tuple[Segment, ...]
"""What stands on one line, from left to right."""


def laid_out(pages: Sequence[Page]) -> tuple[Block, ...]:
    """Return the blocks of the pages of a document, in the order of reading."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for each in page.segments:
            sizes[round(each.size * 2) / 2] += len(each.text)
    body = sizes.most_common(1)[0][0] if sizes else 10.0
    recurring = _recurring(pages)
    blocks: list[Block] = []
    line = 1
    for page in pages:
        for region in _regions(page, recurring):
            found = list(_blocks(region, page.number, line, body))
            line += len(region)
            blocks += found
    return sectioned(blocks)


def _recurring(pages: Sequence[Page]) -> frozenset[str]:
    """Return running heads and feet, as they recur on pages, with digits as one sign."""
    found: Counter[str] = Counter()
    for page in pages:
        found.update({_shape(each) for each in page.segments if _at_edge(each, page)})
    return frozenset(text for text, count in found.items() if count >= LEAST_RECURRING)


def _shape(each: Segment) -> str:
    return _DIGITS.sub("#", each.text)


def _at_edge(each: Segment, page: Page) -> bool:
    return each.base < MARGIN * page.height or each.base > (1 - MARGIN) * page.height


def _regions(page: Page, recurring: frozenset[str]) -> Iterator[list[Row]]:
    """Yield the regions of a page in the order of reading, each as its rows: what goes across, and columns."""
    kept = [
        each
        for each in page.segments
        if not (_at_edge(each, page) and (_shape(each) in recurring or _shape(each).strip() == "#"))
    ]
    rows = _rows(kept)
    middle = page.width / 2
    if not _has_columns(kept, page):
        yield rows
        return
    across: list[Row] = []
    sides: tuple[list[Segment], list[Segment]] = ([], [])
    before = False
    for row in rows:
        wide = any(each.right - each.left > WIDE * page.width for each in row)
        crosses = any(each.left < middle - 8 and each.right > middle + 8 for each in row)
        before = crosses or (before and not wide and len(row) > 2)
        if before:
            yield from (side for side in map(_rows, sides) if side)
            sides = ([], [])
            across.append(row)
            continue
        if across:
            yield across
            across = []
        for each in row:
            sides[(each.left + each.right) / 2 > middle].append(each)
    yield from (side for side in (across, *map(_rows, sides)) if side)


def _has_columns(segments: Sequence[Segment], page: Page) -> bool:
    """Whether a page has two columns: lines of a text stand in both halves, and fewer go across."""
    middle = page.width / 2
    wide = [each for each in segments if each.right - each.left > WIDE * page.width]
    left = sum(each.right < middle + 8 for each in wide)
    right = sum(each.left > middle - 8 for each in wide)
    return min(left, right) >= 5 and left + right > 2 * (len(wide) - left - right)


def _rows(segments: Iterable[Segment]) -> list[Row]:
    """Return pieces by lines, from top to bottom."""
    rows: list[list[Segment]] = []
    for each in sorted(segments, key=lambda one: (one.base, one.left)):
        if rows and abs(each.base - rows[-1][0].base) < 0.45 * max(each.size, rows[-1][0].size):
            rows[-1].append(each)
        else:
            rows.append([each])
    return [tuple(sorted(row, key=lambda one: one.left)) for row in rows]


def _blocks(rows: Sequence[Row], page: int, first: int, body: float) -> Iterator[Block]:
    """Yield the blocks of a region.

    Args:
        rows: its lines.
        page: its page.
        first: the number of its first line in the document.
        body: size of the letters of the text.
    """
    held: list[int] = []
    at = 0
    while at < len(rows):
        behind = _behind_table(rows, at)
        table = _table(rows[at:behind], page, first + at) if behind - at > 1 else None
        if table is None:
            if held and _breaks(rows, held, at):
                yield from _paragraph(rows, held, page, first, body)
                held = []
            held.append(at)
            at += 1
            continue
        yield from _paragraph(rows, held, page, first, body)
        held = []
        yield table
        at = behind
    yield from _paragraph(rows, held, page, first, body)


def _behind_table(rows: Sequence[Row], at: int) -> int:
    """Return the line behind those from one on that stand in columns, close to each other."""
    if len(rows[at]) < 2 and not _stands_over(rows, at):
        return at
    left, right = min(each.left for each in rows[at]), max(each.right for each in rows[at])
    behind = at + 1
    while behind < len(rows):
        row, above = rows[behind], rows[behind - 1]
        far = row[0].base - above[0].base > 3 * row[0].size
        group = len(row) == 1 and behind + 1 < len(rows) and len(rows[behind + 1]) > 1
        group = group and row[0].right - row[0].left < 0.6 * (right - left)
        if far or not (len(row) > 1 or group):
            break
        behind += 1
    return behind


def _stands_over(rows: Sequence[Row], at: int) -> bool:
    """Whether a line is the heading of some columns of the lines below it, and not of the first."""
    below = rows[at + 1] if at + 1 < len(rows) else ()
    near = len(below) > 2 and below[0].base - rows[at][0].base < 2 * below[0].size
    return near and rows[at][0].left > below[0].right


def _table(rows: Sequence[Row], page: int, first: int) -> Block | None:
    """Return the table that lines are; None where too few numbers stand in columns."""
    numeric = [sum(_holds_number(each.text) for each in row[1:]) for row in rows]
    full = [count > 0 and 2 * count >= len(row) - 1 for row, count in zip(rows, numeric, strict=True)]
    body = [row for row, holds in zip(rows, full, strict=True) if holds]
    columns = _columns(body)
    beside = sum(len(row) - 1 for row in rows)
    filled = sum(len(row) for row in rows) / (len(rows) * max(len(columns), 1))
    sparse = sum(numeric) < LEAST_NUMERIC * beside or filled < LEAST_FILLED
    if not body or full[0] or len(columns) < 2 or sparse:
        return None
    heads = full.index(True)
    cells: list[tuple[Cell, ...]] = []
    spans = 0
    for index, row in enumerate(rows):
        texts: list[list[Segment]] = [[] for _ in columns]
        for each in row:
            covered = _covered(each, columns, index < heads)
            spans = index + 1 if len(covered) > 1 else spans
            for at in covered:
                texts[at].append(each)
        cells.append(tuple(_cell(part, row, page, first + index, index < heads) for part in texts))
    # what stands below the last heading that reaches over several columns is one heading on several lines
    above = min(spans, MOST_HEADS - 1, heads)
    return tabled((*cells[:above], *_on_one_line(cells[above:heads]), *cells[heads:]))


def _holds_number(text: str) -> bool:
    return len(text) <= LONGEST_NUMBER and _VALUE.match(text) is not None


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return the columns that lines have in common, from left to right."""
    found: list[tuple[float, float]] = []
    for left, right in sorted((each.left, each.right) for row in rows for each in row):
        if found and left < found[-1][1]:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return found


def _covered(each: Segment, columns: Sequence[tuple[float, float]], head: bool) -> list[int]:
    """Return the columns that a piece stands in: one, or in a heading all that it reaches over."""
    over = [at for at, (left, right) in enumerate(columns) if each.left < right and each.right > left]
    if over:
        return over if head else over[:1]
    middle = (each.left + each.right) / 2
    return [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))]


def _cell(part: Sequence[Segment], row: Row, page: int, line: int, header: bool) -> Cell:
    shown = part or row
    box = (shown[0].left, shown[0].top, shown[-1].right, shown[-1].bottom)
    return Cell(" ".join(each.text for each in part), Place(page, line, 1, box), header)


def _on_one_line(rows: Sequence[tuple[Cell, ...]]) -> Iterator[tuple[Cell, ...]]:
    """Yield the lines of one heading as one row."""
    if rows:
        yield tuple(
            Cell(" ".join(cell.text for cell in cells if cell.text), cells[-1].place, True)
            for cells in zip(*rows, strict=True)
        )


def _breaks(rows: Sequence[Row], held: Sequence[int], at: int) -> bool:
    """Whether a line begins a new paragraph below those that are held."""
    row, last = rows[at], rows[at - 1]
    size, before = row[0].size, last[0].size
    pitch = row[0].base - last[0].base
    usual = rows[held[1]][0].base - rows[held[0]][0].base if len(held) > 1 else 1.45 * max(size, before)
    left = min(rows[each][0].left for each in held[1:] or held)
    indented = 0.8 * size < row[0].left - left < 4 * size and len(held) > 1
    named = bool(label(" ".join(each.text for each in row)))
    return named or pitch > 1.25 * usual or abs(size - before) > 0.12 * before or indented or pitch <= 0


def _paragraph(rows: Sequence[Row], held: Sequence[int], page: int, first: int, body: float) -> Iterator[Block]:
    """Yield the block of lines: a word that is parted at the end of a line is one."""
    if not held:
        return
    text = ""
    places: list[tuple[int, Place]] = []
    for at in held:
        words = " ".join(each.text for each in rows[at])
        if text.endswith("-") and text[-2:-1].isalpha() and words[:1].islower():
            text = text[:-1]
        elif text.endswith("-") and text[-2:-1].isalpha() and words[:1].isupper():
            pass  # "Low-" and "Bit" are one name, with or without its stroke
        elif text:
            text += " "
        row = rows[at]
        box = (row[0].left, min(each.top for each in row), row[-1].right, max(each.bottom for each in row))
        places.append((len(text), Place(page, first + at, 1, box)))
        text += words
    size = rows[held[0]][0].size
    kind, level = _kind(text, size, body, page, len(held))
    if text.strip():
        yield Block(kind, text, tuple(places), level)


def _kind(text: str, size: float, body: float, page: int, lines: int) -> tuple[Kind, int]:
    if len(text) > LONGEST_HEADING or lines > 3 or not any(sign.isalpha() for sign in text):
        return "paragraph", 0
    if page == 1 and size > 1.4 * body:
        return "title", 0
    numbered = _NUMBERED.match(text)
    if numbered is not None and size > 1.02 * body and lines < 3:
        return "heading", numbered["number"].count(".") + 1
    outlined = _OUTLINED.fullmatch(text)
    if outlined is not None and lines == 1 and size > 0.95 * body:
        return "heading", 1 if outlined["roman"] else 2
    if size > 1.12 * body and not text.endswith("."):
        return "heading", 1 if size > 1.3 * body else 2
    return "paragraph", 0
