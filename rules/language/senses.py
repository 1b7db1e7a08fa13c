"""The sense of a governed degree: better or worse for the subject, and in which dimension."""

from __future__ import annotations

from msgspec.structs import replace

from . import lexicon
from .governors import Dimension, Governor, Scene
from .quantity import Quantity

OPPOSITE = {"better": "worse", "worse": "better"}
SCALED = ("level", "plain")
"""Governors of what a factor scales."""
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


def scaled(governor: Governor, q: Quantity) -> Governor:
    """Return what a factor below one makes of a level: "half the parameters" are fewer."""
    level = governor.kind in SCALED or (q.worded and governor.kind == "verbs")
    less = level and q.unit == "x" and q.high is not None and q.high < 1
    return replace(governor, direction=-governor.direction) if less else governor


def _nearest(scene: Scene, governor: Governor, first: int, last: int) -> Dimension | None:
    """Return the dimension of the word that stands nearest: between, behind, before, and last of a value."""
    at, after = governor.at, governor.at >= last
    between = scene.dimension(range(last, at) if after else range(at + 1, first))
    behind = scene.stretch(at + (governor.kind != "level"), 1, BEHIND)
    if governor.kind in ("level", "adjectives", "plain"):
        found = scene.dimension(behind) or between
        found = None if _miscounts(scene, governor, found) else found
        if found is None and scene.low(at) == "that":
            found = scene.subject(first)
    elif between is not None:
        found = between
    elif governor.kind == "nouns" or after:
        found = scene.dimension(behind) if scene.low(at + 1) in ("in", "of", "on", "for") else None
    else:
        found = scene.dimension(scene.before_end(scene.stretch(last, 1, 3), {"every", "each"}))
    if found is not None or governor.kind == "level" or (governor.inherent and governor.dimension):
        return found
    found = scene.before(min(at, first), BEFORE)
    if found is not None and governor.dimension == "size" and found.name in ("quality", "time"):
        return None
    found = None if _miscounts(scene, governor, found) else found
    if found is None and not governor.dimension:
        found = scene.dimension(scene.stretch(max(last, at + 1), 1, BEHIND + 1)) or _by_quantity(scene, first)
    return found


def _miscounts(scene: Scene, governor: Governor, found: Dimension | None) -> bool:
    """Whether an adjective measures what is only counted: devices are fewer, not lower."""
    counting = governor.kind != "adjectives" or scene.low(governor.at) in lexicon.words("compare", "counting")
    return not counting and found is not None and found.name == "other" and found.direction != 0


def _is_scale(scene: Scene, governor: Governor, near: Dimension) -> bool:
    """Whether more of it is neither better nor worse: "10x larger models"."""
    if governor.direction < 1 or governor.kind not in ("adjectives", "level", "plain"):
        return False
    behind = {scene.low(k) for k in scene.stretch(governor.at + (governor.kind != "level"), 1, BEHIND)}
    if near.name != "size":
        return near.name == "work" and not behind.isdisjoint(("data", "tokens"))
    if governor.kind == "level" and "size" in behind:
        return False
    return not behind.isdisjoint(lexicon.words("compare", "scaled_up"))


def _own_dimension(scene: Scene, governor: Governor, near: Dimension | None) -> str:
    """Return the dimension of a governor that has a sense by itself."""
    open_word = scene.low(governor.at) in lexicon.words("compare", "open_nouns")
    if near is not None and (governor.dimension is None or (open_word and near.direction)):
        return near.name
    return governor.dimension or "time"


def _by_quantity(scene: Scene, first: int) -> Dimension | None:
    """Return the dimension of the nearest quantity that has one."""
    table = lexicon.table("compare")["by_quantity"]
    around = {q.first: q for q in scene.quantities[max(0, first - FAR) : first + FAR] if q is not None}
    told = [q for q in around.values() if q.dimension in table and q.dimension not in ("percent", "points")]
    best = min((q for q in told if q.first != first), key=lambda q: abs(q.first - first), default=None)
    return Dimension(*table[best.dimension]) if best is not None else None
