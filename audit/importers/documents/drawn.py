"""Tables drawn with characters, in lines of text: with pipes, in frames, or with columns held apart by blanks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....schemas.pattern import Pattern
from .blocks import Cell, Place
from .marks import plain

LONGEST_LINE = 100_000
Line = tuple[int, int, str]
"""Number of a line, column of its first character, and its text."""
Rows = tuple[tuple[Cell, ...], ...]
_RULE = Pattern(r":?-+:?")
_FRAME = Pattern(r"\+[-=+:]{2,}\+")
_FRAMES = str.maketrans({
    **dict.fromkeys("│┃║|", "|"),
    **dict.fromkeys("─━═╌┄╍┅—", "-"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬┡┢┩┪╇╈╞╡╪╤╧╒╕╘╛╭╮╰╯┠┨┿╂", "+"),
})  # fmt: skip
_GAP = Pattern(r" {2,}|\t+")
_UNDER = Pattern(r"[-=]{2,}(?:[ +|]+[-=]{2,})*")
_NUMERIC = Pattern(r"[~<>≈$+-]*[0-9][0-9.,eE+%xX×/:-]*(?: ?[^\s0-9]{1,12})?")
LEAST_NUMERIC = 0.4
"""Share of the cells beside the first column that hold numbers where blanks alone make a table."""


def is_rule(text: str) -> bool:
    """Whether a line is the rule below the header of a pipe table."""
    if "-" not in text or len(text) > LONGEST_LINE:
        return False
    return all(_RULE.fullmatch(piece) for _, piece in _split(text))


def is_numeric(text: str) -> bool:
    """Whether a cell prints a number, with a unit or without."""
    return _NUMERIC.fullmatch(text) is not None


def parts(lines: Sequence[Line]) -> Iterator[tuple[Sequence[Line], Rows]]:
    """Yield the lines in parts: those of a text, without rows, and those of a table with its rows, the header first."""
    start = number = 0
    while number < len(lines):
        behind, rows = _table_at(lines, number)
        if not rows:
            number = max(behind, number + 1)
            continue
        if start < number:
            yield lines[start:number], ()
        yield lines[number:behind], rows
        start = number = behind
    if start < len(lines):
        yield lines[start:], ()


def _table_at(lines: Sequence[Line], first: int) -> tuple[int, Rows]:
    """Return the line behind the table that begins in a line, and its rows; without rows, no table begins before it."""
    text = lines[first][2]
    following = lines[first + 1][2] if first + 1 < len(lines) else ""
    if "|" in text and is_rule(following):
        return pipe_table(lines, first)
    drawn = text.strip().translate(_FRAMES)
    if drawn[:1] == "+" and _FRAME.fullmatch(drawn):
        return _framed(lines, first)
    if _GAP.search(text.strip()) is not None and (first == 0 or not _GAP.search(lines[first - 1][2].strip())):
        return _spaced(lines, first)
    return first, ()


def pipe_table(lines: Sequence[Line], first: int) -> tuple[int, Rows]:
    """Return the line behind a pipe table, and its rows without the rule."""
    behind = first + 2
    while behind < len(lines) and "|" in lines[behind][2] and len(lines[behind][2]) <= LONGEST_LINE:
        behind += 1
    kept = [lines[first], *lines[first + 2 : behind]]
    return behind, tuple(_cells(line, index == 0) for index, line in enumerate(kept))


def _cells(line: Line, header: bool) -> tuple[Cell, ...]:
    number, column, text = line
    return tuple(
        Cell(plain(piece.replace("\\|", "|")), Place(line=number, column=column + at), header)
        for at, piece in _split(text)
    )


def _split(text: str) -> list[tuple[int, str]]:
    """Return the cells of a line as written, with where each begins; an escaped pipe belongs to its cell."""
    found, start = [], 0
    for at in [*(index for index, sign in enumerate(text) if sign == "|" and text[index - 1 : index] != "\\"), -1]:
        piece = text[start : at if at >= 0 else len(text)]
        blank = len(piece) - len(piece.lstrip())
        found.append((start + min(blank, max(len(piece) - 1, 0)), piece.strip()))
        start = at + 1
    if found and not found[0][1] and text.lstrip().startswith("|"):
        found = found[1:]
    if found and not found[-1][1] and text.rstrip().endswith("|"):
        found = found[:-1]
    return found or [(0, "")]


def _framed(lines: Sequence[Line], first: int) -> tuple[int, Rows]:
    """Return the line behind a table in a frame, and its rows: what stands between two rules is one row.

    Where no rule parts the rows, as below the header of a database's output, each line is one.
    """
    behind = first
    bands: list[list[Line]] = [[]]
    while behind < len(lines) and (drawn := lines[behind][2].strip().translate(_FRAMES))[:1] in ("+", "|"):
        if _FRAME.fullmatch(drawn):
            bands.append([])
        else:
            number, column, text = lines[behind]
            bands[-1].append((number, column, text.translate(_FRAMES)))
        behind += 1
    bands = [band for band in bands if band]
    if len(bands) == 2 and len(bands[1]) > 1:
        bands = [bands[0], *([line] for line in bands[1])]
    rows = tuple(_joined([_cells(line, index == 0) for line in band]) for index, band in enumerate(bands))
    return behind, rows if len(rows) > 1 and len(rows[0]) > 1 else ()


def _joined(rows: Sequence[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Return the lines of one row as one: the words of each cell below each other are one text."""
    if len({len(row) for row in rows}) > 1:
        return rows[0]
    return tuple(
        Cell(" ".join(cell.text for cell in cells if cell.text), cells[0].place, cells[0].header)
        for cells in zip(*rows, strict=True)
    )


def _spaced(lines: Sequence[Line], first: int) -> tuple[int, Rows]:
    """Return the line behind a table whose columns blanks hold apart, and its rows.

    All rows have as many cells as the header, and numbers stand in enough of them; a rule below the header is no row.
    """
    behind = first
    rows: list[list[tuple[int, str]]] = []
    kept: list[Line] = []
    ruled = False  # "1_latency" above a rule of its own is a heading
    while behind < len(lines) and lines[behind][2].strip() and len(lines[behind][2]) <= LONGEST_LINE:
        line = lines[behind]
        drawn = len(rows) <= 1 and _UNDER.fullmatch(line[2].strip().translate(_FRAMES)) is not None
        ruled = ruled or (drawn and bool(rows) and len(_gapped(line[2])) == len(rows[0]))
        if not drawn:
            cells = _gapped(line[2])
            if rows and len(cells) > len(rows[0]):
                cells = _below(rows[0], cells)
            if rows and len(cells) != len(rows[0]):
                break
            rows.append(cells)
            kept.append(line)
        behind += 1
    beside = [text for row in rows[1:] for _, text in row[1:]]
    numeric = sum(is_numeric(text) for text in beside)
    headed = bool(rows) and (ruled or not any(is_numeric(text) for _, text in rows[0][1:]))
    if len(rows) < 3 or len(rows[0]) < 2 or not headed or numeric < LEAST_NUMERIC * len(beside):
        return first, ()
    return behind, tuple(
        tuple(Cell(plain(text), Place(line=line[0], column=line[1] + at), not index) for at, text in row)
        for index, (line, row) in enumerate(zip(kept, rows, strict=True))
    )


def _below(header: list[tuple[int, str]], cells: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return cells with those joined that stand below one heading: a number, and its deviation in brackets."""
    found: list[list[tuple[int, str]]] = [[] for _ in header]
    for at, text in cells:
        found[max(sum(start <= at for start, _ in header) - 1, 0)].append((at, text))
    joined = [held for held in found if held]
    asides = all(text.startswith(("(", "±", "+/-")) for held in joined for _, text in held[1:])
    return [(held[0][0], " ".join(text for _, text in held)) for held in joined] if asides else cells


def _gapped(text: str) -> list[tuple[int, str]]:
    found, start = [], len(text) - len(text.lstrip())
    body = text.rstrip()
    for gap in _GAP.finditer(body, start):
        found.append((start, body[start : gap.start()]))
        start = gap.end()
    return [*found, (start, body[start:])]
