"""A comparison: one frame that relates a value to another by a degree, as parity, or in words."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from msgspec import Struct

from . import lexicon
from .governors import Scene
from .lexicon import Phrases
from .quantity import Quantity

MOST_OF_BASE, FARTHEST_BASE = 8, 14


class Comparison(Struct, frozen=True):
    """A frame of comparison.

    Attributes:
        first: first token, of the degree or the governing word.
        last: token after the last one.
        start: first place in the source.
        end: place after the last one.
        degree: the number; the lower end of a range; the old value of "from ... to"; None without a number.
        high: the upper end of a range, or the new value; else equal to `degree`.
        form: ratio, percent_more, percent_less, percent_of, points, from_to, parity or words.
        sense: better, worse, equal or neutral for the subject.
        dimension: time, memory, size, energy, cost, quality, communication, utilisation, work or other.
        qualifier: at_most, at_least, about or None.
        base: place of what is compared with ("than X"), or None.
        bare: whether no word governs the degree, as in a cell.
    """

    first: int
    last: int
    start: int
    end: int
    degree: Decimal | None
    high: Decimal | None
    form: str
    sense: str
    dimension: str
    qualifier: str | None = None
    base: tuple[int, int] | None = None
    bare: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """The place in the source."""
        return self.start, self.end


class Frame(Struct, frozen=True):
    """What a comparison says, before it has a place."""

    form: str
    sense: str
    dimension: str
    degree: Decimal | None = None
    high: Decimal | None = None
    bare: bool = False


def placed(scene: Scene, first: int, last: int, frame: Frame, quantity: Quantity | None = None) -> Comparison:
    """Return a frame as a comparison over some tokens."""
    tokens = scene.tokens
    qualifier = quantity.qualifier if quantity is not None else None
    return Comparison(
        first, last, tokens[first].start, tokens[last - 1].end, frame.degree, frame.high, frame.form, frame.sense,
        frame.dimension, qualifier, _base(scene, last), frame.bare,
    )  # fmt: skip


def _base(scene: Scene, last: int) -> tuple[int, int] | None:
    """Return the place of what stands behind "than" or "over"."""
    tokens = scene.tokens
    begin = last - 1 if tokens[last - 1].low in ("than", "als", "as", "to") else last
    for at in range(begin, min(begin + FARTHEST_BASE, len(tokens))):
        found = than().match(tokens, at)
        if found or at < last:
            rest = scene.stretch(found[0][0] if found else last, 1, MOST_OF_BASE)
            return (tokens[rest[0]].start, tokens[rest[-1]].end) if rest else None
        if scene.stops(at):
            return None
    return None


@cache
def than() -> Phrases[str]:
    """Return the phrases that stand before what is compared with."""
    return made_of(lexicon.table("compare")["than"])


def made_of(phrases: Sequence[str]) -> Phrases[str]:
    """Return phrases, each with itself as its value."""
    made: Phrases[str] = Phrases()
    for phrase in phrases:
        made.add(lexicon.cut(phrase), phrase)
    return made
