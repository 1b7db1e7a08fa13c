"""The lines of a DLLogger log: what each logs, of which epoch and iteration, in the text form or that of JSON."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping

from msgspec import Struct

LONGEST = 20_000
_HEAD = re.compile(r"DLL [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{5,20} - ")
_STEP = re.compile(
    r"\s{0,3}(?:\(([0-9]{0,9}),? ?([0-9]{0,12})(?:, ?[0-9]{1,12})?,?\)|"
    r"(?:[A-Za-z]{1,20} )?Epoch: ?([0-9]{1,9})(?: (?:[A-Za-z]{1,20} )?(?:Iteration|Step): ?([0-9]{1,12}))?|"
    r"(?:[A-Za-z]{1,20} )?(?:Iteration|Step): ?([0-9]{1,12}))(?![0-9])"
)
JSON_HEAD = "DLLL {"


class Entry(Struct, frozen=True):
    """One key of one line: its value, unit and place."""

    key: str
    value: str
    unit: str
    line: int
    column: int


class Line(Struct, frozen=True):
    """One line of the logger.

    Attributes:
        parameter: whether it logs parameters.
        epoch: its epoch.
        step: its iteration.
        entries: its keys.
    """

    parameter: bool
    epoch: int | None
    step: int | None
    entries: tuple[Entry, ...]


def line_of(text: str, number: int, units: dict[str, str]) -> Line | None:
    """Return what a line logs, or None; what it says of the units of later lines is noted."""
    at_ = text.find(JSON_HEAD)
    if at_ >= 0:
        return _json_line(text, at_ + len(JSON_HEAD) - 1, number, units)
    start = text.find("DLL ")
    while start >= 0:
        head = _HEAD.match(text, start)
        if head is not None:
            return _text_line(text[: head.end() + LONGEST], head.end(), number)
        start = text.find("DLL ", start + 4)
    return None


def _json_line(text: str, start: int, number: int, units: dict[str, str]) -> Line | None:
    """Return what a line of the JSON backend logs: numbers as printed."""
    try:
        value = json.loads(text[start : start + LONGEST], parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    metric, told = value.get("metric"), value.get("metadata")
    if isinstance(metric, str) and isinstance(told, dict) and isinstance(told.get("unit"), str):
        units[metric] = told["unit"]
    data, step = value.get("data"), value.get("step")
    if not isinstance(data, dict):
        return None
    found = []
    for key, held in data.items():
        at_ = text.find(json.dumps(key, ensure_ascii=False), start) + len(key) + 2
        if isinstance(held, dict):
            found += [Entry(name, printed, "", number, max(at_, start) + 1) for name, printed in _parts(key, held)]
            continue
        printed = str(held) if isinstance(held, str | bool) else ""
        if key and printed:
            found.append(Entry(key, printed, units.get(key, "")[:40], number, max(text.find(printed, at_), start) + 1))
    # a list counts epochs, then iterations; a number of its own is what it is called
    counts = [int(str(part)) for part in (step if isinstance(step, list) else [step]) if _is_count(part)]
    epoch, iteration = [*counts, None, None][:2] if isinstance(step, list) else (None, *counts, None)[:2]
    return Line(step == "PARAMETER", epoch, iteration, tuple(found))


def _is_count(part: object) -> bool:
    return isinstance(part, str) and part.isascii() and part.isdigit() and len(part) < 13


def _text_line(text: str, start: int, number: int) -> Line:
    body = text[start:]
    parameter = body.startswith("PARAMETER")
    step = _STEP.match(body) if not parameter else None
    offset = len("PARAMETER") if parameter else step.end() if step is not None else 0
    parts = body[offset:].split(" : ")
    found: list[Entry] = []
    at_ = start + offset + len(parts[0]) + 3
    for index in range(1, len(parts)):
        key = (parts[index - 1].split() or [""])[-1]
        words = parts[index].split()
        own = words if index == len(parts) - 1 else words[:1] + words[1:-1]
        if key and own and parameter:
            found += _parameter(key, " ".join(own), number, at_ + 1)
        elif key and own:
            found.append(Entry(key, own[0], " ".join(own[1:])[:40], number, at_ + 1))
        at_ += len(parts[index]) + 3
    epoch = (step[1] or step[3]) if step is not None else None
    iteration = (step[2] or step[4] or step[5]) if step is not None else None
    return Line(parameter, int(epoch) if epoch else None, int(iteration) if iteration else None, tuple(found))


def _parameter(key: str, text: str, number: int, column: int) -> Iterator[Entry]:
    """Yield a parameter; one that is a map of Python by its parts, any other as it is printed."""
    parts = _map_of(text) if text[:1] in "{[N" else None
    for name, value in _parts(key, parts) if parts else ((key, text),):
        yield Entry(name, value, "", number, column)


def _parts(key: str, held: Mapping[object, object]) -> Iterator[tuple[str, str]]:
    for name, value in held.items():
        yield f"{key}.{name}", str(value)


def _map_of(text: str) -> Mapping[object, object] | None:
    """Return the map that a text of Python is, of literals alone: {..}, or the Namespace(..) of its arguments."""
    try:
        with warnings.catch_warnings(action="ignore"):
            node = ast.parse(text, mode="eval").body
            if isinstance(node, ast.List) and len(node.elts) == 1:
                inner = ast.literal_eval(node.elts[0])
                return _map_of(inner) if isinstance(inner, str) and len(inner) < len(text) else None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Namespace":
                return {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg is not None}
            value = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict) else None
