"""A study that has begun, with what it needs to go on."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from ...schemas.spec import Spec
from ..environment import control
from ..launch.interface import Launcher
from ..telemetry.session import Session
from . import program
from .homes import Homes
from .plan import Plan
from .progress import Progress
from .recorder import Recorder


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """A study that has begun, with what it needs to go on."""

    id: str
    spec: Spec
    plan: Plan
    folder: Path
    recorder: Recorder
    progress: Progress
    session: int
    reserved: control.Reserved
    launcher: Launcher
    homes: Homes = {}
    sysroot: Path = Path("/")
    sensors: Session = Session(None)
    programs: dict[str, program.Program] = {}
    """What each arm runs, as its files stood when this session began."""
    unmet: set[str] = msgspec.field(default_factory=set)
    """Knobs that were requested and cannot be set here, as the user was told."""


def now() -> str:
    """Return the time, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc(unix_ns: int) -> str:
    """Return a time since 1970, in nanoseconds, as text."""
    return datetime.fromtimestamp(unix_ns / 1e9, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def note(line: str) -> None:
    """Write a line for the user."""
    with suppress(BrokenPipeError):  # whoever reads may go away; the study goes on
        sys.stderr.write(f"dlaudit: {line}\n")
        sys.stderr.flush()
