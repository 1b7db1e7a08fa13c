"""Batch and precision of two arms side by side, and what a document shows to compare them at equal ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ..quantities.performance import more_is_better
from .options import Same, compare_flat, flat, printed, same_value
from .points import Point, side_point

PRECISION = "precision.compute"
BATCHES = ("global_batch", "per_device_batch", "micro_batch")
LAYOUT_OF_BATCH = frozenset({*BATCHES, "accumulation", "batch_schedule"})
SERVING = frozenset({"request", "serving_window"})
LEAST_CURVE = 3
MOST_ARMS = 40
"""Of the arms of a document so many are looked at."""


class Factor(Struct, frozen=True):
    """Batch or precision of two arms.

    Attributes:
        name: which.
        same: whether both are known and agree.
        left: as the first arm has it; empty where it is not known.
        right: as the second arm has it.
    """

    name: str
    same: Same
    left: str
    right: str


def precision_of(left: Point, right: Point) -> Factor:
    """Compare the compute precision of two configurations."""
    values = [point.options.get(PRECISION) for point in (left, right)]
    words = [printed(value) if value is not None else "" for value in values]
    known = values[0] is not None and values[1] is not None
    return Factor("precision", same_value(PRECISION, *values) if known else Same.UNKNOWN, words[0], words[1])


def batch_of(claim: Claim, case: Case, left: Point, right: Point) -> Factor | None:
    """Compare the batch of two configurations, or return None where the claim's work has none.

    Equal where the global batch is, or the batch of one device: of several device counts the one is kept in strong
    scaling, the other in weak. A service that forms its batches itself has no batch of its own. In inference on equally
    many devices the batch is what passes through the model at a time; a global batch beside it is that of the training.
    """
    if claim.mode == "none" or (claim.scope in SERVING and _forms_batches(claim, case)):
        return None
    mine, other = _batches(left), _batches(right)
    passed = _passed(claim, left, right)
    if passed is not None:
        same = Same.EQUAL if passed[0] == passed[1] else Same.DIFFERENT
        return Factor("batch", same, f"{passed[0]}", f"{passed[1]}")
    shared = [key for key in BATCHES if key in mine and key in other]
    if not shared:
        words = [next((f"{found[key]}" for key in BATCHES if key in found), "") for found in (mine, other)]
        return Factor("batch", Same.UNKNOWN, words[0], words[1])
    key = shared[0]
    equal = mine[key] == other[key]
    if left.devices != right.devices and "per_device_batch" in shared:
        whole = _all_devices(left), _all_devices(right)
        equal = equal or mine["per_device_batch"] == other["per_device_batch"]
        equal = equal or (whole[0] is not None and whole[0] == whole[1])
    return Factor("batch", Same.EQUAL if equal else Same.DIFFERENT, f"{mine[key]}", f"{other[key]}")


def _passed(claim: Claim, left: Point, right: Point) -> tuple[int, int] | None:
    """Return the batches that pass through two models at a time in inference, as both state them; else None.

    A pipeline cuts a batch into micro batches without making it another one.
    """
    if claim.mode != "inference" or left.devices != right.devices:
        return None
    cut = any(point.options.get("pipeline_parallel") not in {None, 1} for point in (left, right))
    for key in ("per_device_batch",) if cut else ("micro_batch", "per_device_batch"):
        found = left.options.get(key), right.options.get(key)
        if isinstance(found[0], int) and isinstance(found[1], int):
            return found[0], found[1]
    return None


def _forms_batches(claim: Claim, case: Case) -> bool:
    metrics = case.metric(claim.measured), case.metric(claim.base)
    loads = [metric.load for metric in metrics if metric is not None and metric.load is not None]
    return len(loads) == 2 and all(load.batching is not None or load.concurrency is not None for load in loads)


def _batches(point: Point) -> Mapping[str, int]:
    found = {key: value for key in BATCHES if isinstance(value := point.options.get(key), int)}
    whole, devices = found.get("global_batch"), point.devices
    if "per_device_batch" not in found and whole is not None and devices and whole % devices == 0:
        found["per_device_batch"] = whole // devices
    return found


def _all_devices(point: Point) -> tuple[int, object] | None:
    """Return the batches of all devices together, with the accumulation; None where devices or batch are not known."""
    batch = point.options.get("per_device_batch")
    if not isinstance(batch, int) or point.devices is None:
        return None
    return batch * point.devices, point.options.get("accumulation")


@fact
def arms_with_options(case: Case) -> tuple[tuple[Side, Mapping[str, object]], ...]:
    """Return the first arms of a document that state options and a performance, with their options."""
    found = []
    for side in case.sides():
        if side.arm.options is not None and side.arm.performance:
            found.append((side, flat(side.arm.options)))
        if len(found) == MOST_ARMS:
            break
    return tuple(found)


def matched(claim: Claim, case: Case, subject: Side, base: Side, names: frozenset[str]) -> bool:
    """Whether the document compares the two arms at equal batch or precision, beside the claimed comparison.

    Some arm is one of the two in all but the differing factors, and has those of the other.
    """
    for side, other in ((subject, base), (base, subject)):
        for variant, found in arms_with_options(case):
            if variant.id in {subject.id, base.id} or variant.arm.system != side.arm.system:
                continue
            if _is_but(found, flat(side.arm.options), names) and _agree(claim, case, variant, other):
                return True
    return False


def _is_but(left: Mapping[str, object], right: Mapping[str, object], names: frozenset[str]) -> bool:
    """Whether two option sets differ in nothing but batch or precision, as far as HARD and STAT keys tell."""
    different = compare_flat(left, right).differing("HARD", "STAT")
    return all(_factor(key) in names for key, _, _ in different)


def _factor(key: str) -> str:
    if key.startswith("precision."):
        return "precision"
    return "batch" if key in LAYOUT_OF_BATCH else key


def _agree(claim: Claim, case: Case, left: Side, right: Side) -> bool:
    points = side_point(left), side_point(right)
    factors = [precision_of(*points), batch_of(claim, case, *points)]
    return all(factor is None or factor.same is Same.EQUAL for factor in factors)


def at_their_best(claim: Claim, case: Case, sides: tuple[Side, Side]) -> bool:
    """Whether each arm is the best of a curve over the batch that the document shows, of at least three points."""
    return all(_best_of_curve(claim, case, side) for side in sides)


def _best_of_curve(claim: Claim, case: Case, side: Side) -> bool:
    points = dict(_curve(claim, case, side))
    if len(points) < LEAST_CURVE or side.id not in points:
        return False
    values = {name: value for name, (_, value, _) in points.items()}
    higher = points[side.id][2]
    batches = {batch for batch, _, _ in points.values()}
    best = max(values.values()) if higher else min(values.values())
    return len(batches) >= LEAST_CURVE and values[side.id] == best


def changed_together(left: Point, right: Point) -> str:
    """Return devices or batch and precision, where two configurations differ in both; else nothing.

    A batch that grows with the devices is one change with them.
    """
    precision = precision_of(left, right)
    batches = [_batches(point) for point in (left, right)]
    known = left.devices is not None and right.devices is not None
    parts = []
    if known and left.devices != right.devices:
        parts.append(f"devices ({left.devices} against {right.devices})")
    elif all("global_batch" in found for found in batches) and batches[0] != batches[1]:
        parts.append(f"batch ({batches[0]['global_batch']} against {batches[1]['global_batch']})")
    if not parts or precision.same is not Same.DIFFERENT:
        return ""
    return f"{parts[0]} and precision ({precision.left} against {precision.right})"


def apart(case: Case, left: Side, right: Side) -> bool:
    """Whether the document shows an arm with the precision of one of two arms, and devices and batch of the other."""
    points = side_point(left), side_point(right)
    for variant, _ in arms_with_options(case):
        point = side_point(variant)
        for one, other in (points, points[::-1]):
            alike = (point.devices, _batches(point)) == (one.devices, _batches(one))
            same_model = point.options.get("model") == other.options.get("model")
            if alike and same_model and precision_of(point, other).same is Same.EQUAL:
                return True
    return False


def _framework(side: Side) -> object:
    framework = side.arm.software.framework if side.arm.software is not None else None
    return framework if isinstance(framework, str) else None


def _curve(claim: Claim, case: Case, side: Side) -> Iterator[tuple[str, tuple[int, float, bool]]]:
    own = flat(side.arm.options)
    for variant, found in arms_with_options(case):
        metrics = [item for item in variant.arm.performance.values() if item.quantity == claim.quantity and item.value]
        batches = _batches(side_point(variant))
        batch = batches.get("global_batch", batches.get("micro_batch"))
        if len(metrics) != 1 or batch is None or not _is_but(found, own, frozenset({"batch"})):
            continue
        if variant.arm.system != side.arm.system or compare_flat(found, own).differing("HARD"):
            continue
        if _framework(variant) != _framework(side):
            continue
        higher = more_is_better(metrics[0].quantity, metrics[0].unit)
        if higher is not None and metrics[0].value is not None:
            yield variant.id, (batch, float(metrics[0].value), higher)
