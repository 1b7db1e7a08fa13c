"""All facts of one session on one machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from . import (
    accelerators,
    cgroup,
    effective_clock,
    frequency,
    hardware,
    load,
    repository,
    software,
    system,
    variables,
)
from .fact import Fact, Facts, unverifiable

COLLECTED = "environment/1"
MACHINE = frozenset({"processor", "memory", "accelerators", "driver", "kernel"})
"""Facts of the identity that belong to the machine, and not to the software of a trial."""
SHOWN = 5
"""Changed packages or variables that are named."""


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of one session, before its first trial."""

    processor: Facts
    memory_gib: Fact
    accelerators: Fact
    operating_system: Facts
    container: Fact
    virtual_machine: Fact
    frequency: Facts
    load: Facts
    control_group: Facts = {}
    probes: Facts = {}
    """What was measured of the machine instead of read from it."""
    python: Fact
    packages: dict[str, str]
    torch: Fact
    working_directory: Facts
    """Commit and state of the tree that holds the working directory."""
    tool: Facts
    """Commit and state of dlaudit's own tree."""
    variables: dict[str, str]
    programs: dict[str, Any] = {}
    """What each arm runs, with digests of its code's files."""

    def document(self) -> dict[str, Any]:
        """Return the facts as a JSON value."""
        value = msgspec.to_builtins(self)
        assert isinstance(value, dict)
        return {"dlaudit": COLLECTED, **value}

    def identity(self) -> dict[str, Any]:
        """Return the facts that must not change between the trials of one arm."""
        devices = self.accelerators.value["devices"] if self.accelerators.known else []
        return {
            "processor": self.processor["model"].value,
            "memory": self.memory_gib.value,
            "accelerators": [device["uuid"] for device in devices],
            "driver": self.accelerators.value["driver"] if self.accelerators.known else None,
            "kernel": self.operating_system["kernel"].value,
            "python": self.python.value,
            "packages": self.packages,
            "commit of the working directory": self.working_directory["commit"].value,
            "commit of dlaudit": self.tool["commit"].value,
            "variables": self.variables,
        }


def collect(sysroot: Path = Path("/"), *, uses_torch: bool = True, device: str = "cpu") -> Collected:
    """Read all facts; takes some seconds where torch is asked.

    Args:
        sysroot: root of the tree that holds /proc, /sys and /etc.
        uses_torch: whether the trials run in this interpreter; a command brings its own software, of which nothing here
            can tell.
        device: the device of the trials.
    """
    here = Path(__file__).resolve().parents[2]
    torch, kept = unverifiable("the workload is a command with software of its own"), Facts()
    if uses_torch:
        torch, kept = software.torch(device)
    return Collected(
        processor=hardware.processor(sysroot),
        memory_gib=hardware.memory_gib(sysroot),
        accelerators=accelerators.accelerators(),
        operating_system=system.operating_system(sysroot),
        container=system.container(sysroot),
        virtual_machine=system.virtual_machine(sysroot),
        frequency=frequency.policy(sysroot),
        load=load.snapshot(sysroot),
        control_group=cgroup.state(sysroot),
        probes={"effective_clock_ghz": effective_clock.ghz()} | kept,
        python=software.python(),
        packages=software.packages(),
        torch=torch,
        working_directory=repository.state(Path.cwd()),
        tool=repository.state(here, root=True),
        variables=variables.relevant(os.environ),
    )


def differences(before: Collected, now: Collected) -> dict[str, str]:
    """Return the facts that must not change and did, each with a clause of what stood and what stands."""
    found: dict[str, str] = {}
    for name, old in before.identity().items():
        new = now.identity()[name]
        if isinstance(old, dict) and isinstance(new, dict):
            keys = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
            words = [f"{key} {old.get(key, 'absent')} then, {new.get(key, 'absent')} now" for key in keys[:SHOWN]]
            more = [f"{len(keys) - SHOWN} more"] if len(keys) > SHOWN else []
            found |= {name: f"{name}: {', '.join([*words, *more])}"} if keys else {}
        elif old != new:
            found[name] = f"{name}: {old} then, {new} now"
    return found


def restore(document: dict[str, Any]) -> Collected:
    """Return the facts from the JSON value that `document` made."""
    return msgspec.convert({key: value for key, value in document.items() if key != "dlaudit"}, Collected)
