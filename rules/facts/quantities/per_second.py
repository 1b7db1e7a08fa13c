"""Units of operations and work per second, and of time, as publications print them."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ...caching import remembered
from ...language.lexicon import words
from ...language.reading import read
from ...language.units import Unit, unit_of

SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "wk": 604800}
OPERATIONS = {"FLOP": "flop", "OP": "op", "operations": "op"}
EACH = frozenset({"device", "core"})
"""What a number of one device is counted per."""
TOKENS = frozenset({"token", "tokens"})
NO_SAMPLES = frozenset({"step", "steps", "iteration", "iterations", "request", "requests"})
"""Work that is neither samples nor a part of them."""


class PerSecond(Struct, frozen=True):
    """A unit of something per second.

    Attributes:
        word: what is counted, in lower case: flop, op, images, tokens.
        factor: how much of it one unit is.
        per_device: whether it is that of one device.
    """

    word: str
    factor: Decimal
    per_device: bool


def says_each(text: str) -> bool:
    """Whether a text says that a number is that of one device: "each device achieves 598 TFLOP/s"."""
    reading = read(text, "header")
    return reading.has("each_device") or any(item.per in EACH for item in reading.quantities())


def seconds(unit: str | None) -> Decimal | None:
    """Return the seconds of a unit of time, or None where it is none that is known."""
    found = unit_of(unit or "")
    return found.scale * SECONDS[found.name] if found is not None and found.name in SECONDS and not found.per else None


def operations_per_second(unit: str | None) -> PerSecond | None:
    """Return a unit of operations per second: TFLOP/s, PFLOPS, TOPS, TFLOP/s/GPU; None where it is none."""
    found = unit_of(unit or "")
    # a column of FLOPs holds their rate, too
    word = OPERATIONS.get(found.name.removesuffix("/s")) if found is not None else None
    return _per_second(word, found, found.scale) if found is not None and word else None


@remembered(1024)
def work_per_second(unit: str | None) -> PerSecond | None:
    """Return a unit of work per second: images/s, ktokens/min, samples/s/GPU; None where it is none."""
    found = unit_of(unit or "")
    if found is None or found.dimension != "rate":
        return None
    word, _, time = found.name.partition("/")
    period = seconds(time)
    return _per_second(word, found, found.scale / period) if period and word in words("units", "work") else None


def _per_second(word: str, unit: Unit, factor: Decimal) -> PerSecond | None:
    return PerSecond(word, factor, unit.per is not None) if unit.per is None or unit.per in EACH else None


def times_over(unit: str | None, other: str | None) -> Decimal | None:
    """Return by what a number in a unit is multiplied to stand in another; None where they are of two kinds."""
    if unit == other:
        return Decimal(1)
    times = seconds(unit), seconds(other)
    if times[0] is not None and times[1] is not None:
        return times[0] / times[1]
    for kind in (work_per_second, operations_per_second):
        rates = kind(unit), kind(other)
        if rates[0] is not None and rates[1] is not None:
            alike = (rates[0].word, rates[0].per_device) == (rates[1].word, rates[1].per_device)
            return rates[0].factor / rates[1].factor if alike else None
    return None
