"""What a knob stands at, in a few words for people."""

from __future__ import annotations

from typing import Any

from ..trial.kernel_lists import cpu_list, parse_cpu_list
from .knobs import amd_power_limit_w, cpu_frequency_mhz, governor, irq_free, smt, turbo
from .knobs.interface import Knob, Reading


def state(knob: Knob, reading: Reading) -> str:
    """Return what a reading of a knob says."""
    if isinstance(reading, bool):
        return "on" if reading else "off"
    if knob is amd_power_limit_w:
        return f"{reading / amd_power_limit_w.MICROWATTS:g} W"
    if not isinstance(reading, dict):
        return str(reading)
    if knob is turbo:
        return "on" if turbo.is_on(reading) else "off"
    if knob is smt:
        return "on" if reading["active"] else "off"
    if knob is governor:
        return " ".join(sorted(set(reading.values())))
    if knob is cpu_frequency_mhz:
        limits = {(policy["min_khz"], policy["max_khz"]) for policy in reading.values()}
        return ", ".join(f"{low / 1000:g} to {high / 1000:g} MHz" for low, high in sorted(limits))
    if knob is irq_free:
        cpus = frozenset[int]().union(*map(parse_cpu_list, reading["irqs"].values()))
        return f"{len(reading['irqs'])} on processors {cpu_list(cpus)}"
    return _gpu(knob, reading)


def _gpu(knob: Knob, reading: dict[str, Any]) -> str:
    if "enforced_mw" in reading:
        return f"{reading['enforced_mw'] / 1000:g} W"
    if "cpus" in reading:
        return f"processors {reading['cpus']}" if reading["cpus"] else "no group"
    domain = "memory_mhz" if "memory" in knob.NAME else "sm_mhz"
    clock = reading.get("clock_mhz", reading.get(domain))
    return "unknown" if clock is None else f"runs at {clock} MHz"
