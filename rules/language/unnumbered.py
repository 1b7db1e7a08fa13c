"""Comparisons without a stated degree: two values ("from 67 to 44 minutes"), parity, and plain words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from . import lexicon
from .comparison import Comparison, Frame, made_of, placed
from .governors import Dimension, Governor, Scene, efficient
from .lexicon import SOFT, Phrases
from .quantity import Quantity
from .senses import sense_of

MOST_BETWEEN = 9
"""Tokens between two values that are related."""


def pairs(scene: Scene) -> Iterator[Comparison]:
    """Yield "from A to B" and "A → B"."""
    usable = [q for q in scene.bound.quantities if q.value is not None and q.unit != "x" and not q.is_range]
    for old, new in itertools.pairwise(usable):
        if (
            old.unit != new.unit
            or old.dimension != new.dimension
            or new.first - old.last > MOST_BETWEEN
            or old.number is None
            or new.number is None
        ):
            continue
        between = [t.low for t in scene.tokens[old.last : new.first]]
        before = [t.low for t in scene.tokens[max(0, old.first - 4) : old.first]]
        arrow = bool(set(between) & lexicon.words("compare", "arrows"))
        if arrow or ({"to", "auf"} & set(between) and {"from", "von"} & set(before)):
            yield _pair(scene, old, new)
        elif "from" in between and "to" in before and _changes(scene, old.first):
            yield _pair(scene, new, old)


def _changes(scene: Scene, at: int) -> bool:
    verbs = scene.data["verbs"]
    return any(scene.tokens[k].low in verbs for k in scene.stretch(at - 1, -1, 10))


def _pair(scene: Scene, old: Quantity, new: Quantity) -> Comparison:
    near: Dimension | None = None
    first, last = min(old.first, new.first), max(old.last, new.last)
    if old.dimension in ("percent", "quality", "points", "data"):
        near = scene.dimension([*range(first, last), *scene.stretch(first - 1, -1, 12)])
    if near is None:
        table = scene.data["by_quantity"].get(old.dimension)
        near = Dimension(*table) if table else Dimension("other", 0)
    sense = "neutral"
    if near.direction and old.value is not None and new.value is not None and old.value != new.value:
        sense = "better" if (new.value > old.value) == (near.direction > 0) else "worse"
    low = old.number.low if old.number is not None else old.value
    high = new.number.low if new.number is not None else new.value
    return placed(scene, first, last, Frame("from_to", sense, near.name, low, high), old)


def parities(scene: Scene) -> Iterator[Comparison]:
    """Yield "as fast as", "on par with", "matches the accuracy of"."""
    for at, token in enumerate(scene.tokens):
        if scene.owners[at] is not None or not _parity().starts(token.low):
            continue
        hits = _parity().match(scene.tokens, at, SOFT)
        if not hits or (token.low == "as" and _is_degree(scene, at - 1)):
            continue
        end, phrase = hits[0]
        behind, before = scene.stretch(end, 1, 8), scene.stretch(at - 1, -1, 8)
        near = scene.dimension([*range(at, end), *behind, *before])
        words = (scene.data["plain"].get(scene.tokens[k].low) for k in range(at, end))
        plain = next((entry for entry in words if entry), None)
        if near is None and plain is None and phrase in lexicon.words("compare", "parity_contextual"):
            continue
        name = (
            near.name
            if near is not None
            else plain[0]
            if plain and plain[0]
            else "time"
            if "slower" in phrase
            else "other"
        )
        if plain and plain[0]:
            name = plain[0]
        yield placed(scene, at, end, Frame("parity", "equal", name))


def _is_degree(scene: Scene, at: int) -> bool:
    """Whether a factor stands before "as": "twice as fast as"."""
    return at >= 0 and (scene.quantities[at] is not None or scene.tokens[at].low in ("times", "half", "much"))


@cache
def _parity() -> Phrases[str]:
    return made_of(lexicon.table("compare")["parity"])


def plain_words(scene: Scene, governing: set[int]) -> Iterator[Comparison]:
    """Yield comparisons without a number: "faster than X", "outperforms"."""
    better, worse = lexicon.words("compare", "outdoing"), lexicon.words("compare", "underdoing")
    for at, token in enumerate(scene.tokens):
        if scene.owners[at] is not None or at in governing:
            continue
        if token.low in better or token.low in worse:
            behind, before = scene.stretch(at + 1, 1, 10), scene.stretch(at - 1, -1, 6)
            near = scene.dimension(behind) or scene.dimension(before)
            if token.low != "exceeds" or scene.dimension(before) is not None:
                sense = "better" if token.low in better else "worse"
                yield placed(scene, at, at + 1, Frame("words", sense, near.name if near else "other"))
        elif (found := _than(scene, at)) is not None:
            yield found


def _than(scene: Scene, at: int) -> Comparison | None:
    """Return "faster than X", "more efficient than X"; not "more than 8 GPUs"."""
    tokens = scene.tokens
    adjective = scene.entry(at, ("adjectives",))
    governor: Governor | None = (efficient(scene, at) if tokens[at].low in ("more", "less") else None) or adjective
    if governor is None or (at and tokens[at - 1].low in ("no", "not", "nor", "neither")):
        return None
    places = scene.stretch(governor.at + 1, 1, 8)
    end = next((k for k in places if tokens[k].low in ("than", "als")), None)
    if end is None or any(scene.quantities[k] is not None for k in range(at, end)):
        return None
    if at and tokens[at - 1].counts:
        return None
    if end + 1 < len(tokens) and (tokens[end + 1].counts or scene.quantities[end + 1] is not None):
        return None
    if governor.kind == "adjective" and any(scene.entry(k, ("adjectives",)) for k in range(governor.at + 1, end)):
        return None
    sense, name = sense_of(scene, governor, at, at)
    return placed(scene, at, end + 1, Frame("words", sense, name))
