"""Units as headings and cells print them: work per second, times, bytes, operations per second, and their scales."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.columns import captioned, other_rate, units_of
from ....rules.language.text import normalised
from ....rules.language.tokens import Tokens, tokenise
from ....rules.language.units import COUNTED, Unit, unit_at

Dimension = Literal["rate", "time", "bytes", "flops", "percent", "times", "scale"]
STEPS = {"iteration", "step", "batch", "epoch"}
"""What a time is that of one of, without being said to be: s/it is a time."""
_NAMES = {0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
_TIMES = {"s": "s", "min": "min", "h": "h", "d": "days"}
_DIMENSIONS: dict[str, Dimension] = {"data": "bytes", "percent": "percent", "ratio": "times"}


class Measure(Struct, frozen=True):
    """A unit: what it measures, and by which power of ten its numbers stand for its base.

    Attributes:
        dimension: what it measures; `scale` is a bare suffix of a number.
        base: the unit without its power of ten: `tokens/s`, `s`, `min`, `s/token`, `B`, `iB`, `FLOP/s/GPU`.
        exponent: the power of ten.
    """

    dimension: Dimension
    base: str
    exponent: int = 0

    @property
    def sized(self) -> bool:
        """Whether the unit has prefixes of its own: ms, GB, TFLOP/s."""
        return self.dimension in {"time", "bytes", "flops"}

    def at(self, exponent: int) -> str:
        """Return the name of the unit with another power of ten."""
        if self.dimension == "time":
            name, slash, each = self.base.partition("/")
            return {-9: "ns", -6: "us", -3: "ms"}.get(exponent, name) + slash + each if name == "s" else self.base
        return _NAMES[exponent] + self.base if self.sized else self.base


def shifted(printed: str, exponent: int) -> str:
    """Return a number times a power of ten with the digits that are printed: 1.8 and 3 give 1.8e3, 750 and -3 0.750."""
    if exponent == 0:
        return printed
    value = Decimal(printed).scaleb(exponent)
    last = value.as_tuple().exponent
    if isinstance(last, int) and last <= 0 and "e" not in printed.casefold():
        return format(value, "f")
    digits, _, power = printed.casefold().partition("e")
    return f"{digits}e{int(power or 0) + exponent}"


@lru_cache(maxsize=1024)
def measure(text: str) -> Measure | None:
    """Return the unit that follows a number; None where it is none that is known."""
    bare = text.strip()
    bare = bare.rpartition("(")[0] if bare.endswith(")") and not bare.startswith("(") else bare
    bare = bare.strip(" ↑↓*†‡")
    scale = _scale(bare)
    if scale:
        return Measure("scale", "", scale)
    tokens = tokenise(normalised(bare.rstrip(".").replace(" / ", "/")))
    first = int(len(tokens) > 1 and bool(_scale(tokens[0].text)) and tokens[1].gap)
    unit = unit_at(tokens, first, numbered=False) if tokens else None
    if unit is not None and unit.last == len(tokens):
        if unit.dimension == "data_rate":
            return Measure("rate", bare)
        known = unit.dimension == "time" or unit.per in (None, *COUNTED)
        return _measured(tokens, unit, _scale(tokens[0].text) if first else 0) if known else None
    return Measure("rate", bare) if "(" not in bare and other_rate(f"({bare})") is not None else None


def _scale(text: str) -> int:
    """Return the power of ten that a suffix stands for: 3 of k; 0 for any other text."""
    numbers = lexicon.table("numbers")
    known = {**numbers["scale_words"], **numbers["suffixes"], "G": 10**9}
    return Decimal(known[text]).adjusted() if text in known and text != "b" else 0


def _measured(tokens: Tokens, unit: Unit, power: int = 0) -> Measure | None:
    """Return a unit of the reader by its base and its power of ten."""
    binary = unit.scale >= 1024 and unit.scale % 1000 != 0
    exponent = 3 * ((int(unit.scale).bit_length() - 1) // 10) if binary else unit.scale.adjusted()
    if not binary and unit.scale != Decimal(1).scaleb(exponent):
        return None  # bits are no power of ten of bytes
    device = _device(tokens, unit)
    if unit.name in _TIMES:
        each = f"/{unit.per}" if unit.per and unit.per not in STEPS else ""
        return Measure("time", _TIMES[unit.name] + each, exponent)
    if unit.name in ("FLOP", "FLOP/s") and unit.per in (None, *COUNTED):
        return Measure("flops", f"FLOP/s{device}", exponent)
    if unit.name in ("OP/s", "operations/s"):
        return Measure("rate", f"ops/s{device}", exponent + power)
    if unit.dimension == "rate" and not unit.name.endswith("/J"):
        each = device or (f"/{unit.per}" if unit.per not in (None, "device", "core") else "")
        return Measure("rate", unit.name + each, exponent + power)
    dimension = _DIMENSIONS.get(unit.dimension)
    if dimension is None or unit.per is not None:
        return None
    return Measure(dimension, "iB" if binary else unit.name, exponent)


def _device(tokens: Tokens, unit: Unit) -> str:
    """Return what a rate is counted per beside its time, as printed: "/GPU"."""
    known = lexicon.words("units", "devices") | lexicon.words("units", "cores") if unit.per else frozenset()
    named = next((low for low in tokens.lows(unit.first, unit.last) if low in known), "").removesuffix("s")
    return f"/{'GPU' if named == 'gpu' else named}" if named else ""


@lru_cache(maxsize=4096)
def _stated(heading: str) -> tuple[Measure, ...]:
    """Return the units that a heading states, in order."""
    tokens, units = units_of(heading)
    return tuple(found for unit in units if (found := _measured(tokens, unit)) is not None)


def in_time(unit: str, dimension: Dimension) -> Measure | None:
    """Return the unit that follows a number of a column that measures something: of a time, "m" are minutes."""
    return Measure("time", "min") if dimension == "time" and unit.strip() == "m" else measure(unit)


def time_in(heading: str) -> Measure | None:
    """Return the unit of time that stands in a heading: "(ms)", "in hours", "train time h", "Latency (ms/token)"."""
    return next((found for found in reversed(_stated(heading)) if found.dimension == "time"), None)


def bytes_in(heading: str) -> Measure | None:
    """Return the unit of memory that stands in a heading: "(GB)", "in GiB", "memory used gb"."""
    return next((found for found in _stated(heading) if found.dimension == "bytes"), None)


def rate_in(text: str) -> Measure | None:
    """Return the unit of work per time that stands in a heading."""
    return next((found for found in _stated(text.casefold()) if found.dimension == "rate"), None)


def other_rate_in(heading: str) -> str | None:
    """Return the unit of a work per second that is none of the known ones, where it stands in brackets: "(task/s)"."""
    work = other_rate(heading)
    if work is None:
        return None
    size = measure(work)
    if size is None or work == "s":  # S/s: samples
        return f"{work}/s" if size is None else "samples/s"
    return f"{size.at(size.exponent)}/s" if size.dimension == "bytes" else None


def rate_unit(text: str) -> str | None:
    """Return the unit of work per time that stands in a text, where it is not in thousands."""
    found = rate_in(text)
    return found.base if found is not None and not found.exponent else None


def rates_in(text: str) -> set[Measure]:
    """Return the units of work per time that stand in a text."""
    return {found for found in _stated(text.casefold()) if found.dimension == "rate"}


def captioned_in(text: str, concept: str) -> set[Measure]:
    """Return the units that a caption states of a quantity: "Latency in milliseconds"."""
    tokens = tokenise(normalised(text))
    return {found for unit in captioned(text, concept) if (found := _measured(tokens, unit)) is not None}
