"""NUMA nodes from which a trial's process takes its memory: bound, then looked at page by page.

The binding (`set_mempolicy`, MPOL_BIND) holds for the calling thread and for all threads and processes that it makes
later, so that it comes before any numeric library is loaded.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from .events import ControlRecord, Verified
from .kernel_lists import cpu_list, parse_cpu_list

KNOB = "numa_nodes"
SET_MEMPOLICY = {"x86_64": 238, "aarch64": 237}
"""Numbers of the system call, asm/unistd_64.h and asm-generic/unistd.h; the C library has no function for it."""
MPOL_BIND = 2
LARGEST_NODE = 1023
ELSEWHERE = 0.01
"""Share of the pages that may lie on other nodes: the interpreter's first pages are older than the binding."""
NODE_PAGES = re.compile(r"\bN(\d+)=(\d+)")
NODES = Path("/sys/devices/system/node")


def bind(nodes: Sequence[int]) -> str | None:
    """Bind this thread and its descendants to nodes; return why that is not possible, or None."""
    number = SET_MEMPOLICY.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return "unverifiable: this platform has no set_mempolicy that is known here"
    missing = [node for node in nodes if node > LARGEST_NODE or not (NODES / f"node{node}").exists()]
    if missing:
        return f"unverifiable: this machine has no NUMA node {missing[0]}"
    mask = (ctypes.c_ulong * 16)()
    for node in nodes:
        mask[node // 64] |= 1 << node % 64
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, MPOL_BIND, mask, ctypes.c_ulong(LARGEST_NODE + 2)) == 0:
        return None
    code = ctypes.get_errno()
    state = "unverifiable" if code == errno.ENOSYS else "not_permitted"
    way = "; in a container: --cap-add=SYS_NICE" if code == errno.EPERM else ""
    return f"{state}: set_mempolicy: {os.strerror(code)}; permitted are nodes {allowed() or 'unknown'}{way}"


def allowed() -> str | None:
    """Return the nodes that this process may use, in the kernel's list format."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("Mems_allowed_list:")), None)


def record(nodes: Sequence[int], refusal: str | None, pid: int) -> ControlRecord:
    """Look at where the anonymous memory of a process lies.

    Args:
        nodes: as requested; empty where nothing was.
        refusal: why they could not be bound.
        pid: the process.
    """
    pages, policies = _pages(pid)
    found = cpu_list(frozenset(pages)) or None
    if not nodes:
        evidence = f"pages on nodes {found}" if found else "not visible here"
        return ControlRecord(knob=KNOB, found=found, verified="not_requested", evidence=evidence)
    requested = cpu_list(frozenset(nodes))
    if refusal is not None:
        kept: Verified = "not_permitted" if refusal.startswith("not_permitted") else "unverifiable"
        evidence = refusal.partition(": ")[2]
        return ControlRecord(knob=KNOB, requested=requested, found=found, verified=kept, evidence=evidence)
    total = sum(pages.values())
    elsewhere = sum(count for node, count in pages.items() if node not in nodes)
    if not total:
        state: Verified = "unverifiable"
        evidence = f"/proc/{pid}/numa_maps does not tell"
    else:
        bound = policies == {requested}
        state = "verified" if bound and elsewhere <= ELSEWHERE * total else "contradicted"
        evidence = f"numa_maps: {total} anonymous pages, {elsewhere} of them on other nodes"
        evidence += "" if bound else f"; policy {', '.join(sorted(policies)) or 'default'}"
    return ControlRecord(
        knob=KNOB,
        requested=requested,
        applied=requested,
        found=found,
        verified=state,
        evidence=evidence,
        measured={"pages": float(total), "pages_elsewhere": float(elsewhere)},
    )


def _pages(pid: int) -> tuple[dict[int, int], set[str]]:
    """Return the anonymous pages of a process by node, and the nodes of the bindings that its areas have."""
    pages: dict[int, int] = {}
    policies: set[str] = set()
    try:
        lines = Path(f"/proc/{pid}/numa_maps").read_text().splitlines()
    except OSError:
        return pages, policies
    for line in lines:
        if "anon=" not in line or "file=" in line:
            continue
        policy = line.split(maxsplit=2)[1]
        if policy.startswith("bind"):
            policies.add(cpu_list(parse_cpu_list(policy.rpartition(":")[2])))
        else:
            policies.add(policy)
        for node, count in NODE_PAGES.findall(line):
            pages[int(node)] = pages.get(int(node), 0) + int(count)
    return pages, policies
