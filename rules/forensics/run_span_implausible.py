"""F38: one result out of runs that lie months apart."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_of
from ..facts.runs.instants import RunSpan, run_span
from ..facts.runs.overlaps import window
from ..outcome import C1, C2, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, Related, Violation
from ..registry import Threshold, rule

DAY_S = 86_400
BUSY = 2
"""A campaign whose runs take half of its days is one campaign, however long."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    far: float = Threshold(60, "days", "measured: no result of 538 spans more")
    mid: float = Threshold(30, "days", "measured on published results")
    near: float = Threshold(7, "days", "measured: 99 % of 538 results span at most 7.1 days")
    factor: float = Threshold(10, "span over summed run time", "measured on published results")


@rule(
    "F38",
    "run-span-implausible",
    effect=UNDERMINES,
    confidence=C2,
    applies="has(runs) and has(times)",
    origin="MEAS, J",
    thresholds=Thresholds,
)
def run_span_implausible(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Runs of one result that are spread over weeks.

    ## What it does
    Takes the days from the first start to the last end of the runs behind a claim, and the time that the runs took
    together. A plan that lists every run answers the question what else ran in between, not what changed in between.
    Runs that fill half of the span are a long campaign, not a selection, so that not even more than 60 days are held
    against them. The finding stands at the run that lies apart, where it is one.

    ## Why it misleads
    In the weeks between, other runs of the same thing can have been made and left out, and drivers can have changed.

    ## Branches
    - (a) undermines, C2: the span is above 60 days, and more than twice the summed run time.
    - (b) undermines, C1: it is 30 to 60 days, and more than ten times the summed run time.
    - (c) caveat, C1: it is 7 to 30 days, and more than ten times the summed run time.
    - (d, instead of a to c) caveat, C1: a plan lists every run. That no run was left out is the plan's word; that the
      machine, its drivers and its code stayed the same for weeks is nobody's.
    - pass with note: a plan lists every run, and the words beside the number say on how many days they were made.
    - not applicable: fewer than two runs with clock times, or a run without.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"plan": null,
      "runs": {"result_4": {"window": {"start_ms": 1751022996626, "stop_ms": 1751025281907}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose five runs took one morning.

    ## How to fix
    Run one campaign, or hand in the ledger of what ran in between.

    ## References
    Measured on 538 published results: 99 % span at most 7.1 days; 3 span 30 to 60 and 2 span 7 to 30 with few runs.
    """
    side = case.subject(claim)
    runs, expected = _runs(side, case) if side is not None else ([], 0)
    if side is None or len(runs) < 2:
        yield Inapplicable("fewer than two runs with clock times")
        return
    if len(runs) < expected:
        yield Inapplicable("a run gives no start and end on the clock")
    first, last = min(runs, key=lambda run: run.start_s), max(runs, key=lambda run: run.end_s)
    span, work = last.end_s - first.start_s, sum(run.end_s - run.start_s for run in runs)
    days = span / DAY_S
    sparse = span > thresholds.factor * work
    if not (days > thresholds.far and span > BUSY * work) and not (days > thresholds.near and sparse):
        return
    message = f"{len(runs)} runs that took {work / 3600:.3g} h together span {days:.1f} days"
    apart, nearest = _apart(runs, first, last)
    if apart is not None:
        message += f", most of them between {apart.name} and the others"
    related = (
        (Related(nearest.at, f"nearest: {nearest.name}"),) if apart else (Related(first.at, f"first: {first.name}"),)
    )
    at = apart.at if apart is not None else last.at
    if side.arm.plan is not None and (side.arm.plan.started or 0) >= len(runs):
        if words_of(claim).has("runs_over_days"):
            yield Note(f"{message}, as the words beside the number say")
            return
        message += f"; the plan lists {side.arm.plan.started} runs, not what changed in between"
        yield Violation("d", CAVEAT, C1, message, at, related=related)
    elif days > thresholds.far:
        yield Violation("a", UNDERMINES, C2, message, at, related=related)
    elif days > thresholds.mid:
        yield Violation("b", UNDERMINES, C1, message, at, related=related)
    else:
        yield Violation("c", CAVEAT, C1, message, at, related=related)


def _apart(runs: list[RunSpan], first: RunSpan, last: RunSpan) -> tuple[RunSpan | None, RunSpan]:
    """Return the only run that lies further from the others than these lie apart, and the nearest of them."""
    for run in (first, last):
        others = [other for other in runs if other is not run]
        start, end = min(others, key=lambda other: other.start_s), max(others, key=lambda other: other.end_s)
        gap = start.start_s - run.end_s if run is first else run.start_s - end.end_s
        if len(others) > 1 and gap > end.end_s - start.start_s:
            return run, start if run is first else end
    return None, first


def _runs(side: Side, case: Case) -> tuple[list[RunSpan], int]:
    """Return the logged runs of an arm with windows, of all how many; its trials where it has no logged run."""
    logged = [run for run in case.runs_of(side) if run.role in {"training", "performance"}]
    found = [
        RunSpan(run.name, run.place(), timed.start_ms / 1000, timed.stop_ms / 1000)
        for run in logged
        if (timed := window(side, run)) is not None
    ]
    if logged:
        return found, len(logged)
    spans = [span for name, trial in side.arm.trials.items() if (span := run_span(name, trial)) is not None]
    return [span for span in spans if span.end_s > span.start_s], len(side.arm.trials)
