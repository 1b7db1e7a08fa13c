"""The submission that a draft is: what importers read, with the document it was read from and its places there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ...schemas.pattern import Pattern
from ..importers.claims.sentences import prose_of
from ..importers.draft import Draft
from ..importers.report_file import ReportFile
from .number_places import with_places

Value = dict[str, Any]
_PATH = Pattern(r"[A-Za-z0-9_][A-Za-z0-9._ -]*(?:/[A-Za-z0-9_][A-Za-z0-9._ -]*)*")
"""The paths that a submission takes."""
UNSAID = {"basis": "measured"}
"""What a claim is taken to say where it says nothing."""


def submission_of(draft: Draft, path: str, target: Path | None) -> Value:
    """Return the submission of a draft, without what goes without saying.

    Args:
        draft: what an importer read.
        path: the file or folder as the user named it.
        target: where the submission is written; None where it goes to standard output, beside the document.
    """
    value: Value = dict(draft.value)
    value["claims"] = {key: _plain(claim) for key, claim in value["claims"].items()}
    named = source_name(path, target) if path != "-" else ""
    if named and not draft.traces and not is_written(draft, path):
        return {**value, "arms": with_places(value.get("arms", {}), named, path, draft)}
    if not named or not is_written(draft, path):
        return value
    claims = {key: _placed(key, claim, draft) for key, claim in value.pop("claims").items()}
    head: Value = {key: value.pop(key) for key in ("dlaudit", "title", "coverage") if key in value}
    return {**head, "source": {"file": named}, "claims": claims, **value}


def is_written(draft: Draft, path: str) -> bool:
    """Whether a draft was read from a document that is written for readers, and no file of data."""
    if draft.traces:
        return False
    file = draft.files(path)
    return isinstance(file, ReportFile) and prose_of(file) is not None


def source_name(path: str, target: Path | None) -> str:
    """Return a document's path from the folder of the submission; empty where that may not name it so."""
    folder = target.parent if target is not None else Path(path).parent
    name = os.path.relpath(path, folder)
    return Path(name).as_posix() if _PATH.fullmatch(Path(name).as_posix()) else ""


def _plain(claim: Value) -> Value:
    """Return a claim without what goes without saying."""
    return {key: part for key, part in claim.items() if UNSAID.get(key) != part}


def _placed(key: str, claim: Value, draft: Draft) -> Value:
    """Return a claim with the line of its sentence, or of its cell where a table holds it."""
    found: Value = {"statement": claim["statement"]}
    origin = draft.origins.get(f"/claims/{key}")
    if origin is not None:
        found["printed_at"] = {"line": origin.line}
    if not key.startswith("line-"):
        found["put_together"] = True
    return {**found, **claim}
