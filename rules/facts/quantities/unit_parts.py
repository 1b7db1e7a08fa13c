"""What stands on the sides of the strokes of a unit: of images/J a count and an energy."""

from __future__ import annotations

from msgspec import Struct

from ...caching import remembered
from ...language.reading import Reading, read


class Part(Struct, frozen=True):
    """One side of a unit: its words, and its dimension, quality or what it counts; empty where it is not understood."""

    words: Reading
    kind: str


@remembered(1024)
def unit_parts(unit: str | None) -> tuple[Part, ...]:
    """Return the sides of a unit in their order."""
    words = (unit or "").replace(" per ", "/").split("/")
    return tuple(Part(read(word.strip()), _kind(word.strip())) for word in words if word.strip())


def _kind(word: str) -> str:
    one = read(f"1 {word}")
    if read(word).metrics():
        return "quality"
    found = [item.dimension for item in one.quantities() if item.end == len(one.source)]
    return next(iter([*found, *(item.of for item in one.counts())]), "")
