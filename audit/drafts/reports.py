"""What importers read of a file or a folder, as drafts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...schemas.source import read_bytes
from ..importers.draft import Draft
from ..importers.report_file import LIMIT_BYTES, ColumnRoles
from ..lint.reports import of_file, of_folder

if TYPE_CHECKING:
    from ..workers import Workers


def drafts_of(
    path: str, chosen: str | None, plugins: bool, workers: Workers | None = None, roles: ColumnRoles | None = None
) -> tuple[tuple[str, Draft], ...]:
    """Return the drafts of a file or a folder, with their names; - is standard input.

    Raises:
        UserError: no importer reads it, or its content cannot be read.
    """
    if Path(path).is_dir():
        found = of_folder(Path(path), plugins, workers, chosen)
    else:
        data, folder = read_bytes(path, LIMIT_BYTES), Path(path).parent if path != "-" else Path()
        found = (of_file("<stdin>" if path == "-" else path, data, folder, plugins, chosen, roles),)
    return tuple((item.source.name, item.draft) for item in found if item.draft is not None)
