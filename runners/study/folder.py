"""A study's folder: which file lies where, and who may write.

plan.json             the plan, written last of the four files that begin a study
spec.yaml, spec.json  the bytes of the spec
environment/<n>.json  the facts of the n-th session (the first run, then one per resumption)
environment/controls-<n>.json  whether the n-th session put back the knobs of the machine, where it turned any
trials/<id>.*         order, events, log, controls, record and samples of a trial, of an accounting one the trace;
                      a repeated attempt has `<id>.again-<n>.*`
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.files import write_atomic

TRIALS = "trials"
ENVIRONMENT = "environment"
PLAN = "plan.json"


def stem(trial: str, attempt: int) -> str:
    """Return how the files of an attempt begin; attempts count from 1."""
    return trial if attempt == 1 else f"{trial}.again-{attempt}"


def raw_files(folder: Path) -> list[str]:
    """Return the raw files of a study as relative POSIX paths, sorted."""
    found = [path.name for path in folder.glob("spec.*")]
    for part in (TRIALS, ENVIRONMENT):
        found += [f"{part}/{path.name}" for path in (folder / part).iterdir() if not path.name.startswith(".")]
    return sorted(found)


def sweep(folder: Path) -> None:
    """Remove the temporary files of writes that a kill cut off."""
    for part in (folder, folder / TRIALS, folder / ENVIRONMENT):
        for path in part.glob(".*.tmp"):
            path.unlink()


def clear(folder: Path, *, whole: bool) -> None:
    """Remove what a study writes before its first trial, and the folder itself where `whole` says so."""
    for part in (TRIALS, ENVIRONMENT):
        shutil.rmtree(folder / part, ignore_errors=True)
    for path in (folder / PLAN, *folder.glob("spec.*")):
        path.unlink(missing_ok=True)
    if whole:
        with suppress(OSError):  # something of somebody else's is in it
            folder.rmdir()


def write_json(path: Path, value: Any, indent: int | None = 1) -> bytes:
    """Write a JSON value with sorted keys, whole or not at all; return the bytes."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, sort_keys=True, allow_nan=False, indent=indent, separators=separators, ensure_ascii=False)
    data = text.encode() + b"\n"
    write_atomic(path, data)
    return data


def write_restored(folder: Path, session: int, restored: Mapping[str, Any]) -> None:
    """Keep by knob whether a session put back the earlier state; where it turned no knob, nothing is written."""
    if restored:
        write_json(folder / ENVIRONMENT / f"controls-{session}.json", restored)


def read_restored(folder: Path, session: int) -> dict[str, Any]:
    """Return what `write_restored` kept; nothing where the session was killed before it put anything back."""
    path = folder / ENVIRONMENT / f"controls-{session}.json"
    value = read_json(path) if path.exists() else {}
    return value if isinstance(value, dict) else {}


def read_json(path: Path) -> Any:
    """Read a JSON file of ours.

    Raises:
        UserError: it is damaged.
    """
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise UserError(f"the file is damaged ({error})", "start a new study in another folder", str(path)) from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the study's folder against every other run; the kernel lets go of it whatever ends this process.

    Raises:
        UserError: another run holds it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                "another run works in this folder", "wait for it, or choose another --out", str(folder)
            ) from None
        yield
    finally:
        os.close(descriptor)
