"""An index of modules: what has to be known of each before it is imported, as data in one file, one line a module.

A module is in the index because it lies in a folder. In a checkout the index has the time of the last change in its
folders, and is written anew where it is read with another; an installed package ships it as it is.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..schemas.errors import UserError
from ..schemas.files import write_atomic

Row = dict[str, Any]
CHECKOUT = Path(__file__).parents[1] / "pyproject.toml"


class ModuleIndex(Struct, frozen=True):
    """The index of the modules in some folders beside it.

    Attributes:
        file: the index.
        folders: names of folders beside it.
        row: imports a module, named `folder.module`, and returns what the index says of it; None where it is only
            there for others.
        order: key by which the rows are sorted.
    """

    file: Path
    folders: tuple[str, ...]
    row: Callable[[str], Row | None]
    order: Callable[[Row], Any]

    def rows(self) -> list[Row]:
        """Return a row for each module, and keep them for the next reader where the folders were changed."""
        changed = max(self._changes()) if CHECKOUT.exists() else None
        kept = self._kept(changed)
        if kept is not None:
            return kept
        rows = self.built()
        if changed is not None:
            with contextlib.suppress(UserError, OSError):
                write_atomic(self.file, text(rows).encode())
                # The time of the last change that it knows of: one while modules are imported comes after it.
                os.utime(self.file, ns=(changed, changed))
        return rows

    def built(self) -> list[Row]:
        """Import the modules and return a row for each. A name that begins with an underscore marks a part of one."""
        found = []
        for folder in self.folders:
            for path in sorted((self.file.parent / folder).glob("[!_]*.py")):
                row = self.row(f"{folder}.{path.stem}")
                if row is not None:
                    found.append(row)
        return sorted(found, key=self.order)

    def _kept(self, changed: int | None) -> list[Row] | None:
        """Return what the file holds; None where it is of another time, missing or, after a merge, no JSON."""
        try:
            if changed is not None and self.file.stat().st_mtime_ns != changed:
                return None
            rows: list[Row] = json.loads(self.file.read_bytes())
        except (OSError, ValueError):
            return None
        return rows

    def _changes(self) -> Iterator[int]:
        """Yield when the folders and the Python files in them, and beside the index, were last changed."""
        beside = os.fspath(self.file.parent)
        folders = [os.path.join(beside, folder) for folder in self.folders]  # noqa: PTH118
        for folder in folders:
            yield os.stat(folder).st_mtime_ns  # noqa: PTH116
        for folder in (beside, *folders):
            with os.scandir(folder) as entries:
                yield from (entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".py"))


def text(rows: list[Row]) -> str:
    """Return what the file of an index holds: a list, one row a line."""
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
