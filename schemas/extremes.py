"""Numbers and days that fit a schema and mean nothing: no rule has to compute with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice

from .place import join_pointer

LARGEST = 1e60
"""Fourth powers of it are still numbers, and so are those of its inverse."""
MOST = 100
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]{1,30}Z)?\Z")
_PRINTED = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?\Z")
NUMBER = f"a number with a size between {1 / LARGEST:g} and {LARGEST:g}, or 0"

Found = tuple[str, str, str]
"""Pointer, what is wrong, and what to do."""


def extremes(value: object, days: frozenset[str], printed: frozenset[str]) -> tuple[Found, ...]:
    """Return what of a value cannot be reckoned with, a hundred at most.

    Args:
        value: a JSON value.
        days: names of the fields that hold a day or an instant.
        printed: names of the fields that hold a number as printed.
    """
    if _in_order(value, days, printed):
        return ()
    return tuple(islice(_found(value, [], "", days, printed), MOST))


def _in_order(value: object, days: frozenset[str], printed: frozenset[str]) -> bool:
    """Whether all of a value can be reckoned with: of most documents it is all there is to say, and needs no places."""
    left: list[tuple[str, object]] = [("", value)]
    while left:
        key, item = left.pop()
        if isinstance(item, dict):
            left += item.items()
        elif isinstance(item, list):
            for each in item:
                if each.__class__ is not float and each.__class__ is not int:
                    left.append((key, each))
                elif not in_bounds(each):
                    return False
        elif isinstance(item, str):
            if (key in days and _is_no_day(item)) or (key in printed and is_no_size(item)):
                return False
        elif isinstance(item, (int, float)) and not in_bounds(item):
            return False
    return True


def _found(
    value: object, steps: list[str | int], key: str, days: frozenset[str], printed: frozenset[str]
) -> Iterator[Found]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _found(item, [*steps, name], name, days, printed)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if item.__class__ is float or item.__class__ is int:
                if not in_bounds(item):
                    yield join_pointer([*steps, index]), f"{item:g} is too large, or too small", f"write {NUMBER}"
            elif item is not None:
                yield from _found(item, [*steps, index], key, days, printed)
    elif isinstance(value, str):
        if key in days and _is_no_day(value):
            yield join_pointer(steps), f"there is no {value} in the calendar", "correct the day or the time"
        elif key in printed and is_no_size(value):
            yield join_pointer(steps), f"{value} is too large, or too small", f"write {NUMBER}"
    elif isinstance(value, (int, float)) and not in_bounds(value):
        yield join_pointer(steps), f"{float(value):g} is too large, or too small", f"write {NUMBER}"


def in_bounds(number: float) -> bool:
    """Whether rules can reckon with a number."""
    return not number or 1 / LARGEST <= abs(number) <= LARGEST


def is_no_size(text: str) -> bool:
    """Whether a text is a printed number out of bounds; one that is too small for a float is, though it reads as 0."""
    if not _PRINTED.match(text):
        return False
    number = float(text)
    return not in_bounds(number) or (number == 0.0 and bool(set(text.lower().partition("e")[0]) & set("123456789")))


def _is_no_day(text: str) -> bool:
    """Whether a text has the form of a day or an instant, and the calendar holds none such."""
    if not _DAY.match(text):
        return False
    try:
        (datetime if "T" in text else date).fromisoformat(text)
    except ValueError:
        return True
    return False


def referring(schema: object, ends: tuple[str, ...], name: str = "") -> Iterator[str]:
    """Yield the names of the fields of a schema that refer to definitions with these ends."""
    if isinstance(schema, dict):
        if name and str(schema.get("$ref", "")).endswith(ends):
            yield name
        for key, item in schema.items():
            inner = item.items() if key == "properties" and isinstance(item, dict) else ((name, item),)
            for field, each in inner:
                yield from referring(each, ends, field)
    elif isinstance(schema, list):
        for item in schema:
            yield from referring(item, ends, name)
