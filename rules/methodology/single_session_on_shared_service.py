"""M26: arms on a shared service that were ranked after a single session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import arms_of
from ..facts.series.moments import DAY_S, Period, instant_s, run_periods, trial_periods
from ..outcome import C3, CAVEAT, Branch, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  fast:
    trials:
      t1: {kind: throughput, outcome: completed, started: "2026-03-02T08:00:00Z", ended: "2026-03-02T08:10:00Z"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    session: float = Threshold(24, "hours that one session lasts at most", "judgement")
    sessions: float = Threshold(3, "sessions that tell a service from its day", "judgement")


@rule(
    "M26",
    "single-session-on-shared-service",
    effect=CAVEAT,
    confidence=C3,
    applies="site in {shared, hosted} and (comparison or best)",
    origin="MEAS",
    thresholds=Thresholds,
)
def single_session_on_shared_service(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Arms on machines that others use, too, ranked by what one day showed.

    ## What it does
    Takes the times of the trials, runs or requests of each arm, and sees whether an arm's samples all lie within 24
    hours, and whether the arms were measured one after the other, without overlap.

    ## Why it misleads
    On a shared service speed follows the load of the others, by hour and by day. Who was measured at night wins.

    ## Branches
    - (a) caveat, C3: all samples of an arm lie in one session of less than 24 hours, or the arms' times are disjoint.
    - pass with a note: two sessions in an arm; three on different days tell more.
    - not shown: when an arm was measured is not stated.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"site": "shared"}, "best": null},
     "arms": {"ours": {"performance": {"rate": {"load": {"date": "2026-03-02"}}}},
              "theirs": {"performance": {"rate": {"load": {"date": "2026-03-05"}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"site": "shared"}, "best": null},
     "arms": {"ours": {"trials": {
         "t1": {"started": "2026-03-02T08:00:00Z"}, "t2": {"started": "2026-03-03T08:00:00Z"},
         "t3": {"started": "2026-03-04T08:00:00Z"}, "t4": {"started": "2026-03-05T08:00:00Z"},
         "t5": {"started": "2026-03-06T08:00:00Z"}}},
       "theirs": {"trials": {
         "t1": {"started": "2026-03-02T08:30:00Z"}, "t2": {"started": "2026-03-03T08:30:00Z"},
         "t3": {"started": "2026-03-04T08:30:00Z"}, "t4": {"started": "2026-03-05T08:30:00Z"},
         "t5": {"started": "2026-03-06T08:30:00Z"}}}}}
    ```

    ## How to fix
    Measure the arms in turn, in at least three sessions on different days.

    ## References
    Measured on published comparisons of hosted services; the numbers are judgement.
    """
    sides = arms_of(claim, case)
    if not sides:
        yield NotShown("when the arms were measured is not stated", claim.at, provide=PROVIDE)
        return
    metrics = (case.metric(claim.measured), case.metric(claim.base))
    times = [_times(claim, case, side, metric) for side, metric in zip(sides, metrics, strict=False)]
    limit = thresholds.session * 3600
    for side, found in zip(sides, times, strict=True):
        if not found:
            yield NotShown(f"when arm {side.id} was measured is not stated", side.arm.at, provide=PROVIDE)
            continue
        length = max(item.end_s for item in found) - min(item.start_s for item in found)
        if length <= limit:
            message = f"all samples of arm {side.id} lie within {length / 3600:.1f} hours"
            yield Violation("a", CAVEAT, C3, message, found[0].at)
        elif _sessions(found, limit) < thresholds.sessions:
            yield Note(f"arm {side.id} was measured in fewer than {thresholds.sessions:g} sessions")
    if len(times) == 2 and all(times) and _disjoint(times[0], times[1]):
        message = f"arm {sides[0].id} and arm {sides[1].id} were measured one after the other"
        related = (Related(times[1][0].at, f"arm {sides[1].id}"),)
        yield Violation("a", CAVEAT, C3, message, times[0][0].at, related=related)


def _times(claim: Claim, case: Case, side: Side, metric: Metric | None) -> tuple[Period, ...]:
    """Return when an arm was measured: by its trials, else by its runs, else by the day that stands with the load."""
    kind = "convergence" if claim.scope == "training_run" else "throughput"
    found = tuple(period for _, period in trial_periods(side, kind))
    if found:
        return found
    found = run_periods(case, side, "training", "performance")
    if found or metric is None or metric.load is None or metric.load.date is None:
        return found
    start = instant_s(f"{metric.load.date}T00:00:00Z")
    return (Period(start, start + DAY_S, metric.load.place("date")),) if start is not None else ()


def _sessions(found: Sequence[Period], limit: float) -> int:
    count, end = 0, float("-inf")
    for start in sorted(period.start_s for period in found):
        if start >= end:
            count, end = count + 1, start + limit
    return count


def _disjoint(left: Sequence[Period], right: Sequence[Period]) -> bool:
    return any(
        max(period.end_s for period in first) <= min(period.start_s for period in last)
        for first, last in ((left, right), (right, left))
    )
