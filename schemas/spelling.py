"""The right spelling of a value that was written as it was printed: what to write instead, for the messages."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable

from msgspec import Struct

_NUMBER = r"-?[0-9][0-9,]*(?:\.[0-9]+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|—|to)\s*({_NUMBER})\s*(\D*)")
_SCALED = re.compile(rf"({_NUMBER})\s*([kKMBGT])")
_PLUS_MINUS = re.compile(rf"({_NUMBER})\s*(?:±|\+/-|\+-)\s*({_NUMBER})\s*(\D*)")
_WITH_UNIT = re.compile(rf"({_NUMBER})\s*([^\s.,0-9].{{0,30}})")
_CLOCK = re.compile(r"([0-9]{1,4}):([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]+)?))?")
_DURATION = re.compile(
    r"(?:([0-9]{1,5})\s*(?:d|days?),?\s*)?(?:([0-9]{1,5})\s*(?:h|hr|hrs|hours?),?\s*)?"
    r"(?:([0-9]{1,5})\s*(?:m|min|mins|minutes?),?\s*)?(?:([0-9]{1,5})\s*(?:s|sec|secs|seconds?))?"
)
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_QUALIFIED = re.compile(rf"(~|≈|about|around|>=|≥|>|<=|≤|<|up to|over|nearly)\s*({_NUMBER})\s*(\D*)", re.IGNORECASE)
_QUALIFIERS = {
    "~": "about", "≈": "about", "about": "about", "around": "about", ">=": "at_least", "≥": "at_least", ">": "over",
    "over": "over", "<": "less_than", "<=": "up_to", "≤": "up_to", "up to": "up_to", "nearly": "nearly",
}  # fmt: skip
_EXPONENTS = {"k": "e3", "K": "e3", "M": "e6", "G": "e9", "B": "e9", "T": "e12"}
_MONTH = re.compile(r"([0-9]{4})[-/](0?[1-9]|1[0-2])")
_DAY = re.compile(r"([0-9]{4})[/.](0?[1-9]|1[0-2])[/.](0?[1-9]|[12][0-9]|3[01])")
LONGEST = 60


class Parts(Struct, frozen=True):
    """What a printed number says.

    Attributes:
        value: its digits; of a range those of its higher end.
        unit: what stands behind it, or what a duration is in.
        qualifier: what stands before it, as a claim names it; of a range up_to.
        low: the lower end of a range.
        spread: what stands behind a plus-minus sign.
    """

    value: str
    unit: str = ""
    qualifier: str = ""
    low: str = ""
    spread: str = ""


def parts(text: str) -> Parts | None:
    """Return what a number says that was printed with more than its digits; None where that is not known."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST or _PLAIN.fullmatch(plain):
        return None
    return next((found for read in _NUMBERS if (found := read(plain)) is not None), None)


def number(text: str) -> str:
    """Return how to write a number that was printed with more than its digits; empty where that is not known."""
    found = parts(text)
    if found is None:
        return ""
    if found.low:
        return (
            f'the number of the headline, such as "{found.value}" with `qualifier: up_to`, and beside it '
            f'`range: {{low: "{found.low}", high: "{found.value}", where: same_place}}`{_unit(found.unit)}'
        )
    qualified = f" with `qualifier: {found.qualifier}`" if found.qualifier else ""
    spread = f', and "{found.spread}" under `plus_minus` of the number in its arm' if found.spread else ""
    return f'"{found.value}"{qualified}{_unit(found.unit)}{spread}'


def _qualified(text: str) -> Parts | None:
    match = _QUALIFIED.fullmatch(text)
    return Parts(_digits(match[2]), match[3].strip(), _QUALIFIERS[match[1].lower()]) if match is not None else None


def _ranged(text: str) -> Parts | None:
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    return Parts(_digits(match[2]), match[3].strip(), "up_to", low=_digits(match[1]))


def _spread(text: str) -> Parts | None:
    match = _PLUS_MINUS.fullmatch(text)
    return Parts(_digits(match[1]), match[3].strip(), spread=_digits(match[2])) if match is not None else None


def _scaled(text: str) -> Parts | None:
    match = _SCALED.fullmatch(text)
    return Parts(f"{_digits(match[1])}{_EXPONENTS[match[2]]}") if match is not None else None


def _duration(text: str) -> Parts | None:
    clock = _CLOCK.fullmatch(text)
    if clock is not None and clock[3] is not None:
        whole = int(clock[1]) * 3600 + int(clock[2]) * 60
        seconds = f"{whole + int(clock[3])}" if "." not in clock[3] else f"{whole + float(clock[3]):.3f}".rstrip("0")
        return Parts(seconds, "s")
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groups()) or text.isdecimal():
        return None
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    if match[4] is None and match[3] is not None:
        return Parts(f"{(days * 24 + hours) * 60 + minutes}", "min")
    if match[4] is None and match[3] is None:
        return Parts(f"{days * 24 + hours}", "h")
    return Parts(f"{((days * 24 + hours) * 60 + minutes) * 60 + rest}", "s")


def _plain(text: str) -> Parts | None:
    match = _WITH_UNIT.fullmatch(text)
    if match is not None and not match[2][0].isdecimal():
        return Parts(_digits(match[1]), match[2].strip())
    digits = _digits(text)
    return Parts(digits) if digits != text and re.fullmatch(_NUMBER, digits) else None


_NUMBERS: tuple[Callable[[str], Parts | None], ...] = (_qualified, _spread, _ranged, _scaled, _duration, _plain)


def _digits(text: str) -> str:
    """Return a number without separators of thousands and zeros in front."""
    return re.sub(r"^(-?)0+(?=[0-9])", r"\1", text.replace(",", "").strip())


def _unit(text: str) -> str:
    unit = text.strip()
    written = unit if unit in {"s", "min", "h"} else f'"{unit}"'
    return f" with `unit: {written}`" if unit else ""


def day(text: str) -> str:
    """Return how to write a day; of a month the last one, so that nothing is called older than it is."""
    plain = text.strip()
    if match := _DAY.fullmatch(plain):
        return f'"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"'
    if match := _MONTH.fullmatch(plain):
        year, month = int(match[1]), int(match[2])
        last = monthrange(max(year, 1), month)[1]
        return f'"{match[1]}-{month:02}-{last}", the last day of the month, where no day is printed'
    return ""


def name(text: str) -> str:
    """Return how to write the name of a thing."""
    spelled = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:64]
    return f"{spelled!r}" if spelled else ""
