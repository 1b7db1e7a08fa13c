"""The size of the problem at the points of a scaling statement: parameters, layers, elements of one example."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from ....schemas.submission import Claim, Table
from ...caching import fact
from ...case import Case
from ...language.printed import Span
from ..comparison.options import Same, same_value
from ..comparison.points import Point, ends, points, table_points
from ..document.told import said
from ..document.words import words_around
from .configuration import of_row, of_run
from .inputs import example_of

WORDS = {"parameters": "parameters", "layers": "layers", "example": "elements of one example"}


class Related(Struct, frozen=True):
    """The points that a statement relates, with their sizes.

    Attributes:
        points: the points.
        least: point, size in words and interval where the size that differs most is least; None where none differs.
        most: the same where it is greatest.
        kind: which size that is.
        unknown: sizes that are not known at all of the points, though at some, or that names alone do not tell.
        covered: whether points of one size stand at every device count.
        constant: whether the table holds a series of constant size that reaches the largest device count.
    """

    points: tuple[Point, ...]
    kind: str = ""
    least: tuple[Point, Span] | None = None
    most: tuple[Point, Span] | None = None
    unknown: tuple[str, ...] = ()
    covered: bool = False
    constant: bool = False

    @property
    def ratio(self) -> Decimal:
        """The ratio of greatest to least that the digits allow at the least; 1 where no size differs."""
        if self.least is None or self.most is None or self.least[1].high <= 0:
            return Decimal(1)
        return self.most[1].low / self.least[1].high


def related(claim: Claim, case: Case) -> Related:
    """Return the points that a claim relates: its base and its row, else all points of its table."""
    found, table = ends(claim, case), case.table(claim)
    if len(found) < 2:
        found = points(claim, case)
    sizes = [_sizes(point) for point in found]
    widest = max((_extremes(kind, found, sizes) for kind in WORDS), key=lambda item: item.ratio, default=Related(found))
    counts = {point.devices for point in found}
    most = max((count for count in counts if count is not None), default=None)
    series = _series_of(case, table) if table is not None else _series(found)
    covered = any(counts <= own for own in series)
    return Related(
        found,
        widest.kind,
        widest.least,
        widest.most,
        () if covered and _named(found) else _unknown(found, sizes),
        covered,
        any(len(own) > 1 and most in own for own in series),
    )


def _named(found: Iterable[Point]) -> bool:
    """Whether every point names its model or the number of its parameters."""
    return all("model" in point.options or "parameters" in _sizes(point) for point in found)


def _unknown(found: tuple[Point, ...], sizes: list[dict[str, Span]]) -> tuple[str, ...]:
    """Return the sizes that some of the points state and others do not; parameters where not even a name is one."""
    some = tuple(kind for kind in WORDS if 0 < sum(kind in size for size in sizes) < len(sizes))
    if not any("parameters" in size for size in sizes) and not _one_model(found):
        return ("parameters", *some)
    return some


def _sizes(point: Point) -> dict[str, Span]:
    found = of_run(point.side) if point.side is not None else {}
    found |= of_row(point.row) if point.row is not None else {}
    sizes = {key: size for key, size in found.items() if key in WORDS}
    one = example_of(point.options)
    if one is not None:
        sizes["example"] = Span(Decimal(one.elements), Decimal(one.elements))
    return sizes


def _one_model(found: Iterable[Point]) -> bool:
    """Whether all points name one model."""
    names = [point.options.get("model") for point in found]
    return bool(names) and all(name is not None and same_value("model", names[0], name) is Same.EQUAL for name in names)


def _extremes(kind: str, found: tuple[Point, ...], sizes: list[dict[str, Span]]) -> Related:
    known = [(point, size[kind]) for point, size in zip(found, sizes, strict=True) if kind in size]
    if len(known) < 2:
        return Related(found)
    return Related(found, kind, min(known, key=lambda item: item[1].high), max(known, key=lambda item: item[1].low))


@fact
def _series_of(case: Case, table: Table) -> list[set[int | None]]:
    return _series(table_points(table, case))


def _series(found: Iterable[Point]) -> list[set[int | None]]:
    """Return the device counts of every series of points that agree in all sizes and in the model's name."""
    series: dict[object, set[int | None]] = {}
    for point in found:
        sizes = sorted(_sizes(point).items())
        key = (point.options.get("model"), *((kind, size.low, size.high) for kind, size in sizes))
        series.setdefault(key, set()).add(point.devices)
    return list(series.values())


def says_what_grows(claim: Claim, case: Case) -> bool:
    """Whether the sentence, a quote beside it or the caption says that the problem grows."""
    told = said(claim, "problem_size")
    return told or words_around(claim, case).has("problem_grows", affirmed=False)
