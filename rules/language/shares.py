"""Shares of another's value: "reaches 95 % of the baseline's speed", "with 30 % of the memory of the dense one"."""

from __future__ import annotations

from . import lexicon
from .comparison import Comparison, Frame, placed
from .governors import Dimension, Scene
from .quantity import Quantity

_HAVING = ("with", "at", "has", "have", "having")
_WHOSE = ("the", "its", "their", "our", "a", "an", "that", "those")
_WHOLE = ("entire", "whole", "total")
MOST_OF_SUBJECT = 14
MOST_MEASURED = 3
"""Tokens from a share to what it is one of."""


def share(scene: Scene, q: Quantity) -> tuple[Comparison, int] | None:
    """Return "reaches 95 % of the baseline's speed"; other shares are no comparisons."""
    left = {scene.tokens[k].low for k in scene.stretch(q.first - 1, -1, 7)}
    right = {scene.tokens[k].low for k in scene.stretch(q.last + 1, 1, 7)}
    at = scene.before_fillers(q.first)
    changed = scene.low(q.first - 1) == "to" or scene.low(at + 1) == "to"  # "cuts it to 62 % of the baseline"
    keeping = lexicon.classes("compare", "verbs").keys() if changed else lexicon.words("compare", "retaining")
    kept = left & keeping and right & lexicon.words("compare", "wholes")
    linked = scene.low(at) in lexicon.words("compare", "sharers")
    near = {*scene.tokens.lows(q.first - 5, q.first)}
    spending = near & lexicon.words("compare", "spending") and near & {"only", "just", "merely"}
    original = any(scene.low(k) in ("original", "baseline", "vanilla", "size") for k in scene.stretch(q.last + 1, 1, 3))
    spent = scene.dimension(scene.stretch(q.last + 1, 1, 4)) if spending else None
    spends = spent is not None and spent.direction < 0
    if not (kept or (linked and original) or spends or _of_another(scene, q)):
        return None
    if right & {"peak", "theoretical", "roofline", "hardware"}:
        return None
    subject = scene.stretch((at if scene.low(at) == "(" else q.first) - 1, -1, MOST_OF_SUBJECT)
    whole = scene.dimension(scene.stretch(q.last + (scene.low(q.last) == "of"), 1, 8))
    dimension = whole or scene.dimension(subject) or Dimension("other", 0)
    below = q.high is not None and q.high < 100
    sense = "neutral" if not dimension.direction else "worse" if below == (dimension.direction > 0) else "better"
    return placed(scene, q.first, q.last + 1, Frame("percent_of", sense, dimension.name, q.value, q.high), q), q.first


def is_measured(scene: Scene, at: int) -> bool:
    """Whether a token names what is measured rather than a change."""
    return scene.dimension([at]) is not None and scene.entry(at, "nouns") is None


def _of_another(scene: Scene, q: Quantity) -> bool:
    """Whether a share is one of another's: "2 % of Foo", "with 30 % of the memory of the dense one"."""
    begin = q.last + (scene.low(q.last) == "of")
    name = scene.owners[begin]
    if name is not None:
        ended = scene.low(name.last) in ("in", "'s", "", ".", ",") or scene.stops(name.last)
        return name.kind in ("model", "library", "framework") and ended
    before = scene.low(at := scene.before_fillers(q.first))
    if scene.low(begin + 1) == "'s":  # "its memory is 58 % of Foo's smallest"
        weighed = scene.before(at, MOST_OF_SUBJECT) if before in lexicon.words("compare", "sharers") | {"and"} else None
        return weighed is not None and weighed.direction != 0
    if (before, scene.tokens.lows(begin, begin + 2)) == ("in", ["the", "time"]):
        return True
    has = before in (*_HAVING, *lexicon.words("compare", "spending"), *lexicon.words("compare", "retaining"))
    places = scene.stretch(begin, 1, MOST_MEASURED)
    owner = next((k for k in places if scene.low(k) == "of" and scene.dimension([k - 1]) is not None), None)
    return has and owner is not None and scene.low(owner + 1) in _WHOSE and scene.low(owner + 2) not in _WHOLE
