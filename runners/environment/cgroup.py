"""Control groups of this process, version 1 and 2: which processors it may use, and how often it was held back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from .fact import Fact, Facts, read_text, unverifiable

MOUNT = "/sys/fs/cgroup"
GROUP = "dlaudit"


def state(sysroot: Path) -> Facts:
    """Return the processors of this process's group, its quota, and the counters of its throttling.

    `cpus` is a list in the kernel's format, `quota_cpus` the processor time that the group may use per time, as a
    number of processors, `none` where there is no limit; `throttled` and `throttled_us` count upwards.
    """
    stat = _first(sysroot, "cpu", "cpu.stat")
    return {
        "cpus": _first(sysroot, "cpuset", "cpuset.cpus.effective", "cpuset.effective_cpus"),
        "quota_cpus": _quota(sysroot),
        "throttled": _counter(stat, "nr_throttled", 1),
        "throttled_us": _throttled_us(stat),
    }


class Group(msgspec.Struct, frozen=True):
    """The group that a study makes for its trials."""

    path: str
    version: Literal[1, 2]
    effective: str
    """Name of the file that tells its processors."""


def own_group(sysroot: Path) -> Group | None:
    """Return the group of a study, whether it exists or not; None where no group divides processors.

    It lies below the group of the process at the root of the mount that is visible here, so that runner and trial,
    which is inside, name the same one.
    """
    controllers = read_text(sysroot, f"{MOUNT}/cgroup.controllers")
    if controllers.known and "cpuset" in str(controllers.value).split():
        return Group(f"{MOUNT}/{GROUP}", 2, "cpuset.cpus.effective")
    for top in (f"{MOUNT}/cpuset", f"{MOUNT}/cpuset,cpu,cpuacct"):
        if read_text(sysroot, f"{top}/cpuset.cpus").known:
            return Group(f"{top}/{GROUP}", 1, "cpuset.effective_cpus")
    return None


def cpus_of(pid: int) -> str | None:
    """Return the processors of the group of a process, in the kernel's list format; None where that is not visible."""
    return _first(Path("/"), "cpuset", "cpuset.cpus.effective", "cpuset.effective_cpus", process=str(pid)).text()


def throttling_file(sysroot: Path) -> Path | None:
    """Return the file that counts the throttling of this process's group, or None."""
    for group in _groups(sysroot, "cpu"):
        text = read_text(sysroot, f"{group}/cpu.stat")
        if text.known and "nr_throttled" in str(text.value):
            return sysroot / f"{group}/cpu.stat".lstrip("/")
    return None


def _groups(sysroot: Path, controller: str, process: str = "self") -> Iterator[str]:
    """Yield the folders of this process's group for a controller, version 2 first, each group before its parents."""
    text = read_text(sysroot, f"/proc/{process}/cgroup")
    rows = [line.split(":", 2) for line in str(text.value).splitlines()] if text.known else []
    for row in sorted((row for row in rows if len(row) == 3), key=lambda row: row[0] != "0"):
        number, controllers, path = row
        if number == "0":
            tops = [MOUNT, f"{MOUNT}/unified"]
        elif controller in controllers.split(","):
            tops = [f"{MOUNT}/{controllers}", f"{MOUNT}/{controller}"]
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for top in tops:
            # In a container the path may be the host's, while the mount begins at the container's own group.
            yield from ("/".join([top, *parts[:length]]) for length in range(len(parts), -1, -1))


def _first(sysroot: Path, controller: str, *names: str, process: str = "self") -> Fact:
    """Return the first of the files that there is."""
    for group in _groups(sysroot, controller, process):
        for name in names:
            found = read_text(sysroot, f"{group}/{name}")
            # The hybrid layout has a cpu.stat of version 2 that does not know of throttling.
            if found.known and (name != "cpu.stat" or "nr_throttled" in str(found.value)):
                return found
    return unverifiable(f"no control group shows {names[0]}")


def _quota(sysroot: Path) -> Fact:
    two = _first(sysroot, "cpu", "cpu.max")
    if two.known:
        quota, _, period = str(two.value).partition(" ")
    else:
        one, of = _first(sysroot, "cpu", "cpu.cfs_quota_us"), _first(sysroot, "cpu", "cpu.cfs_period_us")
        if not (one.known and of.known):
            return unverifiable("no control group shows a quota")
        quota, period = str(one.value), str(of.value)
    if quota in ("max", "-1"):
        return Fact("none")
    try:
        return Fact(float(f"{int(quota) / int(period):.6g}"))
    except (ValueError, ZeroDivisionError):
        return unverifiable("the quota of the control group is not readable")


def _counter(stat: Fact, name: str, per: int) -> Fact:
    for line in str(stat.value).splitlines() if stat.known else ():
        key, _, number = line.partition(" ")
        if key == name and number.isdigit():
            return Fact(int(number) // per)
    return unverifiable("no control group counts throttling")


def _throttled_us(stat: Fact) -> Fact:
    """Return version 2's microseconds, or version 1's nanoseconds as such."""
    two = _counter(stat, "throttled_usec", 1)
    return two if two.known else _counter(stat, "throttled_time", 1000)
