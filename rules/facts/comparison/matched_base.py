"""Whether the base of a ratio differs from its row in nothing but what the ratio is about."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ....schemas.submission import Claim
from ...case import Case
from ...language.reading import read
from ...tables.names import plain
from .options import KEYS, compare_flat
from .points import Point, device_of_point
from .scaling_mode import label_of

STAT = ("global_batch", "batch_schedule", "normalisation_group")
SLACK = 0.01
INPUT = frozenset({"dataset", "preprocessing"})


class Match(Struct, frozen=True):
    """A row and a base side by side.

    Attributes:
        different: options that differ and may not, as (key, row, base).
        unknown: options that only one of them states.
        compared: whether any option is known on both sides.
    """

    different: tuple[tuple[str, object, object], ...]
    unknown: tuple[str, ...]
    compared: bool


def match(claim: Claim, case: Case, point: Point, base: Point) -> Match:
    """Compare a row with a base, without the options that the claim or its table names as the difference.

    Batches may differ except in strong scaling; layout and recipe may always. The inputs may where the base alone runs
    on synthetic ones and the words beside the number say so: it is a bound, over which the row can only look worse.
    """
    keys = set(KEYS["HARD"]) | ({"global_batch"} if label_of(claim, case)[0] == "strong" else set())
    keys = {key for key in keys if not _named(key, treatment(claim, case))}
    keys -= INPUT if _said_bound(claim, point, base) else frozenset()
    left, right = ({key: value for key, value in side.options.items() if key in keys} for side in (point, base))
    found = compare_flat(left, right)
    different = tuple(item for item in found.different if not _rounded(*item))
    ours, theirs = device_of_point(point, case), device_of_point(base, case)
    if ours is not None and theirs is not None and not _named("device", treatment(claim, case)):
        different += (("device", ours, theirs),) if plain(ours) != plain(theirs) else ()
    return Match(different, found.unknown, bool(found.equal or found.different))


def _said_bound(claim: Claim, point: Point, base: Point) -> bool:
    if not _synthetic(base) or _synthetic(point):
        return False
    definition = claim.base.definition if claim.base is not None else None
    words = [claim.statement, definition or "", *(item.quote for item in claim.said)]
    return any(read(text).has("without_real_input", affirmed=False) for text in words)


def _synthetic(point: Point) -> bool:
    measurement = point.side.arm.measurement if point.side is not None else None
    return measurement is not None and measurement.pipeline is not None and measurement.pipeline.kind == "synthetic"


def treatment(claim: Claim, case: Case) -> frozenset[str]:
    """Return the options that are named as the difference: by the claim, else by its table."""
    table = case.table(claim)
    named = claim.treatment or (table.varies if table is not None else ())
    attributed = {"precision": ("precision",), "batch": STAT, "system": ("system", "device")}
    return frozenset((*named, *attributed.get(claim.attribution or "", ())))


def _named(key: str, names: Iterable[str]) -> bool:
    aliases = {"device": {"device", "system", "hardware"}}.get(key, {key, key.partition(".")[0]})
    return bool(aliases & set(names))


def _rounded(key: str, left: object, right: object) -> bool:
    """Whether two batches differ by a remainder alone."""
    if key != "global_batch" or not isinstance(left, int) or not isinstance(right, int):
        return False
    return max(left, right) <= (1 + SLACK) * min(left, right)
