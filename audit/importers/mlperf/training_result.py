"""One result of MLPerf Training as an arm with its runs, its system and its claim."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from ....rules.facts.runs.times import duration_s, is_successful, seeds, single, started_ms, status, stopped_ms
from ....rules.trace import Event, Logged, Trace
from ....schemas.runs import Run
from ..draft import LARGEST, Drafting, Origin, at, identifier
from .run_logs import RunLog
from .system_description import Described, describe

MOST_EXTRA = 200
NUMBERS = {
    "global_batch": ("global_batch_size", int),
    "accumulation": ("gradient_accumulation_steps", int),
    "learning_rate": ("opt_base_learning_rate", float),
    "weight_decay": ("opt_weight_decay", float),
}
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
    """

    key: str
    folder: str
    logs: tuple[RunLog, ...]
    system: str
    benchmark: str
    round: tuple[str, str] | None
    weak: bool


def put_result(draft: Drafting, result: Result, system: Described | None, size: int) -> dict[tuple[str, str], Trace]:
    """Put a result into a draft, and return the traces of its runs by arm and run.

    Args:
        draft: the draft.
        result: the result.
        system: its system description, where there is one.
        size: bytes of that description.
    """
    arm: dict[str, Any] = {"label": result.folder or "the result"}
    if result.folder:
        arm["folder"] = result.folder
    draft.value.setdefault("arms", {})[result.key] = arm
    runs = _put_runs(draft, result, arm)
    _put_options(arm, runs)
    target = _target(result, runs)
    if target is not None:
        arm["target"] = target
    _put_trials(draft, result, arm, runs, target)
    if system is not None:
        describe(draft, system, result.key, result.system, size)
    _put_claim(draft, result, arm, runs, system)
    return {(result.key, run.id): run.trace for run in runs}


def _put_runs(draft: Drafting, result: Result, arm: dict[str, Any]) -> tuple[Logged, ...]:
    if not result.logs:
        return ()
    entries: dict[str, Any] = {}
    runs = []
    for log in result.logs:
        key = identifier(log.path.rpartition("/")[2].rpartition(".")[0] or log.path, entries)
        pointer = at("arms", result.key, "runs", key)
        trace = Trace(log.events, log.malformed, log.path, pointer)
        run = Logged(key, Run(at=pointer), trace)
        entries[key] = _run_entry(log, run)
        draft.origins[pointer] = Origin(log.path)
        runs.append(run)
    arm["runs"] = entries
    return tuple(runs)


def _run_entry(log: RunLog, run: Logged) -> dict[str, Any]:
    file = {"name": log.path, "bytes": log.bytes, "sha256": log.sha256, "content_sha256": log.content_sha256}
    entry: dict[str, Any] = {"role": "training", "file": file | {"format": "mlperf-training"}}
    ended = status(run)
    if ended:
        entry["status"] = ended[:200]
    span = run.trace.span_ms
    if span is not None:
        whole = all(event.time_ms is None or event.time_ms % 1000 == 0 for event in run.trace.events)
        resolution = 1000 if whole else 1
        entry["clock"] = {"kind": "unix" if span[0] > 1e11 else "relative", "resolution_ms": resolution}
    return entry


def _put_options(arm: dict[str, Any], runs: tuple[Logged, ...]) -> None:
    """Put the options that all runs log alike; where they differ, the logs say so themselves."""
    agreed: dict[str, Any] = {}
    for key in runs[0].trace.options if runs else ():
        values = {run.trace.options.get(key) for run in runs}
        value = next(iter(values))
        if len(values) == 1 and value is not None and len(value) == 1:
            agreed[key] = value[0]
    options: dict[str, Any] = {}
    for target, (key, kind) in NUMBERS.items():
        value = agreed.get(key)
        if isinstance(value, float) and 0 <= value <= LARGEST and (kind is float or value >= 1 == value.is_integer()):
            options[target] = kind(value)
            del agreed[key]
    if isinstance(agreed.get("opt_name"), str) and agreed["opt_name"]:
        options["optimizer"] = agreed.pop("opt_name")[:400]
    extra = {
        key[:200]: value[:1000] if isinstance(value, str) else value
        for key, value in list(agreed.items())[:MOST_EXTRA]
        if isinstance(value, str | float | bool) and value != ""
    }
    if extra:
        options["extra"] = extra
    if options:
        arm["options"] = options


def _target(result: Result, runs: tuple[Logged, ...]) -> dict[str, Any] | None:
    """Return the round's target for its closed division, else what the logs give, else that of all rounds alike."""
    benchmark = _said(runs, "submission_benchmark") or result.benchmark
    closed = _said(runs, "submission_division") == "closed"
    if result.round is not None and closed:
        from ....rules.tables.suites import round_of

        found = round_of(*result.round)
        targets = found.targets.get(benchmark, ()) if found is not None else ()
        if len(targets) == 1:
            (target,) = targets
            return {"metric": target.metric, "value": f"{target.value:.12g}", "direction": target.direction}
    for run in runs:
        for event in run.trace.of("eval_target", "target_accuracy"):
            if event.number is not None and math.isfinite(event.number):
                return {"metric": "eval_accuracy", "value": f"{event.number:.12g}", "direction": "higher"}
    return _of_every_round(benchmark) if result.round is None and closed else None


def _of_every_round(benchmark: str) -> dict[str, Any] | None:
    """Return the target of a benchmark where every round that has it has the same one."""
    from ....rules.tables.suites import suites

    rounds = suites()["mlperf-training"].rounds.values()
    found = {entry.targets.get(benchmark, ()) for entry in rounds if benchmark in entry.members}
    targets = found.pop() if len(found) == 1 else ()
    if len(targets) != 1:
        return None
    (target,) = targets
    return {"metric": target.metric, "value": f"{target.value:.12g}", "direction": target.direction}


def _put_trials(
    draft: Drafting, result: Result, arm: dict[str, Any], runs: tuple[Logged, ...], target: dict[str, Any] | None
) -> None:
    """Put each run as a trial, in the order of their starts."""
    starts = {run.id: started_ms(run) for run in runs}
    in_order = sorted(runs, key=lambda run: (starts[run.id] is None, starts[run.id] or 0.0))
    trials: dict[str, Any] = {}
    for order, run in enumerate(in_order):
        ended = status(run)
        outcome = "completed" if is_successful(run) else "failed" if ended else "lost"
        trial: dict[str, Any] = {"kind": "convergence", "order": order, "outcome": outcome}
        if outcome != "completed":
            trial["reason"] = f"run_stop says {ended[:200]}" if ended else "the log does not say how it ended"
        seed = _seed(run)
        if seed is not None:
            trial["seed"] = seed
        start, stop, wall_s = starts[run.id], stopped_ms(run), duration_s(run)
        for name, time in (("started", start), ("ended", stop)):
            instant = _instant(time)
            if instant is not None:
                trial[name] = instant
        if wall_s is not None and wall_s >= 0:
            trial["wall_s"] = wall_s
        evaluations = [_evaluation(event, start) for event in run.trace.evaluations]
        if evaluations:
            trial["evaluations"] = evaluations
            _put_crossing(trial, evaluations, target)
        trials[run.id] = trial
        stopped = single(run, "run_stop")
        draft.origins[at("arms", result.key, "trials", run.id)] = Origin(run.trace.file, stopped.line if stopped else 1)
    if trials:
        arm["trials"] = trials


def _seed(run: Logged) -> int | None:
    found = [seed for seed in seeds(run) if isinstance(seed, str) and seed.isascii() and seed.isdigit()]
    return int(found[0]) if len(found) == 1 and len(found[0]) < 16 else None


def _instant(time_ms: float | None) -> str | None:
    if time_ms is None or not 1e11 < time_ms < 1e13:
        return None
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _evaluation(event: Event, start: float | None) -> dict[str, Any]:
    """Return an evaluation; a value that is not finite is null."""
    number = event.number
    finite = number is not None and math.isfinite(number)
    found: dict[str, Any] = {"split": "official_val", "metrics": {event.key[:200]: number if finite else None}}
    counters = {"samples": event.samples, "epoch": event.epoch}
    found |= {name: value for name, value in counters.items() if value is not None and value >= 0}
    if event.step is not None and event.step >= 0 and event.step.is_integer():
        found["step"] = int(event.step)
    if start is not None and event.time_ms is not None and event.time_ms >= start:
        found["time_s"] = round((event.time_ms - start) / 1000, 6)
    return found


def _put_crossing(trial: dict[str, Any], evaluations: list[dict[str, Any]], target: dict[str, Any] | None) -> None:
    last = next((item for item in reversed(evaluations) if None not in item["metrics"].values()), None)
    if last is not None:
        trial["final"] = {name: _printed(value) for name, value in last["metrics"].items()}
    if target is None:
        return
    sign = 1 if target["direction"] == "higher" else -1
    goal = float(target["value"])
    for item in evaluations:
        value = item["metrics"].get(target["metric"])
        if value is not None and sign * (value - goal) >= 0:
            trial["crossing"] = {"reached": True} | {
                name: item[name] for name in ("samples", "step", "time_s") if name in item
            }
            return
    trial["crossing"] = {"reached": False}


def _printed(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _said(runs: Iterable[Logged], key: str) -> str | None:
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


def _put_claim(
    draft: Drafting, result: Result, arm: dict[str, Any], runs: tuple[Logged, ...], system: Described | None
) -> None:
    organisation = _said(runs, "submission_org") or (system.text("submitter") if system is not None else None)
    benchmark = _said(runs, "submission_benchmark") or result.benchmark
    division = _said(runs, "submission_division") or (system.text("division") if system is not None else None)
    platform = _said(runs, "submission_platform") or result.system
    division = division.casefold() if division is not None and division.casefold() in DIVISIONS else None
    score = score_min(runs) if not result.weak else None
    who = " ".join(
        part for part in (organisation, benchmark and f"trained {benchmark}", platform and f"on {platform}") if part
    )
    claim: dict[str, Any] = {"statement": f"{who or result.key}: {_words(score, len(runs))}"[:4000]}
    if score is not None:
        claim |= {"value": f"{score[0]:.3f}", "unit": "min", "statistic": "trimmed_mean"}
        metric = {"quantity": "time", "value": claim["value"], "unit": "min", "statistic": "trimmed_mean"}
        n = {"unit": "training_run", "completed": len(runs), "excluded": score[1]}
        arm["performance"] = {"score": metric | {"scope": "training_run", "n": n}}
    claim |= {"quantity": "time", "form": "absolute" if score is not None else "words", "scope": "training_run"}
    claim |= {"purpose": "time_to_accuracy" if "target" in arm else "leaderboard", "mode": "training"}
    claim |= {"compares": "none", "suite": "training"}
    if division is not None:
        claim["division"] = division
    identity = {
        "organisation": organisation,
        "benchmark": benchmark,
        "round": result.round[1] if result.round is not None else None,
        "division": division,
        "system": platform,
    }
    claim["suite_result"] = {name: value[:4000] for name, value in identity.items() if value}
    if "target" in arm:
        claim |= {"target": arm["target"], "metric": arm["target"]["metric"], "criterion": "each_run"}
    claim["measured"] = {"arm": result.key} | ({"metric": "score"} if score is not None else {})
    draft.value["claims"][result.key] = claim
    if result.logs:
        draft.origins[at("claims", result.key)] = _first_named(runs)


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
