"""What can be controlled and observed here: one row for each knob and each counter."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from ...telemetry.sources.rapl import Rapl
from ...trial import address_layout, memory_nodes
from ...trial.kernel_lists import cpu_list
from .. import amd, cgroup, effective_clock, hostfile, load, nvml, wording
from ..fact import Fact
from ..knobs import cpu_frequency_mhz, governor, gpu_ecc, irq_free, registry, smt, transparent_huge_pages, turbo
from ..knobs.interface import Knob, Refused

FREQUENCY = f"{hostfile.PROCESSORS}/cpu0/cpufreq"
Can = Literal["yes", "no", "if permitted", "never"]
"""`if permitted`: only trying shows it, and nothing is tried here; `never`: it is looked at and not changed."""


class Ability(msgspec.Struct, frozen=True, kw_only=True):
    """One knob or counter."""

    name: str
    """As under `controls` in a spec; of a counter, what it counts."""
    now: str | None
    """What it stands at; None where nobody can tell."""
    can_set: Can | None = None
    """None for a counter."""
    by: str
    """How it is verified, or why it cannot be had."""
    todo: str = ""
    """How to get what is missing, in one clause."""


def of_process() -> Iterator[Ability]:
    """Yield the knobs of a trial's own process."""
    if hasattr(os, "sched_getaffinity"):
        now = f"processors {cpu_list(frozenset(os.sched_getaffinity(0)))}"
        yield Ability(name="affinity", now=now, can_set="yes", by="Cpus_allowed_list of every thread")
    else:
        yield Ability(name="affinity", now=None, can_set="no", by="this platform has no sched_setaffinity")
    yield Ability(name="threads", now="left to torch", can_set="yes", by="torch and the thread pools that it loaded")
    nodes = memory_nodes.allowed()
    why = in_a_child(lambda: memory_nodes.bind(_first_node(nodes))) if nodes is not None else "no memory nodes here"
    yield _own("numa_nodes", nodes and f"nodes {nodes}", why, "numa_maps, page by page")
    fixed = address_layout.record(None).found
    layout = None if fixed is None else ("random" if fixed else "fixed")
    yield _own("aslr", layout, address_layout.refusal(), "two programs in a row")


def of_host(sysroot: Path) -> Iterator[Ability]:
    """Yield the knobs of the host and the counters of what disturbs."""
    yield from knobs_of_host(sysroot)
    yield from _counters(sysroot)


def knobs_of_host(sysroot: Path) -> Iterator[Ability]:
    """Yield the knobs of the host."""
    files: dict[Knob, tuple[str, str]] = {
        smt: (smt.CONTROL, "smt/active"),
        irq_free: (f"{irq_free.FOLDER}/default_smp_affinity", "smp_affinity_list, and interrupts counted there"),
        governor: (f"{hostfile.PROCESSORS}/cpu0/cpufreq/scaling_governor", "read back for every processor"),
        cpu_frequency_mhz: (f"{FREQUENCY}/scaling_max_freq", "scaling_cur_freq under load, and a probe of the clock"),
        turbo: (turbo.NO_TURBO, "read back, and a probe of the clock"),
        transparent_huge_pages: (transparent_huge_pages.ENABLED, "read back"),
    }
    for knob, (path, by) in files.items():
        yield _host_knob(knob, path, by, sysroot)
    yield _cpuset(sysroot)


def _counters(sysroot: Path) -> Iterator[Ability]:
    if sysroot == Path("/"):
        yield _counter("clock", effective_clock.ghz(), "a chain of dependent additions", "GHz")
    group = cgroup.state(sysroot)
    yield _counter("cgroup processors", group["cpus"], "cpuset")
    yield _counter("cgroup quota", group["quota_cpus"], "cpu.max, and cpu.stat counts throttling")
    yield _energy(sysroot)
    yield _counter("load", load.snapshot(sysroot)["load_1min"], "/proc/loadavg: tasks at work, mean of the last minute")
    waited = "/proc/pressure/cpu: some task waited for a processor, of the last 10 s"
    yield _counter("cpu pressure", load.waited_percent(sysroot), waited, "%")
    stolen = "/proc/stat: time of the processors that a hypervisor took, since the start"
    yield _counter("steal", load.stolen_percent(sysroot), stolen, "%")


def of_gpus() -> Iterator[Ability]:
    """Yield the knobs of the GPUs of both makers; of a maker without a driver here, one row."""
    yield from _of_gpus("NVIDIA GPUs", "gpu", nvml.uuids, _by_sudo)
    yield from _of_gpus("AMD GPUs", "amd", amd.uuids, lambda: False)


def _of_gpus(
    name: str, scope: str, uuids: Callable[[], tuple[str, ...]], otherwise: Callable[[], bool]
) -> Iterator[Ability]:
    try:
        found = uuids()
    except Refused as refused:
        yield Ability(name=name, now=None, can_set="no", by=refused.evidence, todo=refused.todo)
        return
    can: Can = "if permitted" if os.geteuid() == 0 or otherwise() else "no"
    todo = "" if can == "if permitted" else nvml.permission()
    for knob in registry.KNOBS:
        if scope == knob.SCOPE:
            now = _together([_gpu_state(knob, uuid) for uuid in found])
            if knob is gpu_ecc:
                yield Ability(name=knob.NAME, now=now, can_set="never", by="read back; a change takes a restart")
            else:
                by = "samples under load" if knob.SAMPLED else "read back"
                yield Ability(name=knob.NAME, now=now, can_set=can, by=by, todo=todo)


def _together(told: Sequence[str]) -> str:
    """Return what several GPUs stand at: once where all agree, else with the numbers of those that do."""
    numbers = {one: frozenset(n for n, other in enumerate(told) if other == one) for one in told}
    if len(numbers) == 1:
        return told[0]
    return "; ".join(f"{one} ({cpu_list(which)})" for one, which in numbers.items())


def _gpu_state(knob: Knob, uuid: str) -> str:
    """Return what a knob of a GPU stands at, in a few words."""
    try:
        return wording.state(knob, knob.read(uuid))
    except Refused as refused:
        return refused.evidence


def _by_sudo() -> bool:
    import shutil

    return shutil.which("sudo") is not None and shutil.which("nvidia-smi") is not None


def _host_knob(knob: Knob, path: str, by: str, sysroot: Path) -> Ability:
    root = str(sysroot)
    try:
        reading = knob.read(root)
    except Refused as refused:
        return Ability(name=knob.NAME, now=None, can_set="no", by=refused.evidence, todo=refused.todo)
    path = next(iter(reading)) if isinstance(reading, dict) and next(iter(reading)).startswith("/") else path
    now = wording.state(knob, reading)
    if knob is smt and reading["control"] not in smt.SWITCHABLE:
        by = f"nothing to switch: {smt.CONTROL} says {reading['control']}"
        return Ability(name=knob.NAME, now=now, can_set="no", by=by)
    writable = os.access(Path(root) / path.lstrip("/"), os.W_OK)
    todo = "" if writable else hostfile.permission(path)
    return Ability(name=knob.NAME, now=now, can_set="yes" if writable else "no", by=by, todo=todo)


def _own(name: str, now: str | None, why: str | None, by: str) -> Ability:
    if why is None:
        return Ability(name=name, now=now, can_set="yes", by=by)
    evidence, _, todo = why.removeprefix("not_permitted: ").removeprefix("unverifiable: ").partition("; ")
    return Ability(name=name, now=now, can_set="no", by=evidence, todo=todo)


def _cpuset(sysroot: Path) -> Ability:
    """Return whether a control group with processors of its own can be made."""
    group = cgroup.own_group(sysroot)
    if group is None:
        return Ability(name="cpuset", now=None, can_set="no", by="no control group here divides processors")
    above = str(Path(group.path).parent)
    writable = os.access(sysroot / above.lstrip("/"), os.W_OK)
    todo = "" if writable else hostfile.permission(above)
    by = f"processors of the group (version {group.version}) and of every trial in it"
    return Ability(name="cpuset", now="no group", can_set="if permitted" if writable else "no", by=by, todo=todo)


def _energy(sysroot: Path) -> Ability:
    """Return whether the processor's energy counters can be read."""
    try:
        source = Rapl(sysroot)
    except Refused as refused:
        return Ability(name="processor energy", now=None, by=refused.evidence, todo=refused.todo)
    return Ability(name="processor energy", now="counted", by=source.about)


def _counter(name: str, fact: Fact, by: str, unit: str = "") -> Ability:
    if not fact.known:
        return Ability(name=name, now=None, by=fact.unverifiable or fact.not_permitted or "")
    return Ability(name=name, now=f"{_plain(fact.value)} {unit}".strip(), by=by)


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _first_node(nodes: str) -> tuple[int, ...]:
    first = nodes.split(",")[0].split("-")[0]
    return (int(first),) if first.isdigit() else (0,)


def in_a_child(ask: Callable[[], str | None]) -> str | None:
    """Ask in a process of its own, which keeps what it changes on itself to itself."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, (ask() or "").encode()[:4000])
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        told = answer.read().decode(errors="replace")
    os.waitpid(pid, 0)
    return told or None
