"""A document to judge, as it was read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ...rules.case import Published
from ...schemas.errors import UserError
from ...schemas.source import Source
from ..report import LeftOut

if TYPE_CHECKING:
    from ..importers.draft import Draft

MANIFEST = "manifest.json"
SUFFIXES = (".json", ".yaml", ".yml")
Kind = Literal["submission", "manifest"]


class Document(Struct, frozen=True):
    """A document to judge.

    Attributes:
        source: its bytes and value.
        kind: what it is.
        folder: folder beneath which its citations are read.
        draft: what an importer made of it, where it is a report of another tool: `source` then holds the draft's value.
        broken: why it cannot be read, where it is a document that cannot.
        left_out: files of the folder that was handed in which are not judged; on the folder's first document alone.
        published: the document that marks its claims, where it was found by such marks.
    """

    source: Source
    kind: Kind
    folder: Path
    draft: Draft | None = None
    broken: UserError | None = None
    left_out: tuple[LeftOut, ...] = ()
    published: Published | None = None


def kind_of(source: Source) -> Kind | None:
    """Return what a readable document is, or None where it is nothing that is judged."""
    if not isinstance(source.value, dict):
        return None
    if str(source.value.get("dlaudit", "")).startswith("submission/"):
        return "submission"
    return "manifest" if source.value.get("predicateType") == "urn:dlaudit:study:v1" else None


def broken(file: Path, data: bytes, error: UserError) -> Document:
    """Return a document that cannot be read, with the reason."""
    kind: Kind = "manifest" if file.name == MANIFEST else "submission"
    return Document(Source(str(file), data, None, "json"), kind, file.parent, broken=error)
