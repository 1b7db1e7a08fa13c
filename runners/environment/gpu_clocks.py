"""Clocks of a GPU and what held them back: one reading, and what the readings of a trial show.

A reading counts as taken under load where the driver saw work in its last sampling period and does not call the GPU
idle. Samples miss what lasts shorter than their distance; the driver's counters of the time that each reason was
active miss nothing, and the difference between the first and the last reading belongs to the trial.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from . import nvml

STEP_MHZ = 15.0
"""Distance of the clocks that a GPU supports."""
SHARE = 0.01
"""Share of the samples, or of the time, from which on a deviation counts."""
IDLE = 0x1
"""nvmlClocksEventReasonGpuIdle."""
SLOWED_BY = {
    "power_cap": 0x4,  # nvmlClocksEventReasonSwPowerCap
    "thermal": 0x20 | 0x40,  # nvmlClocksEventReasonSwThermalSlowdown, nvmlClocksEventReasonHwThermalSlowdown
    "power_brake": 0x80,  # nvmlClocksEventReasonHwPowerBrakeSlowdown
}
"""Bits of the clock event reasons that hold clocks back, by kind."""
COUNTERS = {
    "power_cap": ("NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP",),
    "thermal": (
        "NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN",
        "NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN",
    ),
    "power_brake": ("NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN",),
}
"""Field values that count the time of each reason, in nanoseconds."""
VIOLATIONS = {"power_cap": "NVML_PERF_POLICY_POWER", "thermal": "NVML_PERF_POLICY_THERMAL"}
"""Older counters of the same, where the field values are not supported."""
Domain = Literal["sm", "memory"]


def read(target: str) -> dict[str, Any]:
    """Return one reading of a GPU's clocks.

    `sm_mhz` and `memory_mhz` are clocks; `reasons` is the bit mask of clock event reasons, `utilization` the percentage
    of the driver's last sampling period in which a kernel ran, `slowed_ns` the time that each reason has been active
    since the driver was loaded, and `time_ns` a monotonic clock. What the GPU does not support is None or absent.

    Raises:
        Refused: not even the clocks can be read.
    """
    pynvml = nvml.library()
    used = nvml.asked("nvmlDeviceGetUtilizationRates", target)
    return {
        "time_ns": time.monotonic_ns(),
        "sm_mhz": nvml.ask("nvmlDeviceGetClockInfo", target, pynvml.NVML_CLOCK_SM),
        "memory_mhz": nvml.asked("nvmlDeviceGetClockInfo", target, pynvml.NVML_CLOCK_MEM),
        "reasons": nvml.asked("nvmlDeviceGetCurrentClocksEventReasons", target),
        "utilization": used.gpu if used is not None else None,
        "slowed_ns": _slowed_ns(target),
    }


@dataclass(frozen=True, slots=True)
class Held:
    """Whether a clock was held during a trial."""

    state: Literal["verified", "contradicted", "unverifiable"]
    evidence: str
    found_mhz: float | None
    measured: Mapping[str, float]


def judge(readings: Sequence[Mapping[str, Any]], domain: Domain, wanted_mhz: float) -> Held:
    """Judge whether a clock stood at one value under load.

    Args:
        readings: of one trial; the first was taken before it and the last after it.
        domain: which clock.
        wanted_mhz: where it should stand, in MHz, one step more or less.
    """
    loaded = [reading for reading in readings[1:-1] if _under_load(reading)]
    clocks = [float(reading[f"{domain}_mhz"]) for reading in loaded if reading[f"{domain}_mhz"] is not None]
    slowed = slowed_s(readings[0], readings[-1])
    window_s = (readings[-1]["time_ns"] - readings[0]["time_ns"]) / 1e9
    measured = {"samples": float(max(0, len(readings) - 2)), "samples_loaded": float(len(clocks)), "window_s": window_s}
    measured |= {f"{kind}_s": value for kind, value in slowed.items()}
    if not clocks:
        return Held("unverifiable", "no sample was taken while the GPU was at work", None, _rounded(measured))
    outside = [clock for clock in clocks if abs(clock - wanted_mhz) > STEP_MHZ]
    measured |= {
        f"{domain}_clock_low_mhz": min(clocks),
        f"{domain}_clock_median_mhz": median(clocks),
        f"{domain}_clock_high_mhz": max(clocks),
        "samples_outside": float(len(outside)),
        "share_outside": len(outside) / len(clocks),
    }
    measured |= {f"{kind}_share": value for kind, value in _shares(loaded).items()}
    evidence = f"{len(clocks)} samples under load from {min(clocks):g} to {max(clocks):g} MHz"
    if outside:
        evidence += f", {len(outside)} of them more than {STEP_MHZ:g} MHz from {wanted_mhz:g}"
    long = {kind: value for kind, value in slowed.items() if value > SHARE * window_s}
    evidence += "".join(
        f"; {kind.replace('_', ' ')} held clocks back for {value:.3g} s" for kind, value in long.items()
    )
    if len(outside) <= SHARE * len(clocks) and not long:
        evidence += "; nothing held clocks back" if slowed else "; this GPU does not count what holds clocks back"
    contradicted = len(outside) > SHARE * len(clocks) or bool(long)
    return Held("contradicted" if contradicted else "verified", evidence, median(clocks), _rounded(measured))


def slowed_s(first: Mapping[str, Any], last: Mapping[str, Any]) -> dict[str, float]:
    """Return how long each kind of reason was active between two readings, in seconds; a counter restarts at 0."""
    before, after = first["slowed_ns"], last["slowed_ns"]
    return {kind: max(0, after[kind] - before[kind]) / 1e9 for kind in after if kind in before}


def _under_load(reading: Mapping[str, Any]) -> bool:
    reasons = reading["reasons"]
    return bool(reading["utilization"]) and not (reasons is not None and reasons & IDLE)


def _shares(loaded: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return in which share of the samples each kind of reason was active."""
    masks = [reading["reasons"] for reading in loaded if reading["reasons"] is not None]
    if not masks:
        return {}
    return {kind: sum(bool(mask & bits) for mask in masks) / len(masks) for kind, bits in SLOWED_BY.items()}


def _slowed_ns(target: str) -> dict[str, int]:
    pynvml = nvml.library()
    names = [name for group in COUNTERS.values() for name in group]
    values = nvml.asked("nvmlDeviceGetFieldValues", target, [getattr(pynvml, name) for name in names])
    known = {
        name: int(value.value.ullVal)
        for name, value in zip(names, values or (), strict=False)
        if value.nvmlReturn == pynvml.NVML_SUCCESS
    }
    found = {kind: max(known[name] for name in group) for kind, group in COUNTERS.items() if set(group) <= set(known)}
    for kind, policy in VIOLATIONS.items():
        if kind not in found:
            status = nvml.asked("nvmlDeviceGetViolationStatus", target, getattr(pynvml, policy))
            if status is not None:
                found[kind] = int(status.violationTime)
    return found


def _rounded(measured: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in measured.items()}
