"""Places in the words of whoever reads the document: claim, table and row before file and line."""

from __future__ import annotations

import re

from ..report import Location

_PARTS = {"claims": "claim", "arms": "arm", "systems": "system", "tables": "table", "rows": "row", "manifests": "study"}
_OPENS = re.compile(r"([\"']?[\w.-]+[\"']?:\s*)?[{\[|>]-?\s*")


def named(pointer: str) -> str:
    """Return the words of a JSON Pointer: `/claims/speedup/value` is "claim speedup, value"."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    said: list[str] = []
    while steps:
        step = steps.pop(0)
        if step in _PARTS and steps:
            said.append(f"{_PARTS[step]} {steps.pop(0)}")
        elif step.isdigit():
            said.append(f"number {int(step) + 1}")
        else:
            said.append(step.replace("_", " "))
    return ", ".join(said)


def spot(location: Location) -> str:
    """Return where something stands, in words; empty where only file and line say it."""
    return location.place or named(location.pointer)


def says_something(marked: str) -> bool:
    """Whether a quoted line holds a value, and not only the key and the bracket that open an object."""
    return bool(marked.strip()) and not _OPENS.fullmatch(marked.strip())
