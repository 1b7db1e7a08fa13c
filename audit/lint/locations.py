"""Locations: from the place that a rule names to the line of the file that it is about, ours or a foreign one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...rules.case import Published
from ...schemas.errors import UserError
from ...schemas.source import Source
from ..report import Location

if TYPE_CHECKING:
    from ..importers.draft import Draft, Origin
    from ..importers.report_file import ReportFile
    from .document import Document

LINE_LIMIT = 160
Locate = Callable[[str], Location]


def locator(source: Source, others: Mapping[str, Source | None]) -> Locate:
    """Return a function from a place of a rule to the location in the right file.

    Args:
        source: the submission.
        others: further documents by the prefix of their places; None where one could not be read.
    """

    def locate(at: str) -> Location:
        prefix, colon, pointer = at.partition(":")
        found, shown = source, at
        if colon and not at.startswith("/") and prefix in others:
            other = others[prefix]
            found, shown = (other, pointer) if other is not None else (source, f"/manifests/{prefix}")
        place = found.place(shown)
        return Location(found.name, place.line, place.column, shown, found.line(place.line)[:LINE_LIMIT])

    return locate


def published_locator(published: Published | None, document: Document, own: Locate) -> Locate:
    """Return a function that also locates lines of the document that the claims were taken from.

    Args:
        published: that document; its places are `published:<line>`.
        document: the submission.
        own: locates everything else.
    """

    def locate(at: str) -> Location:
        if published is None or not at.startswith("published:"):
            return own(at)
        line = int(at.removeprefix("published:"))
        lines = (published.text or "").split("\n")
        shown = published.name if document.published is not None else str(document.folder / published.name)
        return Location(shown, line, 1, "", _shortened(lines[line - 1].strip("\r")) if line <= len(lines) else "")

    return locate


def foreign_locator(draft: Draft | None, folder: Path, own: Locate) -> Locate:
    """Return a function from a place of a rule to the line of the foreign file that it is about.

    Args:
        draft: what an importer made of foreign files, or None where the submission was written by hand.
        folder: the submission's folder.
        own: locates what stands in the submission itself.
    """

    @lru_cache(maxsize=64)
    def text(name: str) -> ReportFile | None:
        try:
            return draft.files(name) if draft is not None else _beside(folder, name)
        except UserError:
            return None

    def location(origin: Origin, pointer: str) -> Location:
        shown = draft.shown(origin.file) if draft is not None else str(folder / origin.file)
        return _in_file(text(origin.file), origin, shown, pointer)

    nearest = _nearest(draft) if draft is not None else {}

    def locate(at: str) -> Location:
        if at.startswith("file:"):
            from ..importers.draft import Origin

            name, _, place = at.removeprefix("file:").rpartition("#")
            line, _, column = place.partition(":")
            return location(Origin(name, int(line), int(column or 1)), "")
        if draft is None or not (at == "" or at.startswith("/")):
            return own(at)
        pointer = at
        while pointer and pointer not in nearest:
            pointer = pointer.rpartition("/")[0]
        return location(nearest[pointer], at) if pointer in nearest else own(at)

    return locate


def _in_file(file: ReportFile | None, origin: Origin, shown: str, pointer: str) -> Location:
    line, column = origin.line, origin.column
    if origin.pointer and file is not None and file.json is not None:
        place = file.json.place(origin.pointer)
        line, column = place.line, place.column
    whole = file.line(line) if file is not None else ""
    # a report of one long line is quoted around the value
    cut = column - 1 - LINE_LIMIT // 4 if column > LINE_LIMIT // 2 and len(whole) > LINE_LIMIT else 0
    quoted = _shortened("…" + whole[cut + 1 :] if cut else whole).replace("\t", " ")
    words, lines = _in_words(file, line)
    return Location(shown, line, column, pointer, quoted, cut, words, lines)


def _in_words(file: ReportFile | None, line: int) -> tuple[str, bool]:
    """Return where a line stands in a document, in words, and whether it has lines that a reader counts."""
    if file is None or "written" not in vars(file):
        return "", True
    from ..importers.documents.places import WITHOUT_LINES

    return file.spots[line].words if line in file.spots else "", file.written.form not in WITHOUT_LINES


def _shortened(line: str) -> str:
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"


def _nearest(draft: Draft) -> dict[str, Origin]:
    """Return where values stand; an object that the report does not have stands where its first value does."""
    found = dict(draft.origins)
    for pointer, origin in draft.origins.items():
        parent = pointer
        while parent:
            parent = parent.rpartition("/")[0]
            if parent in found:
                break
            found[parent] = origin
    return found


def _beside(folder: Path, name: str) -> ReportFile:
    from ..importers.tree import Tree

    return Tree(folder).file(name)
