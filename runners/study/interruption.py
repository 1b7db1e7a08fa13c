"""Signals that end a study: the first one interrupts, and what follows it is left to finish its work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def once() -> Iterator[None]:
    """Let the first of Ctrl-C, SIGTERM and SIGHUP raise KeyboardInterrupt; those that come after it come to nothing.

    A batch system sends SIGTERM to stop a job, often twice, and people press Ctrl-C again: knobs are still put back,
    and the folder still becomes a valid part. Nor do they come to anything afterwards, for an interrupted process is
    about to end. In a thread other than the main one nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = False

    def interrupt(_number: int, _frame: object) -> None:
        nonlocal came
        if not came:
            came = True
            raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if came else handler)


@contextmanager
def kept() -> Iterator[None]:
    """Give the signals back what they came to before: a library may set handlers of its own where it is initialised."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
