"""Durations in parts, counted in the smallest: 8 hr 41 min, 1h23m, 1m06s, 1:23:45."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from .numbers import Number, number_at
from .quantity import Quantity
from .tokens import NUMBER, Tokens, over
from .units import Unit, unit_at

_UNTIL = frozenset({"-", "–", "—", "to", "until", "→"})
DAY = 24
"""Hours."""
SIXTY = {"d": ("h", 24), "h": ("min", 60), "min": ("s", 60)}


def compound(tokens: Tokens, found: Quantity, unit: Unit) -> Quantity:
    """Return a duration with the smaller units behind it, counted in the smallest."""
    name = unit.name
    while name in SIXTY and found.value is not None and not found.is_range and unit.per is None:
        listed = tokens.low(found.last) == ","
        at = found.last + (listed or tokens.low(found.last) == "and")
        following = number_at(tokens, at) if at < len(tokens) else None
        if following is None or (following.worded != found.worded and not tokens.counts(at)):
            return found
        smaller = _smaller(tokens, following, name)
        if smaller is None or following.is_range or (listed and smaller.name == name):
            return found
        value, have = found.value, name
        while have != smaller.name and have in SIXTY:
            value, have = value * SIXTY[have][1], SIXTY[have][0]
        if have != smaller.name or have == name:
            return found
        value += following.low * smaller.scale
        half, end = following.half * smaller.scale, tokens[smaller.last - 1].end
        found = replace(found, value=value, high=value, half=half, unit=have, last=smaller.last, end=end)
        name = have
    return found


def _smaller(tokens: Tokens, number: Number, name: str) -> Unit | None:
    at = number.last
    if tokens.low(at) == "m" and tokens.glued(at) and name == "h":
        return Unit(at, at + 1, "min", Decimal(1))
    unit = unit_at(tokens, at)
    if unit is None and name == "h" and _are_minutes(tokens, number):  # 7h24
        return Unit(number.first, at, "min", Decimal(1))
    return unit if unit is not None and unit.dimension == "time" and unit.per is None else None


def _are_minutes(tokens: Tokens, number: Number) -> bool:
    glued = tokens.glued(number.first) and number.last == number.first + 1 and not tokens.glued(number.last)
    return glued and len(tokens[number.first].text) == 2 and _below_sixty(tokens, number.first)


def clock_at(tokens: Tokens, at: int) -> Quantity | None:
    """Return a duration such as 1:23:45, 25'34'' or 1m06s, whose m is minutes because seconds follow."""
    if not (tokens.counts(at) and tokens.counts(at + 2) and _below_sixty(tokens, at + 2)):
        return None
    first, second = (tokens[k].value or Decimal(0) for k in (at, at + 2))
    colons = tokens.low(at + 1) == tokens.low(at + 3) == ":" and tokens.counts(at + 4)
    printed = colons and all(len(tokens[k].text.split(".")[0]) == 2 for k in (at + 2, at + 4))  # "4:4:4" is none
    if printed and _below_sixty(tokens, at + 4) and all(tokens.glued(k) for k in range(at + 1, at + 5)):
        # 12:30:05 is a time of day behind a date or "at".
        if at and (tokens[at - 1].kind == NUMBER or tokens.low(at - 1) in ("t", "at", "utc")):
            return None
        if _is_between_times(tokens, at):
            return None
        seconds, last = first * 3600 + second * 60 + (tokens[at + 4].value or Decimal(0)), at + 5
    elif tokens.low(at + 1) == "'" == tokens.low(at + 3) and tokens.low(at + 4) == "'":
        seconds, last = first * 60 + second, at + 5
    elif tokens.low(at + 1) in ("m", "min") and tokens.low(at + 3) in ("s", "sec", "secs"):
        seconds, last = first * 60 + second, at + 4
    else:
        return None
    return Quantity(*over(tokens, at, last), seconds, seconds, Decimal("0.5"), "s", "time")


def _is_between_times(tokens: Tokens, at: int) -> bool:
    """Whether a clock is the beginning or the end of a stretch of the day: "17:44:07 - 17:44:40", not "0:05 - 0:07"."""
    for first, link in ((at, at + 5), (at - 6, at - 1)):
        clocks = first >= 0 and all(tokens.low(k) == ":" for k in (first + 1, first + 3, first + 7, first + 9))
        linked = tokens.low(link) in _UNTIL and clocks
        if linked and all(_is_hour(tokens, k) for k in (first, first + 6)):
            return True
    return False


def _is_hour(tokens: Tokens, at: int) -> bool:
    """Whether a number is printed as an hour of the day, with two digits."""
    return len(tokens[at].text) == 2 and 0 < (tokens[at].value or 0) < DAY


def _below_sixty(tokens: Tokens, at: int) -> bool:
    value = tokens[at].value
    return value is not None and value < 60 and len(tokens[at].text.split(".")[0]) <= 2
