"""Where dlaudit remembers things between runs."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """Return the folder of what dlaudit remembers for this account; it need not exist."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "dlaudit"
