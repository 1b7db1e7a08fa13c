"""M02: slow first iterations that were kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.quantities.recomputed import STATISTICS, percent_of, recomputed
from ..facts.series.kept_series import Timed, timed, untold
from ..facts.series.raw_numbers import Samples
from ..facts.series.steady_start import SteadyStart, steady_starts
from ..language.printed import Span, short, span
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Related, Violation
from ..registry import Threshold, rule

SIMULATED = "simulation: found in at most 2.4 % of independent series, 8 % at an autocorrelation of .6"


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    head: float = Threshold(0.02, "excess of the head's median over that of the rest", SIMULATED)
    window: float = Threshold(0.2, "share of the series in which a head may end", SIMULATED)
    penalty: float = Threshold(10, "times ln n, for every change of level", SIMULATED)


@rule(
    "M02",
    "warmup-transient-retained",
    effect=UNDERMINES,
    confidence=C2,
    applies="timing and has(raw)",
    origin="S4, SIM",
    also=("M01",),
    thresholds=Thresholds,
)
def warmup_transient_retained(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A series of times that still begins slow after its warm-up was cut.

    ## What it does
    Looks for a change of level in each trial's kept times: a first segment, within the first fifth, whose median is
    more than 2 % above that of the rest; or one or two first values that stand out above all later ones; or a longer
    head that begins a tenth above the rest and decays to it. Trials of an
    arm decide together: at least three and 30 % of them, or more than an error of 5 % a trial explains at 1 %. The
    stated statistic is then computed again without the slow heads.

    ## Why it misleads
    The first iterations time start-up work. Kept in a mean they make a system slower than it is; kept in one arm they
    make the other one faster.

    ## Branches
    - (a) undermines, C2: the arm begins slow, and without the heads its statistic leaves the interval of its digits.
    - (b) caveat, C2: the arm begins slow, and the statistic stays, of requests to a service within its stated interval:
      a queue comes and goes by chance; or one trial alone does.
    - not applicable: no series tells: fewer than 15 values, a constant one, one coarser than its noise, or one that
      wanders by itself.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"performance": {"rate": {"value": "2436", "digits": null, "statistic": "mean"}}, "trials": {
      "t1": {"samples": {"step_time_s": [0.1405, 0.1391, 0.1372, 0.1356, 0.1353,
        0.1023, 0.1031, 0.1019, 0.1027, 0.1022, 0.1030, 0.1018, 0.1025, 0.1029, 0.1020, 0.1026, 0.1021, 0.1032,
        0.1024, 0.1017, 0.1028, 0.1023, 0.1030, 0.1016, 0.1027, 0.1022, 0.1025, 0.1031, 0.1019, 0.1026]}},
      "t2": {"samples": {"step_time_s": [0.1411, 0.1388, 0.1367, 0.1359, 0.1351,
        0.1029, 0.1018, 0.1026, 0.1021, 0.1033, 0.1017, 0.1028, 0.1022, 0.1024, 0.1030, 0.1019, 0.1027, 0.1016,
        0.1031, 0.1023, 0.1020, 0.1032, 0.1025, 0.1018, 0.1028, 0.1021, 0.1029, 0.1024, 0.1015, 0.1030]}},
      "t3": {"samples": {"step_time_s": [0.1398, 0.1385, 0.1371, 0.1362, 0.1349,
        0.1020, 0.1028, 0.1023, 0.1031, 0.1017, 0.1025, 0.1019, 0.1030, 0.1022, 0.1027, 0.1032, 0.1016, 0.1024,
        0.1029, 0.1021, 0.1026, 0.1018, 0.1033, 0.1020, 0.1028, 0.1023, 0.1030, 0.1017, 0.1025, 0.1022]}},
      "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose times are steady from the first kept iteration on.

    ## How to fix
    Discard the slow head of every trial, by one rule for all arms, and summarise again.

    ## References
    Jackson et al., An algorithm for optimal partitioning of data on an interval (2005); simulations behind penalty and
    arm decision; Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015).
    """
    arms = timed(claim, case)
    told = False
    for arm in arms:
        starts = steady_starts(case, arm.side, arm.column, thresholds.head, thresholds.window, thresholds.penalty)
        told = told or any(start is not None for start in starts)
        slow = [start is not None and start.head > 0 for start in starts]
        if any(slow):
            yield _violation(arm, starts, slow)
    yield from untold(claim, case, told, "no series is long, fine and steady enough to tell how it begins")


def _violation(arm: Timed, starts: Sequence[SteadyStart | None], slow: Sequence[bool]) -> Violation:
    shown = sum(slow)
    first, start = next((item, start) for item, start in zip(arm.series, starts, strict=True) if start and start.head)
    moved = _moved(arm, starts) if of_the_arm(shown, len(slow)) else None
    message = (
        f"{shown} of {len(slow)} trials of arm {arm.side.id} begin slow: in {first.trial} the first "
        f"{f'{start.head} values are' if start.head > 1 else 'value is'} {100 * start.excess:.3g} % above the rest"
    )
    others = (item for item, mark in zip(arm.series, slow, strict=True) if mark and item.trial != first.trial)
    related = tuple(Related(item.at, f"trial {item.trial}") for item in others)
    if moved is None:
        return Violation("b", CAVEAT, C2, message, first.at, related=related)
    printed, value = moved
    message += f"; without such heads the stated {printed} becomes {short(value.low)}"
    return Violation("a", UNDERMINES, C2, message, first.at, printed, str(value), related)


def _moved(arm: Timed, starts: Sequence[SteadyStart | None]) -> tuple[str, Span] | None:
    """Return the stated number and what it becomes without the heads, where no usual way leaves it in its digits."""
    metric = arm.metric
    if metric is None or metric.value is None or metric.statistic not in STATISTICS:
        return None
    values = tuple(
        tuple(sorted(item.values[start.head if start is not None else 0 :]))
        for item, start in zip(arm.series, starts, strict=True)
    )
    pooled = tuple(sorted(value for series in values for value in series))
    names = tuple(item.trial for item in arm.series)
    found = Samples(arm.column, names, values, pooled, arm.side.arm.place("trials"), complete=True)
    spans = recomputed(found, arm.side, metric, metric.statistic, percent_of(metric))
    printed = span(metric.value, digits=metric.digits)
    if not spans or any(printed.meets(value) for value in spans):
        return None
    return (metric.value, spans[0]) if not (metric.scope == "request" and _within(metric, spans[0])) else None


def _within(metric: Metric, value: Span) -> bool:
    """Whether a value lies in the interval that a number states."""
    ends = metric.interval
    return ends is not None and span(ends.low).low <= value.low and value.high <= span(ends.high).high
