"""M30: runs of one result that were evaluated at different times."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.evaluation_events import counter_in
from ..facts.evaluation_schedule import Late, differ, groups, late_start, schedule_of
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule


@rule(
    "M30",
    "evaluation-schedule-differs-between-runs",
    effect=UNDERMINES,
    confidence=C3,
    applies="tta and has(runs) and has(trace)",
    origin="MEAS, ML",
)
def evaluation_schedule_differs_between_runs(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Runs of one result that were evaluated at other distances.

    ## What it does
    Takes the distances between the evaluations of each run, in the samples, steps or epochs that stand with them, and
    compares them as far as both runs go. Distances within 1 % or one step are one. The last evaluation of a run that
    did not succeed was set by its end, and is left out.

    ## Why it misleads
    A run that is evaluated more often crosses the target at an earlier evaluation, and one that is evaluated less often
    spends less time on it. The times of two schedules are not of one quantity.

    ## Branches
    - (a) undermines, C3: two runs of one result have different distances, or some were first evaluated half a distance
      or more after the others.
    - not applicable: fewer than two runs with three evaluations in one unit, or a run with fewer.
    - guard: distances that alternate by rounding, which alternate in every run alike; a run that stopped earlier.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"33": null, "34": null, "55": null, "56": null}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where every run is evaluated after each epoch.

    ## How to fix
    Evaluate every run on one schedule.

    ## References
    Rules of training suites; measured on published logs.
    """
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace]
    schedules = [schedule for run in runs if (schedule := schedule_of(run)) is not None]
    if len(schedules) < len(runs) or len(schedules) < 2:
        yield Inapplicable("a run has fewer than three evaluations with one counter")
    found = groups(schedules)
    if len(found) < 2:
        late = late_start(runs, schedules)
        if late is not None:
            yield _late(late, len(runs))
        return
    usual, other = found[0][0], found[1][0]
    distances = differ(usual, other)
    if distances is None:
        return
    count = f"{len(found[1])} of {len(schedules)} runs"
    message = f"{count} were evaluated every {distances[1]:g} {_plural(usual.unit)} and not every {distances[0]:g}"
    message += f": {', '.join(schedule.run.name for schedule in found[1][:3])}"
    related = (Related(usual.run.trace.place(usual.first), f"{usual.run.name}: every {distances[0]:g}"),)
    shown = f"{distances[1]:g}", f"{distances[0]:g}"
    yield Violation("a", UNDERMINES, C3, message, other.run.trace.place(other.first), *shown, related)


def _late(late: Late, runs: int) -> Violation:
    first, usual = counter_in(late.first, late.unit), counter_in(late.usual, late.unit)
    names = ", ".join(run.name for run in late.runs[:3])
    at_first = f"{first:g} {_plural(late.unit)} and not at {usual:g}"
    message = f"{len(late.runs)} of {runs} runs were first evaluated at {at_first}: {names}"
    at = late.runs[0].trace.place(late.first)
    return Violation("a", UNDERMINES, C3, message, at, f"{first:g}", f"{usual:g}")


def _plural(unit: str) -> str:
    return unit if unit.endswith("s") else f"{unit}s"
