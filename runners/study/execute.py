"""A study: every planned trial once, each a fresh process, whatever happens to the process or to the runner.

What is known about an attempt lies in the study's folder, so that the runner may be killed at any moment:

    no order file             the attempt has not begun
    order file, no record     it has begun; its events decide what became of it
    record                    it is over

`outcomes.py` says which trials run again.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.errors import EnvironmentRefused, UserError
from ...schemas.files import write_atomic
from ...schemas.spec import Controls, Spec
from ..environment import collect, control, preview
from ..launch import WORKER, launcher_for
from ..launch.interface import Launcher
from ..record.outcomes import STOPPED, over, records, stopped
from ..telemetry.session import reading
from ..trial import attempt as process
from . import folder as files
from . import program, renewal, required, search
from .attempts import run_attempt, settle_all, submit_arrays
from .homes import Home, Homes
from .plan import Plan
from .progress import Progress
from .recorder import Recorder
from .running import Study, note, now


class CodeChanged(Exception):
    """The code of an arm was edited while the study ran."""


def run(
    spec: Spec,
    plan: Plan,
    spec_bytes: bytes,
    spec_suffix: str,
    out: Path,
    recorder: Recorder,
    *,
    resume: bool = False,
    new_arm: bool = False,
    worker: Sequence[str] = WORKER,
    sysroot: Path = Path("/"),
    spec_folder: Path = Path(),
    homes: Homes | None = None,
) -> bool:
    """Run what is left of a plan in the folder `out`; return whether it came to its end.

    False means that it was interrupted (see `interruption.once`): the folder holds a valid part, and `resume` goes on.

    Args:
        spec: the spec.
        plan: its plan.
        spec_bytes: the bytes of the spec, kept in the folder.
        spec_suffix: `.yaml` or `.json`.
        out: the study's folder; must not exist, or be empty, unless `resume`.
        recorder: who is told.
        resume: whether to go on with what the folder holds.
        new_arm: whether an arm that changed meanwhile goes on as a new one; else that is refused.
        worker: program that takes the path of an order file as its last argument.
        sysroot: root of the host's file tree, whose knobs the spec turns.
        spec_folder: folder of the spec.
        homes: where the code of each arm lies; beside the spec where not given.

    Raises:
        UserError: the folder belongs to something else, or another run works in it; or the study has changed.
        EnvironmentRefused: another process holds the device, or a required control was not verified; the trials so far
            are recorded, and where there are none the folder is as it was.
    """
    launcher = launcher_for(spec.launcher, worker)
    if launcher.here:
        required.check_foreseen(spec, preview.of_process(spec))
    at_home = spec if launcher.here else elsewhere(spec)
    tuned = search.searches(spec, spec_folder) if not (out / files.PLAN).exists() else {}
    made = not out.exists()
    _make_folder(out, resume)
    with (
        _nothing_left(out, made=made),
        files.locked(out),
        control.reserved(at_home, note, sysroot) as reserved,
    ):
        try:
            homes = homes if homes is not None else dict.fromkeys(plan.arms, Home(folder=spec_folder))
            study = _begin(spec, plan, spec_bytes, spec_suffix, out, recorder, launcher, reserved, tuned, homes)
            study = msgspec.structs.replace(study, sysroot=sysroot)
            if new_arm or not _is_over(study):
                study = _gone_on(study, plan, new_arm=new_arm)
        except KeyboardInterrupt:
            return False
        try:
            _run_left(study)
        except KeyboardInterrupt:
            settle_all(study, "the runner was interrupted", cancel=True)
            return False
        except CodeChanged as changed:
            note(f"no further trial runs, for the code is another: {changed}; put it back to go on, or add --new-arm")
            return False
        finally:
            study.progress.close()
            process.kill_marked(study.id)
    return True


def _begin(
    spec: Spec,
    plan: Plan,
    spec_bytes: bytes,
    suffix: str,
    out: Path,
    recorder: Recorder,
    launcher: Launcher,
    reserved: control.Reserved,
    tuned: dict[str, Any],
    homes: Homes,
) -> Study:
    """Write what begins a study, or check that the folder holds the same one; settle what a killed runner left."""
    plan_path = out / files.PLAN
    environments = out / files.ENVIRONMENT
    files.sweep(out)
    if plan_path.exists():
        given = spec
        spec, plan = renewal.standing(out)
        renewal.check_rest(spec, plan, given, out)
        document = files.read_json(plan_path)
        process.kill_marked(document["study"])
    else:
        (out / files.TRIALS).mkdir(exist_ok=True)
        environments.mkdir(exist_ok=True)
        write_atomic(out / f"spec{suffix}", spec_bytes)
        document = {**plan.document(), "study": str(uuid.uuid4()), "created": now(), "searches": tuned}
        files.write_json(plan_path, document)
    study = Study(
        id=document["study"],
        spec=spec,
        plan=plan,
        folder=out,
        recorder=recorder,
        progress=Progress(sys.stderr, plan.trials),
        session=len(list(environments.glob("[0-9]*.json"))) + 1,
        launcher=launcher,
        homes=_homes(plan, homes),
        reserved=reserved,
    )
    files.write_restored(out, study.session - 1, _restored_late(study))
    if study.session > 1:
        recorder.planned(document)
    settle_all(study, "the runner was killed", cancel=False)
    return study


def _homes(plan: Plan, homes: Homes) -> Homes:
    return {name: homes[arm.instead_of or name] for name, arm in plan.arms.items()}


def _is_over(study: Study) -> bool:
    state = records(study.folder, study.plan)
    return all(over(state[trial.trial]) or trial.arm in stopped(study.plan, state) for trial in study.plan.trials)


def _run_left(study: Study) -> None:
    if _is_over(study):
        return
    state = records(study.folder, study.plan)
    with reading(study.spec if study.launcher.here else elsewhere(study.spec), study.sysroot) as sensors:
        study = msgspec.structs.replace(study, sensors=sensors)
        try:
            with control.turned(study.reserved, study.id, note):
                if study.session == 1:  # what the machine refuses before the first trial was never planned
                    study.recorder.planned(files.read_json(study.folder / files.PLAN))
                submit_arrays(study, state)
                for trial in study.plan.trials:
                    attempts = state[trial.trial]
                    if over(attempts) or trial.arm in stopped(study.plan, state):
                        study.progress.end(trial)
                        continue
                    while not over(attempts):
                        _check_code(study)
                        attempts += run_attempt(study, trial, len(attempts) + 1)
                    if stopped(study.plan, state).get(trial.arm) == STOPPED:
                        note(f"arm {trial.arm} stops: {STOPPED}")
        finally:
            files.write_restored(study.folder, study.session, study.reserved.restorations())
    study.progress.tick()


def _check_code(study: Study) -> None:
    """Make sure that the next trial runs the code that the session began with.

    Raises:
        CodeChanged: a file of it is another.
    """
    changed = program.differences(study.programs, program.of_plan(study.plan, study.homes))
    if changed:
        raise CodeChanged("; ".join(changed))


def elsewhere(spec: Spec) -> Spec:
    """Return a spec that asks nothing of this machine: its trials run on others, whose knobs their nodes turn."""
    return msgspec.structs.replace(spec, controls=Controls(), telemetry=False, device="cpu")


def _gone_on(study: Study, given: Plan, *, new_arm: bool) -> Study:
    """Keep the facts of this session; plan a new arm in place of one that is not what it began as.

    Args:
        study: the study so far.
        given: the plan of the spec as it is now.
        new_arm: whether that is wanted.

    Raises:
        UserError: something changed and that is not wanted, or nothing changed and it is; or the machine is another.
    """
    uses_torch = any("command" not in arm.workload for arm in given.arms.values())
    here = study.launcher.here
    facts = collect.collect(uses_torch=uses_torch and here, device=study.spec.device if here else "cpu")
    plan = study.plan
    if study.session > 1:
        changes = renewal.changed(plan, given, study.folder, program.of_plan(given, study.homes), facts)
        if not new_arm:
            renewal.check_same(changes, study.folder)
        elif not changes:
            raise UserError("nothing changed since the study began", "leave out --new-arm", str(study.folder))
        if changes:
            plan = renewal.extended(plan, given, changes, study.session)
    programs = program.of_plan(plan, _homes(plan, study.homes))
    facts = msgspec.structs.replace(facts, programs=msgspec.to_builtins(programs))
    files.write_json(study.folder / files.ENVIRONMENT / f"{study.session}.json", facts.document())
    if plan is not study.plan:
        document = files.read_json(study.folder / files.PLAN) | plan.document()
        files.write_json(study.folder / files.PLAN, document)
        study.recorder.planned(document)
        spec, plan = renewal.standing(study.folder)
        progress = Progress(sys.stderr, plan.trials)
        study = msgspec.structs.replace(study, spec=spec, plan=plan, progress=progress)
    return msgspec.structs.replace(study, programs=programs, homes=_homes(plan, study.homes))


def _restored_late(study: Study) -> dict[str, Any]:
    """Return what this start put back of what a killed session of the same study had left."""
    late = [(one.knob, one.restoration) for one in study.reserved.recovered if one.study == study.id]
    return control.worst(late)


@contextmanager
def _nothing_left(out: Path, *, made: bool) -> Iterator[None]:
    """Take back what was written where the environment refuses before the first trial of a new study.

    Args:
        out: the study's folder.
        made: whether it was made for this study.
    """
    fresh = not (out / files.PLAN).exists()
    try:
        yield
    except EnvironmentRefused:
        if fresh and not any((out / files.TRIALS).glob("*")):
            files.clear(out, whole=made)
        raise


def _make_folder(out: Path, resume: bool) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        empty = next(out.iterdir(), None) is None
    except OSError as error:
        raise UserError(f"the folder cannot be made: {error.strerror}", "choose another --out", str(out)) from None
    if not empty and not resume:
        raise UserError(
            "the folder is not empty", "--resume goes on with a study, --out names another folder", str(out)
        )
    if not empty and not (out / files.PLAN).exists():
        ours = {files.TRIALS, files.ENVIRONMENT, "spec.yaml", "spec.json"}
        if any(path.name not in ours and not path.name.startswith(".") for path in out.iterdir()):
            raise UserError("the folder holds no study", "choose another --out", str(out))
