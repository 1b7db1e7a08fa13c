"""Which process a ledger entry speaks of, and whether it is certainly gone."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
from pathlib import Path
from typing import Any

_MACHINE_ID = Path("/etc/machine-id")
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def own_mark() -> dict[str, Any]:
    """Return host, boot and start time of this process, as a start entry carries them."""
    return {
        "host": host_mark(),
        "boot_id": boot_id(),
        "pid": os.getpid(),
        "pid_start": _start_ticks(os.getpid()),
    }


def host_mark() -> str:
    """Return a name for this host that does not tell what it is called: 16 hexadecimal digits."""
    known = [socket.gethostname()]
    with contextlib.suppress(OSError):
        known.append(_MACHINE_ID.read_text("ascii", "replace").strip())
    return hashlib.sha256("\0".join(["dlaudit-host", *known]).encode()).hexdigest()[:16]


def boot_id() -> str:
    """Return the identity of this boot; empty where the system gives none."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""


def is_gone(mark: dict[str, Any]) -> bool:
    """Whether the process of a start entry has certainly ended.

    A process of another host is never certain to be gone: two nodes may share a home and its ledger.
    """
    own = own_mark()
    if mark["host"] != own["host"]:
        return False
    if mark["boot_id"] != own["boot_id"]:
        return True
    try:
        os.kill(mark["pid"], 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    ticks = _start_ticks(mark["pid"])
    return bool(ticks and mark["pid_start"] and ticks != mark["pid_start"])


def _start_ticks(pid: int) -> int:
    """Return when a process started, in clock ticks since boot (proc(5), field 22 of stat); 0 where unknown."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        return int(text.rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0
