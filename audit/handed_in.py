"""What is handed in is not in charge: no setting is found in it, and no code is imported from it.

What is handed in is the folder that is judged, and for a single file the folder that it lies in: its citations, logs
and raw numbers are read there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path


def handed_in(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """Return the folders that are handed in with the paths that a user names; standard input has the current one."""
    folders = []
    for path in map(str, paths):
        named = Path(path).resolve() if path != "-" else Path.cwd()
        folders.append(named.parent if named.is_file() else named)
    return tuple(dict.fromkeys(folders))


def lies_in(path: Path | str, folders: Iterable[Path]) -> bool:
    """Whether a file or folder is one of these folders, or lies in one."""
    where = Path(path).resolve()
    return any(where.is_relative_to(folder) for folder in folders)


def bar(folders: Iterable[Path]) -> tuple[str, ...]:
    """Take these folders off the places that modules are imported from, and return what was taken off.

    The interpreter's own folders stay, for a project may hold the environment that dlaudit is installed in.
    """
    folders = tuple(folders)
    taken = tuple(entry for entry in sys.path if lies_in(entry, folders) and not _is_own(Path(entry).resolve()))
    sys.path[:] = [entry for entry in sys.path if entry not in taken]
    return tuple(str(Path(entry).resolve()) for entry in taken)


def _is_own(entry: Path) -> bool:
    own = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    return entry == Path(__file__).resolve().parents[2] or any(entry.is_relative_to(prefix) for prefix in own)
