"""F16: step times that add up to more than the wall time around them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.numbers import exact
from ..facts.series.raw_numbers import raw
from ..language.printed import short
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

COLUMN = "step_time_s"
ONE_STEP = 2
"""A wall time of less than so many steps is that of one step."""


class Window(Struct, frozen=True):
    """The steps that a wall time holds.

    Attributes:
        total_s: sum of the step times.
        longest_s: the longest of them.
        count: their number.
        wall_s: wall time around them.
        at: place of the wall time.
        steps_at: place of the steps.
    """

    total_s: float
    longest_s: float
    count: int
    wall_s: float
    at: str
    steps_at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.01, "fraction of the wall time", "judgement")


@rule(
    "F16",
    "step-sum-exceeds-wall",
    effect=REFUTES,
    confidence=C3,
    applies="timing and has(raw) and has(wall)",
    origin="J",
    thresholds=Thresholds,
)
def step_sum_exceeds_wall(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Step times of one stream that take longer, one after the other, than the clock on the wall saw.

    ## What it does
    Adds up the step times of every trial and compares the sum with the trial's wall time; where only the arm states
    one, the trial with the smallest sum counts. A window of the arm or of the number that is longer than every trial
    holds them all. Steps of one stream follow each other, so that their sum cannot exceed the wall time.

    ## Why it misleads
    Either the steps overlap, and a step time is no throughput, or one of the clocks is wrong.

    ## Branches
    - (a) refutes, C3: the sum is more than 1.01 times the wall time.
    - not applicable: replicas or parallel streams; a wall time that is one step's; raw steps or wall times are missing.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"wall_s": 4.2}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"wall_s": 8.4}}}}
    ```

    ## How to fix
    Say over what the wall time was taken, or give the step times of one stream.

    ## References
    Arithmetic: disjoint intervals of time add up.
    """
    side = case.subject(claim)
    metric = case.metric(claim.measured)
    if side is None or claim.replicated or metric is None or metric.column != COLUMN or _parallel(side):
        yield Inapplicable("the number is not based on the steps of one stream")
        return
    windows, complete = _windows(case, side, metric)
    if not windows or not complete:
        yield Inapplicable("not every trial with raw steps states a wall time of more than one step")
    for window in windows:
        if window.total_s > (1 + thresholds.slack) * float(given(window.wall_s).high):
            cause = likely_cause(exact(window.total_s), exact(window.wall_s), counts_of(side))
            message = (
                f"{window.count} steps take {short(window.total_s)} s together; the wall time around them is "
                f"{short(window.wall_s)} s{cause}"
            )
            related = (Related(window.steps_at, "step times"),)
            recomputed = f"{short(window.total_s)} s"
            effect = weighed(REFUTES, exact(window.total_s / window.wall_s - 1).low)
            yield Violation("a", effect, C3, message, window.at, f"{short(window.wall_s)} s", recomputed, related)


def _parallel(side: Side) -> bool:
    """Whether the arm's steps may run beside each other: several requests in flight."""
    loads = [metric.load for metric in side.arm.performance.values() if metric.load is not None]
    return any(load.concurrency is not None and load.concurrency > 1 for load in loads)


def _windows(case: Case, side: Side, metric: Metric) -> tuple[list[Window], bool]:
    """Return the steps of every trial beside its wall time, else of one trial beside the arm's."""
    sums = {name: _total(columns[COLUMN]) for name, columns in raw(case, side) if columns.get(COLUMN)}
    known = {name: total for name, total in sums.items() if total is not None}
    found, whole = [], len(known) == len(sums)
    for name, (total, longest, count) in known.items():
        trial = side.arm.trials[name]
        if trial.wall_s:
            steps_at = trial.place("samples") if trial.samples else trial.at
            found.append(Window(total, longest, count, trial.wall_s, trial.place("wall_s"), steps_at))
    measurement = side.arm.measurement
    if not found and measurement is not None and measurement.wall_s and known:
        total, longest, count = min(known.values())
        at, steps_at = measurement.place("wall_s"), side.arm.place("trials")
        found.append(Window(total, longest, count, measurement.wall_s, at, steps_at))
    elif found and len(found) < len(known):
        whole = False
    if found and whole:
        found += _of_all(side, found, metric)
    own = [window for window in found if window.wall_s >= ONE_STEP * window.longest_s]
    return own, whole and len(own) == len(found)


def _of_all(side: Side, found: list[Window], metric: Metric) -> list[Window]:
    """Return the steps of all trials beside every window that is longer than each of them, with all that it did."""
    measurement, longest = side.arm.measurement, max(window.wall_s for window in found)
    stated = [(metric.wall_s, metric.place("wall_s"))]
    stated += [(measurement.wall_s, measurement.place("wall_s"))] if measurement is not None else []
    total, count = math.fsum(window.total_s for window in found), sum(window.count for window in found)
    step, at = max(window.longest_s for window in found), side.arm.place("trials")
    return [
        Window(total, step, count, wall_s, place, at)
        for wall_s, place in stated
        if wall_s is not None and len(found) > 1 and wall_s > longest
    ]


def _total(values: Sequence[float]) -> tuple[float, float, int] | None:
    numbers = [math.nan if value is None else float(value) for value in values]
    total = math.fsum(numbers) if all(map(math.isfinite, numbers)) else math.nan
    return (total, max(numbers), len(numbers)) if math.isfinite(total) and min(numbers) >= 0 else None
