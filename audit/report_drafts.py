"""Reports of other tools as drafts, and a draft as a file for a person to complete."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..schemas.source import read_bytes
from .importers.draft import Draft
from .importers.report_file import LIMIT_BYTES, ColumnRoles
from .lint.reports import of_file, of_folder

if TYPE_CHECKING:
    from .workers import Workers


def drafts_of(
    path: str, chosen: str | None, plugins: bool, workers: Workers | None = None, roles: ColumnRoles | None = None
) -> tuple[tuple[str, Draft], ...]:
    """Return the drafts of a file or a folder, with their names.

    Raises:
        UserError: no importer reads it, or its content cannot be read.
    """
    if Path(path).is_dir():
        found = of_folder(Path(path), plugins, workers, chosen)
    else:
        found = (of_file(path, read_bytes(path, LIMIT_BYTES), Path(path).parent, plugins, chosen, roles),)
    return tuple((item.source.name, item.draft) for item in found if item.draft is not None)


def draft_text(value: dict[str, Any], form: str) -> str:
    """Return a submission as JSON or as YAML; texts that would read as numbers stay texts."""
    if form == "json":
        return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    import yaml

    class Plain(yaml.SafeDumper):
        """Writes a value that stands twice twice: the strict reader knows no anchors."""

        def ignore_aliases(self, data: object) -> bool:
            return True

    def quoted(dumper: Plain, text: str) -> yaml.ScalarNode:
        """Quote what YAML 1.2 reads as a number, and YAML 1.1 does not: 9.75e10."""
        number = text[:1] in "+-.0123456789" and not set(text.casefold()) - set("0123456789.e+-")
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if number and text else None)

    Plain.add_representer(str, quoted)
    return yaml.dump(value, Dumper=Plain, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
