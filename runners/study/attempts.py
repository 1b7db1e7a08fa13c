"""One attempt at a trial, from its order file to its record; and the records of attempts that were cut off."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from ...schemas.digest import sha256_hex
from ..environment import load
from ..environment.watch import SAMPLE_S, Watch
from ..launch.interface import Job
from ..launch.slurm import Slurm
from ..record import nodes, served
from ..record.events import Events
from ..record.nodes import Seen
from ..record.outcomes import Record, judge, path_of, records
from ..record.ranks import gather_all
from ..telemetry import progress, readings
from ..trial import attempt as process
from . import folder as files
from . import required
from .plan import PlannedTrial, order_document
from .running import Study, note, now, utc

RESTARTED = "its scheduler took its nodes and started it again"


def run_attempt(study: Study, trial: PlannedTrial, number: int) -> list[Record]:
    """Run one attempt: order file, recorder, ranks, record; more than one record where its job was started again."""
    study.progress.begin(trial)
    before = load.with_own(Path("/"))
    job = begin(study, trial, number)
    started = now()
    watch = study.reserved.watch()
    study.sensors.begin(path_of(study.folder, trial.trial, number, "telemetry.jsonl"))
    launched = study.launcher.found(job) or study.launcher.start(job)
    try:
        ended = launched.wait(study.spec.trial_timeout_s, *_tick(study, watch))
    except BaseException:
        launched.cancel()
        raise
    study.sensors.end()
    process.kill_marked(study.id)
    controls = watch.end()
    if controls:
        path = path_of(study.folder, trial.trial, number, "controls.json")
        files.write_json(path, watch.document(controls), indent=None)
    found = _settled(study, trial, number, ended, Seen(started, before, load.with_own(Path("/")), controls))
    record = found[-1]
    told = None if record.outcome == "completed" else f"{trial.trial}: {record.outcome}: {record.reason}"
    study.progress.end(trial, told)
    _check_required(study, trial, record)
    return found


def begin(study: Study, trial: PlannedTrial, number: int) -> Job:
    """Write the order file of an attempt, unless it stands already, and return what its launcher is told."""
    order_path = path_of(study.folder, trial.trial, number, "order.json")
    if not order_path.exists():
        # Relative to the working directory, which the worker shares: a published order names nobody's home.
        events = os.path.relpath(path_of(study.folder, trial.trial, number, "events.jsonl"))
        home = study.homes[trial.arm]
        files.write_json(order_path, order_document(study.spec, study.plan, trial, events, home.folder, home.start))
        study.recorder.started(trial.trial)
    return _job(study, trial, number)


def submit_arrays(study: Study, state: Mapping[str, Sequence[Record]]) -> None:
    """Submit the first attempts of all trials as job arrays, where the spec lets several run at the same time."""
    most = study.spec.launcher.slurm.array if study.spec.launcher.kind == "slurm" else None
    if most is None or not isinstance(study.launcher, Slurm):
        return
    by_size: dict[tuple[int, int], list[Job]] = {}
    for trial in study.plan.trials:
        if not state[trial.trial]:
            job = begin(study, trial, 1)
            by_size.setdefault((job.ranks, job.nodes), []).append(job)
    for jobs in by_size.values():
        study.launcher.start_array(jobs, most)


def _settled(study: Study, trial: PlannedTrial, number: int, ended: process.Exit, seen: Seen) -> list[Record]:
    """Write the record of an attempt whose ranks are gone, after those of earlier starts of the same job."""
    found = []
    for earlier in range(number, number + ended.restarts):
        lost = Record(
            trial=trial.trial,
            attempt=earlier,
            session=study.session,
            outcome="lost",
            reason=RESTARTED,
            taken=True,
            started=seen.started,
            ended=now(),
        )
        found.append(_write_record(study, lost, Events()))
        begin(study, trial, earlier + 1)
    number += ended.restarts
    if not study.launcher.here:
        seen = nodes.seen(path_of(study.folder, trial.trial, number, "controls.json"), seen)
    events = gather_all(path_of(study.folder, trial.trial, number, "events.jsonl"), study.plan.arms[trial.arm].ranks)
    outcome, reason = judge(events, trial, ended.describe(), study.spec.trial_timeout_s if ended.timed_out else None)
    taken = ended.taken is not None and outcome in ("lost", "failed")
    record = Record(
        trial=trial.trial,
        attempt=number,
        session=study.session,
        outcome="lost" if taken else outcome,
        reason=ended.taken if taken else reason,
        taken=taken,
        started=seen.started,
        ended=now(),
        duration_s=round(ended.duration_s, 6),
        exit_code=ended.code,
        exit_signal=ended.signal_name,
        log_left_out_bytes=ended.log_left_out_bytes,
        load_before=seen.before,
        load_after=seen.after,
        saturated=served.saturated(events),
    )
    return [*found, _write_record(study, record, events)]


def _check_required(study: Study, trial: PlannedTrial, record: Record) -> None:
    """Hold what was verified in an attempt against what the spec requires.

    Raises:
        EnvironmentRefused: a required control was not verified.
    """
    path = path_of(study.folder, trial.trial, record.attempt, "events.jsonl")
    events = gather_all(path, study.plan.arms[trial.arm].ranks)
    controls = nodes.controls(path_of(study.folder, trial.trial, record.attempt, "controls.json"))
    for knob, line in required.unmet(study.spec, events, controls):
        if knob not in study.unmet:
            study.unmet.add(knob)
            study.progress.close()
            note(line)
    required.check(study.spec, events, controls)


def settle_all(study: Study, reason: str, *, cancel: bool) -> None:
    """Give a record to every attempt that has begun and has none.

    Args:
        study: the study.
        reason: why it has none.
        cancel: whether what still runs is cancelled; else it is waited for, as a job that outlived its runner is.
    """
    state = records(study.folder, study.plan)
    for trial in study.plan.trials:
        number = len(state[trial.trial]) + 1
        if not path_of(study.folder, trial.trial, number, "order.json").exists():
            continue
        launched = study.launcher.found(_job(study, trial, number))
        if launched is not None and cancel:
            launched.cancel()
        elif launched is not None:
            ended = launched.wait(study.spec.trial_timeout_s, *_tick(study, study.reserved.watch()))
            _settled(study, trial, number, ended, Seen(None, {}, {}, ()))
            continue
        _settle(study, trial, number, reason, cancelled=launched is not None)


def _settle(study: Study, trial: PlannedTrial, number: int, reason: str, *, cancelled: bool) -> None:
    path = path_of(study.folder, trial.trial, number, "events.jsonl")
    events = gather_all(path, study.plan.arms[trial.arm].ranks)
    outcome, why = judge(events, trial, reason, None)
    if events.ended is None or (cancelled and outcome == "failed"):  # ranks say so when they are cancelled
        outcome, why = "lost", reason
    started = events.started
    record = Record(
        trial=trial.trial,
        attempt=number,
        session=study.session,
        outcome=outcome,
        reason=why,
        interrupted=outcome == "lost",
        started=utc(int(started.unix_ns)) if started is not None else None,
        ended=now(),
    )
    _write_record(study, record, events)


def _job(study: Study, trial: PlannedTrial, number: int) -> Job:
    arm, home = study.plan.arms[trial.arm], study.homes[trial.arm]
    return Job(
        name=f"{study.id[:8]}-{files.stem(trial.trial, number)}",
        order=Path(os.path.relpath(path_of(study.folder, trial.trial, number, "order.json"))),
        log=path_of(study.folder, trial.trial, number, "log"),
        ranks=arm.ranks,
        nodes=arm.nodes,
        timeout_s=study.spec.trial_timeout_s,
        environment={**os.environ, **home.variables, process.MARK: study.id},
        worker=home.worker,
    )


def _tick(study: Study, watch: Watch) -> tuple[Callable[[], None] | None, float]:
    """Return what the runner does while a trial runs, and how often, in seconds."""
    if not watch.samples:
        return (study.progress.tick if study.progress.shown else None), process.TICK_S

    def tick() -> None:
        watch.sample()
        if study.progress.shown:
            study.progress.tick()

    return tick, SAMPLE_S


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
