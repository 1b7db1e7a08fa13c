"""A trial's half of the knob `cpuset`: it joins the control group that the runner made, and looks where it is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..environment import cgroup
from ..trial.events import ControlRecord, Verified
from ..trial.kernel_lists import cpu_list, parse_cpu_list

KNOB = "cpuset"


def join() -> str | None:
    """Move this process, and so what it starts, into the group; return why that is not possible, or None."""
    group = cgroup.own_group(Path("/"))
    if group is None:
        return "no control group here divides processors (cpuset)"
    try:
        (Path(group.path) / "cgroup.procs").write_text(str(os.getpid()))
    except OSError as error:
        return f"{group.path} cannot be joined: {error.strerror}"
    return None


def record(cpus: Sequence[int] | None, refusal: str | None, pid: int) -> ControlRecord:
    """Look at the group and the processors of a process.

    Args:
        cpus: as requested, or None.
        refusal: why the group could not be joined.
        pid: the process.
    """
    found = cgroup.cpus_of(pid)
    if cpus is None:
        return ControlRecord(knob=KNOB, found=found, verified="not_requested", evidence="the processors of its group")
    requested = cpu_list(frozenset(cpus))
    if refusal is not None:
        return ControlRecord(knob=KNOB, requested=requested, found=found, verified="not_permitted", evidence=refusal)
    inside = found is not None and parse_cpu_list(found) == frozenset(cpus)
    state: Verified = "verified" if inside else "contradicted"
    return ControlRecord(
        knob=KNOB,
        requested=requested,
        applied=requested,
        found=found,
        verified=state,
        evidence=f"the group of process {pid} has processors {found}",
    )
