"""What became of the attempts at a trial, and whether it runs again.

A trial that reported its own end (completed, diverged or failed) or ran out of time has a result and is never repeated,
however unwelcome the result is. An attempt whose process vanished without an end is lost:
- where the runner was interrupted or killed, `--resume` repeats the trial;
- where the process died while the runner watched, the trial is repeated once, at once. When it dies again it is
  reported as planned but lost;
- where a scheduler took its nodes away it is repeated, up to four times.
Every attempt keeps its files, is told to the recorder and is counted in the manifest.

An arm of which three trials failed for one cause stops: its other trials would fail alike, and are told as not run.
In a sweep over the load of a service that is to end at saturation, the loads above the first one that was not kept up
with stop, too; and so does an arm whose place a new one took.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..study import folder as files
from ..study.plan import Plan, PlannedTrial
from ..workloads.parameters import Serving
from .events import Events

DEATHS_ALLOWED = 2
TAKEN_ALLOWED = 5
FAILURES_ALIKE = 3
STOPPED = f"{FAILURES_ALIKE} trials of its arm had failed for one cause"
SATURATED = "a lower load of the sweep was not kept up with"
Outcome = Literal["completed", "diverged", "failed", "lost"]


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one attempt."""

    trial: str
    attempt: int
    session: int
    outcome: Outcome
    reason: str | None = None
    interrupted: bool = False
    """Whether it was lost because the runner ended, and not of itself."""
    taken: bool = False
    """Whether it was lost because its nodes were taken away: preempted, failed, cancelled by somebody else."""
    started: str | None = None
    """UTC."""
    ended: str
    """UTC; for an attempt that a killed runner left behind, when it was found."""
    duration_s: float | None = None
    exit_code: int | None = None
    exit_signal: str | None = None
    log_left_out_bytes: int = 0
    """Bytes that the trial printed and that its log leaves out, between its beginning and its end."""
    samples_sha256: str | None = None
    saturated: bool = False
    """Whether a service answered clearly fewer requests a second than were offered."""
    load_before: dict[str, Any] = {}
    load_after: dict[str, Any] = {}


def records(folder: Path, plan: Plan) -> dict[str, list[Record]]:
    """Return the records of all attempts of every planned trial, in the order of the attempts."""
    found: dict[str, list[Record]] = {}
    for trial in plan.trials:
        attempts = found.setdefault(trial.trial, [])
        while (path := path_of(folder, trial.trial, len(attempts) + 1, "record.json")).exists():
            attempts.append(msgspec.convert(files.read_json(path), Record))
    return found


def over(attempts: Sequence[Record]) -> bool:
    """Whether a trial with these attempts is over."""
    if attempts and attempts[-1].outcome != "lost":
        return True
    if sum(attempt.taken for attempt in attempts) >= TAKEN_ALLOWED:
        return True
    return sum(not attempt.interrupted and not attempt.taken for attempt in attempts) >= DEATHS_ALLOWED


def stopped(plan: Plan, state: Mapping[str, Sequence[Record]]) -> dict[str, str]:
    """Return the arms that stop, each with the reason: what failed thrice, a load that saturated, a new arm."""
    causes = Counter(
        (trial.arm, state[trial.trial][-1].outcome, state[trial.trial][-1].reason)
        for trial in plan.trials
        if over(state[trial.trial]) and state[trial.trial][-1].outcome in ("failed", "lost")
    )
    found = {arm: STOPPED for (arm, _, _), count in causes.items() if count >= FAILURES_ALIKE}
    full = {trial.arm for trial in plan.trials if any(one.saturated for one in state[trial.trial])}
    beyond = {arm for arm in plan.arms if any(_above(plan.arms[arm].workload, plan.arms[one].workload) for one in full)}
    return dict.fromkeys(sorted(beyond), SATURATED) | found | _replaced(plan)


def _replaced(plan: Plan) -> dict[str, str]:
    """Return the arms whose place a new one took."""
    found: dict[str, str] = {}
    standing: dict[str, str] = {}
    for name, arm in plan.arms.items():
        if arm.instead_of is not None:
            found[standing.get(arm.instead_of, arm.instead_of)] = f"it changed, and arm {name} took its place"
            standing[arm.instead_of] = name
    return found


def _above(load: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two loads belong to a sweep that ends at saturation, and the first offers more."""
    default = Serving()
    rate, lower = (one.get("rate", default.rate) for one in (load, other))
    rest, alike = ({key: value for key, value in one.items() if key != "rate"} for one in (load, other))
    return bool(load.get("until_saturation")) and rest == alike and rate > lower


def judge(events: Events, trial: PlannedTrial, how: str, timeout_s: float | None) -> tuple[Outcome, str | None]:
    """Return what became of an attempt, and why where it did not complete.

    A load generator that also has to last sends more requests than are planned at least.
    """
    if events.problem is not None:
        return "failed", events.problem
    if events.ended is None and timeout_s is not None:
        return "failed", f"it ran longer than {timeout_s:g} s and was stopped"
    if events.ended is None:
        return "lost", how
    if events.ended.outcome != "completed":
        error = events.ended.error
        return events.ended.outcome, f"{error.type}: {error.message}"[:4000] if error else events.ended.outcome
    more = events.requests is not None and events.iterations > (trial.iterations or 0)
    if trial.iterations is not None and events.iterations != trial.iterations and not more:
        return "failed", f"it recorded {events.iterations} of {trial.iterations} planned iterations"
    return "completed", None


def path_of(folder: Path, trial: str, attempt: int, ending: str) -> Path:
    """Return the path of one of an attempt's files."""
    return folder / files.TRIALS / f"{files.stem(trial, attempt)}.{ending}"
