"""What else runs on the machine: load, pressure, stolen time. Read before and after a trial."""

from __future__ import annotations

from pathlib import Path

from .fact import Fact, Facts, read_text, unverifiable


def snapshot(sysroot: Path) -> Facts:
    """Return the load average, the time that tasks waited for a processor and the time a hypervisor took away.

    `cpu_pressure_us` and `steal_ticks` only count upwards: the difference of two snapshots belongs to the time between
    them.
    """
    return {
        "load_1min": _load(sysroot),
        "cpu_pressure_us": _pressure(sysroot),
        "steal_ticks": _steal(sysroot),
    }


def _load(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/proc/loadavg")
    if not text.known:
        return text
    try:
        return Fact(float(str(text.value).split()[0]))
    except (IndexError, ValueError):
        return unverifiable("/proc/loadavg does not tell")


def _pressure(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/proc/pressure/cpu")
    if not text.known:
        return text
    for line in str(text.value).splitlines():
        name, *fields = line.split()
        for field in fields:
            key, _, number = field.partition("=")
            if (name, key) == ("some", "total") and number.isdigit():
                return Fact(int(number))
    return unverifiable("/proc/pressure/cpu does not tell")


def _steal(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/proc/stat")
    if not text.known:
        return text
    fields = str(text.value).split("\n", 1)[0].split()
    if len(fields) > 8 and fields[0] == "cpu" and fields[8].isdigit():
        return Fact(int(fields[8]))
    return unverifiable("/proc/stat does not tell")
