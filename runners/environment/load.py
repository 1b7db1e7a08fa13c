"""What else runs on the machine: load, pressure, stolen time. Read before and after a trial."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

import msgspec

from . import cgroup
from .fact import Fact, Facts, read_text, unverifiable


def snapshot(sysroot: Path) -> Facts:
    """Return the load average, and counters of what held tasks up.

    `cpu_pressure_us`, `memory_pressure_us` and `io_pressure_us` are the time in which some task waited for a processor,
    for memory, for a disk; `steal_ticks` the time that a hypervisor took away; `throttled` and `throttled_us` how often
    and how long the control group was held to its quota; `busy_ticks` the time that all processors worked, whoever for,
    and `processors` their number. All but that and the load average only count upwards: the difference of two snapshots
    belongs to the time between them.
    """
    group = cgroup.state(sysroot)
    return {
        "load_1min": _load(sysroot),
        "cpu_pressure_us": _pressure(sysroot, "cpu"),
        "memory_pressure_us": _pressure(sysroot, "memory"),
        "io_pressure_us": _pressure(sysroot, "io"),
        "steal_ticks": _steal(sysroot),
        "busy_ticks": _busy(sysroot),
        "processors": _processors(sysroot),
        "throttled": group["throttled"],
        "throttled_us": group["throttled_us"],
    }


def waited_percent(sysroot: Path) -> Fact:
    """Return the percentage of the last ten seconds in which some task waited for a processor."""
    text = read_text(sysroot, "/proc/pressure/cpu")
    if not text.known:
        return text
    _, _, rest = str(text.value).partition("some avg10=")
    try:
        return Fact(float(rest.split()[0]))
    except (IndexError, ValueError):
        return unverifiable("/proc/pressure/cpu does not tell")


def stolen_percent(sysroot: Path) -> Fact:
    """Return the percentage of all processors' time since the start that a hypervisor took (proc_stat, field steal)."""
    text = read_text(sysroot, "/proc/stat")
    if not text.known:
        return text
    fields = str(text.value).split("\n", 1)[0].split()[1:]
    if len(fields) < 8 or not all(field.isdigit() for field in fields) or not any(map(int, fields[:8])):
        return unverifiable("/proc/stat does not tell")
    return Fact(float(f"{100 * int(fields[7]) / sum(int(field) for field in fields[:8]):.2g}"))


def _load(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/proc/loadavg")
    if not text.known:
        return text
    try:
        return Fact(float(str(text.value).split()[0]))
    except (IndexError, ValueError):
        return unverifiable("/proc/loadavg does not tell")


def _pressure(sysroot: Path, resource: str) -> Fact:
    text = read_text(sysroot, f"/proc/pressure/{resource}")
    if not text.known:
        return text
    for line in str(text.value).splitlines():
        name, *fields = line.split()
        for field in fields:
            key, _, number = field.partition("=")
            if (name, key) == ("some", "total") and number.isdigit():
                return Fact(int(number))
    return unverifiable(f"/proc/pressure/{resource} does not tell")


def _busy(sysroot: Path) -> Fact:
    """Return the ticks of user, nice, system, irq and softirq of all processors (proc_stat)."""
    text = read_text(sysroot, "/proc/stat")
    if not text.known:
        return text
    fields = str(text.value).split("\n", 1)[0].split()[1:]
    if len(fields) < 7 or not all(field.isdigit() for field in fields):
        return unverifiable("/proc/stat does not tell")
    return Fact(sum(int(fields[place]) for place in (0, 1, 2, 5, 6)))


def _processors(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/proc/stat")
    if not text.known:
        return text
    count = sum(line[:3] == "cpu" and line[3:4].isdigit() for line in str(text.value).splitlines())
    return Fact(count) if count else unverifiable("/proc/stat does not tell")


def _steal(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/proc/stat")
    if not text.known:
        return text
    fields = str(text.value).split("\n", 1)[0].split()
    if len(fields) > 8 and fields[0] == "cpu" and fields[8].isdigit():
        return Fact(int(fields[8]))
    return unverifiable("/proc/stat does not tell")


def with_own(sysroot: Path) -> dict[str, Any]:
    """Return a snapshot with the processor time of this process and of what it started and waited for, as JSON."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own_s = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))
    value = msgspec.to_builtins({**snapshot(sysroot), "own_us": Fact(round(own_s * 1e6))})
    assert isinstance(value, dict)
    return value
