"""Processors kept free of interrupts: every interrupt that may be moved is handled by the others.

The kernel moves an interrupt when it next comes. Some it never moves, such as those of a queue that belongs to one
processor; their count on the processors is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from ...trial.events import Scalar
from ...trial.kernel_lists import cpu_list, parse_cpu_list
from .. import hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "irq_free"
SCOPE: Scope = "host"
SAMPLED = False

FOLDER = "/proc/irq"
ONLINE = f"{hostfile.PROCESSORS}/online"
NAMED = 8
"""Interrupts that a sentence names, at most."""


def read(target: str) -> Reading:
    """Return by interrupt its processors and how often it came on each, and who moves interrupts of itself.

    `irqs` is by number the processors that may handle it, in the kernel's list format; `counts` by number and processor
    how often it came, since the start; `irqbalance` the process id of that daemon, or None.
    """
    irqs = {}
    for number in hostfile.numbered(target, FOLDER):
        with suppress(Refused):  # its device has gone meanwhile
            irqs[number] = hostfile.read(target, _path(number))
    if not irqs:
        raise Refused("unverifiable", f"{FOLDER} shows no interrupts")
    return {"irqs": irqs, "counts": _counts(target), "irqbalance": _irqbalance(target)}


def apply(target: str, requested: Sequence[int]) -> Scalar:
    """Take the processors away from every interrupt that lets itself be moved.

    Raises:
        Refused: a processor is not there, none would be left, or none of the interrupts can be moved.
    """
    free, online = frozenset(requested), parse_cpu_list(hostfile.read(target, ONLINE))
    if not free <= online:
        raise Refused("unverifiable", f"no processor {cpu_list(free - online)} is online; {cpu_list(online)} are")
    left = online - free
    if not left:
        raise Refused("unverifiable", "no processor would be left for interrupts", "keep fewer of them free")
    before = _on(read(target)["irqs"], free)
    try:
        stayed = [number for number, cpus in before.items() if not _move(target, number, cpus, free, left)]
    except Refused:
        _put_back(target, before)
        raise
    if before and len(stayed) == len(before):
        raise Refused("unverifiable", f"the kernel moves none of the interrupts on these processors: {_names(stayed)}")
    return cpu_list(free)


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Look which interrupts may come to the processors, and how often any did.

    One that may, and that can be moved away now, was moved back by somebody; the others never could be.
    """
    free = parse_cpu_list(str(applied))
    left = parse_cpu_list(hostfile.read(target, ONLINE)) - free
    seen: dict[str, frozenset[int]] = {}
    for reading in readings:
        seen |= _on(reading["irqs"], free)
    present = readings[-1]["irqs"].keys()
    back = [number for number, cpus in seen.items() if number in present and _move(target, number, cpus, free, left)]
    stayed = [number for number in seen if number not in back]
    moved = [number for number in readings[-1]["irqs"] if number not in seen]
    came, came_anyway = (_came(readings[0], readings[-1], numbers, free) for numbers in (moved, stayed))
    evidence = f"{len(moved)} interrupts were kept off processors {applied}, and came there {came} times"
    evidence += (
        f"; {len(stayed)} that the kernel does not move ({_names(stayed)}), {came_anyway} times" if stayed else ""
    )
    evidence += f"; {len(back)} were moved back ({_names(back)})" if back else ""
    pid = readings[-1]["irqbalance"]
    evidence += f"; irqbalance runs (process {pid}), and moves interrupts" if pid is not None else ""
    measured = {
        "irqs_kept_off": float(len(moved)),
        "irqs_not_movable": float(len(stayed)),
        "irqs_moved_back": float(len(back)),
        "interrupts": float(came),
        "interrupts_not_movable": float(came_anyway),
    }
    touched = frozenset[int]().union(*(seen[number] & free for number in back))
    # Each may come once more before the kernel has moved it.
    held = not back and came <= len(moved)
    return Verification("verified" if held else "contradicted", evidence, cpu_list(free - touched) or "none", measured)


def restore(target: str, original: Reading) -> Restoration:
    """Give every interrupt its earlier processors; one that is gone by now has none."""
    before = {number: parse_cpu_list(cpus) for number, cpus in original["irqs"].items()}
    stayed = _put_back(target, before)
    return Restoration(
        "failed" if stayed else "restored",
        f"read back: otherwise for {_names(stayed)}" if stayed else f"read back for {len(before)} interrupts",
    )


def _move(target: str, number: str, cpus: frozenset[int], free: frozenset[int], left: frozenset[int]) -> bool:
    """Take processors away from an interrupt; return whether the kernel does that.

    One that it does not move has a file that nobody may write, root included; of an older kernel the write fails.

    Raises:
        Refused: for want of permission.
    """
    if not hostfile.takes_values(target, _path(number)):
        return False
    try:
        hostfile.write_all(target, {_path(number): cpu_list(cpus - free or left)})
    except Refused as refused:
        if refused.state == "not_permitted":
            raise
        return False
    return True


def _put_back(target: str, before: Mapping[str, frozenset[int]]) -> list[str]:
    """Give interrupts their processors again, and return those that are there and stand otherwise."""
    now = read(target)["irqs"]
    other = [number for number, cpus in before.items() if number in now and parse_cpu_list(now[number]) != cpus]
    return [number for number in other if not _move(target, number, before[number], frozenset(), frozenset())]


def _on(irqs: Mapping[str, str], free: frozenset[int]) -> dict[str, frozenset[int]]:
    """Return the interrupts that may come to some of the processors, with all that may handle them."""
    found = {number: parse_cpu_list(cpus) for number, cpus in irqs.items()}
    return {number: cpus for number, cpus in found.items() if cpus & free}


def _came(first: Reading, last: Reading, numbers: Sequence[str], free: frozenset[int]) -> int:
    """Return how often interrupts came to the processors between two readings."""
    return sum(
        max(0, count - first["counts"].get(number, {}).get(cpu, 0))
        for number in numbers
        for cpu, count in last["counts"].get(number, {}).items()
        if int(cpu) in free
    )


def _counts(target: str) -> dict[str, dict[str, int]]:
    """Return by interrupt and processor how often it came, where it did: one line an interrupt, one column each."""
    heads, *lines = hostfile.read(target, "/proc/interrupts").splitlines() or [""]
    cpus = [head.removeprefix("CPU") for head in heads.split()]
    found = {}
    for line in lines:
        number, _, rest = line.strip().partition(":")
        if number.isdigit():  # the others are a processor's own, such as its timer
            fields = rest.split()[: len(cpus)]
            told = {
                cpu: int(field) for cpu, field in zip(cpus, fields, strict=False) if field.isdigit() and field != "0"
            }
            if told:
                found[number] = told
    return found


def _irqbalance(target: str) -> int | None:
    for pid in hostfile.numbered(target, "/proc"):
        try:
            if hostfile.read(target, f"/proc/{pid}/comm") == "irqbalance":
                return int(pid)
        except Refused:
            continue  # it has ended meanwhile
    return None


def _path(number: str) -> str:
    return f"{FOLDER}/{number}/smp_affinity_list"


def _names(numbers: Sequence[str]) -> str:
    more = len(numbers) - NAMED
    return " ".join(numbers[:NAMED]) + (f" and {more} more" if more > 0 else "")
