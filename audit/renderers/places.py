"""Places for other tools, as a checkout knows them, with no folder of this machine in them; and places in tables."""

from __future__ import annotations

from pathlib import Path

from ..report import ClaimReport


def relative(file: str) -> str:
    """Return a path relative to the working directory, with slashes; the name alone where it lies elsewhere."""
    path = Path(file)
    if not path.is_absolute():
        return path.as_posix()
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name


def as_said(claim: ClaimReport, text: str) -> str:
    """Return the words of a claim in quotation marks, or with the cell that they were put together from."""
    return f"{claim.cell}: {text}" if claim.cell else f"“{text}”"
