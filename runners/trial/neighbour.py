"""A neighbour that keeps each processor busy for a stated share of the time: competing load, as an arm.

`python -P -m dlaudit.runners.trial.neighbour SHARE` prints a line when all of its processes run, and ends with its
parent. It takes the processors that the trial may use.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ...schemas.errors import UserError
from .attempt import die_with

PERIOD_S = 0.02


@contextmanager
def taking(share: float) -> Iterator[None]:
    """Have a neighbour take this share of every processor meanwhile; nobody where it is 0.

    Raises:
        UserError: it did not start.
    """
    if not share:
        yield
        return
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, str(share)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=die_with(os.getpid()),
    )
    assert process.stdout is not None
    try:
        if not process.stdout.readline():
            raise UserError("the neighbour did not start", "see the trial's log", "/interference")
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def main(share: float) -> None:
    """Start a process for each processor that may be used, and be one of them."""
    processors = sorted(os.sched_getaffinity(0))
    dies = die_with(os.getpid())
    for processor in processors[1:]:
        if os.fork() == 0:
            if dies is not None:
                dies()
            _busy(processor, share)
    sys.stdout.write("running\n")
    sys.stdout.flush()
    _busy(processors[0], share)


def _busy(processor: int, share: float) -> None:
    os.sched_setaffinity(0, {processor})
    while True:
        began = time.perf_counter()
        spent = time.thread_time() + share * PERIOD_S
        while time.thread_time() < spent:
            pass
        time.sleep(max(0.0, PERIOD_S - (time.perf_counter() - began)))


if __name__ == "__main__":
    main(float(sys.argv[1]))
