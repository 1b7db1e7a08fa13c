"""The account that this process runs under."""

from __future__ import annotations

import getpass
import os


def name() -> str:
    """Return its name, or its number where it has none, as in a container that was given an arbitrary one."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
