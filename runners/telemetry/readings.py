"""The raw file of a trial's readings: which columns, which window, how long something held the clocks down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from ..trial.events import ControlRecord
from .process import KIND

LIMIT = 10_000
"""Readings of a trial that its sample file takes; beyond them, every second one and so on."""
DIRECT = (
    *("sm_clock_mhz", "memory_clock_mhz", "clock_mhz", "power_w", "temperature_c", "utilisation", "memory_used_bytes"),
    *("throttle_thermal", "throttle_power_brake", "throttle_power_cap"),
)
"""Columns that go into the sample file as they are."""
COUNTED_S = {"cpu_pressure_us": ("cpu_pressure_s", 1e-6), "quota_us": ("quota_s", 1e-6)}
"""Counters that go there as what was counted since the first reading."""
HELD_NS = {"thermal_ns": "thermal", "power_brake_ns": "power_brake", "power_cap_ns": "power_cap"}
"""Counters of the time in which a reason held clocks down."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of the file."""

    dlaudit: str
    columns: tuple[str, ...]
    devices: tuple[str, ...] = ()
    """Identifiers of the devices, where several are read; each then ends the names of its columns, after a dot."""
    wraps_at: dict[str, int] = {}
    sources: tuple[str, ...] = ()
    refused: dict[str, str] = {}
    apart: bool = False
    placement: str = ""
    period_s: float


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """A span of the monotonic clock that the timed iterations took, in seconds."""

    began_s: float
    ended_s: float


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """All readings of one trial."""

    header: Header
    rows: tuple[tuple[float | None, ...], ...]
    cpu_s: float | None = None
    """Processor time that the reading took; None where the process was killed."""
    wall_s: float | None = None

    def column(self, name: str) -> list[tuple[float, float]]:
        """Return the readings of a column with their times, without those that a sensor refused."""
        if name not in self.header.columns:
            return []
        at = self.header.columns.index(name)
        return [(row[0], row[at]) for row in self.rows if row[0] is not None and row[at] is not None]  # type: ignore[misc]

    def of(self, device: str) -> Readings:
        """Return the readings of one of several devices, under the plain names of its columns."""
        ending = f".{device}"
        places = [0, *(at for at, name in enumerate(self.header.columns) if name.endswith(ending))]
        header = msgspec.structs.replace(
            self.header,
            columns=tuple(self.header.columns[at].removesuffix(ending) for at in places),
            devices=(),
            wraps_at={
                name.removesuffix(ending): at for name, at in self.header.wraps_at.items() if name.endswith(ending)
            },
        )
        return msgspec.structs.replace(
            self, header=header, rows=tuple(tuple(row[at] for at in places) for row in self.rows)
        )

    def within(self, window: Window | None) -> Readings:
        """Return only the readings inside a window; all where it is not known."""
        if window is None:
            return self
        rows = tuple(row for row in self.rows if row[0] is not None and window.began_s <= row[0] <= window.ended_s)
        return msgspec.structs.replace(self, rows=rows)

    def around(self, window: Window | None) -> Readings:
        """Return the readings inside a window and the next one on either side: counters that cover it."""
        if window is None:
            return self
        times = [row[0] or 0.0 for row in self.rows]
        first = max((i for i, time in enumerate(times) if time <= window.began_s), default=0)
        last = min((i for i, time in enumerate(times) if time >= window.ended_s), default=len(times) - 1)
        return msgspec.structs.replace(self, rows=self.rows[first : last + 1])


def load(path: Path) -> Readings | None:
    """Read the file of a trial, as far as it was written; None where there is none or it is damaged."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]  # what follows the last line feed was cut off
    except OSError:
        return None
    try:
        header = msgspec.json.decode(lines[0], type=Header)
        values = [msgspec.json.decode(line) for line in lines[1:]]
    except (IndexError, msgspec.DecodeError):
        return None
    rows = tuple(tuple(value) for value in values if isinstance(value, list))
    width = len(header.columns)
    if header.dlaudit != KIND or any(len(row) != width or not all(map(_number_or_none, row)) for row in rows):
        return None
    end = values[-1] if values and isinstance(values[-1], dict) else {}
    return Readings(header=header, rows=rows, cpu_s=end.get("cpu_s"), wall_s=end.get("wall_s"))


def columns(readings: Readings, window: Window | None) -> dict[str, list[float]]:
    """Return the columns of the sample file: numbers of one length, from within the window.

    A column that was refused more often than read is left out, and then every reading that still lacks a number.
    """
    inside = readings.within(window)
    known = [f"{name}{ending}" for name in DIRECT for ending in ("", *(f".{one}" for one in readings.header.devices))]
    names = [name for name in (*known, *COUNTED_S) if 2 * len(inside.column(name)) > len(inside.rows)]
    places = [inside.header.columns.index(name) for name in names]
    kept = [row for row in inside.rows if all(row[place] is not None for place in places)]
    if not names or not kept:
        return {}
    kept = kept[:: math.ceil(len(kept) / LIMIT)]
    found: dict[str, list[float]] = {"time_s": [round(_float(row[0]) - _float(kept[0][0]), 6) for row in kept]}
    for name, place in zip(names, places, strict=True):
        values = [_float(row[place]) for row in kept]
        if name in COUNTED_S:
            told, unit = COUNTED_S[name]
            found[told] = [round(max(0.0, value - values[0]) * unit, 6) for value in values]
        else:
            found[name] = values
    return found


def summary(readings: Readings, window: Window | None) -> dict[str, Any]:
    """Return period, window and counters, as `telemetry` of a trial has them.

    Of several devices each has its counters under its identifier; what stands beside them is of the one held down most.
    """
    covered = readings.around(window)
    times = [_float(row[0]) for row in covered.rows]
    if len(times) < 2 or times[-1] <= times[0]:
        return {}
    steps = [later - sooner for sooner, later in pairwise(times)]
    found = {
        "period_s": float(f"{median(steps):.6g}"),
        "window_s": float(f"{times[-1] - times[0]:.6g}"),
        "throttled_s": _held_s(covered),
    }
    if covered.header.devices:
        each = {device: _held_s(covered.of(device)) for device in covered.header.devices}
        reasons = dict.fromkeys(reason for held in each.values() for reason in held)
        found["throttled_s"] = {reason: max(held.get(reason, 0.0) for held in each.values()) for reason in reasons}
        found["devices"] = {device: {"throttled_s": held} for device, held in each.items()}
    return found


def record(readings: Readings | None) -> ControlRecord:
    """Return what the telemetry itself did, as a record beside the knobs."""
    if readings is None:
        return ControlRecord(knob="telemetry", verified="unverifiable", evidence="there are no readings of this trial")
    header = readings.header
    evidence = f"{', '.join(header.sources)}; {header.placement}"
    evidence += "".join(f"; not read: {why}" for why in header.refused.values())
    measured = {"readings": float(len(readings.rows))}
    if readings.cpu_s is not None and readings.wall_s:
        measured |= {"cpu_s": readings.cpu_s, "core_share": float(f"{readings.cpu_s / readings.wall_s:.6g}")}
    return ControlRecord(
        knob="telemetry",
        found="apart" if header.apart else "not apart",
        verified="not_requested",
        evidence=evidence[:4000],
        measured=measured,
    )


def _held_s(readings: Readings) -> dict[str, float]:
    """Return by reason for how many seconds it held clocks down."""
    counted = {reason: _grown(readings.column(name)) for name, reason in HELD_NS.items()}
    return {reason: float(f"{value * 1e-9:.6g}") for reason, value in counted.items() if value is not None}


def _grown(taken: Sequence[tuple[float, float]]) -> float | None:
    return max(0.0, taken[-1][1] - taken[0][1]) if len(taken) > 1 else None


def _float(value: float | None) -> float:
    assert value is not None
    return float(value)


def _number_or_none(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value))
