"""S02: an interval by a method that does not suit its values, or far from what they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import Interval
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.arms import arm_pair
from ..facts.quantities.intervals import least_width, over_trials, relative_width, stated_interval, within_trials
from ..facts.quantities.numbers import PERCENT
from ..facts.series.kept_series import RELATED, Timed, related_sides, timed
from ..outcome import C2, CAVEAT, Branch, Inapplicable, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import log_t_interval, median
from ._interval_method import kinds_of
from ._usual_intervals import usual_ratio_widths, usual_widths

OF_MEAN = frozenset({"t", "normal", "error", "mean", "bootstrap"})
OF_MIDDLE = frozenset({"middle", "ranks", "quantile"})
OF_TAIL = frozenset({"tail", "ranks", "shares", "bootstrap", "blocks"})
NOT_NORMAL = frozenset({"t", "bootstrap", "ranks", "shares"})
WIDER = "of_single_values"
"""Intervals that are meant to hold single values, and are wider than one of a mean."""
LEAST_TRIALS = 3


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    n: float = Threshold(
        50, "values for an interval of a skewed mean", "simulation: 18 to 64 % coverage with rare pauses"
    )
    skew: float = Threshold(2, "largest value over the median", "simulation")
    bootstrap_n: float = Threshold(20, "values for a bootstrap", "simulation: 80 to 90 % coverage at 10 values")
    width: float = Threshold(1.5, "ratio of two widths", "judgement")


@rule(
    "S02",
    "ci-method-unsuited",
    effect=CAVEAT,
    confidence=C2,
    applies="has(interval) and (has(raw) or has(trials) or statistic=percentile)",
    origin="SIM",
    thresholds=Thresholds,
)
def ci_method_unsuited(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An interval whose method fails on such values, or whose width no usual method gives.

    ## What it does
    Reads method and subject of the interval of each arm and counts the raw values behind it. It then recomputes the
    interval in the usual ways: over trials, t on medians or means, plain or on logarithms; within one process, median
    ranks, independent blocks and t on the mean. A width that lies beyond all of them by more than a factor of 1.5,
    whatever its rounding, is off.

    ## Why it misleads
    An interval that is too narrow makes chance look like an effect; one that is far too wide hides that nothing was
    measured well.

    ## Branches
    - (a) caveat, C2: an interval of a mean over fewer than 50 iterations with one above twice the median; a bootstrap
      of fewer than 20 values, or standard errors times the quantile of the normal distribution for so few; iterations
      of several trials pooled; the standard error of a mean under a percentile of requests; or a width more than 1.5
      times, or less than 1/1.5 of, every usual one.
    - pass: an interval that is said to hold the extremes or the next value may be wide, and one over pairs of trials
      narrow; the ranks of all requests for a percentile, of which single trials hold too few values.
    - not applicable: no stated interval has raw values of all its trials behind it, what it is over is not said, or it
      is that of an accuracy, a size or a price.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"performance": {"rate": {
      "interval": {"low": "2499", "high": "2501", "level": 0.95, "method": "t", "varies": "iterations"}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`, whose interval is the t interval over its five trials.

    ## How to fix
    Over trials: t on the logarithms of the trials' medians. Within one process: the ranks of the median, or blocks.

    ## References
    Simulations of coverage; Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 5.
    """
    told = False
    for arm in timed(claim, case):
        interval = stated_interval(claim, case, arm)
        if interval is None:
            continue
        reason = _unsuited(interval, arm, thresholds)
        # Times of requests tell nothing of a number that names no column, such as the rate of a window.
        linked = arm.metric is None or arm.metric.column is not None
        linked = linked and not (over_trials(interval) and _more_than_listed(arm))
        widths = usual_widths(arm, interval) if linked else ()
        told = told or bool(widths)
        reason = reason or _off(interval, widths, thresholds.width)
        if reason:
            yield _violation(interval, f"arm {arm.side.id}", reason)
    for side, interval in _over_few(claim, case, thresholds.bootstrap_n):
        told = True
        what = "the ratio" if side is None else f"arm {side.id}"
        yield _violation(interval, what, "the quantile of the normal distribution is too small for so few values")
    for what, interval in _under_percentiles(claim, case):
        told = True
        yield _violation(interval, what, "the standard error of a mean says nothing of a percentile")
    pooled = _pooled(claim, case)
    if pooled:
        assert claim.interval is not None
        yield _violation(claim.interval, "the ratio", f"it counts the iterations of {pooled} trials as independent")
    if claim.form == "ratio" and claim.interval is not None and over_trials(claim.interval):
        pair = arm_pair(claim, case)
        if pair is not None and min(map(len, pair.better)) >= LEAST_TRIALS:
            widths = usual_ratio_widths(pair.better[0], pair.better[1], claim.interval.level or 0.95)
            told = told or bool(widths)
            listed = not any(map(_more_than_listed, timed(claim, case)))
            widths = (*widths, *_paired(claim.interval, pair.better)) if listed else ()
            reason = _off(claim.interval, widths, thresholds.width)
            if reason and claim.unit not in PERCENT:
                yield _violation(claim.interval, "the ratio", reason)
    if not told:
        yield Inapplicable("no stated interval can be recomputed from raw numbers")


def _under_percentiles(claim: Claim, case: Case) -> Iterator[tuple[str, Interval]]:
    """Yield the intervals of percentiles over requests or iterations that are made as those of a mean are."""
    refs = (claim.measured, claim.base) if claim.form in RELATED else (claim.measured,)
    metrics = [(ref, metric) for ref in refs if (metric := case.metric(ref)) is not None]
    stated = [(f"arm {ref.arm}", metric.interval, metric.statistic) for ref, metric in metrics if ref is not None]
    stated.append(("the ratio" if claim.form == "ratio" else "the claim", claim.interval, claim.statistic))
    seen: set[tuple[str | None, str | None]] = set()
    for what, interval, statistic in stated:
        if interval is None or statistic != "percentile" or over_trials(interval) or not within_trials(interval, 2):
            continue
        kinds, ends = kinds_of(interval.method), (interval.low, interval.high)
        if ends not in seen and "error" in kinds and not kinds & OF_TAIL:
            seen.add(ends)
            yield what, interval


def _over_few(claim: Claim, case: Case, least: float) -> Iterator[tuple[Side | None, Interval]]:
    """Yield the stated intervals over fewer trials or runs that are so many normal standard errors wide, by side."""
    counts = []
    for side, metric in related_sides(claim, case):
        if side is None:
            continue
        kind = "convergence" if claim.scope == "training_run" else "throughput"
        counts.append(sum(item.kind == kind and item.outcome == "completed" for item in side.arm.trials.values()))
        interval = metric.interval if metric is not None else None
        if interval is not None and 2 <= counts[-1] < least and _of_normal(interval):
            yield side, interval
    own = claim.interval
    if own is not None and counts and 2 <= max(counts) < least and _of_normal(own) and claim.form != "absolute":
        yield None, own


def _of_normal(interval: Interval) -> bool:
    """Whether an interval over trials is made with the normal distribution's quantile."""
    kinds = kinds_of(interval.method)
    return over_trials(interval) and "normal" in kinds and not kinds & NOT_NORMAL


def _pooled(claim: Claim, case: Case) -> int:
    """Return the trials whose iterations the interval of a ratio counts as independent; 0 where it does not."""
    if claim.form != "ratio" or claim.interval is None:
        return 0
    arms = timed(claim, case)
    trials = max((len(arm.series) for arm in arms), default=0)
    return trials if trials >= 2 and within_trials(claim.interval, trials) else 0


def _violation(interval: Interval, what: str, reason: str) -> Violation:
    stated = f"{interval.low} to {interval.high}"
    return Violation("a", CAVEAT, C2, f"the interval {stated} of {what}: {reason}", interval.at, stated)


def _unsuited(interval: Interval, arm: Timed, thresholds: Thresholds) -> str:
    """Return why a method does not suit the values behind it, or nothing."""
    kinds = kinds_of(interval.method)
    within = within_trials(interval, len(arm.series))
    if not within and not over_trials(interval):
        return ""
    n = sum(len(item.values) for item in arm.series) if within else len(arm.series)
    if within and arm.metric is not None and arm.metric.statistic == "percentile" and "ranks" in kinds:
        return ""
    if within and len(arm.series) >= 2:
        return f"it counts the iterations of {len(arm.series)} trials as independent"
    if "bootstrap" in kinds and n < thresholds.bootstrap_n:
        return f"a bootstrap of {n} values is too narrow"
    if within and kinds & OF_MEAN and not kinds & OF_MIDDLE and n < thresholds.n and _spread(arm) > thresholds.skew:
        return f"a mean of {n} values, of which one is {_spread(arm):.3g} times the median, has no such interval"
    return ""


def _spread(arm: Timed) -> float:
    return max(max(item.values) / median(item.values) for item in arm.series)


def _more_than_listed(arm: Timed) -> bool:
    """Whether a number rests on more trials than the raw values are of: its interval is narrower for that."""
    return arm.metric is not None and (arm.metric.trials or 0) > len(arm.series)


def _paired(interval: Interval, both: tuple[Sequence[float], Sequence[float]]) -> tuple[float, ...]:
    """Return the width of the t interval over the ratios of pairs, where the method says that trials were paired."""
    kinds = kinds_of(interval.method) | kinds_of(interval.varies)
    if "pairs" not in kinds or len(both[0]) != len(both[1]):
        return ()
    found = log_t_interval([new / base for new, base in zip(*both, strict=True)], interval.level or 0.95)
    return (2 * (found.upper - found.lower) / (found.upper + found.lower),) if found is not None else ()


def _off(interval: Interval, widths: Sequence[float], factor: float) -> str:
    """Return how a width lies beyond all usual ones, or nothing."""
    if not widths:
        return ""
    narrowest, widest = relative_width(interval), least_width(interval)
    if narrowest * factor < min(widths):
        return f"it is {narrowest / min(widths):.2g} times as wide as the narrowest usual one"
    if WIDER not in kinds_of(interval.method) and widest > factor * max(widths) > 0:
        return f"it is {widest / max(widths):.3g} times as wide as the widest usual one"
    return ""
