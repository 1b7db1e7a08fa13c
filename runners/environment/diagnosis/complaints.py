"""What would spoil a measurement that began now, each with the command or the line of a spec that helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...trial.kernel_lists import cpu_list
from .. import accelerators, cgroup, frequency, gpu_clocks, load, system
from ..fact import Fact
from ..knobs.interface import Refused

LOAD_LIMIT = 0.5
"""Load average above which something else is at work."""
PRESSURE_LIMIT = 5.0
"""Percentage of the last ten seconds in which some task waited for a processor."""
STEAL_LIMIT = 0.1
"""Percentage of the processors' time since the start that a hypervisor took."""
TOP = "ps -eo pid,pcpu,etime,comm --sort=-pcpu | head"


class Complaint(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong."""

    what: str
    help: str
    """A command, or what to write into a spec."""


def of_host(sysroot: Path) -> Iterator[Complaint]:
    """Yield what is wrong with the host."""
    policy = frequency.policy(sysroot)
    if policy["governor"].known and policy["governor"].value != "performance":
        yield Complaint(what=f"the governor is {policy['governor'].value}", help="controls: {governor: performance}")
    if policy["turbo"].value is True:
        yield Complaint(what="turbo is on: clocks follow heat and neighbours", help="controls: {turbo: false}")
    if policy["smt"].value is True:
        yield Complaint(what="two threads share a core", help="controls: {smt: false}, or affinity to one of each pair")
    yield from _load(sysroot)
    yield from _group(sysroot)
    yield from _around(sysroot)


def of_gpus() -> Iterator[Complaint]:
    """Yield what is wrong with the GPUs."""
    found = accelerators.accelerators()
    if not found.known:
        return
    if found.value["mps"]:
        yield Complaint(
            what="an MPS daemon shares the GPUs among processes", help="echo quit | nvidia-cuda-mps-control"
        )
    if found.value["sees_all_processes"] is False:
        what = "other processes on the GPUs are invisible in this container"
        yield Complaint(what=what, help="docker run --pid=host ...")
    devices = dict(enumerate(found.value["devices"]))
    for number, device in devices.items():
        if device["processes"]:
            count = device["processes"]
            what = f"{count} other process{'es' if count > 1 else ''} on GPU {number}"
            yield Complaint(
                what=what, help=f"nvidia-smi -i {number} --query-compute-apps=pid,process_name --format=csv"
            )
    forgetful = [number for number, device in devices.items() if device["persistence_mode"] is False]
    if forgetful:
        what = f"{_gpus(forgetful)}: settings are lost while no process uses the GPU (persistence mode is off)"
        yield Complaint(what=what, help="controls: {gpu_persistence_mode: true}")
    partitioned = [number for number, device in devices.items() if device["partitioned"]]
    if partitioned:
        which = ",".join(map(str, partitioned))
        yield Complaint(what=f"{_gpus(partitioned)}: partitioned (MIG)", help=f"sudo nvidia-smi -i {which} -mig 0")
    for kind in ("thermal", "power_brake"):
        slowed = [number for number, device in devices.items() if _reasons(device) & gpu_clocks.SLOWED_BY[kind]]
        if slowed:
            which = ",".join(map(str, slowed))
            what = f"{_gpus(slowed)}: slowed down ({kind.replace('_', ' ')})"
            yield Complaint(what=what, help=f"nvidia-smi -i {which} -q -d PERFORMANCE,TEMPERATURE,POWER")


def _gpus(numbers: Sequence[int]) -> str:
    return f"GPU{'s' if len(numbers) > 1 else ''} {cpu_list(frozenset(numbers))}"


def _reasons(device: dict[str, Any]) -> int:
    """Return the bits of what holds the clocks of a GPU back right now."""
    try:
        return gpu_clocks.read(str(device["uuid"]))["reasons"] or 0
    except Refused:
        return 0


def _load(sysroot: Path) -> Iterator[Complaint]:
    average = load.snapshot(sysroot)["load_1min"]
    waited, stolen = load.waited_percent(sysroot), load.stolen_percent(sysroot)
    if average.known and average.value > LOAD_LIMIT:
        yield Complaint(what=f"something else is at work: load {average.value:g} in the last minute", help=TOP)
    elif waited.known and waited.value > PRESSURE_LIMIT:
        what = f"something else is at work: tasks waited for a processor {waited.value:g} % of the last 10 s"
        yield Complaint(what=what, help=TOP)
    if stolen.known and stolen.value > STEAL_LIMIT:
        what = f"a hypervisor took {stolen.value:g} % of the processors' time since the start"
        yield Complaint(what=what, help="measure on a machine of one's own, or on dedicated processors")


def _group(sysroot: Path) -> Iterator[Complaint]:
    group = cgroup.state(sysroot)
    if isinstance(group["quota_cpus"].value, float):
        times = f", and was held back {group['throttled'].value} times" if group["throttled"].value else ""
        what = f"the control group may use {group['quota_cpus'].value:g} processors' time{times}"
        yield Complaint(what=what, help="docker run --cpuset-cpus=... instead of --cpus")


def _around(sysroot: Path) -> Iterator[Complaint]:
    inside, below = system.container(sysroot), system.virtual_machine(sysroot)
    if _named(inside):
        what = f"this is a container ({inside.value}): what it may set is what its host permits"
        yield Complaint(what=what, help="docker run --privileged --pid=host ..., or set the knobs on the host")
    if _named(below):
        what = f"this is a virtual machine ({below.value}): clocks and neighbours are out of sight"
        yield Complaint(what=what, help="measure on the machine itself for claims about hardware")


def _named(fact: Fact) -> bool:
    return fact.known and fact.value != "none"
