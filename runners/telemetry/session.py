"""The runner's side of the telemetry: one process a session, told where each trial's readings go.

Nothing that fails here ends a study: a trial without readings has none, and its record says why.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from ...schemas.spec import Spec
from ..environment import amd, gpus
from ..environment.knobs.interface import Refused
from .process import Order

PROGRAM = (sys.executable, "-P", "-m", "dlaudit.runners.telemetry.process")
START_S = 30.0
ANSWER_S = 5.0


class Session:
    """A process that reads the sensors; does nothing where there is none."""

    def __init__(self, process: subprocess.Popen[bytes] | None) -> None:
        self._process, self._ready = process, False

    def begin(self, path: Path) -> None:
        """Let the readings of a trial go to a file; the first time, wait until the process is there."""
        if self._process is not None and not self._ready:
            self._ready = _answered(self._process, START_S)
            if not self._ready:
                self.close()
        self._tell(str(path))

    def end(self) -> None:
        """Take a last reading, and wait until the file is whole."""
        self._tell(None)
        if self._process is not None and not _answered(self._process, ANSWER_S):
            self.close()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        try:
            process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _tell(self, value: str | None) -> None:
        if self._process is None or self._process.stdin is None:
            return
        try:
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
        except OSError:
            self.close()


@contextmanager
def reading(spec: Spec, sysroot: Path = Path("/")) -> Iterator[Session]:
    """Start the process where the spec wants telemetry, without waiting for it, and end it with the block."""
    session = Session(_start(spec, sysroot) if spec.telemetry else None)
    try:
        yield session
    finally:
        session.close()


def order_of(spec: Spec, sysroot: Path) -> Order:
    """Return what the process is to read for a spec."""
    found = gpus.used(spec)
    return Order(
        sysroot=str(sysroot),
        on_processor=spec.device == "cpu",
        gpus=found,
        amd=_of_amd(spec) if not found and spec.device != "cpu" else (),
        avoid=tuple(spec.controls.affinity or spec.controls.cpuset),
    )


def _of_amd(spec: Spec) -> tuple[str, ...]:
    """Return the identifiers of the AMD GPUs on which a study's trials run; nothing where that is unknown."""
    try:
        return tuple(amd.meant(spec))
    except Refused:
        return ()


def _start(spec: Spec, sysroot: Path) -> subprocess.Popen[bytes] | None:
    order = msgspec.json.encode(order_of(spec, sysroot)).decode()
    try:
        return subprocess.Popen(
            [*PROGRAM, order],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,
            bufsize=0,
        )
    except OSError:
        return None


def _answered(process: subprocess.Popen[bytes], within_s: float) -> bool:
    """Whether the process wrote a line in time."""
    if process.stdout is None:
        return False
    until = time.monotonic() + within_s
    while (left := until - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], left)[0]:
            return False
        data = process.stdout.read(1)
        if not data:
            return False
        if data == b"\n":
            return True
    return False
