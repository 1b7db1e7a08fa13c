"""Before the first trial: one step and one evaluation of each arm, in processes of their own that leave nothing behind.

What they show is not measured: that the workload can be built, its options be had, a step be made, the target's metric
be evaluated; and how long the study will take.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.errors import UserError
from ...schemas.spec import Spec
from ..launch import WORKER, launcher_for
from ..launch.interface import Job
from ..record.events import Events
from ..record.ranks import gather_all
from ..trial import attempt as process
from . import folder as files
from .homes import Home, Homes
from .plan import Plan, PlannedTrial, order_document
from .progress import duration

WARMUP, ITERATIONS = 1, 3
CHEAP = 0.1
"""Share of the planned trials that trying each arm may add without being asked for."""
LAST_LINES = 5


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What trying one kind of trial of an arm showed."""

    arm: str
    kind: str
    start_s: float
    """From the start of the process to its first step and after its last one."""
    step_s: float
    """Of the last steps, once compiled and cached."""
    evaluation_s: float
    samples_per_step: int


def run(spec: Spec, plan: Plan, homes: Homes, worker: Sequence[str] = WORKER) -> tuple[Tried, ...]:
    """Try each arm.

    Raises:
        UserError: one cannot be run, or its evaluation lacks the target's metric; what it printed last is told.
    """
    with tempfile.TemporaryDirectory(prefix="dlaudit-preflight-") as name:
        return tuple(
            _try(spec, plan, trial, Path(name), homes[trial.arm], worker)
            for trial in {(one.arm, one.kind): one for one in reversed(plan.trials)}.values()
            if trial.kind in ("throughput", "convergence")
        )


def is_cheap(plan: Plan) -> bool:
    """Whether trying each arm adds little: a tenth of the trials at most."""
    tried = {(one.arm, one.kind) for one in plan.trials if one.kind in ("throughput", "convergence")}
    return len(tried) <= CHEAP * len(plan.trials)


def seconds(spec: Spec, plan: Plan, tried: Sequence[Tried]) -> float:
    """Return about how long the trials will take, in seconds; trainings that end at their target take less."""
    known = {(one.arm, one.kind): one for one in tried}
    of_arm = {arm: [one.step_s for one in tried if one.arm == arm and one.step_s > 0] for arm in plan.arms}
    total = 0.0
    for trial in plan.trials:
        one = known.get((trial.arm, trial.kind)) or next(one for one in tried if one.arm == trial.arm)
        steps, evaluations = float((trial.warmup or 0) + (trial.iterations or 0)), 0
        if trial.kind == "convergence" and spec.convergence is not None:
            steps = math.ceil(spec.convergence.max_samples / max(1, one.samples_per_step))
            evaluations = math.ceil(spec.convergence.max_samples / spec.convergence.evaluate_every_samples)
        total += one.start_s + steps * min(of_arm[trial.arm], default=0.0) + evaluations * one.evaluation_s
    return total


def _try(spec: Spec, plan: Plan, trial: PlannedTrial, folder: Path, home: Home, worker: Sequence[str]) -> Tried:
    stem = folder / f"{trial.arm}-{trial.kind}"
    events_path, order_path, log = (stem.with_suffix(suffix) for suffix in (".jsonl", ".json", ".log"))
    order = order_document(spec, plan, trial, str(events_path), home.folder, home.start)
    files.write_json(order_path, _shortened(order))
    launcher, arm = launcher_for(spec.launcher, worker), plan.arms[trial.arm]
    if not launcher.here:
        todo = "leave --preflight out, and look at the first trial"
        raise UserError(f"{spec.launcher.kind} runs nothing on this machine", todo, "preflight")
    job = Job(
        name=f"preflight-{trial.arm}",
        order=order_path,
        log=log,
        ranks=arm.ranks,
        nodes=arm.nodes,
        timeout_s=spec.trial_timeout_s,
        environment={**os.environ, **home.variables, process.MARK: "preflight"},
        worker=home.worker,
    )
    ended = launcher.start(job).wait(spec.trial_timeout_s, None, process.TICK_S)
    events = gather_all(events_path, arm.ranks)
    wrong = _wrong(events, ended)
    if wrong is not None:
        printed = log.read_text("utf-8", "replace").splitlines()
        told = "".join(f"\n  {line[:200]}" for line in printed[-LAST_LINES:] if line not in wrong)
        raise UserError(
            f"arm {trial.arm} cannot be run ({trial.kind}): {wrong}", f"correct it; no trial has run{told}", "preflight"
        )
    times = [value for value in events.columns.get("step_time_s", ()) if value is not None]
    evaluated = [one.evaluation_s for one in events.evaluations]
    spent = math.fsum(times) + math.fsum(value or 0.0 for value in events.warmup.get("step_time_s", ()))
    return Tried(
        arm=trial.arm,
        kind=trial.kind,
        start_s=max(0.0, ended.duration_s - spent - math.fsum(evaluated)),
        step_s=min(times, default=0.0),
        evaluation_s=min(evaluated, default=0.0),
        samples_per_step=events.options.samples_per_iteration if events.options is not None else 0,
    )


def _shortened(order: dict[str, Any]) -> dict[str, Any]:
    """Return an order of few steps, or of one evaluation: a target that any finite value meets ends the training."""
    if "throughput" in order:
        return order | {"throughput": {"warmup": WARMUP, "iterations": ITERATIONS}}
    check = order["convergence"]
    anything = sys.float_info.max * (-1 if check["target"]["direction"] == "higher" else 1)
    target = check["target"] | {"value": anything}
    return order | {"convergence": check | {"evaluate_every_samples": 1, "target": target, "stop_at_target": True}}


def _wrong(events: Events, ended: process.Exit) -> str | None:
    if events.problem is not None:
        return events.problem
    if ended.timed_out:
        return "it took longer than a trial may"
    if events.ended is None:
        return ended.describe()
    error = events.ended.error
    return f"{error.type}: {error.message}" if error is not None else None


def lines(spec: Spec, plan: Plan, tried: Sequence[Tried]) -> Iterator[str]:
    """Yield what the tries showed, a line each, and how long the study will take."""
    for one in tried:
        evaluation = f", an evaluation {one.evaluation_s:.3g} s" if one.kind == "convergence" else ""
        yield f"tried {one.arm} ({one.kind}): a step takes {one.step_s:.3g} s{evaluation}, the rest {one.start_s:.3g} s"
    yield f"{len(plan.trials)} trials take about {duration(seconds(spec, plan, tried))}"
