"""What has to be known of the importers before one of them reads, as data in index.json: one line an importer."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...schemas.files import write_atomic
from .interface import Importer, Signature, Together

FILE = Path(__file__).with_name("index.json")
_PARTS = ("read_folder", "together", "recognises", "read_log")


def load(module: str) -> Importer:
    """Import a module beneath `dlaudit.audit.importers` and return its importer."""
    found = importlib.import_module(f"dlaudit.audit.importers.{module}").IMPORTER
    assert isinstance(found, Importer), module
    return found


def read() -> dict[str, Importer]:
    """Return the importers of index.json by module, without pages and field maps; each is imported when it reads."""
    return {row["module"]: _listed(row) for row in json.loads(FILE.read_bytes())}


def text(importers: Iterable[tuple[str, Importer]]) -> str:
    """Return what index.json holds for modules and their importers: one importer a line."""
    return "[\n" + ",\n".join(json.dumps(_row(module, importer)) for module, importer in importers) + "\n]\n"


def write(importers: Iterable[tuple[str, Importer]]) -> None:
    """Write index.json."""
    write_atomic(FILE, text(importers).encode())


def _row(module: str, importer: Importer) -> dict[str, object]:
    beside = ["beside"] if importer.together is not None and importer.together.beside is not None else []
    return {
        "module": module,
        "name": importer.name,
        "title": importer.title,
        "signatures": [[each.form, each.needs, each.without] for each in importer.signatures],
        "has": [part for part in _PARTS if getattr(importer, part) is not None] + beside,
    }


def _listed(row: dict[str, Any]) -> Importer:
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
