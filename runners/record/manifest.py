"""The manifest: an in-toto Statement about a study, built from its folder and from nothing else.

Building it twice gives the same bytes. What was recomputed has 6 significant digits, so that other versions of numeric
libraries agree on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ... import __version__
from ...schemas.digest import option_set_digest
from ...schemas.files import sha256_file
from ...schemas.spec import Spec
from ..environment.collect import Collected, restore
from ..study import folder as files
from ..study import program
from ..study.plan import Plan, PlannedTrial
from ..telemetry import readings
from ..trial import disturbance
from ..trial.events import ControlRecord
from . import (
    analysis,
    bandwidth,
    controls,
    generator_logs,
    machine,
    nodes,
    outcomes,
    performance,
    quality,
    scaling,
)
from . import arm as arms
from . import options as option_sets
from . import trial as trials
from .events import Events
from .ranks import gather_all
from .run import Run

NUMERIC = ("torch", "numpy", "scipy", "scikit-learn")


def build(out: Path, spec: Spec, plan: Plan, ledger: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the manifest of what a study's folder holds, complete or not.

    Args:
        out: the study's folder.
        spec: its spec.
        plan: its plan.
        ledger: the slice of the ledger that belongs to the study, as in manifest.schema.json; None for an unsigned run.
    """
    document = files.read_json(out / files.PLAN)
    facts = _facts(out, 1)
    runs = _runs(out, plan)
    predicate: dict[str, Any] = {
        "dlaudit": "study/1",
        "tool": _tool(facts),
        "libraries": {name: facts.packages[name] for name in NUMERIC if name in facts.packages},
        "study": _study(out, spec, plan, document, runs),
        "systems": {machine.system_of(arm.nodes): machine.system(facts, spec, arm.nodes) for arm in plan.arms.values()},
        "arms": {
            name: _arm(
                out, spec, plan, _facts(out, arm.session), name, [run for run in runs if run.planned.arm == name]
            )
            for name, arm in plan.arms.items()
        },
        "plan": [_planned(trial) for trial in plan.trials],
    }
    scaled = scaling.of_study(spec, predicate["arms"])
    if scaled is not None:
        predicate["scaling"] = scaled
    if ledger is not None:
        predicate["ledger"] = ledger
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": _sha256(out / name)}} for name in files.raw_files(out)],
        "predicateType": "urn:dlaudit:study:v1",
        "predicate": predicate,
    }


def _facts(out: Path, session: int) -> Collected:
    """Return the facts of a session about the machine that trials ran on: the runner's, else the first node's."""
    own = restore(files.read_json(out / files.ENVIRONMENT / f"{session}.json"))
    found = sorted((out / files.ENVIRONMENT).glob("node-*.json"))
    return msgspec.structs.replace(restore(files.read_json(found[0])), programs=own.programs) if found else own


def _runs(out: Path, plan: Plan) -> list[Run]:
    """Return every planned trial with its attempts and, where it has a result, what its events say."""
    state = outcomes.records(out, plan)
    stopped = outcomes.stopped(plan, state)
    runs = []
    for index, trial in enumerate(plan.trials):
        attempts = state[trial.trial]
        events, sensed = Events(), None
        if attempts and attempts[-1].outcome != "lost":
            several = plan.arms[trial.arm].nodes > 1  # the readings of one node are not those of the trial
            stem = files.stem(trial.trial, attempts[-1].attempt)
            events = gather_all(out / files.TRIALS / f"{stem}.events.jsonl", plan.arms[trial.arm].ranks)
            sensed = None if several else readings.load(out / files.TRIALS / f"{stem}.telemetry.jsonl")
        turned = (*_machine(out, trial.trial, attempts), *_disturbed(attempts))
        runs.append(
            Run(
                planned=trial,
                order=index,
                attempts=tuple(attempts),
                events=events,
                machine=turned,
                readings=sensed,
                why_not=stopped.get(trial.arm, "the study ended before it"),
            )
        )
    return runs


def _machine(out: Path, trial: str, attempts: list[outcomes.Record]) -> tuple[ControlRecord, ...]:
    """Return what became of the machine's knobs in the last attempt, and whether its session put them back."""
    path = out / files.TRIALS / f"{files.stem(trial, max(1, len(attempts)))}.controls.json"
    if not path.exists():
        return ()
    session = attempts[-1].session if attempts else 1
    restored = files.read_restored(out, session)
    found = []
    for record in msgspec.convert(files.read_json(path)["records"], tuple[ControlRecord, ...]):
        afterwards = restored.get(record.knob)
        if afterwards is not None:
            evidence = f"{record.evidence}; afterwards: {afterwards['evidence']}"[:4000]
            record = msgspec.structs.replace(record, restored=afterwards["restored"], evidence=evidence)
        elif record.applied is not None and record.restored is None:
            record = msgspec.structs.replace(record, restored="unverifiable")
        found.append(record)
    return tuple(found)


def _disturbed(attempts: list[outcomes.Record]) -> tuple[ControlRecord, ...]:
    """Return what else went on during the last attempt."""
    if not attempts:
        return ()
    last = attempts[-1]
    found = disturbance.record(last.load_before, last.load_after, last.duration_s)
    return (found,) if found is not None else ()


def _tool(facts: Collected) -> dict[str, Any]:
    tool: dict[str, Any] = {"name": "dlaudit", "version": __version__}
    if facts.tool["commit"].known:
        tool |= {"commit": facts.tool["commit"].value, "dirty": facts.tool["dirty"].value}
    return tool


def _study(out: Path, spec: Spec, plan: Plan, document: dict[str, Any], runs: list[Run]) -> dict[str, Any]:
    ends = [attempt.ended for run in runs for attempt in run.attempts]
    sessions = len(list((out / files.ENVIRONMENT).glob("[0-9]*.json")))
    value = {
        "id": document["study"],
        "title": spec.title,
        "spec_sha256": plan.spec_sha256,
        "spec": next(path.name for path in sorted(out.glob("spec.*"))),
        "started": document["created"],
        "ended": max(ends, default=document["created"]),
        "complete": all(outcomes.over(run.attempts) for run in runs),
        "interruptions": max(0, sessions - 1),
        "order_seed": plan.order_seed,
    }
    value["sessions"] = [_session(out, number) for number in range(1, sessions + 1)]
    if plan.nonce is not None:
        value["nonce"] = plan.nonce
    return value


def _session(out: Path, number: int) -> dict[str, Any]:
    """Return the state of the working directory's tree when a session began; empty outside a tree."""
    facts = restore(files.read_json(out / files.ENVIRONMENT / f"{number}.json")).working_directory
    return {name: facts[name].value for name in ("commit", "dirty", "untracked") if facts[name].known}


def _arm(out: Path, spec: Spec, plan: Plan, facts: Collected, name: str, runs: list[Run]) -> dict[str, Any]:
    stated = option_sets.effective(plan, name, runs)
    times = {
        run.planned.trial: values
        for run in runs
        if run.planned.kind == "throughput" and run.outcome == "completed" and (values := analysis.usable(run.events))
    }
    analyses = {trial: analysis.of_trial(values) for trial, values in times.items()}
    ran = msgspec.convert(facts.programs.get(name, {}), program.Program)
    options = option_sets.with_program(stated, ran)
    arm: dict[str, Any] = {
        "label": spec.arms[name].label or name,
        "system": machine.system_of(plan.arms[name].nodes),
        "devices": max(_stated_devices(options), plan.arms[name].ranks, len(machine.device_ids(facts, spec))),
        "options": options,
        "option_set": option_set_digest(options),
        "workload": msgspec.to_builtins(msgspec.structs.replace(ran, language=None, packages={})),
        "software": machine.software_of(ran, machine.software(facts, spec)),
        "environment": machine.environment(facts, spec, controls.worst(runs)),
        "measurement": arms.measurement(spec, plan, runs),
        "performance": performance.of_arm(spec, runs),
        "analysis": analysis.of_arm(analyses, tuple(times.values())),
        "quality": quality.of_arm(spec, runs),
        "plan": arms.planned(runs),
        "runs": generator_logs.of_arm(out, runs),
        "trials": {
            run.planned.trial: _trial(out, spec, facts, run, stated, analyses.get(run.planned.trial)) for run in runs
        },
    }
    arm |= option_sets.told_once(runs)
    arm["operations"] = bandwidth.measured(arm.get("operations", {}), arm["performance"])
    searched = files.read_json(out / files.PLAN).get("searches", {}).get(name)
    arm |= {
        "accounting": arms.accounting(runs),
        "energy": arms.energy(runs),
        "splice": arms.spliced(runs),
        "search": searched,
    }
    if spec.convergence is not None:
        arm["target"] = arms.target(spec.convergence)
    return {key: value for key, value in arm.items() if value not in ({}, None)}


def _stated_devices(options: dict[str, Any]) -> int:
    """Return the devices that a workload says it uses, at least one: a rank without an accelerator counts as one."""
    devices = options.get("devices")
    return max(1, devices) if isinstance(devices, int) else 1


def _trial(
    out: Path,
    spec: Spec,
    facts: Collected,
    run: Run,
    options: dict[str, Any],
    found: dict[str, Any] | None,
) -> dict[str, Any]:
    trial = trials.of_run(spec, run, options)
    if found is not None:
        trial["analysis"] = found
    devices = machine.device_ids(facts, spec)
    turned = out / files.TRIALS / f"{files.stem(run.planned.trial, max(1, len(run.attempts)))}.controls.json"
    trial |= {key: rows for key, rows in (("nodes", nodes.table(turned)), ("jobs", _jobs(out, run))) if rows}
    if run.attempts and devices:
        trial["device_ids"] = devices
    if run.has_result:
        path = f"{files.TRIALS}/{run.planned.trial}.samples.json"
        trial["samples_file"] = {"path": path, "sha256": _sha256(out / path), "rows": run.events.iterations}
        sensed = trials.telemetry(run, trial["samples_file"])
        if sensed is not None:
            trial["telemetry"] = sensed
    return trial


def _jobs(out: Path, run: Run) -> list[dict[str, Any]]:
    """Return the jobs that ran the attempts of a trial; one that its scheduler started again ran several."""
    found: list[dict[str, Any]] = []
    for attempt in run.attempts:
        path = out / files.TRIALS / f"{files.stem(run.planned.trial, attempt.attempt)}.job.json"
        if path.exists():
            job = files.read_json(path)
            found.append({"scheduler": job["scheduler"], "id": job["id"], "attempt": attempt.attempt})
            found[-1] |= {"state": job["state"]} if job.get("state") else {}
    return found


def _planned(trial: PlannedTrial) -> dict[str, Any]:
    value = msgspec.to_builtins(trial)
    value.pop("max_samples", None)
    assert isinstance(value, dict)
    return value


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return sha256_file(file)
