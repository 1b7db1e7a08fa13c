"""What came with a submission and would excuse it: files of waivers in its folder."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from ...schemas.pattern import Pattern

SAYS = re.compile(
    rb"""["']?dlaudit["']?\s*:\s*["']?waivers/\d|["']?payloadType["']?\s*:\s*["']?application/vnd\.dlaudit\.waivers"""
)
"""What a file of waivers, or an envelope around one, says of itself."""
ENDS = (".json", ".yaml", ".yml", ".txt", "")
"""Endings of data; a text that explains the format may quote it."""
HEAD_BYTES = 16_384
MOST_READ = 2_000
NAME = Pattern(r"waivers?\b.*\.(?:json|ya?ml)(?:\.dsse\.json)?|.*[-_.]waivers?\.(?:json|ya?ml)", re.IGNORECASE)
MOST_SHOWN = 5


def waivers_beside(folder: Path, chosen: str | None) -> tuple[tuple[str, str], ...]:
    """Return place and words of every file of waivers in a submission's folder that the reader did not choose.

    One that bears the name of such a file, or says in its text that it is one, whatever its name.

    The reader's own files lie where the reader works: the current folder and those above it are left out.

    Args:
        folder: folder of the submission.
        chosen: the reader's file of waivers, or None.
    """
    mine = Path(chosen).resolve() if chosen is not None else None
    here = Path.cwd().resolve()
    where = folder.resolve()
    if here.is_relative_to(where):
        return ()
    try:
        names = _names(where, where.stat().st_mtime_ns)
    except OSError:
        return ()
    return tuple(("", f"{name} beside it") for name in names if where / name != mine)[:MOST_SHOWN]


@lru_cache(maxsize=256)
def _names(folder: Path, changed_ns: int) -> tuple[str, ...]:
    """Return the names of waiver files in a folder as it was at a moment; a folder of many documents is read once."""
    with os.scandir(folder) as entries:
        files = [entry.name for entry in entries if entry.is_file(follow_symlinks=False) or NAME.fullmatch(entry.name)]
    read = sorted(name for name in files if Path(name).suffix.lower() in ENDS)[:MOST_READ]
    named = {name for name in files if NAME.fullmatch(name)}
    return tuple(sorted(named | {name for name in read if name not in named and _says_so(folder / name)}))


def _says_so(file: Path) -> bool:
    """Whether the beginning of a file, or its end, says that it holds waivers."""
    try:
        with file.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
            stream.seek(max(0, file.stat().st_size - HEAD_BYTES))
            return SAYS.search(head) is not None or SAYS.search(stream.read(HEAD_BYTES)) is not None
    except OSError:
        return False
