"""Address space layout of a trial's process: random from start to start, or the same each time.

Where a spec asks for the same each time, the process asks the kernel (`personality`, ADDR_NO_RANDOMIZE) and starts
itself anew, for a layout is drawn when a program begins. It is verified by an effect: two programs started by the
process lie at the same addresses.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from .events import ControlRecord, Verified

KNOB = "aslr"
ADDR_NO_RANDOMIZE = 0x0040000
"""linux/personality.h."""
ASK = 0xFFFFFFFF
"""Changes nothing and returns what is."""
RANDOMIZE = Path("/proc/sys/kernel/randomize_va_space")
CAT_S = 10.0


def settle(requested: bool | None) -> None:
    """Start this process anew without randomisation, where that is asked for, possible and not yet so.

    Nothing that fails here raises: `record` looks at what came of it.
    """
    if requested is not False or sys.platform != "linux" or _is_fixed():
        return
    if _personality(_personality(ASK) | ADDR_NO_RANDOMIZE) >= 0 and _is_fixed():
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (this same program)


def refusal() -> str | None:
    """Try, for no program, whether layouts may be fixed here; return why not, or None."""
    if sys.platform != "linux":
        return "this platform has no personality()"
    before = _personality(ASK)
    if _personality(before | ADDR_NO_RANDOMIZE) < 0:
        return f"personality: {os.strerror(ctypes.get_errno())}; in a container: --security-opt seccomp=unconfined"
    _personality(before)
    return None


def record(requested: bool | None) -> ControlRecord:
    """Look at the layout of programs that this process starts, as its own children of the trial do."""
    fixed = _is_fixed() if sys.platform == "linux" else None
    found = None if fixed is None else not fixed and _switch() != "0"
    if requested is None:
        evidence = "the kernel's personality of the process" if fixed is not None else "not visible here"
        return ControlRecord(knob=KNOB, found=found, verified="not_requested", evidence=evidence)
    why = refusal() if not requested and not fixed else None
    if why is not None:
        state: Verified = "not_permitted" if sys.platform == "linux" else "unverifiable"
        return ControlRecord(knob=KNOB, requested=requested, found=found, verified=state, evidence=why)
    layouts = {_layout() for _ in range(2)}
    if None in layouts:
        return ControlRecord(
            knob=KNOB, requested=requested, found=found, verified="unverifiable", evidence="cat does not start here"
        )
    moves = len(layouts) > 1
    return ControlRecord(
        knob=KNOB,
        requested=requested,
        applied=requested,
        found=moves,
        verified="verified" if moves == requested else "contradicted",
        evidence=f"two programs in a row lay at {'different' if moves else 'the same'} addresses",
    )


def _is_fixed() -> bool:
    persona = _personality(ASK)
    return persona >= 0 and bool(persona & ADDR_NO_RANDOMIZE)


def _switch() -> str:
    try:
        return RANDOMIZE.read_text().strip()
    except OSError:
        return ""


def _personality(persona: int) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.personality(ctypes.c_ulong(persona)))


def _layout() -> tuple[str, ...] | None:
    """Return where the areas of a program lie that this process starts."""
    try:
        done = subprocess.run(
            ["cat", "/proc/self/maps"], stdin=subprocess.DEVNULL, capture_output=True, timeout=CAT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return tuple(line.split()[0] for line in done.stdout.decode(errors="replace").splitlines() if line)
