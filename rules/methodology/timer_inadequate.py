"""M12: intervals too short for the clock that measured them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Timer
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.performance import column_seconds
from ..facts.quantities.resolution import tied_share
from ..facts.series.kept_series import Timed, all_timed, kept_series, timed
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule
from ..statistics.change_points import LONGEST
from ..statistics.intervals import median

TIES = 0.2
PROVIDE = """\
arms:
  fast:
    measurement:
      timer: {name: "CUDA events", resolution_s: 5.0e-7, overhead_s: 2.0e-6}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    resolution: float = Threshold(10, "times the clock's resolution", "Hoefler and Belli 2015, section on clocks")
    overhead: float = Threshold(
        0.05, "overhead, or a tick of tied times, over the interval", "Hoefler and Belli 2015, section on clocks"
    )


@rule(
    "M12",
    "timer-inadequate",
    effect=CAVEAT,
    confidence=C3,
    applies="measured and quantity in {rate, time, latency, flops} and has(raw)",
    origin="HB15",
    thresholds=Thresholds,
)
def timer_inadequate(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Single iterations timed by a clock that ticks too coarsely, or costs too much, for their length.

    ## What it does
    Compares the least median of the trials' times with the resolution of the clock and with the cost of reading it, as
    the trials or the measurement state them. A claim that gives a range over the rows of its table stands on the times
    of all of them.

    ## Why it misleads
    A time of a few ticks is off by up to a tick; a clock that takes a twentieth of the interval is part of the result.

    ## Branches
    - (a) caveat, C3: the interval is shorter than 10 resolutions, or reading the clock takes more than 5 % of it; or
      more than a fifth of the times are tied, and one tick, more than 5 % of the interval, is in the number.
    - not shown: the resolution is not stated, and more than a fifth of the times are tied.
    - not applicable: resolution or cost are not stated, and nothing speaks against the clock.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"timer": {"name": "time.time", "resolution_s": 0.0156}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`: 102 ms by a clock that ticks every half microsecond.

    ## How to fix
    Time several iterations at once and say so, or use a finer clock.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), section on clocks.
    """
    arms = timed(claim, case)
    if not arms:
        yield Inapplicable("no series of times is given")
    elif not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")
    for arm in (*arms, *_of_the_range(claim, case, {arm.side.id for arm in arms})):
        yield from _judged(arm, thresholds)


def _of_the_range(claim: Claim, case: Case, known: set[str]) -> Iterator[Timed]:
    """Yield the further arms whose numbers make up the range that a claim states, with their series of times."""
    table = case.table(claim)
    if claim.range is None or table is None:
        return
    for name in dict.fromkeys(row.arm for row in table.rows.values() if row.arm is not None):
        side = case.own(name)
        metric = side.arm.performance.get(claim.measured.metric or "") if side is not None and claim.measured else None
        if side is None or metric is None or metric.column is None or name in known:
            continue
        series = kept_series(case, side, metric.column) if column_seconds(metric.column) is not None else ()
        if series:
            yield Timed(side, metric, metric.column, series, complete=True)


def _judged(arm: Timed, thresholds: Thresholds) -> Iterator[Branch]:
    unit = column_seconds(arm.column)
    # A mean over loops is one reading of the clock for all of them.
    loops = arm.metric.averaged_over or 1 if arm.metric is not None else 1
    medians = {item.trial: median(item.values[:LONGEST]) * float(unit or 1) * loops for item in arm.series}
    trial, shortest = min(medians.items(), key=lambda item: item[1])
    timer = arm.side.arm.trials[trial].timer or _measured(arm)
    resolution = timer.resolution_s if timer is not None else None
    overhead = timer.overhead_s if timer is not None else None
    at = timer.at if timer is not None else arm.side.arm.place("measurement")
    if resolution is not None and shortest < thresholds.resolution * resolution:
        message = f"times of {shortest:.3g} s are {shortest / resolution:.3g} ticks of a clock of {resolution:g} s"
        yield Violation("a", CAVEAT, C3, message, at, f"{resolution:g}", f"{shortest:.3g}")
    elif resolution is not None and resolution > thresholds.overhead * shortest and _tied(arm):
        message = (
            f"more than a fifth of the times of arm {arm.side.id} are tied, at ticks of {resolution:g} s, "
            f"{100 * resolution / shortest:.3g} % of a time of {shortest:.3g} s"
        )
        yield Violation("a", CAVEAT, C3, message, at, f"{resolution:g}", f"{shortest:.3g}")
    elif overhead is not None and overhead > thresholds.overhead * shortest:
        message = (
            f"reading the clock takes {overhead:g} s, {100 * overhead / shortest:.3g} % of a time of {shortest:.3g} s"
        )
        yield Violation("a", CAVEAT, C3, message, at, f"{overhead:g}", f"{shortest:.3g}")
    elif resolution is None and _tied(arm):
        message = f"the clock of arm {arm.side.id} is not stated, and more than a fifth of its times are tied"
        yield NotShown(message, arm.series[0].at, provide=PROVIDE)
    elif resolution is None or overhead is None:
        yield Inapplicable(f"resolution or cost of the clock of arm {arm.side.id} are not stated")


def _tied(arm: Timed) -> bool:
    return any(tied_share(item.values[:LONGEST]) > TIES for item in arm.series)


def _measured(arm: Timed) -> Timer | None:
    measurement = arm.side.arm.measurement
    return measurement.timer if measurement is not None else None
