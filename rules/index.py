"""The index of the rule book, as data in index.json: one line a rule, written from the modules."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ..schemas.files import write_atomic
from .outcome import Confidence, Effect
from .registry import Entry, Rule

FILE = Path(__file__).with_name("index.json")


def read() -> dict[str, Entry]:
    """Return the entries of index.json by module."""
    rows = json.loads(FILE.read_bytes())
    return {
        row["module"]: Entry(
            code=row["code"],
            name=row["name"],
            module=row["module"],
            about=row["about"],
            applies=row["applies"],
            effect=Effect[row["effect"].upper()] if row["effect"] else None,
            confidence=Confidence[row["confidence"]] if row["confidence"] else None,
            also=tuple(row["also"]),
        )
        for row in rows
    }


def text(rules: Iterable[tuple[str, Rule]]) -> str:
    """Return what index.json holds for modules and their rules: one rule a line."""
    return "[\n" + ",\n".join(json.dumps(_row(module, rule)) for module, rule in rules) + "\n]\n"


def _row(module: str, rule: Rule) -> dict[str, object]:
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


def write(rules: Iterable[tuple[str, Rule]]) -> None:
    """Write index.json."""
    write_atomic(FILE, text(rules).encode())
