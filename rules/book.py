"""The built-in rules: one module per rule, named after the flaw, in the folder of its family.

The index says of each what has to be known before it runs.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .module_index import ModuleIndex, Row
from .outcome import Confidence, Effect
from .registry import FAMILIES, Entry, Rule, family_of, load

FOLDERS = {
    **{f"W{number:02}": f"way{number:02}" for number in range(1, 13)},
    "M": "methodology",
    "S": "uncertainty",
    "P": "bounds",
    "E": "energy",
    "L": "serving",
    "F": "forensics",
    "R": "reproducibility",
    "I": "integrity",
    "B": "plots",
    "Q": "suite",
    "D": "document",
}
_ORDER = {family: number for number, family in enumerate(FAMILIES)}


@cache
def entries() -> tuple[Entry, ...]:
    """Return the built-in rules as the index knows them: by family, then by code."""
    return tuple(map(_entry, INDEX.rows()))


@cache
def book() -> tuple[Rule, ...]:
    """Import every built-in rule and return them in the same order."""
    return tuple(entry.load() for entry in entries())


def by_code(code: str) -> Rule | None:
    """Return the rule of a code or a name, or None."""
    return next((entry.load() for entry in entries() if code in {entry.code, entry.name}), None)


def _row(module: str) -> Row:
    rule = load(module)
    return {
        "code": rule.code,
        "name": rule.name,
        "module": module,
        "about": rule.about,
        "applies": rule.applies,
        "effect": rule.effect.word if rule.effect is not None else "",
        "confidence": rule.confidence.name if rule.confidence is not None else "",
        "also": rule.also,
    }


def _entry(row: Row) -> Entry:
    return Entry(
        code=row["code"],
        name=row["name"],
        module=row["module"],
        about=row["about"],
        applies=row["applies"],
        effect=Effect[row["effect"].upper()] if row["effect"] else None,
        confidence=Confidence[row["confidence"]] if row["confidence"] else None,
        also=tuple(row["also"]),
    )


INDEX = ModuleIndex(
    Path(__file__).with_name("index.json"),
    tuple(FOLDERS.values()),
    _row,
    lambda row: (_ORDER[family_of(row["code"])], row["code"]),
)
