"""Policies of the host that nobody asked to change: governor, turbo, SMT, huge pages. Read only."""

from __future__ import annotations

from pathlib import Path

from .fact import Fact, Facts, read_text, unverifiable

PROCESSORS = "sys/devices/system/cpu"


def policy(sysroot: Path) -> Facts:
    """Return governor, turbo, simultaneous multithreading and transparent huge pages as the kernel states them."""
    return {
        "governor": _governor(sysroot),
        "turbo": _turbo(sysroot),
        "smt": _smt(sysroot),
        "transparent_huge_pages": _huge_pages(sysroot),
    }


def _governor(sysroot: Path) -> Fact:
    paths = sorted((sysroot / PROCESSORS).glob("cpu[0-9]*/cpufreq/scaling_governor"))
    found = {str(fact.value) for path in paths if (fact := _read(sysroot, path)).known}
    if not found:
        return unverifiable("the kernel shows no frequency policy (usual in a virtual machine)")
    return Fact(" ".join(sorted(found)))


def _turbo(sysroot: Path) -> Fact:
    no_turbo = read_text(sysroot, f"/{PROCESSORS}/intel_pstate/no_turbo")
    if no_turbo.known:
        return Fact(no_turbo.value == "0")
    boost = read_text(sysroot, f"/{PROCESSORS}/cpufreq/boost")
    if boost.known:
        return Fact(boost.value == "1")
    if no_turbo.not_permitted or boost.not_permitted:
        return Fact(not_permitted=no_turbo.not_permitted or boost.not_permitted)
    return unverifiable("the kernel shows no turbo switch (usual in a virtual machine)")


def _smt(sysroot: Path) -> Fact:
    active = read_text(sysroot, f"/{PROCESSORS}/smt/active")
    return Fact(active.value == "1") if active.known else active


def _huge_pages(sysroot: Path) -> Fact:
    text = read_text(sysroot, "/sys/kernel/mm/transparent_hugepage/enabled")
    if not text.known:
        return text
    _, opened, rest = str(text.value).partition("[")
    return Fact(rest.partition("]")[0]) if opened else unverifiable("the kernel names no choice of huge pages")


def _read(sysroot: Path, path: Path) -> Fact:
    return read_text(sysroot, "/" + path.relative_to(sysroot).as_posix())
