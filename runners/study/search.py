"""What it took to tune an arm, read from the search itself and not from memory.

A spec names the search of an arm as a path: the folder of a study of dlaudit, whose arms were the candidates, or a
storage of Optuna (an SQLite file, or a journal of JSON lines). What is counted is every trial that was begun, pruned
and failed ones included, and the time between its beginning and its end. The file's digest goes into the manifest.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from ...rules.statistics.intervals import rounded
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.source import read_bytes
from ...schemas.spec import SearchSource, Spec

LIMIT_BYTES = 256 << 20
SQLITE = b"SQLite format 3\0"
CREATED, STARTED, PARAMETER, ENDED = 0, 4, 5, 6  # operations of Optuna's journal
COSMETIC = {"seed", "logging", "name"}


def searches(spec: Spec, folder: Path) -> dict[str, dict[str, Any]]:
    """Return the `search` of every arm that names one, as in common.schema.json.

    Args:
        spec: the spec.
        folder: folder to which its paths are relative.

    Raises:
        UserError: a search cannot be read, or is none of these.
    """
    return {
        name: read(request.search, folder, f"/arms/{name}/search")
        for name, request in spec.arms.items()
        if request.search is not None
    }


def read(source: SearchSource, folder: Path, where: str) -> dict[str, Any]:
    """Return one search.

    Raises:
        UserError: it cannot be read, or is no study and no storage of Optuna.
    """
    path = folder / source.source
    target = path / "manifest.json" if path.is_dir() else path
    data = read_bytes(target, LIMIT_BYTES)
    if data.startswith(SQLITE):
        found = _optuna_database(target, source.study)
    else:
        found = _study_or_journal(data, source.study, str(target))
    return {**found, "source": source.source, "sha256": sha256_hex(data)}


def _study_or_journal(data: bytes, name: str | None, where: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        return _optuna_journal(data, name, where)
    if isinstance(value, dict) and value.get("predicateType") == "urn:dlaudit:study:v1":
        return _own_study(value["predicate"])
    todo = "name the folder of a study of dlaudit, or a storage of Optuna"
    raise UserError("this is not a record of a search", todo, where)


def _own_study(record: Mapping[str, Any]) -> dict[str, Any]:
    arms: Mapping[str, Any] = record["arms"]
    trials = [trial for arm in arms.values() for trial in arm["trials"].values() if trial.get("attempts")]
    hours = sum(
        float(trial.get("wall_s") or 0) * int(arm.get("devices") or 1) / 3600
        for arm in arms.values()
        for trial in arm["trials"].values()
    )
    flat = [_flat(arm.get("options", {}), "") for arm in arms.values()]
    varied = sorted({key for one in flat for key in one if len({other.get(key) for other in flat}) > 1} - COSMETIC)
    space = "; ".join(f"{key}: {', '.join(sorted({str(one.get(key)) for one in flat}))}" for key in varied)
    return {
        "trials": len(trials),
        "device_hours": rounded(hours),
        "method": f"every arm of study {record['study']['id']}",
        "space": space or "one option set",
        "tuned_options": varied,
    }


def _flat(options: Mapping[str, Any], before: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in options.items():
        found |= _flat(value, f"{before}{key}.") if isinstance(value, Mapping) else {f"{before}{key}": str(value)}
    return found


def _optuna_database(path: Path, name: str | None) -> dict[str, Any]:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            studies = database.execute("SELECT study_id, study_name FROM studies").fetchall()
            number = _chosen({title: key for key, title in studies}, name, str(path))
            trials = database.execute(
                "SELECT state, datetime_start, datetime_complete FROM trials WHERE study_id = ?", (number,)
            ).fetchall()
            space = database.execute(
                "SELECT DISTINCT param_name, distribution_json FROM trial_params JOIN trials USING (trial_id) "
                "WHERE study_id = ?",
                (number,),
            ).fetchall()
    except sqlite3.Error as error:
        raise UserError(f"the database cannot be read: {error}", "name a storage of Optuna", str(path)) from None
    return _optuna([(state, start, end) for state, start, end in trials], space)


def _optuna_journal(data: bytes, name: str | None, where: str) -> dict[str, Any]:
    studies: dict[str, int] = {}
    trials: list[dict[str, Any]] = []
    space: set[tuple[str, str]] = set()
    try:
        entries = [json.loads(line) for line in data.splitlines() if line.strip()]
        for entry in entries:
            if entry["op_code"] == CREATED:
                studies[entry["study_name"]] = len(studies)
            elif entry["op_code"] == STARTED:
                trials.append({"study": entry["study_id"], "start": entry.get("datetime_start"), "params": []})
            elif entry["op_code"] == PARAMETER:
                trials[entry["trial_id"]]["params"].append((entry["param_name"], entry["distribution"]))
            elif entry["op_code"] == ENDED:
                trials[entry["trial_id"]] |= {"end": entry.get("datetime_complete"), "state": entry["state"]}
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        todo = "name the folder of a study of dlaudit, or a storage of Optuna"
        raise UserError("this is not a record of a search", todo, where) from None
    number = _chosen(studies, name, where)
    ours = [trial for trial in trials if trial["study"] == number]
    space = {param for trial in ours for param in trial["params"]}
    return _optuna([(trial.get("state"), trial["start"], trial.get("end")) for trial in ours], sorted(space))


def _chosen(studies: Mapping[str, int], name: str | None, where: str) -> int:
    if name is None and len(studies) == 1:
        return next(iter(studies.values()))
    if name is None or name not in studies:
        names = ", ".join(studies) or "none"
        raise UserError(f"the storage holds several studies: {names}", "name one as `study`", where)
    return studies[name]


def _optuna(
    trials: Sequence[tuple[object, str | None, str | None]], space: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    begun = [(start, end) for _, start, end in trials if start]
    unfinished = sum(end is None for _, end in begun)
    hours = sum(_hours(start, end) for start, end in begun if end)
    named = sorted(space)
    return {
        "trials": len(begun),
        "device_hours": rounded(hours),
        "method": "Optuna" + (f"; {unfinished} trials have no end and count no time" if unfinished else ""),
        "space": "; ".join(f"{name}: {_range(text)}" for name, text in named) or "not recorded",
        "tuned_options": sorted({name for name, _ in named}),
    }


def _hours(start: str, end: str) -> float:
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() / 3600)


def _range(distribution: str) -> str:
    attributes = json.loads(distribution).get("attributes", {})
    if "choices" in attributes:
        return ", ".join(str(choice) for choice in attributes["choices"])
    scale = " (log)" if attributes.get("log") else ""
    return f"{attributes.get('low')} to {attributes.get('high')}{scale}"
