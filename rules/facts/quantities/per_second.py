"""Units of operations and work per second, and of time, as publications print them."""

from __future__ import annotations

import re
from decimal import Decimal

from msgspec import Struct

from ....schemas.pattern import Pattern
from ...caching import remembered

_SECONDS = {
    **dict.fromkeys(("ns", "nanoseconds"), "1e-9"),
    **dict.fromkeys(("us", "µs", "μs", "microseconds"), "1e-6"),
    **dict.fromkeys(("ms", "msec", "milliseconds"), "1e-3"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "1"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "60"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "3600"),
    **dict.fromkeys(("d", "day", "days"), "86400"),
}
_PREFIXES = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21}
_WORDS = (
    "samples?|images?|imgs?|tokens?|sequences?|seqs?|sentences?|frames?|examples?|items?|steps?|iterations?|requests?"
)
_DEVICE = r"(?P<device>\s*(?:/|per)\s*(?:device|gpu|chip|accelerator|core))?"
_OPERATIONS = Pattern(
    rf"(?P<prefix>[kMGTPEZ]?)(?P<word>flop|op)s?(?:\s*(?:/|per)\s*s(?:ec(?:ond)?)?)?{_DEVICE}", re.IGNORECASE
)
_WORK = Pattern(
    rf"(?P<prefix>[kKMG]?)\s*(?P<word>(?i:{_WORDS}))\s*(?:/|per)\s*(?P<time>[a-zµμ]+)(?i:{_DEVICE})",
)


_EACH = Pattern(
    r"\b(?:each|per|every|a single)[ -](?:\w+[ -]){0,2}(?:devices?|gpus?|chips?|accelerators?|tpus?|cards?)\b"
    r"|\b(?:devices?|gpus?|chips?|accelerators?|tpus?|cards?) each\b|(?:/|\bper )(?:device|gpu|chip|accelerator)\b",
    re.IGNORECASE,
)


def says_each(text: str) -> bool:
    """Whether a text says that a number is that of one device: "each device achieves 598 TFLOP/s"."""
    return _EACH.search(text) is not None


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


def seconds(unit: str | None) -> Decimal | None:
    """Return the seconds of a unit of time, or None where it is none that is known."""
    known = _SECONDS.get((unit or "").strip().casefold())
    return Decimal(known) if known is not None else None


def operations_per_second(unit: str | None) -> PerSecond | None:
    """Return a unit of operations per second: TFLOP/s, PFLOPS, TOPS, TFLOP/s/GPU; None where it is none."""
    match = _OPERATIONS.fullmatch((unit or "").strip())
    if match is None:
        return None
    prefix = match["prefix"] if match["prefix"] in _PREFIXES else match["prefix"].upper()
    return PerSecond(match["word"].casefold(), Decimal(1).scaleb(_PREFIXES[prefix]), match["device"] is not None)


@remembered(1024)
def work_per_second(unit: str | None) -> PerSecond | None:
    """Return a unit of work per second: images/s, ktokens/min, samples/s/GPU; None where it is none."""
    match = _WORK.fullmatch((unit or "").strip())
    time = seconds(match["time"]) if match is not None else None
    if match is None or time is None:
        return None
    return PerSecond(
        match["word"].casefold(), Decimal(1).scaleb(_PREFIXES[match["prefix"]]) / time, match["device"] is not None
    )


def times_over(unit: str | None, other: str | None) -> Decimal | None:
    """Return by what a number in a unit is multiplied to stand in another; None where they are of two kinds."""
    if unit == other:
        return Decimal(1)
    times = seconds(unit), seconds(other)
    if times[0] is not None and times[1] is not None:
        return times[0] / times[1]
    for read in (work_per_second, operations_per_second):
        rates = read(unit), read(other)
        if rates[0] is not None and rates[1] is not None:
            alike = (rates[0].word, rates[0].per_device) == (rates[1].word, rates[1].per_device)
            return rates[0].factor / rates[1].factor if alike else None
    return None
