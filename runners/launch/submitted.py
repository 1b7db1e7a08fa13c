"""What is kept of a job beside the order file of its attempt, so that a runner that was killed finds it again."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from ...schemas.files import write_atomic


class Submitted(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a job."""

    scheduler: str = "slurm"
    id: str
    attempt_of: str
    """Stem of the files of the attempt that it was submitted for."""
    state: str | None = None
    """State in which it ended."""
    restarts: int = 0
    """How often its scheduler started it again."""


def keep(order: Path, submitted: Submitted) -> Submitted:
    """Write what is known of the job of an attempt, and return it."""
    data = json.dumps(msgspec.to_builtins(submitted), sort_keys=True).encode() + b"\n"
    write_atomic(beside(order, "job.json"), data)
    return submitted


def kept(order: Path) -> Submitted | None:
    """Return what is kept of the job of an attempt; None where none was submitted."""
    path = beside(order, "job.json")
    return msgspec.json.decode(path.read_bytes(), type=Submitted) if path.exists() else None


def stem(order: Path) -> str:
    """Return what the names of all files of an attempt begin with."""
    return order.name.removesuffix(".order.json")


def beside(order: Path, ending: str) -> Path:
    """Return a file of an attempt."""
    return order.with_name(f"{stem(order)}.{ending}")
