"""Places for other tools: paths as a checkout knows them, with no folder of this machine in them."""

from __future__ import annotations

from pathlib import Path


def relative(file: str) -> str:
    """Return a path relative to the working directory, with slashes; the name alone where it lies elsewhere."""
    path = Path(file)
    if not path.is_absolute():
        return path.as_posix()
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name
