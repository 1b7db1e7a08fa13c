"""Degrees that are words: "twice as fast", "half the memory", "doubles throughput", "cuts the time in half"."""

from __future__ import annotations

from . import lexicon
from .comparison import Comparison, Frame, placed
from .governors import Governor, Scene, right_of
from .quantity import Quantity
from .senses import scaled, sense_of
from .ties import left_of


def multiplier(scene: Scene, q: Quantity) -> tuple[Comparison, int] | None:
    """Return "twice as fast", "half the memory", "doubles throughput"."""
    at, low = q.first, scene.tokens[q.first].low
    if low == "half" and (scene.low(at - 1), scene.low(at + 1)) == ("than", "of"):  # a share
        return None
    governor = right_of(scene, q.last, "word")
    if low == "half" and scene.low(at - 1) in lexicon.words("compare", "halving") and governor is None:
        return _in_half(scene, q)
    if low in lexicon.words("compare", "multiplier_verbs") and (governor is None or governor.kind != "plain"):
        governor = _of_verb(scene, at) or governor
    if governor is None and low.endswith("fold"):
        governor = left_of(scene, at, "x")
    if governor is None or q.value is None:
        return None
    sense, name = sense_of(scene, scaled(governor, q), at, q.last)
    frame = Frame("ratio", sense, name, q.value, q.high)
    return placed(scene, min(at, governor.at), max(q.last, governor.at + 1), frame, q), governor.at


def _in_half(scene: Scene, q: Quantity) -> tuple[Comparison, int] | None:
    """Return "cuts the time in half", "is reduced by more than half"."""
    begin = q.first
    while scene.low(begin - 1) in lexicon.words("compare", "halving") | {"more"}:
        begin -= 1
    governor = left_of(scene, begin, "x")
    if governor is None or governor.kind not in ("verbs", "nouns"):
        return None
    sense, name = sense_of(scene, governor, q.first, q.last)
    return placed(scene, governor.at, q.last, Frame("ratio", sense, name, q.value, q.high), q), governor.at


def _of_verb(scene: Scene, at: int) -> Governor | None:
    """Return the governor of "doubles throughput" and "memory is halved": the verb itself."""
    if scene.dimension(scene.stretch(at + 1, 1, 6)) is not None:
        return Governor(at, "verbs", None, 1, False)
    joined = scene.low(at - 1) in ("and", "or", "of", ",")
    said = scene.tokens[at].low.endswith(("s", "d")) and not joined
    subject = scene.dimension(scene.stretch(at - 1, -1, 5)) if said else None
    return Governor(at, "verbs", None, 1, False) if subject is not None else None
