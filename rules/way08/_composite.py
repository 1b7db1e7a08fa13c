"""Numbers put together from several rows: totals, means and curves, and whether one option set was measured whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case
from ..facts.comparison.options import KEYS, Same, same_value
from ..facts.comparison.points import Point, table_points
from ..facts.comparison.treatment import treated
from ..language.reading import read

RECIPE = frozenset({"optimizer", "dropout", "stochastic_depth"})
"""How a model is trained belongs to the model: two models with two optimizers are no composite."""
AXES = frozenset({"devices", "nodes", "global_batch", "input_length", "per_device_batch", "micro_batch"})
PROBLEM = frozenset({"model", "weights", "dataset", "preprocessing", "input_shape", "input_length"})
MOST_SETS = 100
METHOD = tuple(key for key in KEYS["HARD"] if key not in PROBLEM)


class Parts(Struct, frozen=True):
    """The rows of which a number is made.

    Attributes:
        kind: total, mean or curve.
        at: place of the table.
        points: the rows.
        different: method keys that differ between two of them, as (key, one, other).
        unknown: method keys that some of them state and some do not.
        whole: whether the rows of one option set hold every part.
    """

    kind: str
    at: str
    points: tuple[Point, ...]
    different: tuple[tuple[str, object, object], ...]
    unknown: tuple[str, ...]
    whole: bool


def parts_of(claim: Claim, case: Case) -> Parts | None:
    """Return the parts of a claim about a whole table: of its aggregate or its curve; None where it is neither.

    Rows that differ in nothing but what a comparison studies are its two sides, and make no curve.
    """
    table, row = case.table(claim), case.row(claim)
    if table is None or (row is not None and not _aggregates(table, claim, row)):
        return None
    curve = table.aggregator is None
    if curve and not AXES & set(table.varies):
        return None
    found = tuple(point for point in table_points(table, case) if point.row is not row)
    if len(found) < 2:
        return None
    kind = "curve" if curve else "total" if table.aggregator == "total" else "mean"
    options = [{key: point.options[key] for key in METHOD if key in point.options} for point in found]
    places = [_part(point) for point in found]
    differing = _differing(found, options)
    different = tuple(item for item in differing if not _under_study(claim, *item))
    if curve and differing and not different:
        return None
    whole = len(set(places)) == 1 or _one_covers(options, places)
    return Parts(kind, table.at, found, different, _unknown(options), whole)


def _under_study(claim: Claim, key: str, one: object, other: object) -> bool:
    """Whether a comparison names a difference as what it compares: two sides of it are no parts of a curve."""
    if claim.compares == "none" or claim.form == "efficiency":
        return False
    formats = {one, other} <= set(read(claim.statement).formats())
    return formats or treated(claim, *key.split("."))


def settings_apart(parts: Parts) -> tuple[tuple[str, object, object], ...]:
    """Return the further settings (`extra`) in which parts differ; none where those of one part were used for all."""
    stated = [_extra(point) for point in parts.points]
    if sum(map(bool, stated)) < 2 or _one_covers(stated, [(*_part(point), point.id) for point in parts.points]):
        return ()
    return _different(stated)


def _extra(point: Point) -> dict[str, object]:
    held = [point.side.arm.options] if point.side is not None else []
    held += [point.row.options] if point.row is not None else []
    return {key: value for options in held if options is not None for key, value in options.extra.items()}


def _differing(points: tuple[Point, ...], options: list[dict[str, object]]) -> tuple[tuple[str, object, object], ...]:
    """Return the keys that differ between parts: what belongs to a model's recipe, among the rows of one model."""
    found = {key: (key, one, other) for key, one, other in _different(options) if key not in RECIPE}
    models: dict[tuple[object, object], list[dict[str, object]]] = {}
    for point, stated in zip(points, options, strict=True):
        models.setdefault((point.options.get("model"), point.options.get("dataset")), []).append(stated)
    for rows in models.values():
        found |= {item[0]: item for item in _different(rows) if item[0] in RECIPE}
    return tuple(found.values())


def _aggregates(table: Table, claim: Claim, row: Row) -> bool:
    """Whether a row is the aggregate of the others, by its name."""
    name = row.label or (claim.row.row if claim.row is not None else None) or ""
    return table.aggregator is not None and read(name).has("aggregate")


def _part(point: Point) -> tuple[object, ...]:
    """Return what tells one part from another: the problem it solves and where it stands on the axis."""
    axis = (point.devices, point.row.nodes if point.row is not None else None, point.global_batch)
    sizes = point.row.parameters if point.row is not None else None
    return (*axis, sizes, *(point.options.get(key) for key in sorted(PROBLEM)))


def _one_covers(options: list[dict[str, object]], places: list[tuple[object, ...]]) -> bool:
    """Whether the rows that do not differ from some one option set hold every part.

    Where there are more than `MOST_SETS` option sets, that is taken for granted: each pair of them costs time.
    """
    held: dict[frozenset[tuple[str, object]], set[tuple[object, ...]]] = {}
    for one, place in zip(options, places, strict=True):
        held.setdefault(frozenset(one.items()), set()).add(place)
    if len(held) > MOST_SETS:
        return True
    every = set(places)
    return any(
        every == set().union(*(parts for other, parts in held.items() if not _different([dict(one), dict(other)])))
        for one in held
    )


def _different(options: Iterable[Mapping[str, object]]) -> tuple[tuple[str, object, object], ...]:
    first: dict[str, object] = {}
    found: dict[str, tuple[str, object, object]] = {}
    for stated in options:
        for key, value in stated.items():
            other = first.setdefault(key, value)
            if key not in found and same_value(key, other, value) is Same.DIFFERENT:
                found[key] = (key, other, value)
    return tuple(found.values())


def _unknown(options: list[dict[str, object]]) -> tuple[str, ...]:
    stated = {key for one in options for key in one}
    return tuple(key for key in METHOD if key in stated and any(key not in one for one in options))
