"""A draft as a file for a person to complete."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...schemas.source import read_bytes
from .draft import Draft
from .handed import LIMIT_BYTES, Roles


def drafts(
    path: str, chosen: str | None, plugins: bool, jobs: int, roles: Roles | None = None
) -> tuple[tuple[str, Draft], ...]:
    """Return the drafts of a file or a folder, with their names.

    Raises:
        UserError: no importer reads it, or its content cannot be read.
    """
    from ..lint.foreign import of_file, of_folder

    if Path(path).is_dir():
        found = of_folder(Path(path), plugins, jobs, chosen)
    else:
        found = (of_file(path, read_bytes(path, LIMIT_BYTES), Path(path).parent, plugins, chosen, roles),)
    return tuple((item.source.name, item.draft) for item in found if item.draft is not None)


def written(value: dict[str, Any], form: str) -> str:
    """Return a submission as JSON or as YAML; texts that would read as numbers stay texts."""
    if form == "json":
        return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    import yaml

    class Plain(yaml.SafeDumper):
        """Writes a value that stands twice twice: the strict reader knows no anchors."""

        def ignore_aliases(self, data: object) -> bool:
            return True

    return yaml.dump(value, Dumper=Plain, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
