"""One result of MLPerf Training as an arm with its runs, its system and its claim."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.facts.runs.evaluation_events import results
from ....rules.facts.runs.times import duration_s, is_successful, seeds, single, started_ms, status, stopped_ms
from ....rules.trace import Event, Logged, Trace
from ....schemas.runs import Run
from ..draft import LARGEST, Origin, at, identifier
from ..drafting import ArmDraft, Drafting, stated
from .run_logs import RunLog
from .system_description import Described, describe
from .training_target import target_of

if TYPE_CHECKING:
    from ..fields import (
        ArmFields,
        ClaimFields,
        CrossingFields,
        EvaluationFields,
        MetricFields,
        OptionsFields,
        RunFields,
        SuiteResultFields,
        TargetFields,
        TrialFields,
    )

MOST_EXTRA = 200
DIVISIONS = ("closed", "open")


class Result(Struct, frozen=True):
    """One result.

    Attributes:
        key: its id in the draft.
        folder: its path below the folder that was handed in; empty where that is the result's own.
        logs: its run files.
        system: its system as the path names it, or empty.
        benchmark: its benchmark as the path names it, or empty.
        round: suite and round, where known.
        weak: whether the suite scores it by throughput of many instances, not by a mean of runs.
        factor: by which a file makes its score better than it was measured, where one does.
    """

    key: str
    folder: str
    logs: tuple[RunLog, ...]
    system: str
    benchmark: str
    round: tuple[str, str] | None
    weak: bool
    factor: str | None = None


def put_result(draft: Drafting, result: Result, system: Described | None, size: int) -> dict[tuple[str, str], Trace]:
    """Put a result into a draft, and return the traces of its runs by arm and run.

    Args:
        draft: the draft.
        result: the result.
        system: its system description, where there is one.
        size: bytes of that description.
    """
    fields: ArmFields = {"label": result.folder or "the result"}
    if result.folder:
        fields["folder"] = result.folder
    arm = draft.put_arm(result.key, fields)
    runs = _put_runs(arm, result)
    benchmark = _logged_text(runs, "submission_benchmark") or result.benchmark
    closed = _logged_text(runs, "submission_division") == "closed"
    options, target = _options(runs), target_of(benchmark, result.round, runs, closed=closed)
    if options:
        fields["options"] = options
    if target is not None:
        fields["target"] = target
    _put_trials(arm, runs, target)
    if system is not None:
        describe(arm, system, result.system, size)
    _put_claim(arm, result, runs, system)
    return {(result.key, run.id): run.trace for run in runs}


def _put_runs(arm: ArmDraft, result: Result) -> tuple[Logged, ...]:
    if not result.logs:
        return ()
    entries: dict[str, RunFields] = {}
    runs = []
    for log in result.logs:
        key = identifier(log.path.rpartition("/")[2].rpartition(".")[0] or log.path, entries)
        pointer = at("arms", result.key, "runs", key)
        trace = Trace(log.events, log.malformed, log.path, pointer)
        run = Logged(key, Run(at=pointer), trace)
        entries[key] = _run_entry(log, run)
        arm.place(Origin(log.path), "runs", key)
        runs.append(run)
    arm.fields["runs"] = entries
    return tuple(runs)


def _run_entry(log: RunLog, run: Logged) -> RunFields:
    entry: RunFields = {"role": "training"}
    entry["file"] = {"name": log.path, "bytes": log.bytes, "sha256": log.sha256, "content_sha256": log.content_sha256}
    entry["file"]["format"] = "mlperf-training"
    ended = status(run)
    if ended:
        entry["status"] = ended[:200]
    span = run.trace.span_ms
    if span is not None:
        whole = all(event.time_ms is None or event.time_ms % 1000 == 0 for event in run.trace.events)
        resolution = 1000 if whole else 1
        entry["clock"] = {"kind": "unix" if span[0] > 1e11 else "relative", "resolution_ms": resolution}
    return entry


def _options(runs: tuple[Logged, ...]) -> OptionsFields:
    """Return the options that all runs log alike; where they differ, the logs say so themselves."""
    agreed: dict[str, object] = {}
    for key in runs[0].trace.options if runs else ():
        values = {run.trace.options.get(key) for run in runs}
        value = next(iter(values))
        if len(values) == 1 and value is not None and len(value) == 1:
            agreed[key] = value[0]
    options: OptionsFields = {
        "global_batch": _taken_count(agreed, "global_batch_size"),
        "accumulation": _taken_count(agreed, "gradient_accumulation_steps"),
        "learning_rate": _taken_number(agreed, "opt_base_learning_rate"),
        "weight_decay": _taken_number(agreed, "opt_weight_decay"),
    }
    optimizer = agreed.get("opt_name")
    if isinstance(optimizer, str) and optimizer:
        options["optimizer"] = optimizer[:400]
        del agreed["opt_name"]
    extra: dict[str, str | float | bool] = {
        key[:200]: value[:1000] if isinstance(value, str) else value
        for key, value in list(agreed.items())[:MOST_EXTRA]
        if isinstance(value, str | float | bool) and value != ""
    }
    if extra:
        options["extra"] = extra
    return stated(options)


def _taken_number(agreed: dict[str, object], key: str) -> float | None:
    """Take a number from what all runs agree on; None where it is none."""
    value = agreed.get(key)
    if not isinstance(value, float) or not 0 <= value <= LARGEST:
        return None
    del agreed[key]
    return value


def _taken_count(agreed: dict[str, object], key: str) -> int | None:
    """Take a count from what all runs agree on; None where it is none."""
    value = agreed.get(key)
    whole = isinstance(value, float) and value.is_integer() and value >= 1
    number = _taken_number(agreed, key) if whole else None
    return int(number) if number is not None else None


def _put_trials(arm: ArmDraft, runs: tuple[Logged, ...], target: TargetFields | None) -> None:
    """Put each run as a trial, in the order of their starts."""
    starts = {run.id: started_ms(run) for run in runs}
    in_order = sorted(runs, key=lambda run: (starts[run.id] is None, starts[run.id] or 0.0))
    trials: dict[str, TrialFields] = {}
    for order, run in enumerate(in_order):
        trials[run.id] = _trial(run, order, starts[run.id], target)
        stopped = single(run, "run_stop")
        arm.place(Origin(run.trace.file, stopped.line if stopped else 1), "trials", run.id)
    if trials:
        arm.fields["trials"] = trials


def _trial(run: Logged, order: int, start: float | None, target: TargetFields | None) -> TrialFields:
    ended = status(run)
    trial: TrialFields = {"kind": "convergence", "order": order, "outcome": "completed"}
    wall_s = duration_s(run)
    trial |= {"seed": _seed(run), "started": _instant(start), "ended": _instant(stopped_ms(run))}
    trial["wall_s"] = wall_s if wall_s is not None and wall_s >= 0 else None
    evaluations = [_evaluation(event, start, stopped_ms(run)) for event in results(run)]
    if evaluations:
        trial["evaluations"] = evaluations
        _put_crossing(trial, evaluations, target)
    if not is_successful(run) and (ended or not _stopped_at_target(run, trial)):
        trial["outcome"] = "failed" if ended else "lost"
        trial["reason"] = f"run_stop says {ended[:200]}" if ended else "the log does not say how it ended"
    return stated(trial)


def _stopped_at_target(run: Logged, trial: TrialFields) -> bool:
    """Whether a run met its target and stopped; logs of the first rounds do not say how a run ended."""
    crossing = trial.get("crossing")
    return crossing is not None and crossing["reached"] and single(run, "run_stop") is not None


def _seed(run: Logged) -> int | None:
    found = [seed for seed in seeds(run) if isinstance(seed, str) and seed.isascii() and seed.isdigit()]
    return int(found[0]) if len(found) == 1 and len(found[0]) < 16 else None


def _instant(time_ms: float | None) -> str | None:
    if time_ms is None or not 1e11 < time_ms < 1e13:
        return None
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _evaluation(event: Event, start: float | None, stop: float | None) -> EvaluationFields:
    """Return an evaluation; a value that is not finite is null.

    One that was logged after the run tells when a kept model was evaluated, not when it was trained.
    """
    number = event.number
    finite = number is not None and math.isfinite(number)
    found: EvaluationFields = {"split": "official_val", "metrics": {event.key[:200]: number if finite else None}}
    if event.samples is not None and event.samples >= 0:
        found["samples"] = event.samples
    if event.epoch is not None and event.epoch >= 0:
        found["epoch"] = event.epoch
    if event.step is not None and event.step >= 0 and event.step.is_integer():
        found["step"] = int(event.step)
    if start is not None and event.time_ms is not None and start <= event.time_ms <= (stop or math.inf):
        found["time_s"] = round((event.time_ms - start) / 1000, 6)
    return found


def _put_crossing(trial: TrialFields, evaluations: list[EvaluationFields], target: TargetFields | None) -> None:
    last = next((item for item in reversed(evaluations) if None not in item["metrics"].values()), None)
    if last is not None:
        trial["final"] = {name: _printed(value) for name, value in last["metrics"].items() if value is not None}
    if target is None:
        return
    sign = 1 if target["direction"] == "higher" else -1
    goal = float(target["value"])
    for item in evaluations:
        value = item["metrics"].get(target["metric"])
        if value is not None and sign * (value - goal) >= 0:
            crossing: CrossingFields = {"reached": True, "samples": item.get("samples")}
            crossing |= {"step": item.get("step"), "time_s": item.get("time_s")}
            trial["crossing"] = stated(crossing)
            return
    trial["crossing"] = {"reached": False}


def _printed(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _logged_text(runs: Iterable[Logged], key: str) -> str | None:
    """Return the one text that the runs log under a key, or None where they log none or several."""
    found = {event.value.strip() for run in runs for event in run.trace.of(key) if isinstance(event.value, str)}
    return found.pop() if len(found) == 1 else None


def counted(runs: tuple[Logged, ...]) -> tuple[tuple[Logged, ...], int] | None:
    """Return the runs that count for a score, and the number of those that it leaves out, as the suite prescribes.

    The fastest and the slowest run are dropped, four at each end of forty or more; a run that did not succeed counts as
    the slowest. None where fewer than three runs tell their times, or a run that failed would have to count.
    """
    in_order = sorted(runs, key=_time_s)
    dropped = 4 if len(runs) >= 40 else 1
    kept = in_order[dropped : len(runs) - dropped]
    if len(runs) < 3 or not all(math.isfinite(time) and time > 0 for time in map(_time_s, kept)):
        return None
    return tuple(kept), 2 * dropped


def score_min(runs: tuple[Logged, ...]) -> tuple[float, int] | None:
    """Return the score in minutes, the mean time of the runs that count, and how many do not; None where none does."""
    found = counted(runs)
    if found is None:
        return None
    return sum(map(_time_s, found[0])) / len(found[0]) / 60, found[1]


def _time_s(run: Logged) -> float:
    time = duration_s(run)
    return time if time is not None and is_successful(run) else math.inf


def _put_claim(arm: ArmDraft, result: Result, runs: tuple[Logged, ...], system: Described | None) -> None:
    organisation = _logged_text(runs, "submission_org") or (system.text("submitter") if system is not None else None)
    benchmark = _logged_text(runs, "submission_benchmark") or result.benchmark
    division = _logged_text(runs, "submission_division") or (system.text("division") if system is not None else None)
    platform = _logged_text(runs, "submission_platform") or result.system
    division = division.casefold() if division is not None and division.casefold() in DIVISIONS else None
    score = score_min(runs) if not result.weak else None
    who = " ".join(
        part for part in (organisation, benchmark and f"trained {benchmark}", platform and f"on {platform}") if part
    )
    claim: ClaimFields = {"statement": f"{who or result.key}: {_words(score, len(runs))}"[:4000]}
    if score is not None:
        printed = f"{score[0]:.3f}"
        claim |= {"value": printed, "unit": "min", "statistic": "trimmed_mean"}
        metric: MetricFields = {"quantity": "time", "value": printed, "unit": "min", "statistic": "trimmed_mean"}
        metric |= {"scope": "training_run"}
        metric["n"] = {"unit": "training_run", "completed": len(runs), "excluded": score[1]}
        arm.fields["performance"] = {"score": metric}
        if result.factor is not None:
            claim["factor"] = {"value": result.factor, "uncorrected": printed}
    target = arm.fields.get("target")
    claim |= {"quantity": "time", "form": "absolute" if score is not None else "words", "scope": "training_run"}
    claim |= {"purpose": "time_to_accuracy" if target is not None else "leaderboard", "mode": "training"}
    claim |= {"compares": "none", "suite": "training"}
    if division is not None:
        claim["division"] = division
    identity: SuiteResultFields = {
        "organisation": _cut(organisation),
        "benchmark": _cut(benchmark),
        "round": result.round[1] if result.round is not None else None,
        "division": division,
        "system": _cut(platform),
    }
    claim["suite_result"] = stated(identity)
    if target is not None:
        claim |= {"target": target, "metric": target["metric"], "criterion": "each_run"}
    claim["measured"] = {"arm": result.key}
    if score is not None:
        claim["measured"]["metric"] = "score"
    arm.draft.put_claim(result.key, claim, _first_named(runs) if result.logs else None)


def _cut(text: str | None) -> str | None:
    return text[:4000] if text else None


def _words(score: tuple[float, int] | None, runs: int) -> str:
    if score is not None:
        return f"{score[0]:.3f} min, the mean of {runs} logged runs without {left_out(score[1])}"
    return f"{runs or 'no'} logged run{'' if runs == 1 else 's'}, from which no score follows"


def left_out(runs: int) -> str:
    """Return in words which runs a score leaves out."""
    return "the fastest and the slowest" if runs == 2 else f"the {runs} fastest and slowest"


def _first_named(runs: tuple[Logged, ...]) -> Origin:
    """Return the line that names the benchmark in the first log, else its first event."""
    trace = runs[0].trace
    events = trace.of("submission_benchmark", "run_start") or trace.events
    return Origin(trace.file, events[0].line if events else 1)
