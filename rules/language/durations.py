"""Durations in parts, counted in the smallest: 8 hr 41 min, 1h23m, 1m06s, 1:23:45."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from .numbers import Number, number_at
from .quantity import Quantity
from .tokens import Token, over
from .units import Unit, unit_at

SIXTY = {"d": ("h", 24), "h": ("min", 60), "min": ("s", 60)}


def compound(tokens: Sequence[Token], found: Quantity, unit: Unit) -> Quantity:
    """Return a duration with the smaller units behind it, counted in the smallest."""
    name = unit.name
    while name in SIXTY and found.value is not None and not found.is_range and unit.per is None:
        at = found.last
        if at < len(tokens) and tokens[at].low in ("and", ","):
            at += 1
        following = number_at(tokens, at) if at < len(tokens) else None
        if following is None or (following.worded != found.worded and not tokens[at].counts):
            return found
        smaller = _smaller(tokens, following, name)
        if smaller is None or following.is_range or (tokens[found.last].low == "," and smaller.name == name):
            return found
        value, have = found.value, name
        while have != smaller.name and have in SIXTY:
            value, have = value * SIXTY[have][1], SIXTY[have][0]
        if have != smaller.name or have == name:
            return found
        value += following.low * smaller.scale
        found = replace(
            found,
            value=value,
            high=value,
            half=following.half * smaller.scale,
            unit=have,
            last=smaller.last,
            end=tokens[smaller.last - 1].end,
        )
        name = have
    return found


def _smaller(tokens: Sequence[Token], number: Number, name: str) -> Unit | None:
    at = number.last
    if at < len(tokens) and tokens[at].text == "m" and not tokens[at].gap and name == "h":
        return Unit(at, at + 1, "min", Decimal(1))
    unit = unit_at(tokens, at) if at < len(tokens) else None
    return unit if unit is not None and unit.dimension == "time" and unit.per is None else None


def clock_at(tokens: Sequence[Token], at: int) -> Quantity | None:
    """Return a duration such as 1:23:45 or 1m06s, whose m is minutes because seconds follow."""
    part = tokens[at : at + 5]
    if (
        len(part) == 5
        and part[1].text == ":"
        and part[3].text == ":"
        and all(t.counts for t in part[::2])
        and (
            not any(t.gap for t in part[1:])
            and _below_sixty(part[2])
            and _below_sixty(part[4])
            and not _more_clock(tokens, at)
        )
    ):
        h, m, s = (t.value or Decimal(0) for t in part[::2])
        seconds = h * 3600 + m * 60 + s
        return Quantity(*over(tokens, at, at + 5), seconds, seconds, Decimal("0.5"), "s", "time")
    part = tokens[at : at + 4]
    if (
        len(part) == 4
        and part[1].low in ("m", "min")
        and part[0].counts
        and part[2].counts
        and part[3].low in ("s", "sec", "secs")
        and _below_sixty(part[2])
    ):
        seconds = (part[0].value or Decimal(0)) * 60 + (part[2].value or Decimal(0))
        return Quantity(*over(tokens, at, at + 4), seconds, seconds, Decimal("0.5"), "s", "time")
    return None


def _below_sixty(token: Token) -> bool:
    return token.value is not None and token.value < 60 and len(token.text.split(".")[0]) <= 2


def _more_clock(tokens: Sequence[Token], at: int) -> bool:
    """Whether 12:30:05 is a time of day: a date or "at" stands before it."""
    return at > 0 and (tokens[at - 1].fixed or tokens[at - 1].low in ("t", "at", "utc"))
