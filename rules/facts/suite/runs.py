"""The runs of a result of the training suite: how many were made, which succeeded, and their scores."""

from __future__ import annotations

import math

from msgspec import Struct

from ....schemas.submission import Claim
from ...case import Case
from ...tables import mlperf
from ...trace import Logged
from ..runs.times import duration_s, is_successful, status
from .result import quoted, rounds_with

FAILED = frozenset({"failed", "lost", "diverged"})


class Made(Struct, frozen=True):
    """Runs of a result.

    Attributes:
        shown: runs with a log or a record of their own.
        counted: shown or declared runs, whichever are more.
        failed: places of those without success.
    """

    shown: int
    counted: int
    failed: tuple[str, ...]


def training_runs(claim: Claim, case: Case) -> tuple[Logged, ...]:
    """Return the logged training runs behind a claim."""
    return tuple(run for run in case.runs(claim) if run.role == "training")


def made(claim: Claim, case: Case) -> Made | None:
    """Return the runs behind a claim; None where neither a run nor a number of them is given."""
    side, metric = case.subject(claim), case.metric(claim.measured)
    n = metric.n if metric is not None else None
    declared = (n.completed or 0) + (n.failed or 0) if n is not None and n.unit == "training_run" else 0
    logged = training_runs(claim, case)
    if logged:
        failed = tuple(run.place("file") for run in logged if status(run) is not None and not is_successful(run))
        return Made(len(logged), max(len(logged), declared), failed)
    trials = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"] if side is not None else []
    started = [trial for trial in trials if trial.outcome != "not_run"]
    if not started and not declared:
        return None
    lost = tuple(trial.at for trial in started if trial.outcome in FAILED)
    return Made(len(started), max(len(started), declared), lost)


def times_s(claim: Claim, case: Case) -> tuple[float, ...] | None:
    """Return the times of all logged runs, in seconds; infinite where one did not succeed, None where one has none."""
    found = []
    for run in training_runs(claim, case):
        time = duration_s(run)
        if time is None or not math.isfinite(time) or time <= 0:
            return None
        found.append(time if is_successful(run) else math.inf)
    return tuple(found)


def dropped(runs: int) -> int:
    """Return how many runs the score leaves out at each end."""
    score = mlperf.training().score
    return score.dropped_of_many if runs >= score.many else score.dropped


def allowance(required: int, benchmark: str) -> int:
    """Return how many runs of a result may miss the target."""
    score = mlperf.training().score
    usual = score.dropped_of_many if required >= score.many else score.most_not_converged
    return score.most_not_converged_of.get(benchmark, usual)


def allowance_in_any_round(claim: Claim) -> int | None:
    """Return how many runs of a training result may miss the target where its round is the most lenient; else None."""
    result = quoted(claim)
    if result.part != "training" or result.named is None:
        return None
    required = {(name, entry.minimum_runs.get(name)) for name, entry in rounds_with("training", result.named)}
    return max((allowance(runs, name) for name, runs in required if runs is not None), default=None)


def is_weak(claim: Claim, case: Case) -> bool:
    """Whether the suite scores the result by the throughput of many instances at once."""
    side = case.subject(claim)
    folder = side.arm.folder if side is not None else None
    return claim.label == "weak" or (folder is not None and "weak" in folder.split("/"))
