"""The logs that a load generator left of an arm's trials, by digest: what reads them again is their importer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...schemas.files import sha256_file
from ..study import folder as files
from .outcomes import path_of
from .run import Run
from .summary import printed

FORMAT = "mlperf-inference"
DETAIL, OUTPUTS = "mlperf_log_detail.txt", "mlperf_log_accuracy.json"
ROLES = {"performance": DETAIL, "accuracy": f"accuracy.{DETAIL}"}


def of_arm(out: Path, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the logged runs of an arm by trial and role; empty where no load generator wrote any.

    Args:
        out: the study's folder.
        runs: the trials of the arm.
    """
    found = {}
    for run in runs:
        for role, ending in ROLES.items():
            path = path_of(out, run.planned.trial, max(1, len(run.attempts)), ending)
            if run.has_result and path.exists():
                entry = {"role": role, "file": _file(out, path)}
                scored = _record(run, path) if role == "accuracy" else {}
                found[f"{run.planned.trial}-{role}"] = entry | ({"record": scored} if scored else {})
    return found


def _record(run: Run, detail: Path) -> dict[str, Any]:
    """Return what scored the outputs of an accuracy run; empty where nothing did."""
    if not run.events.evaluations:
        return {}
    last, digest = run.events.evaluations[-1], _sha256(detail.with_name(detail.name.replace(DETAIL, OUTPUTS)))
    value: dict[str, Any] = {
        "metrics": {name: printed(number) for name, number in last.metrics.items() if number is not None},
        "examples": last.examples,
        "named_sha256": digest,
        "outputs_sha256": digest,
        "outputs": "whole",
    }
    return value if last.correct is None else value | {"correct": last.correct}


def _file(out: Path, path: Path) -> dict[str, Any]:
    name = f"{files.TRIALS}/{path.name}"
    assert path == out / name
    return {"name": name, "bytes": path.stat().st_size, "sha256": _sha256(path), "format": FORMAT}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return sha256_file(file)
