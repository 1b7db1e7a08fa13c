"""What else went on while a trial ran, from two snapshots of the machine's counters, as a record beside the knobs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .events import ControlRecord

KNOB = "other_load"
SECONDS = {
    "cpu_pressure_us": ("cpu_pressure_s", 1e-6),
    "memory_pressure_us": ("memory_pressure_s", 1e-6),
    "io_pressure_us": ("io_pressure_s", 1e-6),
    "throttled_us": ("throttled_s", 1e-6),
    "throttled": ("throttled_periods", 1.0),
}
"""Counters by their name in a snapshot: name and unit in the record."""


def record(before: Mapping[str, Any], after: Mapping[str, Any], window_s: float | None) -> ControlRecord | None:
    """Return what the counters say of the time between two snapshots; None where there are none.

    Args:
        before: of environment.load, as kept in a trial's record.
        after: likewise.
        window_s: the time between them.
    """
    measured: dict[str, float] = {}
    for name, (told, unit) in (SECONDS | {"steal_ticks": ("steal_s", 1.0 / _ticks_per_s())}).items():
        first, last = _number(before, name), _number(after, name)
        if first is not None and last is not None and last >= first:
            measured[told] = float(f"{(last - first) * unit:.6g}")
    others = _others_s(before, after)
    processors = _number(after, "processors")
    if others is not None and processors is not None:
        measured |= {"others_s": others, "processors": processors}
    load = _number(after, "load_1min")
    if load is not None:
        measured["load_1min"] = load
    if not measured:
        return None
    if window_s is not None:
        measured["window_s"] = window_s
    return ControlRecord(knob=KNOB, verified="not_requested", evidence=_words(measured), measured=measured)


def _words(measured: Mapping[str, float]) -> str:
    parts = []
    waited = measured.get("cpu_pressure_s")
    if waited is not None:
        share = f" of {measured['window_s']:.3g} s" if "window_s" in measured else ""
        parts.append(f"some task waited for a processor for {waited:.3g} s{share}")
    if "others_s" in measured:
        parts.append(f"others worked {measured['others_s']:.3g} s on the {measured['processors']:.0f} processors")
    if measured.get("steal_s"):
        parts.append(f"the hypervisor took {measured['steal_s']:.3g} s")
    if measured.get("throttled_s"):
        parts.append(f"the control group's quota held it back for {measured['throttled_s']:.3g} s")
    return "; ".join(parts) or "counters of the kernel"


def _others_s(before: Mapping[str, Any], after: Mapping[str, Any]) -> float | None:
    """Return the processor time that went neither to the trial nor to its runner, in seconds."""
    busy = [_number(snapshot, "busy_ticks") for snapshot in (before, after)]
    own = [_number(snapshot, "own_us") for snapshot in (before, after)]
    if busy[0] is None or busy[1] is None or own[0] is None or own[1] is None:
        return None
    return float(f"{max(0.0, (busy[1] - busy[0]) / _ticks_per_s() - (own[1] - own[0]) * 1e-6):.6g}")


def _number(snapshot: Mapping[str, Any], name: str) -> float | None:
    value = snapshot.get(name, {}).get("value")
    return float(value) if isinstance(value, (int, float)) else None


def _ticks_per_s() -> int:
    return os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
