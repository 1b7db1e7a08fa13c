"""How the numbers of a table came about, by the words around them: measured, projected, derived, or only aimed at."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....schemas.pattern import Pattern
from .grids import Grid

_PROJECTED = (
    r"expected|projected|projections?|estimated|estimates?|est\.|anticipated|extrapolated|planned|"
    r"预期|预计|预估|估计|估算"
)
_DERIVED = r"theoretical|theoretic|roofline|na[iï]ve n ?[x×]?|ideal|理论|理想"
_NUMBERS = (
    r"(?:performance|speeds?|speed-?ups?|results?|numbers?|values?|throughputs?|latenc(?:y|ies)|times?|timings?|scaling|"
    r"gains?|improvements?|memory|efficiency|(?:t|g|p)?flops?|benchmarks?|figures?|costs?|runtimes?|tokens?)\b"
)
_ABOUT = r"(?: [\w%/-]+){0,2}? "
_CAPTION = (
    ("projected", re.compile(rf"\b(?:{_PROJECTED}){_ABOUT}{_NUMBERS}|(?:预期|预计|预估|估计|估算)")),
    ("derived", re.compile(rf"\b(?:theoretical|theoretic|ideal){_ABOUT}{_NUMBERS}|理论|理想")),
    (
        "target",
        re.compile(rf"\b(?:target|goal){_ABOUT}{_NUMBERS}|\bperformance (?:targets?|goals?)\b|性能目标|目标性能"),
    ),
)
_SAID = Pattern(
    rf"\b{_NUMBERS}[^.;|]{{0,40}} (?:is|are|was|were) (?:all |only |just |rough(?:ly)? )?"
    rf"(?P<how>{_PROJECTED}|theoretical|targets?)\b"
)
_MEASURED = Pattern(r"\b(?:measured|actual|observed|achieved)\b|实测|实际")
_HEADING = (
    (
        "target",
        re.compile(r"(?<!to )(?<!of )(?<!at )(?<!reach )(?<!over )(?<!the )(?<!vs )\b(?:targets?|goals?)\b|目标|目標"),
    ),
    (
        "projected",
        re.compile(
            rf"(?<!as )\b(?:{_PROJECTED.replace('est.', 'est')})\b(?! (?:calibration|value))|预期|预计|预估|估计|估算"
        ),
    ),
    ("derived", re.compile(rf"\b(?:{_DERIVED})(?![a-z])")),
)
_CELL = Pattern(
    r"\W*(?:(?P<projected>expected|projected|projection|estimated?|planned|extrapolated|预期|预计|计划)|"
    r"(?P<derived>theoretical|ideal|理论)|(?P<target>target|goal|目标))"
    r"(?: (?:run|peak|max(?:imum)?|limit|performance|value|result|scaling))?\W*"
)


def of_caption(grid: Grid) -> str:
    """Return what the headings above a table and the text before it say of its numbers; empty where nothing."""
    for text in (grid.title, grid.sentence, grid.above):
        plain = text.casefold()
        if _MEASURED.search(plain):
            return ""
        said = _SAID.search(plain)
        found = [name for name, pattern in _CAPTION if pattern.search(plain)]
        found += [of_heading(said["how"])] if said is not None else []
        if found:
            return found[0]
    return ""


def of_heading(heading: str) -> str:
    """Return what the heading of a column says of its numbers; empty where nothing."""
    plain = heading.casefold().replace("_", " ")
    found = [name for name, pattern in _HEADING if pattern.search(plain)]
    return found[0] if found and not _MEASURED.search(plain) else ""


def basis(heading: str, cells: Iterable[str], caption: str) -> str:
    """Return the basis of a claim of one number: as its column says, else its row, else the caption."""
    said = of_heading(heading) or of_cells(cells) or caption
    return said if said in {"projected", "derived"} else "measured"


def of_cells(texts: Iterable[str]) -> str:
    """Return what a cell of a row says of its numbers, where it says nothing else: "Planned", "Theoretical peak"."""
    for text in texts:
        match = _CELL.fullmatch(text.casefold()[:60])
        if match is not None:
            return next(name for name, word in match.groupdict().items() if word)
    return ""
