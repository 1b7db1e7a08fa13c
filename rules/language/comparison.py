"""A comparison: one frame that relates a value to another by a degree, as parity, or in words."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from msgspec import Struct

from . import lexicon
from .governors import Scene
from .lexicon import Phrases
from .quantity import Quantity
from .tokens import Place, over

MOST_OF_BASE, FARTHEST_BASE = 8, 14
_OPENS_BASE = ("than", "als", "as", "to", "over", "vs", "versus", "compared", "relative", "against")


class Comparison(Place, frozen=True):
    """A frame of comparison; its first token is that of the degree or of the governing word.

    Attributes:
        degree: the number; the lower end of a range; the old value of "from ... to"; None without a number.
        high: the upper end of a range, or the new value; else equal to `degree`.
        form: ratio, percent_more, percent_less, percent_of, points, from_to, parity or words.
        sense: better, worse, equal or neutral for the subject.
        dimension: time, memory, size, energy, cost, quality, communication, utilisation, work or other.
        qualifier: at_most, at_least, about or None.
        base: place of what is compared with ("than X"), or None.
        bare: whether no word governs the degree, as in a cell.
    """

    degree: Decimal | None
    high: Decimal | None
    form: str
    sense: str
    dimension: str
    qualifier: str | None = None
    base: tuple[int, int] | None = None
    bare: bool = False


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
    return Comparison(
        *over(scene.tokens, first, last), frame.degree, frame.high, frame.form, frame.sense, frame.dimension,
        quantity.qualifier if quantity is not None else None, _base(scene, last), frame.bare,
    )  # fmt: skip


def _base(scene: Scene, last: int) -> tuple[int, int] | None:
    """Return the place of what stands behind "than" or "over"."""
    tokens = scene.tokens
    begin = last - 1 if tokens[last - 1].low in _OPENS_BASE else last
    for at in range(begin, min(begin + FARTHEST_BASE, len(tokens))):
        found = than().match(tokens, at)
        if found or at < last:
            start = found[0][0] if found else last
            rest = scene.stretch(start, 1, tokens.past_words(start, MOST_OF_BASE) - start)
            return (tokens[rest[0]].start, tokens[rest[-1]].end) if rest else None
        if scene.stops(at):
            return None
    return None


@cache
def than() -> Phrases[str]:
    """Return the phrases that stand before what is compared with."""
    return lexicon.listed("compare", "than")
