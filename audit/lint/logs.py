"""Logs of runs that stay in foreign files: read for the rules, and found again when a finding quotes their line."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...rules.trace import Trace
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.submission import Submission
from ..report import Spot
from .findings import Locate

if TYPE_CHECKING:
    from ..importers.draft import Draft, Origin
    from ..importers.report_file import ReportFile

LINE_LIMIT = 160
MOST_NAMED = 12


def logs(submission: Submission, folder: Path, plugins: bool) -> dict[tuple[str, str], Trace]:
    """Return the traces of runs that a submission leaves in files, by arm and run.

    A file that is missing, is not the one that the digest names, or has no format that is known gives none.
    """
    found: dict[tuple[str, str], Trace] = {}
    for arm_id, arm in submission.arms.items():
        for run_id, run in arm.runs.items():
            if run.events or run.file is None or run.file.format is None or run.file.sha256 is None:
                continue
            trace = _read(folder, run.file.name, run.file.sha256, run.file.format, plugins)
            if trace is not None:
                found[arm_id, run_id] = trace
    return found


def _read(folder: Path, name: str, sha256: str, form: str, plugins: bool) -> Trace | None:
    from ..importers.registry import importers
    from ..importers.report_file import open_report
    from ..importers.tree import Tree

    importer = next((each for each in importers(plugins) if each.name == form and each.read_log is not None), None)
    if importer is None or importer.read_log is None:
        return None
    try:
        data = Tree(folder).bytes_of(name)
        return importer.read_log(open_report(name, data)) if sha256_hex(data) == sha256 else None
    except UserError:
        return None


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

    def spot(origin: Origin, pointer: str) -> Spot:
        file = text(origin.file)
        line, column = origin.line, origin.column
        if origin.pointer and file is not None and file.json is not None:
            place = file.json.place(origin.pointer)
            line, column = place.line, place.column
        whole = file.line(line) if file is not None else ""
        # a report of one long line is quoted around the value
        cut = column - 1 - LINE_LIMIT // 4 if column > LINE_LIMIT // 2 and len(whole) > LINE_LIMIT else 0
        quoted = _shortened("…" + whole[cut + 1 :] if cut else whole).replace("\t", " ")
        shown = draft.shown(origin.file) if draft is not None else str(folder / origin.file)
        return Spot(shown, line, column, pointer, quoted, cut)

    nearest = _nearest(draft) if draft is not None else {}

    def locate(at: str) -> Spot:
        if at.startswith("file:"):
            from ..importers.draft import Origin

            name, _, line = at.removeprefix("file:").rpartition("#")
            return spot(Origin(name, int(line)), "")
        if draft is None or not (at == "" or at.startswith("/")):
            return own(at)
        pointer = at
        while pointer and pointer not in nearest:
            pointer = pointer.rpartition("/")[0]
        return spot(nearest[pointer], at) if pointer in nearest else own(at)

    return locate


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


def unused_note(draft: Draft) -> tuple[str, ...]:
    """Return the note that names fields of a report which no field of a submission takes."""
    if not draft.unused:
        return ()
    named = ", ".join(draft.unused[:MOST_NAMED])
    more = f" and {len(draft.unused) - MOST_NAMED} more" if len(draft.unused) > MOST_NAMED else ""
    return (f"fields of the report that were not used: {named}{more}",)
