"""What became of the attempts at a trial, and whether it runs again.

A trial that reported its own end (completed, diverged or failed) or ran out of time has a result and is never repeated,
however unwelcome the result is. An attempt whose process vanished without an end is lost:
- where the runner was interrupted or killed, `--resume` repeats the trial;
- where the process died while the runner watched, the trial is repeated once, at once. When it dies again it is
  reported as planned but lost.
Every attempt keeps its files, is told to the recorder and is counted in the manifest.

An arm of which three trials failed for one cause stops: its other trials would fail alike, and are told as not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..study import folder as files
from ..study.plan import Plan, PlannedTrial
from .events import Events

DEATHS_ALLOWED = 2
FAILURES_ALIKE = 3
STOPPED = f"{FAILURES_ALIKE} trials of its arm had failed for one cause"
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
    return sum(not attempt.interrupted for attempt in attempts) >= DEATHS_ALLOWED


def stopped(plan: Plan, state: Mapping[str, Sequence[Record]]) -> frozenset[str]:
    """Return the arms that stop because three of their trials failed, or were lost, for one cause."""
    causes = Counter(
        (trial.arm, state[trial.trial][-1].outcome, state[trial.trial][-1].reason)
        for trial in plan.trials
        if over(state[trial.trial]) and state[trial.trial][-1].outcome in ("failed", "lost")
    )
    return frozenset(arm for (arm, _, _), count in causes.items() if count >= FAILURES_ALIKE)


def judge(events: Events, trial: PlannedTrial, how: str, timeout_s: float | None) -> tuple[Outcome, str | None]:
    """Return what became of an attempt, and why where it did not complete."""
    if events.problem is not None:
        return "failed", events.problem
    if events.ended is None and timeout_s is not None:
        return "failed", f"it ran longer than {timeout_s:g} s and was stopped"
    if events.ended is None:
        return "lost", how
    if events.ended.outcome != "completed":
        error = events.ended.error
        return events.ended.outcome, f"{error.type}: {error.message}"[:4000] if error else events.ended.outcome
    if trial.iterations is not None and events.iterations != trial.iterations:
        return "failed", f"it recorded {events.iterations} of {trial.iterations} planned iterations"
    return "completed", None


def path_of(folder: Path, trial: str, attempt: int, ending: str) -> Path:
    """Return the path of one of an attempt's files."""
    return folder / files.TRIALS / f"{files.stem(trial, attempt)}.{ending}"
