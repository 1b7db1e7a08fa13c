"""S05: a difference that is real and too small to matter."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.difference import difference
from ..facts.quantities.numbers import PERCENT
from ..facts.series.raw_numbers import SMALLEST
from ..language.printed import short
from ..outcome import C2, CAVEAT, Branch, Inapplicable, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    threshold: float = Threshold(
        0.05, "gain", "Benchmarking practice: differences below 5 % may not be there elsewhere"
    )
    alpha: float = Threshold(0.05, "two-sided error over all comparisons of the document", "convention")


@rule(
    "S05",
    "below-practical-threshold",
    effect=CAVEAT,
    confidence=C2,
    applies="comparison and form in {ratio, rank} and has(trials)",
    origin="S4",
    thresholds=Thresholds,
)
def below_practical_threshold(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A gain that the trials show, but that may be below 5 %.

    ## What it does
    Reads the interval of the ratio over trials, or the stated one where the trials' numbers are not given. Where it
    excludes "no difference" but begins below 1.05, the finding says so.

    ## Why it misleads
    A gain of a few percent is within what another compiler version, clock or room temperature changes. It can be real
    here and absent everywhere else.

    ## Branches
    - (a) caveat, C2: the interval excludes 1, and its lower edge is below 1.05. Never more than a caveat.
    - not applicable: no interval over at least 3 trials an arm, or it does not show a gain.

    ## Flagged
    On `training-pair` for claim `speedup`, where the base is nearly as fast:
    ```json
    {"claims": {"speedup": {"value": "1.03", "base": {"arm": "plain", "metric": "rate"}}},
     "arms": {"plain": {"trials": {
       "t1": {"samples": {"step_time_s": [0.82, 0.821, 0.822]}},
       "t2": {"samples": {"step_time_s": [0.82, 0.819, 0.82]}},
       "t3": {"samples": {"step_time_s": [0.815, 0.816, 0.82]}},
       "t4": {"samples": {"step_time_s": [0.82, 0.821, 0.83]}},
       "t5": {"samples": {"step_time_s": [0.81, 0.82, 0.825]}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, whose gain is 43 %.

    ## How to fix
    Say what the gain is worth to a reader, or measure it on a second system.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    found = difference(case, claim, thresholds.alpha)
    stated = None if _holds_trials(claim, case) else _stated(claim)
    ends = (found.interval.lower, found.interval.upper) if found is not None else stated
    if ends is None or ends[0] <= 1:
        yield Inapplicable("no gain over at least 3 trials an arm, nor by a stated interval of the ratio")
        return
    if ends[0] < 1 + thresholds.threshold:
        interval = f"{short(ends[0])} to {short(ends[1])}"
        source = "the trials give" if found is not None else "the stated interval is"
        message = f"the gain is shown, but may be below {thresholds.threshold:.0%}: {source} {interval}"
        yield Violation("a", CAVEAT, C2, message, claim.place("value"), claim.value, interval)


def _holds_trials(claim: Claim, case: Case) -> bool:
    """Whether a side's number has a column of raw numbers: then the trials decide, and not what is printed."""
    metrics = case.metric(claim.measured), case.metric(claim.base)
    return any(metric is not None and metric.column for metric in metrics)


def _stated(claim: Claim) -> tuple[float, float] | None:
    """Return the stated interval of a ratio as one of how far it lies from 1, upwards; None where there is none."""
    if claim.interval is None or claim.form != "ratio" or claim.value is None:
        return None
    low, high = sorted((float(claim.interval.low), float(claim.interval.high)))
    if claim.unit in PERCENT:
        low, high = 1 + low / 100, 1 + high / 100
    elif not low <= float(claim.value) <= high:
        return None
    if low <= SMALLEST or not math.isfinite(high):
        return None
    return (1 / high, 1 / low) if high < 1 else (low, high)
