"""Comparisons: who is how much faster, cheaper or better than what. All frames of a text, not one.

A frame has a degree (2x, 30 %, twice, half), its form, the sense for the subject, and a dimension. Without a degree
there are parity ("as fast as") and plain words ("outperforms"). A stated degree beats the two values beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from .binding import Bound
from .comparison import Comparison
from .degrees import stated
from .governors import Scene
from .names import Name
from .tokens import Token
from .unnumbered import pairs, parities, plain_words

NEAR = 14
"""Tokens between two values and the degree that says the same."""


def find_comparisons(tokens: Sequence[Token], names: Sequence[Name], bound: Bound) -> tuple[Comparison, ...]:
    """Return all comparisons of a text in their order."""
    scene = Scene(tokens, names, bound)
    found: list[Comparison] = []
    governing: set[int] = set()
    for item, governor in stated(scene):
        found.append(item)
        governing.add(governor)
    degrees = list(found)
    found += _unsaid(list(pairs(scene)), degrees)
    covered = {at for item in found for at in range(item.first, item.last)} | governing
    unnumbered = (*parities(scene), *plain_words(scene, governing))
    found += [item for item in unnumbered if covered.isdisjoint(range(item.first, item.last))]
    return tuple(sorted(found, key=lambda item: (item.first, item.last)))


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
