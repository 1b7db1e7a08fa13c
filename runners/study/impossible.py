"""What a spec asks for and no permission can give: a workload, a parameter, a processor or a node that does not exist.

Pure but for a few files below /sys that say what there is; where they say nothing, nothing is impossible.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from ...schemas.place import escaped, join_pointer
from ...schemas.spec import Spec, Workload
from ...schemas.validation import Problem
from ..environment import hostfile
from ..environment.knobs.interface import Refused
from ..trial.kernel_lists import cpu_list, parse_cpu_list
from ..workloads.parameters import BY_WORKLOAD, METRICS, problem
from . import source_files

PRESENT = f"{hostfile.PROCESSORS}/present"
ONLINE = f"{hostfile.PROCESSORS}/online"
NODES = "/sys/devices/system/node"
ON_PROCESSORS = ("affinity", "cpuset", "irq_free")


def problems(spec: Spec, sysroot: Path = Path("/"), folder: Path = Path()) -> tuple[Problem, ...]:
    """Return every wrong request of a spec, with its place.

    Args:
        spec: the spec.
        sysroot: root of the host's file tree.
        folder: folder of the spec, to which the paths of a command are relative.
    """
    found = [*_workloads(spec, folder), *_target(spec), *_processors(spec, str(sysroot)), *_nodes(spec, str(sysroot))]
    return tuple(dict.fromkeys(found))


def _workloads(spec: Spec, folder: Path) -> Iterator[Problem]:
    for arm, request in spec.arms.items():
        own = request.workload or Workload()
        elsewhere = request.revision is not None or request.environment is not None
        replaced = bool(own.name or own.entry or own.command)
        at = join_pointer(["arms", arm, "workload"])
        workload, place = (own, at) if replaced else (spec.workload, "/workload")
        if workload.name is None or workload.entry or workload.command:
            yield from () if elsewhere else _own_code(workload, place, folder)
            continue
        if workload.name not in BY_WORKLOAD:
            near = difflib.get_close_matches(workload.name, BY_WORKLOAD, n=1)
            todo = f"did you mean {near[0]}?" if near else f"name one of {', '.join(BY_WORKLOAD)}"
            yield Problem(f"{place}/name", f"there is no workload {escaped(workload.name)}", todo)
            continue
        given = workload.parameters if replaced else workload.parameters | own.parameters
        wrong = problem(given, workload.name)
        if wrong is not None:
            place = at if wrong.name in own.parameters or (own.parameters and not wrong.name) else place
            place += join_pointer(["parameters", *([wrong.name] if wrong.name else [])])
            yield Problem(place, escaped(wrong.what, 300), wrong.todo)


def _own_code(workload: Workload, place: str, folder: Path) -> Iterator[Problem]:
    try:
        if workload.command:
            source_files.check_command(workload.command, folder)
        elif workload.entry:
            source_files.check_entry(workload.entry)
    except source_files.NotFound as error:
        which, todo = "command/0", "name a program that is there and may be executed"
        if not workload.command:
            which, todo = "entry", "install the module, or set PYTHONPATH; write package.module:factory"
        yield Problem(f"{place}/{which}", escaped(str(error), 300), todo)


def _target(spec: Spec) -> Iterator[Problem]:
    """Yield a target that the bundled workload does not evaluate, or that lies outside the scale of its metric."""
    check, scales = spec.convergence, METRICS.get(spec.workload.name or "", {})
    replaced = any(one.workload is not None and one.workload.name is not None for one in spec.arms.values())
    if check is None or not scales or replaced:
        return
    target, at = check.target, "/convergence/target"
    if target.metric not in scales:
        what = f"{spec.workload.name} evaluates no {escaped(target.metric)}"
        yield Problem(f"{at}/metric", what, f"name one of {', '.join(scales)}")
        return
    low, high = scales[target.metric]
    if not low <= float(target.value) <= high:
        share = f"; did you mean {float(target.value) / 100:g}?" if 1 < float(target.value) <= 100 and high == 1 else ""
        what = f"{target.metric} lies between {low:g} and {high:g}, and the target is {target.value}"
        yield Problem(f"{at}/value", what, f"write a value of that scale{share}")


def _processors(spec: Spec, root: str) -> Iterator[Problem]:
    present = _listed(root, PRESENT)
    if not present:
        return
    for knob in ON_PROCESSORS:
        asked: tuple[int, ...] = getattr(spec.controls, knob)
        for index, cpu in enumerate(asked):
            if cpu not in present:
                has = f"it has {_counted('processor', present)}"
                yield Problem(f"/controls/{knob}/{index}", f"this machine has no processor {cpu}", has)
    online = _listed(root, ONLINE) or present
    free = frozenset(spec.controls.irq_free)
    if free and online <= free:
        has = f"keep fewer of them free: this machine has {_counted('processor', online)}"
        yield Problem("/controls/irq_free", "no processor would be left for interrupts", has)


def _nodes(spec: Spec, root: str) -> Iterator[Problem]:
    present = frozenset(int(name.removeprefix("node")) for name in hostfile.numbered(root, NODES, "node"))
    for index, node in enumerate(spec.controls.numa_nodes):
        if present and node not in present:
            has = f"it has {_counted('node', present)}"
            yield Problem(f"/controls/numa_nodes/{index}", f"this machine has no NUMA node {node}", has)


def _listed(root: str, path: str) -> frozenset[int]:
    try:
        return parse_cpu_list(hostfile.read(root, path))
    except (Refused, ValueError):
        return frozenset()


def _counted(what: str, numbers: frozenset[int]) -> str:
    return f"{what}{'s' if len(numbers) > 1 else ''} {cpu_list(numbers)}"
