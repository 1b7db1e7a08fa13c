"""Values as a transcriber writes them, in the way in which rules read them: ranges, durations, factors, months.

A range is what its higher end is at most, with both ends beside it, so that any value between them agrees with it. What
may be read in two ways is read in both: a month by its first and its last day, and a comparison of which the document
does not say what it is with, as one with the authors' own variants and as one with another system. A flaw counts only
where it is one in both readings. A number of which nothing says what it covers is judged like that of a step.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from typing import Any

from .spelling import parts

Value = Mapping[str, Any]
NUMBERS = ("performance", "quality")
"""Objects of an arm whose members hold a number."""
DATES = ("date", "released", "superseded")
MOST_DEPTH = 40
_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")
NOT_STATED = "not_stated"
"""A value of `scope` and `compares`: the document does not say."""
LOSSES = frozenset({"loss", "perplexity", "error"})
"""Quantities of a quality of which less is better."""


def readings(submission: object) -> tuple[Any, ...]:
    """Return a submission as rules read it, and the other way in which it may be read, where there is one.

    What does not have the form that its schema asks for stays as it is: validation says so.
    """
    if not isinstance(submission, dict):
        return (submission,)
    written = {**submission, "claims": _members(submission.get("claims"), _claim)}
    if isinstance(submission.get("arms"), dict):
        written["arms"] = _members(submission["arms"], _arm)
    own, other = _meant(written, False), _meant(written, True)
    return (own,) if own == other else (own, other)


def _members(value: object, read: Callable[[Value], Value]) -> object:
    if not isinstance(value, dict):
        return value
    return {key: read(part) if isinstance(part, dict) else part for key, part in value.items()}


def _claim(claim: Value) -> Value:
    found = {**claim, **_number(claim, True)}
    quantity = found.get("quantity")
    if quantity in LOSSES:
        found |= {"quantity": "accuracy", "metric": found.get("metric", quantity)}
    if found.get("scope") == NOT_STATED:
        found["scope"] = "step"
    others = found.get("comparators")
    if isinstance(others, list) and others and "comparator" not in found:
        found["comparator"] = others[0]
    return found


def _arm(arm: Value) -> Value:
    read = {name: _members(arm[name], lambda part: {**part, **_number(part, False)}) for name in NUMBERS if name in arm}
    return {**arm, **read}


def _number(holder: Value, claimed: bool) -> dict[str, Any]:
    """Return what a printed value says: its digits, and the fields beside it that it leaves to be written."""
    printed = holder.get("value")
    found = parts(printed) if isinstance(printed, str) else None
    if found is None or (found.low and not claimed) or (found.spread and claimed):
        return {}
    told: dict[str, Any] = {"value": found.value}
    if found.unit and "unit" not in holder:
        told["unit"] = found.unit
    elif found.unit and found.unit != holder["unit"]:
        return {}  # "3-5 ms" with `unit: s`: validation asks
    if claimed and found.qualifier and "qualifier" not in holder:
        told["qualifier"] = found.qualifier
    if found.low and "range" not in holder:
        told["range"] = {"low": found.low, "high": found.value, "where": "same_place"}
    if found.spread and "plus_minus" not in holder:
        told["plus_minus"] = {"value": found.spread}
    return told


def _meant(value: Value, otherwise: bool) -> dict[str, Any]:
    """Return one of the two readings: the document's own date early and all others late, or the reverse."""
    found = _dated(value, otherwise, MOST_DEPTH)
    publication = found.get("publication")
    if isinstance(publication, dict):
        found["publication"] = _dated(value["publication"], not otherwise, MOST_DEPTH)
    side = "other_system" if otherwise else "own_variants"

    def compared(claim: Value) -> Value:
        return {**claim, "compares": side} if claim.get("compares") == NOT_STATED else claim

    found["claims"] = _members(found.get("claims"), compared)
    return found


def _dated(value: Value, early: bool, depth: int) -> dict[str, Any]:
    """Return an object with a day for each month: its first, or its last."""
    found: dict[str, Any] = {}
    for key, part in value.items():
        if isinstance(part, dict) and depth > 0:
            found[key] = _dated(part, early, depth - 1)
        elif key in DATES and isinstance(part, str) and _MONTH.fullmatch(part):
            year, month = int(part[:4]), int(part[5:])
            found[key] = f"{part}-{1 if early else monthrange(max(year, 1), month)[1]:02}"
        else:
            found[key] = part
    return found
