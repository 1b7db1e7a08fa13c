"""Which readings are those of the annotations: one to one, by place and meaning; and shares with their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Item = dict[str, Any]
ALIKE = 1e-4
Z = 1.96


def same(layer: str, gold: Item, pred: Item) -> bool:
    """Whether a reading is that of an annotation."""
    if layer == "stance":
        return bool(gold["kind"] == pred["kind"])
    if not overlap(gold["span"], pred["span"]):
        return False
    if layer == "quantities":
        return near(gold["value"], pred["value"]) and all(gold[key] == pred[key] for key in ("unit", "dimension"))
    if layer == "counts":
        return near(gold["value"], pred["value"]) and gold["of"] == pred["of"]
    if layer == "comparisons":
        return near(gold["degree"], pred["degree"]) and all(gold[key] == pred[key] for key in ("form", "sense"))
    return bool(gold["kind"] == pred["kind"])


def overlap(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two places share a character."""
    return a[0] < b[1] and b[0] < a[1]


def near(a: Any, b: Any) -> bool:
    """Whether two values, or two ranges, are equal up to rounding."""
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(near, a, b))
    if a is None or b is None:
        return a is b
    return bool(abs(a - b) <= ALIKE * max(abs(a), abs(b), 1e-12))


def paired(
    gold: Sequence[Item], pred: Sequence[Item], fits: Callable[[Item, Item], bool]
) -> tuple[list[Item], list[Item], list[Item]]:
    """Return what of the annotations was read, what was missed, and what was read beyond them."""
    left, hits, missed = list(pred), [], []
    for item in gold:
        at = next((k for k, other in enumerate(left) if fits(item, other)), None)
        if at is None:
            missed.append(item)
        else:
            left.pop(at)
            hits.append(item)
    return hits, missed, left


def share(hits: int, total: int) -> str:
    """Return a share with its Wilson interval of 95 %."""
    if not total:
        return "none"
    p = hits / total
    centre = (p + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z * math.sqrt(p * (1 - p) / total + Z * Z / (4 * total * total)) / (1 + Z * Z / total)
    return f"{p:.3f} [{centre - half:.3f}, {centre + half:.3f}] ({hits} of {total})"
