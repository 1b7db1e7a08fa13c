"""Knobs of the trial's own process: processors, memory, threads, seeds and others; each applied, then looked at.

Setting comes first, before any numeric library is loaded, so that its threads are born with it; looking comes after the
measurement, when those threads exist. What cannot be set or seen here is said so: `not_permitted`, `unverifiable`.
"""

from __future__ import annotations

import gc
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from ..study import group
from ..study.orders import Controls
from . import address_layout, memory_nodes, scheduling
from .events import ControlRecord, Verified
from .kernel_lists import cpu_list, parse_cpu_list

THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Applied:
    """What was set at the start."""

    controls: Controls
    affinity: frozenset[int] | None
    """Processors that were set; None where nothing was asked or the platform refused."""
    refusal: str | None
    """Why the processors could not be set."""
    memory_refusal: str | None = None
    """Why the memory could not be bound."""
    group_refusal: str | None = None
    """Why the control group could not be joined."""


def apply(controls: Controls) -> Applied:
    """Set processors, memory nodes and thread variables for this process; nothing that fails here raises.

    Threads and child processes that are made later inherit all of them.
    """
    group_refusal = group.join() if controls.cpuset is not None else None
    memory_refusal = memory_nodes.bind(controls.numa_nodes) if controls.numa_nodes else None
    if controls.threads is not None:
        for variable in THREAD_VARIABLES:
            os.environ[variable] = str(controls.threads)
    if controls.affinity is None:
        return Applied(controls, None, None, memory_refusal, group_refusal)
    wanted = frozenset(controls.affinity)
    if sys.platform != "linux":
        return Applied(controls, None, "this platform has no sched_setaffinity", memory_refusal, group_refusal)
    try:
        os.sched_setaffinity(0, wanted)
    except (OSError, OverflowError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        refusal = f"sched_setaffinity: {why}; this process may use {cpu_list(frozenset(os.sched_getaffinity(0)))}"
        return Applied(controls, None, refusal, memory_refusal, group_refusal)
    return Applied(controls, wanted, None, memory_refusal, group_refusal)


def seed_everything(seed: int) -> None:
    """Seed the generators of Python, numpy and torch."""
    import numpy as np
    import torch

    random.seed(seed)
    np.random.seed(seed % 2**32)  # the generator that users' code may still draw from
    torch.manual_seed(seed)


def set_torch_threads(controls: Controls) -> None:
    """Set torch's threads, where threads are asked for; the variables alone do not reach a pool that exists."""
    if controls.threads is not None:
        import torch

        torch.set_num_threads(controls.threads)


def records(applied: Applied, seed: int) -> tuple[ControlRecord, ...]:
    """Look at every knob of this process, after the measurement. Torch must have been loaded."""
    return (
        *placement(applied, os.getpid()),
        address_layout.record(applied.controls.aslr),
        _thread_record(applied.controls.threads),
        _seed_record(seed),
        _collector_record(),
        scheduling.record(children=False),
    )


def placement(applied: Applied, pid: int) -> tuple[ControlRecord, ...]:
    """Look at the processors and the memory of a process that lives."""
    nodes = applied.controls.numa_nodes or ()
    return (
        affinity_record(applied, pid),
        memory_nodes.record(nodes, applied.memory_refusal, pid),
        group.record(applied.controls.cpuset, applied.group_refusal, pid),
    )


def records_of_child(
    applied: Applied, seed: int, placed: tuple[ControlRecord, ...] | None
) -> tuple[ControlRecord, ...]:
    """Return the records of a program of the user's own, into which nobody looks.

    Args:
        applied: what was set before it was started.
        seed: the seed it was told.
        placed: its processors and memory, looked at while it lived; None if it was gone before.
    """
    threads = applied.controls.threads
    told = "told by environment variables; what the program does with it is not visible"
    if placed is None:
        why = "the program had ended before a look"
        placed = tuple(
            ControlRecord(knob=knob, verified="unverifiable", evidence=why)
            for knob in ("affinity", memory_nodes.KNOB, group.KNOB)
        )
    return (
        *placed,
        address_layout.record(applied.controls.aslr),
        ControlRecord(
            knob="threads",
            requested=threads,
            applied=threads,
            verified="not_requested" if threads is None else "unverifiable",
            evidence=told,
        ),
        ControlRecord(knob="seed", requested=seed, applied=seed, verified="unverifiable", evidence=told),
        scheduling.record(children=True),
    )


def affinity_record(applied: Applied, pid: int) -> ControlRecord:
    """Look at the processors of every thread of a process."""
    wanted = applied.controls.affinity
    requested = None if wanted is None else cpu_list(frozenset(wanted))
    found = thread_affinities(pid)
    text = "; ".join(sorted({cpu_list(cpus) for cpus in found})) or None
    if applied.refusal is not None:
        verified: Verified = "unverifiable" if "no sched_setaffinity" in applied.refusal else "not_permitted"
        return ControlRecord(
            knob="affinity", requested=requested, found=text, verified=verified, evidence=applied.refusal
        )
    if applied.affinity is None:
        evidence = f"{len(found)} threads" if found else "not visible here"
        return ControlRecord(knob="affinity", found=text, verified="not_requested", evidence=evidence)
    if not found:
        state: Verified = "unverifiable"
        evidence = f"/proc/{pid}/task cannot be read"
    else:
        off = sum(cpus != applied.affinity for cpus in found)
        state = "contradicted" if off else "verified"
        evidence = f"Cpus_allowed_list of {len(found)} threads, {off} of them elsewhere"
    return ControlRecord(
        knob="affinity",
        requested=requested,
        applied=cpu_list(applied.affinity),
        found=text,
        verified=state,
        evidence=evidence,
    )


def thread_affinities(pid: int) -> tuple[frozenset[int], ...]:
    """Return the permitted processors of every thread of a process; nothing where /proc does not tell."""
    found = []
    for status in sorted((PROC / str(pid) / "task").glob("*/status")):
        try:
            lines = status.read_text().splitlines()
        except OSError:  # the thread has ended
            continue
        found += [parse_cpu_list(line.partition(":")[2]) for line in lines if line.startswith("Cpus_allowed_list:")]
    return tuple(found)


def _thread_record(requested: int | None) -> ControlRecord:
    import torch

    pools = _pools()
    found = torch.get_num_threads()
    evidence = f"torch.get_num_threads() = {found}"
    if pools is None:
        evidence += "; threadpoolctl is not installed"
    else:
        evidence += "".join(f"; {name} {count}" for name, count in pools)
    if requested is None:
        return ControlRecord(knob="threads", found=found, verified="not_requested", evidence=evidence)
    agrees = found == requested and all(count <= requested for _, count in pools or ())
    return ControlRecord(
        knob="threads",
        requested=requested,
        applied=requested,
        found=found,
        verified="verified" if agrees else "contradicted",
        evidence=evidence,
    )


def _pools() -> list[tuple[str, int]] | None:
    """Return the thread pools that are loaded in this process, by library."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return None
    return sorted({(str(pool["internal_api"]), int(pool["num_threads"])) for pool in threadpool_info()})


def _seed_record(seed: int) -> ControlRecord:
    import torch

    found = torch.initial_seed()
    return ControlRecord(
        knob="seed",
        requested=seed,
        applied=seed,
        found=found,
        verified="verified" if found == seed else "contradicted",
        evidence="torch.initial_seed() after the measurement",
    )


def _collector_record() -> ControlRecord:
    return ControlRecord(
        knob="garbage_collection",
        applied="off within a chunk, run between chunks",
        found="on" if gc.isenabled() else "off",
        verified="not_requested",
        evidence=f"{gc.get_freeze_count()} objects frozen before the measurement",
    )
