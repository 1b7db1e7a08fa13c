"""The log of a trial: all that its process printed or, where that is much, the beginning and the end of it.

The process writes into a pipe, whose other end the runner empties: a program that prints without end fills no disk.
"""

from __future__ import annotations

import os
from pathlib import Path

HEAD_BYTES = 9 << 20
TAIL_BYTES = 1 << 20
READ_BYTES = 1 << 16
MOST_READS = 64
"""Reads at one go: whoever empties the pipe has a deadline to watch, too."""


class Log:
    """A log file and the pipe that feeds it.

    Attributes:
        inlet: descriptor into which the process writes; whoever starts the process closes it then.
        outlet: descriptor that is readable when there is something to take.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self.outlet, self.inlet = os.pipe()
        os.set_blocking(self.outlet, False)
        self._room = HEAD_BYTES
        self._tail = bytearray()
        self._left_out_bytes = 0

    def take(self) -> bool:
        """Keep what was printed meanwhile; return False where nobody can print any more."""
        for _ in range(MOST_READS):
            try:
                chunk = os.read(self.outlet, READ_BYTES)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            self._keep(chunk)
        return True

    def _keep(self, chunk: bytes) -> None:
        head = chunk[: self._room]
        self._file.write(head)
        self._room -= len(head)
        self._tail += chunk[len(head) :]
        if len(self._tail) > 2 * TAIL_BYTES:
            self._cut()

    def _cut(self) -> None:
        beyond = max(0, len(self._tail) - TAIL_BYTES)
        self._left_out_bytes += beyond
        del self._tail[:beyond]

    def close(self) -> int:
        """Keep what is still in the pipe, write the end, and return how many bytes were left out in between."""
        self.take()
        self._cut()
        if self._left_out_bytes:
            self._file.write(f"\n[dlaudit: {self._left_out_bytes} bytes are left out here]\n".encode())
        self._file.write(self._tail)
        self._file.close()
        os.close(self.outlet)
        return self._left_out_bytes
