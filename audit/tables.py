"""Tables of devices and data sets that whoever judges keeps beside ours."""

from __future__ import annotations

from pathlib import Path

from ..rules.tables.accelerators import devices_of
from ..rules.tables.datasets import datasets_of
from ..rules.tables.own import OwnTable
from ..schemas.digest import sha256_hex
from ..schemas.errors import UserError
from ..schemas.source import read
from ..schemas.validation import check

LIMIT_BYTES = 4 << 20
KINDS = ("accelerators", "datasets")


def read_table(path: Path) -> OwnTable:
    """Read a table of one's own.

    Raises:
        UserError: it cannot be read, is no table of devices or data sets, or is not what its schema says.
    """
    source = read(path, LIMIT_BYTES)
    stated = source.value.get("dlaudit") if isinstance(source.value, dict) else None
    kind = stated.partition("/")[0] if isinstance(stated, str) else ""
    if kind not in KINDS:
        todo = 'begin it with "dlaudit": "accelerators/1" or "dlaudit": "datasets/1"'
        raise UserError("this is no table of devices or data sets", todo, str(path))
    value = check(source, kind).value
    return OwnTable(
        str(path),
        sha256_hex(source.data),
        devices_of(value) if kind == "accelerators" else {},
        datasets_of(value) if kind == "datasets" else {},
    )


def in_force(tables: tuple[OwnTable, ...], folder: Path, profile: str) -> tuple[OwnTable, ...]:
    """Return the tables that count for a submission: under procurement none that lies in its folder.

    Args:
        tables: those that the configuration names.
        folder: folder of the submission.
        profile: profile of the judgement.
    """
    if profile != "procurement":
        return tables
    where = folder.resolve()
    return tuple(table for table in tables if not Path(table.name).resolve().is_relative_to(where))


def table_notes(tables: tuple[OwnTable, ...], used: tuple[OwnTable, ...]) -> tuple[str, ...]:
    """Return what the verdict says of the tables: those whose entries counted, with digest, and those left out."""
    named = [f"{Path(table.name).name} (sha256 {table.sha256})" for table in used]
    out = [Path(table.name).name for table in tables if table not in used]
    counted = (f"entries of own tables count: {', '.join(named)}",) if named else ()
    return (*counted, f"left out, because they lie in the submission's folder: {', '.join(out)}") if out else counted
