"""The sense of a governed degree: better or worse for the subject, and in which dimension."""

from __future__ import annotations

from . import lexicon
from .governors import Dimension, Governor, Scene
from .quantity import Quantity

OPPOSITE = {"better": "worse", "worse": "better"}
BEHIND, BEFORE, FAR = 5, 9, 20


def sense_of(scene: Scene, governor: Governor, first: int, last: int) -> tuple[str, str]:
    """Return the sense and the dimension of a degree over some tokens."""
    near = _nearest(scene, governor, first, last)
    if governor.inherent:
        return ("better" if governor.direction > 0 else "worse"), _own_dimension(scene, governor, near)
    if governor.dimension == "time" and (near is None or (near.direction and near.name != "time")):
        near = Dimension("time", -1)
    if near is None and governor.dimension == "size":
        near = Dimension("size", -1)
    if near is None or near.direction == 0 or _is_scale(scene, governor, near):
        return "neutral", near.name if near is not None else governor.dimension or "other"
    return ("better" if governor.direction * near.direction > 0 else "worse"), near.name


def _nearest(scene: Scene, governor: Governor, first: int, last: int) -> Dimension | None:
    """Return the dimension of the word that stands nearest: between, behind, before, and last of a value."""
    after = governor.at >= last
    between = scene.dimension(range(last, governor.at) if after else range(governor.at + 1, first))
    if governor.kind == "level":
        return scene.dimension(scene.stretch(governor.at, 1, BEHIND)) or between
    if governor.kind in ("adjectives", "plain"):
        found = scene.dimension(scene.stretch(governor.at + 1, 1, BEHIND)) or between
    elif between is None:
        found = (
            _of_noun(scene, governor)
            if governor.kind == "nouns" or after
            else scene.dimension(scene.stretch(last, 1, 3))
        )
    else:
        found = between
    if found is not None or (governor.inherent and governor.dimension):
        return found
    found = scene.dimension(scene.stretch(min(governor.at, first) - 1, -1, BEFORE))
    if found is None and not governor.dimension:
        found = scene.dimension(scene.stretch(max(last, governor.at + 1), 1, BEHIND + 1)) or by_quantity(scene, first)
    return found


def _is_scale(scene: Scene, governor: Governor, near: Dimension) -> bool:
    """Whether more of it is neither better nor worse: "10x larger models"."""
    if governor.direction < 0 or near.name != "size":
        return False
    behind = {scene.tokens[k].low for k in scene.stretch(governor.at + 1, 1, BEHIND)}
    return bool(behind & lexicon.words("compare", "scaled_up"))


def _of_noun(scene: Scene, governor: Governor) -> Dimension | None:
    """Return the dimension behind a noun of change: "reduction in memory"."""
    of = scene.low(governor.at + 1) in ("in", "of", "on", "for")
    return scene.dimension(scene.stretch(governor.at + 1, 1, BEHIND)) if of else None


def _own_dimension(scene: Scene, governor: Governor, near: Dimension | None) -> str:
    """Return the dimension of a governor that has a sense by itself."""
    open_word = scene.tokens[governor.at].low in lexicon.words("compare", "open_nouns")
    if near is not None and (governor.dimension is None or (open_word and near.direction)):
        return near.name
    return governor.dimension or "time"


def by_quantity(scene: Scene, first: int) -> Dimension | None:
    """Return the dimension of the nearest quantity that has one."""
    table = lexicon.table("compare")["by_quantity"]
    best: Quantity | None = None
    for at in range(max(0, first - FAR), min(first + FAR, len(scene.tokens))):
        q = scene.quantities[at]
        if q is not None and q.dimension in table and q.dimension not in ("percent", "points") and q.first != first:
            best = q if best is None or abs(q.first - first) < abs(best.first - first) else best
    return Dimension(*table[best.dimension]) if best is not None else None
