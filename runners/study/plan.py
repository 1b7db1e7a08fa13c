"""From a spec to a plan: every trial is known, in its order, before the first one runs.

Pure: the same spec gives the same plan on every machine and under every version of Python.

Order. Interleaved trials run in rounds; a round holds the next trial of every arm and kind, so that a drift of the
machine meets all arms alike. Inside a round the trials stand in the order of SHA-256(order seed : round : trial id).
Blocked trials run arm by arm, throughput first.

Seeds. The trials of a convergence check take the listed seeds. The k-th throughput trial of an arm takes the k-th of
these as well, so that its losses must equal the head of that convergence trial's; beyond them seeds count on upwards.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import partial
from itertools import count, islice, zip_longest
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.digest import option_set_digest
from ...schemas.errors import UserError
from ...schemas.spec import ArmRequest, Spec, Workload
from . import design, layout, scaling


class PlannedTrial(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One trial: one fresh process."""

    trial: str
    """Id, unique in the study: `<arm>-t<n>` for throughput, `<arm>-c<n>` for convergence, `<arm>-a1`, `<arm>-p1`."""
    arm: str
    kind: str
    """`throughput`, `convergence`, `accounting` or `phases`."""
    seed: int
    iterations: int | None = None
    """Timed iterations."""
    warmup: int | None = None
    """Iterations kept apart at the head."""
    max_samples: int | None = None
    """Training samples after which it ends."""


class PlannedArm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One option set as requested."""

    workload: dict[str, Any]
    """The workload, in the form that a trial's order file has it."""
    options: dict[str, Any]
    option_set: str
    """Digest of the requested options."""
    ranks: int = 1
    """Processes that do a trial together."""
    nodes: int = 1
    interference: float = 0.0
    """Share of every processor that a neighbour takes meanwhile."""
    instead_of: str | None = None
    """Arm of the spec whose place it takes, because that one changed while the study was interrupted."""
    session: int = 1
    """Session that it begins in."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All trials of a study before the first one."""

    title: str
    spec_sha256: str
    nonce: str | None
    order: str
    order_seed: int
    arms: dict[str, PlannedArm]
    trials: tuple[PlannedTrial, ...]
    """In the order in which they run."""

    def document(self) -> dict[str, Any]:
        """Return the plan as a JSON value."""
        value = msgspec.to_builtins(self)
        assert isinstance(value, dict)
        return {"dlaudit": "plan/1", **value}


def make(spec: Spec, spec_sha256: str, name: str = "spec") -> Plan:
    """Plan all trials of a spec.

    Args:
        spec: the validated spec.
        spec_sha256: digest of its bytes.
        name: what the file is called in an error message.

    Raises:
        UserError: the spec is valid but cannot be planned.
    """
    _check(spec, name)
    arms = {arm: _plan_arm(spec, request, name) for arm, request in spec.arms.items()}
    trials = tuple(_interleaved(spec) if spec.order.kind == "interleaved" else _blocked(spec))
    return Plan(
        title=spec.title,
        spec_sha256=spec_sha256,
        nonce=spec.nonce,
        order=spec.order.kind,
        order_seed=spec.order.seed,
        arms=arms,
        trials=trials,
    )


def order_document(
    spec: Spec, plan: Plan, trial: PlannedTrial, events: str, spec_folder: Path, start: Path | None = None
) -> dict[str, Any]:
    """Return what the worker of one trial is told.

    Args:
        spec: the spec.
        plan: its plan.
        trial: the trial.
        events: path of the file into which the worker streams its events.
        spec_folder: folder of the spec, to which the paths of a command are relative.
        start: folder that the trial runs in; that of this process where None.
    """
    arm = plan.arms[trial.arm]
    document: dict[str, Any] = {
        "trial": trial.trial,
        "arm": trial.arm,
        "kind": trial.kind,
        "workload": _from_folder(arm.workload, spec_folder, start or Path()),
        "options": arm.options,
        "seed": trial.seed,
        "device": spec.device,
        "events": events,
        **({"ranks": arm.ranks} if arm.ranks > 1 else {}),
        **({"interference": arm.interference} if arm.interference else {}),
        "controls": {
            "affinity": list(spec.controls.affinity) or None,
            "threads": spec.controls.threads,
            "cpuset": list(spec.controls.cpuset) or None,
            "numa_nodes": list(spec.controls.numa_nodes) or None,
            "aslr": spec.controls.aslr,
        },
    }
    if start is not None:
        document["folder"] = os.path.relpath(start)
    if spec.throughput is not None and trial.kind == "throughput":
        document["throughput"] = {"warmup": spec.throughput.warmup, "iterations": spec.throughput.iterations}
    if spec.convergence is not None and trial.kind == "convergence":
        target = spec.convergence.target
        document["convergence"] = {
            "evaluate_every_samples": spec.convergence.evaluate_every_samples,
            "max_samples": spec.convergence.max_samples,
            "target": {"metric": target.metric, "value": float(target.value), "direction": target.direction},
            "stop_at_target": spec.convergence.stop_at_target,
        }
    return document


def _from_folder(workload: dict[str, Any], folder: Path, start: Path) -> dict[str, Any]:
    """Return a workload whose command's paths begin at the folder that it runs in instead of the spec's.

    A program with a slash is a path; an argument with one is where there is something of that name in the folder.
    """
    if "command" not in workload:
        return workload
    program, *arguments = workload["command"]
    there = [os.path.exists(folder / item) for item in arguments]  # noqa: PTH110  takes any text
    moved = [_moved(item, folder, start) if exists else item for item, exists in zip(arguments, there, strict=True)]
    return {"command": [_moved(program, folder, start), *moved]}


def _moved(path: str, folder: Path, start: Path) -> str:
    if "/" not in path or Path(path).is_absolute():
        return path
    moved = os.path.relpath(folder / path, start)
    return moved if "/" in moved else f"./{moved}"


def _check(spec: Spec, name: str) -> None:
    lower: dict[str, str] = {}
    for arm in spec.arms:
        other = lower.setdefault(arm.lower(), arm)
        if other != arm:
            raise UserError(
                f"the arms {other} and {arm} differ in case only, and so would their files",
                "rename one of them",
                f"{name} (/arms/{arm})",
            )
    if spec.claims.baseline is not None and spec.claims.baseline not in spec.arms:
        raise UserError(
            f"there is no arm {spec.claims.baseline}",
            f"name one of {', '.join(spec.arms)}",
            f"{name} (/claims/baseline)",
        )
    required = spec.controls.required
    for knob in required if isinstance(required, tuple) else ():
        if knob == "gpus" or not spec.controls.asks(knob):
            raise UserError(
                f"the spec requires {knob}, and does not set it", "set it, or drop it", f"{name} (/controls/required)"
            )
    design.check(spec, name)
    check = spec.convergence
    if check is not None and check.max_samples < check.evaluate_every_samples:
        raise UserError(
            "a convergence trial would end before its first evaluation",
            "raise max_samples, or evaluate more often",
            f"{name} (/convergence/max_samples)",
        )


def _plan_arm(spec: Spec, request: ArmRequest, name: str) -> PlannedArm:
    own, looked_into = request.workload, spec.accounting or spec.phases
    shared: Workload = spec.workload
    workload, at = shared, "/workload"
    if own is not None:
        at = own.at or at
        replaced = own.name or own.entry or own.command
        workload = own if replaced else msgspec.structs.replace(shared, parameters=shared.parameters | own.parameters)
    if workload.command:
        if own is not None and own.parameters:
            raise UserError("a command takes no parameters", "put them into the command", f"{name} ({at})")
        what: dict[str, Any] = {"command": list(workload.command)}
    elif workload.entry:
        what = {"entry": workload.entry, "arguments": workload.parameters}
    elif workload.name:
        what = {"name": workload.name, **workload.parameters}
    else:
        raise UserError("nothing says what to run", "give one of name, entry and command", f"{name} ({at})")
    if workload.command and looked_into:
        todo = "leave `accounting` and `phases` out, or give the workload as `entry`"
        raise UserError("a program of your own cannot be profiled", todo, f"{name} ({at})")
    size = layout.of(spec.launcher, request, name)
    options = request.options
    share = request.interference
    if share:
        options = {**options, "extra": {**options.get("extra", {}), "interference": share}}
    digest = option_set_digest(options)
    return PlannedArm(
        workload=what, options=options, option_set=digest, ranks=size.ranks, nodes=size.nodes, interference=share
    )


def _series(spec: Spec, arm: str) -> list[list[PlannedTrial]]:
    """Return the trials of one arm: one list per kind."""
    seeds = spec.convergence.planned_seeds() if spec.convergence is not None else ()
    series = []
    if spec.throughput is not None:
        timed = spec.throughput
        taken = islice(_endless(seeds), timed.trials)
        series.append(
            [
                PlannedTrial(
                    trial=f"{arm}-t{n}",
                    arm=arm,
                    kind="throughput",
                    seed=seed,
                    iterations=timed.iterations,
                    warmup=timed.warmup,
                )
                for n, seed in enumerate(taken, 1)
            ]
        )
    if spec.convergence is not None and scaling.trains(spec, arm):
        work = spec.convergence.max_samples
        series.append(
            [
                PlannedTrial(trial=f"{arm}-c{n}", arm=arm, kind="convergence", seed=seed, max_samples=work)
                for n, seed in enumerate(seeds, 1)
            ]
        )
    for kind, letter in (("accounting", "a"), ("phases", "p")):
        if getattr(spec, kind):
            series.append([PlannedTrial(trial=f"{arm}-{letter}1", arm=arm, kind=kind, seed=next(_endless(seeds)))])
    return series


def _endless(seeds: tuple[int, ...]) -> Iterator[int]:
    yield from seeds
    yield from count(max(seeds, default=0) + 1)


def _blocked(spec: Spec) -> Iterator[PlannedTrial]:
    for arm in spec.arms:
        for trials in _series(spec, arm):
            yield from trials


def _interleaved(spec: Spec) -> Iterator[PlannedTrial]:
    series = [trials for arm in spec.arms for trials in _series(spec, arm)]
    for number, members in enumerate(zip_longest(*series)):
        present = [trial for trial in members if trial is not None]
        yield from sorted(present, key=partial(_rank, spec.order.seed, number))


def _rank(seed: int, number: int, trial: PlannedTrial) -> bytes:
    return hashlib.sha256(f"{seed}:{number}:{trial.trial}".encode()).digest()
