"""Control group with processors of its own, which every process of a trial joins: none of them gets out of it.

The group is made below the runner's own (version 1) or below the root (version 2), under a fixed name, and removed at
the end. A trial's process joins it before it does anything else; `runners/study/group.py` has that half.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ...trial.events import Scalar
from ...trial.kernel_lists import cpu_list, parse_cpu_list
from .. import cgroup, hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "cpuset"
SCOPE: Scope = "host"
SAMPLED = False


def read(target: str) -> Reading:
    """Return where the group is, its processors, None where there is no group, and whether those above permit one."""
    group = _group(target)
    try:
        cpus = hostfile.read(target, f"{group.path}/{group.effective}")
    except Refused:
        cpus = None
    return {"group": group.path, "cpus": cpus, "delegated": group.version == 1 or _is_delegated(target, group)}


def apply(target: str, requested: Sequence[int]) -> Scalar:
    """Make the group."""
    group = _group(target)
    folder = Path(target) / group.path.lstrip("/")
    wanted = cpu_list(frozenset(requested))
    try:
        if group.version == 2:
            _delegate(target, group)
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise Refused(
            "not_permitted", f"{group.path} cannot be made: {error.strerror}", hostfile.permission(group.path)
        ) from None
    try:
        if group.version == 1:  # a group of version 1 takes no process before it has memory
            mems = hostfile.read(target, f"{Path(group.path).parent}/cpuset.mems")
            hostfile.write_all(target, {f"{group.path}/cpuset.mems": mems})
        hostfile.write_all(target, {f"{group.path}/cpuset.cpus": wanted})
    except Refused:
        with suppress(OSError):
            folder.rmdir()
        raise
    return wanted


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare the processors that the group has in effect, at every reading."""
    wanted = parse_cpu_list(str(applied))
    off = sum(reading["cpus"] is None or parse_cpu_list(reading["cpus"]) != wanted for reading in readings)
    evidence = f"{readings[-1]['group']}, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, readings[-1]["cpus"])


def restore(target: str, original: Reading) -> Restoration:
    """Move what is left in the group to the one above, and remove it."""
    path = str(original["group"])
    folder = Path(target) / path.lstrip("/")
    if original["cpus"] is not None:  # somebody else's of that name, or one that no journal knows of
        hostfile.write_all(target, {f"{path}/cpuset.cpus": original["cpus"]})
        return Restoration("restored", f"{path} was there before, and has its processors back")
    if not folder.exists():
        return Restoration("restored", f"{path} is gone")
    with suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            (folder.parent / "cgroup.procs").write_text(pid)
    try:
        os.rmdir(folder)  # noqa: PTH106 (a group's files need not be removed)
    except OSError as error:
        return Restoration("failed", f"{path} cannot be removed: {error.strerror}")
    if not original["delegated"]:
        with suppress(OSError):  # another group needs it by now
            (folder.parent / "cgroup.subtree_control").write_text("-cpuset")
    return Restoration("restored", f"{path} is removed")


def _group(target: str) -> cgroup.Group:
    found = cgroup.own_group(Path(target))
    if found is None:
        raise Refused("unverifiable", "no control group here divides processors (cpuset)")
    return found


def _delegate(target: str, group: cgroup.Group) -> None:
    """Let groups below the root have processors of their own."""
    if not _is_delegated(target, group):
        (Path(target) / _above(group).lstrip("/")).write_text("+cpuset")


def _is_delegated(target: str, group: cgroup.Group) -> bool:
    return "cpuset" in hostfile.read(target, _above(group)).split()


def _above(group: cgroup.Group) -> str:
    return f"{Path(group.path).parent}/cgroup.subtree_control"
