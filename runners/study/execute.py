"""A study: every planned trial once, each a fresh process, whatever happens to the process or to the runner.

What is known about an attempt lies in the study's folder, so that the runner may be killed at any moment:

    no order file             the attempt has not begun
    order file, no record     it has begun; its events decide what became of it
    record                    it is over

`outcomes.py` says which trials run again.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.digest import sha256_hex
from ...schemas.errors import EnvironmentRefused, UserError
from ...schemas.files import write_atomic
from ...schemas.spec import Spec
from ..environment import collect, control, load, preview
from ..environment.fact import Fact
from ..environment.watch import SAMPLE_S, Watch
from ..record.events import Events, gather
from ..record.outcomes import STOPPED, Record, judge, over, path_of, records, stopped
from ..telemetry import progress, readings
from ..telemetry.session import Session, reading
from ..trial import attempt as process
from . import folder as files
from . import program, required, search
from .plan import Plan, PlannedTrial, order_document
from .progress import Progress
from .recorder import Recorder

WORKER = (sys.executable, "-P", "-m", "dlaudit.runners.trial.worker")


class CodeChanged(Exception):
    """The code of an arm was edited while the study ran."""


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """A study that has begun, with what it needs to go on."""

    id: str
    spec: Spec
    plan: Plan
    folder: Path
    recorder: Recorder
    progress: Progress
    session: int
    reserved: control.Reserved
    worker: Sequence[str] = WORKER
    spec_folder: Path = Path()
    sysroot: Path = Path("/")
    sensors: Session = Session(None)
    programs: dict[str, program.Program] = {}
    """What each arm runs, as its files stood when this session began."""
    unmet: set[str] = msgspec.field(default_factory=set)
    """Knobs that were requested and cannot be set here, as the user was told."""


def run(
    spec: Spec,
    plan: Plan,
    spec_bytes: bytes,
    spec_suffix: str,
    out: Path,
    recorder: Recorder,
    *,
    resume: bool = False,
    worker: Sequence[str] = WORKER,
    sysroot: Path = Path("/"),
    spec_folder: Path = Path(),
) -> bool:
    """Run what is left of a plan in the folder `out`; return whether it came to its end.

    False means that it was interrupted (SIGINT, SIGTERM, SIGHUP): the folder holds a valid part, and `resume` goes on.

    Args:
        spec: the spec.
        plan: its plan.
        spec_bytes: the bytes of the spec, kept in the folder.
        spec_suffix: `.yaml` or `.json`.
        out: the study's folder; must not exist, or be empty, unless `resume`.
        recorder: who is told.
        resume: whether to go on with what the folder holds.
        worker: program that takes the path of an order file as its last argument.
        sysroot: root of the host's file tree, whose knobs the spec turns.
        spec_folder: folder of the spec, to which the paths of a command are relative.

    Raises:
        UserError: the folder belongs to something else, or another run works in it.
        EnvironmentRefused: another process holds the device, or a required control was not verified; the trials so far
            are recorded, and where there are none the folder is as it was.
    """
    required.check_foreseen(spec, preview.of_process(spec))
    tuned = search.searches(spec, spec_folder) if not (out / files.PLAN).exists() else {}
    made = not out.exists()
    _make_folder(out, resume)
    with (
        _nothing_left(out, made=made),
        files.locked(out),
        control.reserved(spec, _note, sysroot) as reserved,
        _interruptible(),
    ):
        try:
            study = _begin(spec, plan, spec_bytes, spec_suffix, out, recorder, worker, reserved, tuned)
            programs = program.of_plan(plan, spec_folder)
            study = msgspec.structs.replace(study, spec_folder=spec_folder, sysroot=sysroot, programs=programs)
        except KeyboardInterrupt:
            return False
        try:
            _run_left(study)
        except KeyboardInterrupt:
            _settle_all(study, "the runner was interrupted")
            return False
        except CodeChanged as changed:
            _note(f"no further trial runs, for the code is another: {changed}; put it back to go on")
            return False
        finally:
            study.progress.close()
            process.kill_marked(study.id)
    return True


def now() -> str:
    """Return the time, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _begin(
    spec: Spec,
    plan: Plan,
    spec_bytes: bytes,
    suffix: str,
    out: Path,
    recorder: Recorder,
    worker: Sequence[str],
    reserved: control.Reserved,
    tuned: dict[str, Any],
) -> Study:
    """Write what begins a study, or check that the folder holds the same one; settle what a killed runner left."""
    plan_path = out / files.PLAN
    environments = out / files.ENVIRONMENT
    files.sweep(out)
    if plan_path.exists():
        document = files.read_json(plan_path)
        if document.get("spec_sha256") != plan.spec_sha256:
            raise UserError("the folder holds a study of another spec", "give that spec, or another --out", str(out))
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
        worker=worker,
        reserved=reserved,
    )
    files.write_restored(out, study.session - 1, _restored_late(study))
    if study.session > 1:
        recorder.planned(document)
    _settle_all(study, "the runner was killed")
    return study


def _run_left(study: Study) -> None:
    state = records(study.folder, study.plan)
    if all(over(state[trial.trial]) or trial.arm in stopped(study.plan, state) for trial in study.plan.trials):
        return
    with reading(study.spec, study.sysroot) as sensors:
        study = msgspec.structs.replace(study, sensors=sensors)
        _write_environment(study)
        try:
            with control.turned(study.reserved, study.id, _note):
                if study.session == 1:  # what the machine refuses before the first trial was never planned
                    study.recorder.planned(files.read_json(study.folder / files.PLAN))
                for trial in study.plan.trials:
                    attempts = state[trial.trial]
                    if over(attempts) or trial.arm in stopped(study.plan, state):
                        study.progress.end(trial)
                        continue
                    while not over(attempts):
                        _check_code(study)
                        attempts.append(_run_attempt(study, trial, len(attempts) + 1))
                    if trial.arm in stopped(study.plan, state):
                        _note(f"arm {trial.arm} stops: {STOPPED}")
        finally:
            files.write_restored(study.folder, study.session, study.reserved.restorations())
    study.progress.tick()


def _check_code(study: Study) -> None:
    """Make sure that the next trial runs the code that the session began with.

    Raises:
        CodeChanged: a file of it is another.
    """
    changed = program.differences(study.programs, program.of_plan(study.plan, study.spec_folder))
    if changed:
        raise CodeChanged("; ".join(changed))


def _run_attempt(study: Study, trial: PlannedTrial, number: int) -> Record:
    """Run one attempt: order file, recorder, process, record."""
    study.progress.begin(trial)
    before = _load()
    order_path = path_of(study.folder, trial.trial, number, "order.json")
    events_path = path_of(study.folder, trial.trial, number, "events.jsonl")
    # Relative to the working directory, which the worker shares: a published order names nobody's home.
    order = order_document(study.spec, study.plan, trial, os.path.relpath(events_path), study.spec_folder)
    files.write_json(order_path, order)
    study.recorder.started(trial.trial)
    started = now()
    watch = study.reserved.watch()
    study.sensors.begin(path_of(study.folder, trial.trial, number, "telemetry.jsonl"))
    ended = process.run(
        [*study.worker, os.path.relpath(order_path)],
        {**os.environ, process.MARK: study.id},
        path_of(study.folder, trial.trial, number, "log"),
        study.spec.trial_timeout_s,
        *_tick(study, watch),
    )
    study.sensors.end()
    process.kill_marked(study.id)
    controls = watch.end()
    if controls:
        path = path_of(study.folder, trial.trial, number, "controls.json")
        files.write_json(path, watch.document(controls), indent=None)
    events = gather(events_path)
    record = Record(
        trial=trial.trial,
        attempt=number,
        session=study.session,
        outcome="lost",
        started=started,
        ended=now(),
        duration_s=round(ended.duration_s, 6),
        exit_code=ended.code,
        exit_signal=ended.signal_name,
        log_left_out_bytes=ended.log_left_out_bytes,
        load_before=before,
        load_after=_load(),
    )
    outcome, reason = judge(events, trial, ended.describe(), study.spec.trial_timeout_s if ended.timed_out else None)
    record = msgspec.structs.replace(record, outcome=outcome, reason=reason)
    record = _write_record(study, record, events)
    note = None if record.outcome == "completed" else f"{trial.trial}: {record.outcome}: {record.reason}"
    study.progress.end(trial, note)
    for knob, line in required.unmet(study.spec, events, controls):
        if knob not in study.unmet:
            study.unmet.add(knob)
            study.progress.close()
            _note(line)
    required.check(study.spec, events, controls)
    return record


def _load() -> dict[str, Any]:
    """Return what else runs, and the processor time of this process and of what it started and waited for."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own_s = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))
    facts = {**load.snapshot(Path("/")), "own_us": Fact(round(own_s * 1e6))}
    value = msgspec.to_builtins(facts)
    assert isinstance(value, dict)
    return value


def _tick(study: Study, watch: Watch) -> tuple[Callable[[], None] | None, float]:
    """Return what the runner does while a trial runs, and how often, in seconds."""
    if not watch.samples:
        return (study.progress.tick if study.progress.shown else None), process.TICK_S

    def tick() -> None:
        watch.sample()
        if study.progress.shown:
            study.progress.tick()

    return tick, SAMPLE_S


def _settle_all(study: Study, reason: str) -> None:
    """Give a record to every attempt that has begun and has none."""
    state = records(study.folder, study.plan)
    for trial in study.plan.trials:
        number = len(state[trial.trial]) + 1
        if not path_of(study.folder, trial.trial, number, "order.json").exists():
            continue
        events = gather(path_of(study.folder, trial.trial, number, "events.jsonl"))
        outcome, why = judge(events, trial, reason, None)
        if events.ended is None:
            outcome, why = "lost", reason
        started = events.started
        record = Record(
            trial=trial.trial,
            attempt=number,
            session=study.session,
            outcome=outcome,
            reason=why,
            interrupted=outcome == "lost",
            started=_utc(int(started.unix_ns)) if started is not None else None,
            ended=now(),
        )
        _write_record(study, record, events)


def _write_record(study: Study, record: Record, events: Events) -> Record:
    """Tell the recorder, then note that the attempt is over; for a result, its sample file comes first."""
    if record.outcome == "lost":
        study.recorder.lost(record.trial, record.reason or "lost")
    else:
        path = study.folder / files.TRIALS / f"{record.trial}.samples.json"
        taken = readings.load(path_of(study.folder, record.trial, record.attempt, "telemetry.jsonl"))
        sensors = readings.columns(taken, progress.window(events)) if taken is not None else {}
        data = files.write_json(path, events.document(record.trial, sensors), indent=None)
        record = msgspec.structs.replace(record, samples_sha256=sha256_hex(data))
        study.recorder.ended(record.trial, record.outcome, record.samples_sha256 or "")
    path = path_of(study.folder, record.trial, record.attempt, "record.json")
    files.write_json(path, msgspec.to_builtins(record))
    return record


def _write_environment(study: Study) -> None:
    """Keep the facts of this session; a study goes on only on the machine and the software it began on."""
    uses_torch = any("command" not in arm.workload for arm in study.plan.arms.values())
    facts = collect.collect(uses_torch=uses_torch, device=study.spec.device)
    facts = msgspec.structs.replace(facts, programs=msgspec.to_builtins(study.programs))
    environments = study.folder / files.ENVIRONMENT
    if study.session > 1:
        first = collect.restore(files.read_json(environments / "1.json"))
        changed = [
            *program.differences(msgspec.convert(first.programs, dict[str, program.Program]), study.programs),
            *collect.differences(first, facts),
        ]
        if changed:
            raise UserError(
                f"since the study began something changed: {'; '.join(changed)}",
                "put it back, or start a new study in another folder",
                str(study.folder),
            )
    files.write_json(environments / f"{study.session}.json", facts.document())


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


def _note(line: str) -> None:
    with suppress(BrokenPipeError):  # whoever reads may go away; the study goes on
        sys.stderr.write(f"dlaudit: {line}\n")
        sys.stderr.flush()


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


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP interrupt like Ctrl-C, so that a batch system's stop leaves a valid part."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before: Mapping[signal.Signals, Any] = {
        number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _utc(unix_ns: int) -> str:
    return datetime.fromtimestamp(unix_ns / 1e9, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
