"""A file of the kernel that is opened once and read again and again."""

from __future__ import annotations

import os
from pathlib import Path

LONGEST = 1024


class KernelFile:
    """An open file.

    Args:
        path: the file.

    Raises:
        OSError: it cannot be opened or read.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        os.pread(self._descriptor, 1, 0)

    def read(self) -> bytes:
        """Return what stands in it now; nothing where it can no longer be read."""
        try:
            return os.pread(self._descriptor, LONGEST, 0)
        except OSError:
            return b""
