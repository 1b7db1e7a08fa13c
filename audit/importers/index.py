"""What has to be known of the importers before one of them reads: an importer is a module that defines IMPORTER."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ...rules.module_index import ModuleIndex, Row
from .interface import Importer, Signature, Together

FOLDERS = ("curves", "harness", "keyed", "logs", "mlperf", "tables", "tracking")
_PARTS = ("read_folder", "together", "recognises", "read_log")


@cache
def load(module: str) -> Importer:
    """Import a module beneath `dlaudit.audit.importers` and return its importer."""
    found = _importer(module)
    assert found is not None, module
    return found


def _importer(module: str) -> Importer | None:
    found = getattr(importlib.import_module(f"dlaudit.audit.importers.{module}"), "IMPORTER", None)
    return found if isinstance(found, Importer) else None


def _row(module: str) -> Row | None:
    importer = _importer(module)
    if importer is None:
        return None
    beside = ["beside"] if importer.together is not None and importer.together.beside is not None else []
    return {
        "module": module,
        "name": importer.name,
        "title": importer.title,
        "signatures": [[each.form, each.needs, each.without] for each in importer.signatures],
        "has": [part for part in _PARTS if getattr(importer, part) is not None] + beside,
    }


def listed(row: Row) -> Importer:
    """Return the importer of a row, without page and field map; it is imported when it reads."""
    module = row["module"]

    def later(part: str, *, of: str = "") -> Any:
        return _later(module, part, of) if part in {"read", "place", *row["has"]} else None

    together = None
    if "together" in row["has"]:
        of = "together"
        together = Together(later("place", of=of), later("read", of=of), later("beside", of=of))
    return Importer(
        name=row["name"],
        title=row["title"],
        doc="",
        signatures=tuple(Signature(form, tuple(needs), tuple(without)) for form, needs, without in row["signatures"]),
        fields=(),
        read=later("read"),
        read_folder=later("read_folder"),
        together=together,
        recognises=later("recognises"),
        read_log=later("read_log"),
    )


def _later(module: str, part: str, of: str) -> Callable[..., Any]:
    """Return a function that imports an importer, and calls a part of it."""

    def call(*given: Any) -> Any:
        importer = load(module)
        return getattr(getattr(importer, of) if of else importer, part)(*given)

    return call


INDEX = ModuleIndex(Path(__file__).with_name("index.json"), FOLDERS, _row, lambda row: row["name"])
