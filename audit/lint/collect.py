"""From the paths on the command line to the documents to judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from ...schemas.errors import UserError
from ...schemas.source import Source, read

SUFFIXES = (".json", ".yaml", ".yml")
Kind = Literal["submission", "manifest"]


class Found(Struct, frozen=True):
    """A document to judge.

    Attributes:
        source: its bytes and value.
        kind: what it is.
        folder: folder beneath which its citations are read.
    """

    source: Source
    kind: Kind
    folder: Path


def collect(paths: Iterable[str]) -> tuple[Found, ...]:
    """Return the documents of files and folders, in the order given; those of a folder sorted by path.

    Raises:
        UserError: a file cannot be read, or is nothing that dlaudit judges.
    """
    return tuple(found for path in paths for found in (_folder(Path(path)) if Path(path).is_dir() else [_file(path)]))


def _file(path: str) -> Found:
    source = read(path)
    kind = kind_of(source)
    if kind is None:
        what = "this is neither a submission nor a study's manifest"
        raise UserError(
            what, 'begin it with "dlaudit": "submission/1"; `dlaudit init submission` writes a starter', path
        )
    return Found(source, kind, Path(path).parent if path != "-" else Path())


def kind_of(source: Source) -> Kind | None:
    """Return what a readable document is, or None where it is nothing that is judged."""
    if not isinstance(source.value, dict):
        return None
    if str(source.value.get("dlaudit", "")).startswith("submission/"):
        return "submission"
    return "manifest" if source.value.get("predicateType") == "urn:dlaudit:study:v1" else None


def _folder(folder: Path) -> Iterator[Found]:
    """Yield the submissions beneath a folder, and the manifests of studies that come without one."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES or not path.is_file() or path.is_symlink():
            continue
        if path.name == "manifest.json" and (path.parent / "submission.json").exists():
            continue
        try:
            source = read(path)
        except UserError:
            if path.name in {"submission.json", "submission.yaml", "manifest.json"}:
                raise
            continue
        kind = kind_of(source)
        if kind is not None:
            yield Found(source, kind, path.parent)
