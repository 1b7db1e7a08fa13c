"""Logs that a load generator left in the folder of a cited study, read by the importer of their format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...rules.trace import Trace
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.evidence import Arm
from ...schemas.manifest import Predicate
from ...schemas.model import to_model
from ...schemas.runs import Run

if TYPE_CHECKING:
    from ..importers.report_file import ReportFile

Traces = dict[tuple[str, str], Trace]


def read_logs(record: Predicate, study: str, folder: Path, path: str) -> tuple[Predicate, Traces]:
    """Return a study's record with what its logs tell of each run, and the traces by arm and run.

    A log that is missing, or is not the one that the manifest names, tells nothing.

    Args:
        record: the record.
        study: the submission's name for it.
        folder: folder of the submission.
        path: path of the manifest beneath it.
    """
    traces: Traces = {}
    arms = dict(record.arms)
    for name, arm in record.arms.items():
        if any(run.file is not None for run in arm.runs.values()):
            arms[name] = _with_logs(arm, f"{study}:{name}", folder, Path(path).parent, traces)
    return (replace(record, arms=arms), traces) if traces else (record, traces)


def _with_logs(arm: Arm, side: str, folder: Path, beneath: Path, traces: Traces) -> Arm:
    from ..importers.mlperf.inference_run import logs_of, run_entry, trace_of

    runs = dict(arm.runs)
    for name, run in arm.runs.items():
        file = _file(run, folder, beneath)
        if file is None:
            continue
        logs = logs_of(file, None)
        told = to_model(run_entry(logs, run.role or "performance"), Run, run.at)
        runs[name] = replace(run, tool=told.tool, window=told.window, verdict=told.verdict, clock=told.clock)
        traces[side, name] = trace_of(logs, run.at)
    return replace(arm, runs=runs)


def _file(run: Run, folder: Path, beneath: Path) -> ReportFile | None:
    from ..importers.mlperf.inference_run import FORMAT
    from ..importers.report_file import open_report
    from ..importers.tree import Tree

    if run.file is None or run.file.format != FORMAT:
        return None
    name = (beneath / run.file.name).as_posix()
    try:
        data = Tree(folder).bytes_of(name)
    except UserError:
        return None
    return open_report(name, data) if sha256_hex(data) == run.file.sha256 else None
