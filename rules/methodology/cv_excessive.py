"""M06: values that scatter so much that their centre says little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.document.told import explained
from ..facts.quantities.intervals import over_trials, relative_width, stated_interval
from ..facts.series.kept_series import Timed, all_timed, ascending_series, timed, variations
from ..outcome import C1, C2, CAVEAT, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import log_t_interval, median, median_ranks
from ..statistics.variation import coefficient_of_variation, least_variation, lower_bound

LEAST, LEAST_POINT = 3, 10


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    cv: float = Threshold(0.05, "standard deviation over mean", "Benchmarking practice: more than 5 % asks for a cause")
    half_width: float = Threshold(0.02, "half-width of the 95 % interval over its middle", "simulation")


@rule(
    "M06",
    "cv-excessive",
    effect=UNDERMINES,
    confidence=C2,
    applies="timing and has(raw)",
    origin="S4, SIM",
    thresholds=Thresholds,
)
def cv_excessive(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Times, or trials, that scatter by more than 5 % without an explanation.

    ## What it does
    Computes the coefficient of variation of every trial's times and of the trials' medians, with the lower bound that
    chi-square gives at 95 %, so that chance alone rarely exceeds the limit. The bound counts only where the interval of
    the median is wide too: rare pauses make a large deviation and leave the median where it is. Trials of an arm decide
    together.

    ## Why it misleads
    A single number stands for values that differ by more than the effects that are usually claimed.

    ## Branches
    - (b) undermines, C2: the medians of the trials vary by more than 5 % (lower bound), their interval is wider than
      2 % either way, and neither an explanation nor an interval over trials that shows the scatter is given.
    - (a) caveat, C2: the same with such an interval; or the arm's trials vary within.
    - (c) caveat, C1: a trial of at least 10 values varies by more than 5 %: investigate. Work of variable length gives
      this at most.
    - not applicable: no trial has three values, or they are latencies of requests, which differ in their work.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {
      "t1": {"samples": {"step_time_s": [0.0912, 0.0911, 0.0913, 0.0912, 0.0910]}},
      "t2": {"samples": {"step_time_s": [0.1191, 0.1190, 0.1192, 0.1191, 0.1193]}},
      "t3": {"samples": {"step_time_s": [0.0873, 0.0872, 0.0874, 0.0873, 0.0871]}},
      "t4": {"samples": {"step_time_s": [0.1234, 0.1235, 0.1233, 0.1234, 0.1236]}},
      "t5": {"samples": {"step_time_s": [0.1026, 0.1025, 0.1027, 0.1026, 0.1024]}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose trials vary by less than 1 %.

    ## How to fix
    Lock clocks, keep other jobs away, or say what varies and give the interval over trials.

    ## References
    Benchmarking chapter of the deep-learning performance course; McKay's bound on the coefficient of variation (1932),
    in its simple form; simulations: the point estimate fires in 12 % of cases at a true 4 %.
    """
    arms = timed(claim, case)
    if not any(len(item.values) >= LEAST for arm in arms for item in arm.series):
        yield Inapplicable("no trial has three values")
        return
    if claim.scope in {"request", "serving_window"} or any(arm.column == "latency_s" for arm in arms):
        yield Inapplicable("requests differ in their work: their latencies are a distribution, not one value")
        return
    if not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")
    for arm in arms:
        variable = explained(claim) or _variable_work(arm)
        if not variable:
            yield from _between(claim, case, arm, thresholds)
            yield from _within(case, arm, thresholds)
        yield from _points(case, arm, thresholds)


def _between(claim: Claim, case: Case, arm: Timed, thresholds: Thresholds) -> Iterator[Branch]:
    medians = [median(values) for values in ascending_series(case, arm.side, arm.column)]
    if len(medians) < LEAST or coefficient_of_variation(medians) <= thresholds.cv:
        return
    if least_variation(medians) <= thresholds.cv:
        return
    interval = log_t_interval(medians)
    assert interval is not None
    half = (interval.upper - interval.lower) / (interval.upper + interval.lower)
    if half <= thresholds.half_width:
        return
    stated = stated_interval(claim, case, arm)
    shown = stated is not None and over_trials(stated) and relative_width(stated) >= half
    branch, effect = ("a", CAVEAT) if shown else ("b", UNDERMINES)
    found = f"{100 * coefficient_of_variation(medians):.3g} %"
    message = (
        f"the medians of the {len(medians)} trials of arm {arm.side.id} lie between {min(medians):.4g} and "
        f"{max(medians):.4g}: they vary by {found}"
    )
    yield Violation(branch, effect, C2, message, arm.side.arm.place("trials"), recomputed=found)


def _within(case: Case, arm: Timed, thresholds: Thresholds) -> Iterator[Branch]:
    rows = zip(
        arm.series,
        variations(case, arm.side, arm.column),
        ascending_series(case, arm.side, arm.column),
        strict=True,
    )
    shown = [(item, cv) for item, cv, values in rows if _scatters(values, cv, thresholds)]
    if of_the_arm(len(shown), len(arm.series)):
        first, cv = shown[0]
        message = (
            f"the times within {len(shown)} of {len(arm.series)} trials of arm {arm.side.id} vary by more than "
            f"{100 * thresholds.cv:g} %: those of {first.trial} by {100 * cv:.3g} %"
        )
        yield Violation("a", CAVEAT, C2, message, first.at, recomputed=f"{100 * cv:.3g} %")


def _scatters(ascending: Sequence[float], cv: float, thresholds: Thresholds) -> bool:
    n = len(ascending)
    if n < LEAST or cv <= thresholds.cv or lower_bound(cv, n) <= thresholds.cv:
        return False
    ranks = median_ranks(n)
    if ranks is None:
        return True
    low, high = ascending[ranks.lower - 1], ascending[ranks.upper - 1]
    return bool((high - low) / (high + low) > thresholds.half_width)


def _points(case: Case, arm: Timed, thresholds: Thresholds) -> Iterator[Branch]:
    for index, cv in enumerate(variations(case, arm.side, arm.column)):
        item = arm.series[index]
        if len(item.values) >= LEAST_POINT and cv > thresholds.cv:
            values = ascending_series(case, arm.side, arm.column)[index]
            most, middle = values[-1], median(values)
            message = f"trial {item.trial} of arm {arm.side.id} varies by {100 * cv:.3g} %"
            message += f"; its largest value is {most / middle:.3g} times its median" if most > 2 * middle else ""
            yield Violation("c", CAVEAT, C1, message, item.at, recomputed=f"{100 * cv:.3g} %")
            return


def _variable_work(arm: Timed) -> bool:
    """Whether iterations differ in their work: sequences of several lengths, buckets."""
    options, metric = arm.side.arm.options, arm.metric
    if options is not None and options.bucketing not in {None, "none"}:
        return True
    if metric is not None and metric.tokens is not None and metric.tokens.lengths not in {None, "constant", "fixed"}:
        return True
    return any("output_tokens" in trial.samples for trial in arm.side.arm.trials.values())
