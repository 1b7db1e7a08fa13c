"""Logs of runs that a submission leaves in foreign files."""

from __future__ import annotations

from pathlib import Path

from ...rules.trace import Trace
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.submission import Submission


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
