"""Comparisons: who is how much faster, cheaper or better than what. All frames of a text, not one.

A frame has a degree (2x, 30 %, twice, half), its form, the sense for the subject, and a dimension. Without a degree
there are parity ("as fast as") and plain words ("outperforms"). A stated degree beats the two values beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .binding import Bound
from .comparison import Comparison, Frame, placed
from .degrees import stated
from .governors import Scene, governor
from .names import Name
from .tokens import Tokens
from .unnumbered import pairs, parities
from .wordings import wordings

NEAR = 14
"""Tokens between two values and the degree that says the same."""
REMARK = 4
"""Tokens of the remark that sums up two values."""
LEADING, FAR, LONGEST = 6, 12, 20
"""Tokens from a word to the degree that it leads to, and over a remark in brackets."""


def find_comparisons(tokens: Tokens, names: Sequence[Name], bound: Bound) -> tuple[Comparison, ...]:
    """Return all comparisons of a text in their order."""
    scene = Scene(tokens, names, bound)
    found: list[Comparison] = []
    governing: set[int] = set()
    for item, at in stated(scene):
        found.append(item)
        governing.add(at)
    values = list(pairs(scene))
    ends = {item.last for item in found if not item.bare}
    sums = [said for pair in values if (said := _summed(scene, pair)) is not None and said.last not in ends]
    ends = {item.last for item in sums}
    found = [item for item in found if item.last not in ends] + sums
    degrees = list(found)
    found += _unsaid(values, degrees)
    covered = {at for item in (*found, *values) for at in range(item.first, item.last)} | governing
    starts = {item.first: item for item in (*degrees, *values)}
    for item in (*parities(scene), *wordings(scene, governing)):
        led = item.form == "words" and _leads(scene, item, starts)
        if covered.isdisjoint(range(item.first, item.last)) and not led:
            found.append(item)
            covered.update(range(item.first, item.last))
    return tuple(sorted(found, key=lambda item: (item.first, item.last)))


def _summed(scene: Scene, pair: Comparison) -> Comparison | None:
    """Return the degree in brackets that says what two values before it do: "from 90 to 630 tok/s (7x)"."""
    inside = scene.stretch(pair.last + 1, 1, REMARK) if scene.low(pair.last) == "(" else []
    q = next((q for k in inside if (q := scene.quantities[k]) is not None), None)
    if q is None or q.value is None or q.unit not in ("x", "%") or scene.low(q.last) not in (")", ","):
        return None
    form = "ratio" if q.unit == "x" else "percent_more" if (pair.high or 0) > (pair.degree or 0) else "percent_less"
    frame = Frame(form, pair.sense, pair.dimension, abs(q.value), abs(q.high or q.value))
    return placed(scene, pair.first, q.last, frame, q)


def _leads(scene: Scene, item: Comparison, starts: Mapping[int, Comparison]) -> bool:
    """Whether a degree or two values behind a word say what it says: "dropped from 9 to 4 ms", "gains, up to 3x"."""
    noun = governor("nouns", scene.low(item.last - 1), item.last - 1)
    places = scene.stretch(item.last, 1, LONGEST)
    places = places[: next((n for n, at in enumerate(places) if _breaks(scene, at, noun is not None)), LONGEST)]
    behind = item.last + len(places)
    aside = scene.stretch(behind + 1, 1, FAR) if scene.low(behind) in ("(", "with") else []
    inside = [starts[at] for at in aside if at in starts and (starts[at].base is None or item.base is None)]
    told = [said.dimension for said in (*inside, *(starts[at] for at in places if at in starts))]
    vague = item.dimension == "other"
    return not starts.keys().isdisjoint(places[:LEADING]) or (bool(inside) if vague else item.dimension in told)


def _breaks(scene: Scene, at: int, noun: bool) -> bool:
    """Whether a new statement begins at a token; not at the comma of "superior throughput, achieving 2x"."""
    tied = noun or scene.low(at + 1).endswith("ing") or scene.low(at + 1) in ("with", "by", "up", "from")
    return scene.low(at) == "and" or (scene.low(at) == "," and not tied)


def _unsaid(values: Sequence[Comparison], degrees: Sequence[Comparison]) -> list[Comparison]:
    """Return the pairs of values beside which no degree says the same; both lists are in order."""
    stated_at = [item for item in degrees if not item.bare]
    kept: list[Comparison] = []
    begin = 0
    for pair in values:
        while begin < len(stated_at) and stated_at[begin].last < pair.first - NEAR:
            begin += 1
        near = [other for other in stated_at[begin : begin + 1] if other.dimension in (pair.dimension, "other")]
        if not any(max(other.first - pair.last, pair.first - other.last) < NEAR for other in near):
            kept.append(pair)
    return kept
