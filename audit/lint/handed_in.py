"""What came with a submission and would excuse it: files of waivers in its folder."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

NAME = re.compile(r"waivers?\b.*\.(?:json|ya?ml)(?:\.dsse\.json)?|.*[-_.]waivers?\.(?:json|ya?ml)", re.IGNORECASE)
MOST_SHOWN = 5


def waivers_inside(folder: Path, chosen: str | None) -> tuple[tuple[str, str], ...]:
    """Return place and words of every file of waivers in a submission's folder that the reader did not choose.

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


@cache
def _names(folder: Path, changed_ns: int) -> tuple[str, ...]:
    """Return the names of waiver files in a folder as it was at a moment; a folder of many documents is read once."""
    with os.scandir(folder) as entries:
        return tuple(sorted(entry.name for entry in entries if NAME.fullmatch(entry.name)))
