"""Tables that Markdown sets as formulas: the arrays and tabulars of LaTeX between signs of dollar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....schemas.pattern import Pattern
from .blocks import Cell, Place
from .drawn import Line, Rows

_BEGIN = Pattern(r"\\begin\{(?:array|tabular)\}(?:\{[^{}]{0,80}\})?")
_END = "\\end{array}", "\\end{tabular}"
_ROW = Pattern(r"\\\\(?:\[[^\[\]]{0,20}\])?")
_DRAWN = Pattern(r"\\(?:hline|toprule|midrule|bottomrule|left|right|displaystyle|quad)\b|\$")
_STYLED = Pattern(r"\\(?:text(?:bf|it|rm|tt|sf)?|mathrm|mathbf|mathit|emph)\{([^{}]{0,200})\}")
_SIGNS = (("\\mu", "µ"), ("\\%", "%"), ("\\times", "×"), ("\\pm", "±"), ("\\approx", "~"), ("\\_", "_"), ("\\,", " "))
_SPACED_UNIT = Pattern(r"µ +s\b")


def array_in(lines: Sequence[Line]) -> Rows:
    """Return the rows of the first array of a paragraph, the header first; nothing where none is whole, or has rows."""
    if not any("\\begin{" in text for _, _, text in lines):
        return ()
    rows = tuple(_rows(lines))
    return rows if len(rows) > 1 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1 else ()


def _rows(lines: Sequence[Line]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows, each with the places where its cells begin; a row may stand on several lines."""
    inside, header = False, True
    held: list[list[tuple[int, int, str]]] = [[]]
    for line, column, text in lines:
        at = 0
        if not inside:
            begin = _BEGIN.search(text)
            if begin is None:
                continue
            inside, at = True, begin.end()
        ends = [place for end in _END if (place := text.find(end, at)) >= 0]
        stop = min(ends, default=len(text))
        for index, part in enumerate(_parts(text, at, stop)):
            if index:
                yield from _row(held, header)
                header, held = header and not any(_shown(piece) for cell in held for piece in cell), [[]]
            for number, (start, words) in enumerate(_split(text, *part)):
                if number:
                    held.append([])
                held[-1].append((line, column + start, words))
        if ends:
            yield from _row(held, header)
            return


def _row(held: list[list[tuple[int, int, str]]], header: bool) -> Iterator[tuple[Cell, ...]]:
    texts = [" ".join(filter(None, map(_shown, cell))) for cell in held]
    if any(texts):
        first = [next((piece for piece in cell if _shown(piece)), cell[0]) for cell in held if cell]
        yield tuple(
            Cell(text, Place(line=line, column=column), header)
            for text, (line, column, _) in zip(texts, first, strict=False)
        )


def _parts(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a line that belong to one row each."""
    for found in _ROW.finditer(text, start):
        if found.start() >= stop:
            break
        yield start, found.start()
        start = found.end()
    yield start, stop


def _split(text: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
    """Yield the cells of a stretch, each with where its words begin."""
    for piece in text[start:stop].split("&"):
        yield start + len(piece) - len(piece.lstrip()), piece
        start += len(piece) + 1


def _shown(piece: tuple[int, int, str]) -> str:
    """Return the words of a cell without the commands that set them."""
    text = _STYLED.sub(r"\1", piece[2])
    for command, sign in _SIGNS:
        text = text.replace(command, sign)
    return _SPACED_UNIT.sub("µs", " ".join(_DRAWN.sub(" ", text).split()))
