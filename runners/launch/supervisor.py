"""Ranks as processes of this machine, without torchrun: `python -P -m dlaudit.runners.launch.supervisor N -- PROGRAM`.

Each rank is told its place by the variables that torchrun sets. Where one fails the others have some seconds to say how
they end, for they wait for it in vain; then all are killed.
"""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
import time

from ..trial.attempt import die_with

GRACE_S = 5.0
POLL_S = 0.02
HOST = "127.0.0.1"


def main(arguments: list[str]) -> int:
    """Run the ranks to their end; return the first exit code that is not 0."""
    ranks, program = int(arguments[0]), arguments[2:]
    port = str(free_port())
    processes = [_start(program, rank, ranks, port) for rank in range(ranks)]
    try:
        return _wait(processes)
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()


def _start(program: list[str], rank: int, ranks: int, port: str) -> subprocess.Popen[bytes]:
    place = {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(ranks),
        "LOCAL_WORLD_SIZE": str(ranks),
        "MASTER_ADDR": HOST,
        "MASTER_PORT": port,
    }
    return subprocess.Popen(program, env=os.environ | place, preexec_fn=die_with(os.getpid()))


def _wait(processes: list[subprocess.Popen[bytes]]) -> int:
    failed, until = 0, math.inf
    while any(process.poll() is None for process in processes) and time.monotonic() < until:
        codes = [process.poll() for process in processes]
        if not failed and any(codes):
            failed = next(int(code) for code in codes if code)
            until = time.monotonic() + GRACE_S
        time.sleep(POLL_S)
    codes = [failed, *(process.returncode or 0 for process in processes)]
    return abs(next((code for code in codes if code), 0))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("", 0))
        return int(listener.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
