"""Comparisons: who is how much faster, cheaper or better than what. All frames of a text, not one.

A frame has a degree (2x, 30 %, twice, half), its form, the sense for the subject, and a dimension. Without a degree
there are parity ("as fast as") and plain words ("outperforms"). A stated degree beats the two values beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .binding import Bound
from .comparison import Comparison
from .degrees import stated
from .governors import Scene, governor
from .names import Name
from .tokens import Tokens
from .unnumbered import pairs, parities
from .wordings import wordings

NEAR = 14
"""Tokens between two values and the degree that says the same."""
LEADING, FAR = 6, 12
"""Tokens from a word to the degree that it leads to, and over a remark in brackets."""


def find_comparisons(tokens: Tokens, names: Sequence[Name], bound: Bound) -> tuple[Comparison, ...]:
    """Return all comparisons of a text in their order."""
    scene = Scene(tokens, names, bound)
    found: list[Comparison] = []
    governing: set[int] = set()
    for item, at in stated(scene):
        found.append(item)
        governing.add(at)
    degrees, values = list(found), list(pairs(scene))
    found += _unsaid(values, degrees)
    covered = {at for item in (*found, *values) for at in range(item.first, item.last)} | governing
    starts = {item.first: item.dimension for item in (*degrees, *values)}
    for item in (*parities(scene), *wordings(scene, governing)):
        led = item.form == "words" and _leads(scene, item, starts)
        if covered.isdisjoint(range(item.first, item.last)) and not led:
            found.append(item)
            covered.update(range(item.first, item.last))
    return tuple(sorted(found, key=lambda item: (item.first, item.last)))


def _leads(scene: Scene, item: Comparison, starts: Mapping[int, str]) -> bool:
    """Whether a degree or two values behind a word say what it says: "dropped from 9 to 4 ms", "gains, up to 3x"."""
    last, noun = item.last, governor("nouns", scene.low(item.last - 1), item.last - 1)
    stops = ("and",) if noun else ("and", ",")
    places = scene.stretch(last, 1, FAR)
    places = places[: next((n for n, at in enumerate(places) if scene.low(at) in stops), FAR)]
    behind = last + len(places)
    aside = scene.stretch(behind + 1, 1, FAR) if scene.low(behind) == "(" else []
    return not starts.keys().isdisjoint(places[:LEADING]) or item.dimension in (starts.get(at) for at in aside)


def _unsaid(values: Sequence[Comparison], degrees: Sequence[Comparison]) -> list[Comparison]:
    """Return the pairs of values beside which no degree says the same; both lists are in order."""
    stated_at = [item for item in degrees if not item.bare]
    kept: list[Comparison] = []
    begin = 0
    for pair in values:
        while begin < len(stated_at) and stated_at[begin].last < pair.first - NEAR:
            begin += 1
        near = stated_at[begin : begin + 1]
        if not any(max(other.first - pair.last, pair.first - other.last) < NEAR for other in near):
            kept.append(pair)
    return kept
