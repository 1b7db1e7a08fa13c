"""One attempt at a trial: a fresh process in a process group of its own, watched from outside.

The parent sleeps while the process measures: it wakes when the process prints, when it ends, when its time is up, and,
where progress is shown or a clock is sampled, some times a second. A process whose parent dies is killed by the kernel;
what a process leaves behind is found by a mark in its environment and killed too.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .log import Log

MARK = "DLAUDIT_STUDY"
SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, linux/prctl.h
TICK_S = 1.0
KILL_S = 5.0


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended."""

    code: int | None
    """Its exit code; None where a signal ended it."""
    signal_name: str | None
    timed_out: bool
    duration_s: float
    log_left_out_bytes: int
    """Bytes that the process printed and that its log leaves out."""
    taken: str | None = None
    """Why the nodes were taken away from it, where they were: then it was lost whatever its ranks say."""

    restarts: int = 0
    """How often a scheduler started its job again, each time anew."""

    def describe(self) -> str:
        """Return one clause for people."""
        if self.taken is not None:
            return self.taken
        if self.signal_name is not None:
            return f"its process was ended by {self.signal_name}"
        return f"its process ended with code {self.code} and reported no end"


class Started:
    """A process that was started and is to be waited for.

    Args:
        arguments: program and arguments.
        environment: its whole environment.
        log: file that takes its standard output and standard error, as far as `log.Log` keeps them.

    Raises:
        OSError: the process could not be made.
    """

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._begun, self._log = time.monotonic(), Log(log)
        try:
            self._process = _start(arguments, environment, self._log)
        except BaseException:
            self._log.close()
            raise

    def wait(self, timeout_s: float, tick: Callable[[], None] | None, tick_s: float = TICK_S) -> Exit:
        """Wait for its end, or for the end of its time, and kill what is left of its group.

        Args:
            timeout_s: time since its start after which its group is killed.
            tick: called every `tick_s` seconds or so, or None.
            tick_s: in seconds.
        """
        process, timed_out = self._process, False
        try:
            timed_out = not _wait(process, self._log, self._begun + timeout_s, tick, tick_s)
        finally:
            self.cancel()
            left_out_bytes = self._log.close()
        code = process.returncode
        name = signal.Signals(-code).name if code < 0 and -code in set(signal.Signals) else None
        return Exit(
            code if code >= 0 else None,
            name or (str(code) if code < 0 else None),
            timed_out,
            time.monotonic() - self._begun,
            left_out_bytes,
        )

    def cancel(self) -> None:
        """Kill its group."""
        _kill_group(self._process.pid)
        self._process.wait()


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    timeout_s: float,
    tick: Callable[[], None] | None,
    tick_s: float = TICK_S,
) -> Exit:
    """Run a process to its end, or to the end of its time, and kill what is left of its group.

    Args:
        arguments: program and arguments.
        environment: its whole environment.
        log: file that takes its standard output and standard error, as far as `log.Log` keeps them.
        timeout_s: time after which its group is killed.
        tick: called every `tick_s` seconds or so, or None.
        tick_s: in seconds.

    Raises:
        OSError: the process could not be made.
    """
    return Started(arguments, environment, log).wait(timeout_s, tick, tick_s)


def _start(arguments: Sequence[str], environment: Mapping[str, str], log: Log) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=log.inlet,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            process_group=0,
            preexec_fn=die_with(os.getpid()),
        )
    finally:
        os.close(log.inlet)


def kill_marked(study: str, proc: Path = Path("/proc")) -> None:
    """Kill every process of this user that carries the study's mark in its environment, and wait until it is gone.

    A process group does not reach what a trial started in a session of its own, nor what outlived a killed runner.
    """
    mark = f"{MARK}={study}".encode()
    given_up = time.monotonic() + KILL_S
    while _kill_all(mark, proc) and time.monotonic() < given_up:
        time.sleep(0.01)


def _kill_all(mark: bytes, proc: Path) -> bool:
    """Kill what carries the mark; return whether there was anything."""
    found = False
    for entry in proc.glob("[0-9]*"):
        if int(entry.name) == os.getpid():
            continue
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found = True
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue  # ended meanwhile, or another user's
    return found


def _wait(
    process: subprocess.Popen[bytes], log: Log, deadline: float, tick: Callable[[], None] | None, tick_s: float
) -> bool:
    """Wait for the process, and keep what it prints; return False where the deadline came first."""
    poll = select.poll() if hasattr(os, "pidfd_open") else None
    descriptor = os.pidfd_open(process.pid) if poll is not None and hasattr(os, "pidfd_open") else -1
    next_tick, open_log = time.monotonic() + tick_s, True
    try:
        if poll is not None:
            poll.register(descriptor, select.POLLIN)
            poll.register(log.outlet, select.POLLIN)
        while process.poll() is None:
            now = time.monotonic()
            if now >= deadline:
                return False
            until = deadline if tick is None else min(deadline, next_tick)
            if poll is not None:
                poll.poll(int(min(max(until - now, 0.0), 3600.0) * 1000) + 1)
            else:
                time.sleep(min(max(until - now, 0.0), 0.1))
            if open_log and not log.take():
                open_log = False
                if poll is not None:
                    poll.unregister(log.outlet)  # at its end it would wake the runner again and again
            if tick is not None and time.monotonic() >= next_tick:
                tick()
                next_tick = time.monotonic() + tick_s
        return True
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # nothing is left of it


def die_with(parent: int) -> Callable[[], None] | None:
    """Return what a child does at its start: ask to be killed when its parent dies; None where nobody can be asked."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the kernel was asked
            os._exit(127)

    return ask
