"""M30: runs of one result that were evaluated at different times."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ..trace import Logged
from ._evaluation_schedule import (
    Evaluated,
    Late,
    Schedule,
    by_the_clock,
    differ,
    groups,
    is_lost,
    late_start,
    listed,
    logged,
    schedule_of,
)

PROVIDE = """\
arms:
  trained:
    runs:
      result_1:
        events:
          "33": {time_ms: 1744013241044, key: eval_accuracy, value: 0.2871, epoch: 2}
"""


@rule(
    "M30",
    "evaluation-schedule-differs-between-runs",
    effect=UNDERMINES,
    confidence=C3,
    applies="tta and has(runs) and has(curve)",
    origin="MEAS, ML",
)
def evaluation_schedule_differs_between_runs(claim: Claim, case: Case) -> Iterator[Branch]:
    """Runs of one result that were evaluated at other distances.

    ## What it does
    Takes the distances between the evaluations of each run, in the samples, steps or epochs that stand with them, and
    compares them as far as both runs go: the runs of the logs, else those that the document lists, split by split, of
    the claim's arm and of its base. Distances within 1 % or one step are one, and those in samples within a batch
    and what one run's own differ by. The last evaluation of a run that did not succeed was set by its end, and is
    left out.

    ## Why it misleads
    A run that is evaluated more often crosses the target at an earlier evaluation, and one that is evaluated less often
    spends less time on it. The times of two schedules are not of one quantity.

    ## Branches
    - (a) undermines, C3: two runs of one result have different distances, or some were first evaluated half a distance
      or more after the others.
    - not shown: a log begins an evaluation and does not give its result; the run is left out.
    - not applicable: fewer than two runs with three evaluations in one unit, a run with fewer, or one whose log has
      lines that cannot be read: it is left out.
    - pass with note: the evaluations of all runs stand at equal distances in time: the clock is their schedule.
    - guard: distances that alternate by rounding, which alternate in every run alike; a run that stopped earlier.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"30": null, "33": null, "34": null, "52": null, "55": null,
      "56": null}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where every run is evaluated after each epoch.

    ## How to fix
    Evaluate every run on one schedule.

    ## References
    Rules of training suites; measured on published logs.
    """
    told = False
    for runs in _results(claim, case):
        schedules = [schedule for run in runs if (schedule := schedule_of(run)) is not None]
        if len(schedules) == len(runs) and len(schedules) >= 2:
            told = True
        found = groups(schedules)
        if len(found) >= 2 and by_the_clock(runs):
            yield Note("all runs were evaluated after equal times")
        elif len(found) >= 2:
            yield from _different(found, len(schedules))
        elif (late := late_start(runs, schedules)) is not None:
            yield _late(late, len(runs))
    if not told:
        yield Inapplicable("a run has fewer than three evaluations with one counter")
    lost = [run for run in _with_logs(claim, case) if is_lost(run) and not run.trace.malformed]
    if lost:
        message = f"{lost[0].name} begins an evaluation whose result is not in the log"
        yield NotShown(message, lost[0].place(), provide=PROVIDE)
    if any(run.trace.malformed for run in _with_logs(claim, case)):
        yield Inapplicable("a log has lines that cannot be read, and may have been evaluated where they stand")


def _results(claim: Claim, case: Case) -> Iterator[list[Evaluated]]:
    """Yield the runs behind a claim: those of the logs, else the document's own, split by split."""
    runs = _with_logs(claim, case)
    if runs:
        yield [logged(run) for run in runs if not run.trace.malformed and not is_lost(run)]
        return
    side = case.subject(claim)
    if side is None:
        return
    for arm in (side, case.base(claim)):
        trials = {name: trial for name, trial in arm.arm.trials.items() if trial.evaluations} if arm is not None else {}
        for split in dict.fromkeys(item.split for trial in trials.values() for item in trial.evaluations):
            yield [listed(name, trial, split) for name, trial in trials.items()]


def _with_logs(claim: Claim, case: Case) -> list[Logged]:
    return [run for run in case.runs(claim) if run.role == "training" and run.trace]


def _different(found: list[list[Schedule]], runs: int) -> Iterator[Violation]:
    usual, other = found[0][0], found[1][0]
    distances = differ(usual, other)
    if distances is None:
        return
    message = f"{len(found[1])} of {runs} runs were evaluated every {distances[1]:g} {_plural(usual.unit)}"
    message += f" and not every {distances[0]:g}: {', '.join(schedule.name for schedule in found[1][:3])}"
    related = (Related(usual.first, f"{usual.name}: every {distances[0]:g}"),)
    yield Violation("a", UNDERMINES, C3, message, other.first, f"{distances[1]:g}", f"{distances[0]:g}", related)


def _late(late: Late, runs: int) -> Violation:
    at_first = f"{late.first:g} {_plural(late.unit)} and not at {late.usual:g}"
    message = f"{len(late.names)} of {runs} runs were first evaluated at {at_first}: {', '.join(late.names[:3])}"
    return Violation("a", UNDERMINES, C3, message, late.at, f"{late.first:g}", f"{late.usual:g}")


def _plural(unit: str) -> str:
    return unit if unit.endswith("s") else f"{unit}s"
