"""Hostile input is read in a process of its own: bytes in, bytes out, with limits of memory, time and output."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may use."""

    memory: int
    """Bytes of its address space."""
    cpu_s: int
    wall_s: float
    output: int
    """Bytes it may answer with."""

    def __str__(self) -> str:
        """Return them as a message names them."""
        return f"{self.cpu_s} s and {self.memory >> 30} GiB"


def ask(module: str, arguments: tuple[str, ...], data: bytes, limits: Limits) -> bytes | None:
    """Run a module in a process of its own, and return what it answers to some bytes; None where it ran into a limit.

    The module calls `obey` before it reads, since a limit cannot be set from outside.
    """
    command = [sys.executable, "-I", "-m", module, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    timer = threading.Timer(limits.wall_s, process.kill)
    timer.start()
    try:
        try:
            process.stdin.write(data)
            process.stdin.close()
        except BrokenPipeError:
            answer = b""
        else:
            answer = process.stdout.read(limits.output + 1)
    finally:
        timer.cancel()
        process.kill()
        process.stdout.close()
        process.wait()
    return answer if 0 < len(answer) <= limits.output else None


def obey(limits: Limits) -> None:
    """Set the limits of this process, which may write to no file from here on."""
    import resource

    for limit, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))
