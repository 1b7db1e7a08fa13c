"""S03: a test that takes skewed iterations for normal ones."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Interval
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.intervals import stated_interval, within_trials
from ..facts.series.kept_series import timed, untold
from ..outcome import C2, CAVEAT, Branch, Inapplicable, Violation
from ..registry import Threshold, rule
from ..statistics.normality import MOST, normality_p
from ._interval_method import kinds_of

OF_NORMAL = frozenset({"t", "normal", "error"})
OTHERWISE = frozenset({"log", "middle", "ranks", "quantile", "bootstrap"})
NORMAL_THEORY = frozenset({"t", "z", "f"})
LEAST = 20


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(0.01, "error of the test of Shapiro and Wilk", "judgement")


@rule(
    "S03",
    "normality-assumed",
    effect=CAVEAT,
    confidence=C2,
    applies="has(raw) and (has(test) or has(interval))",
    origin="HB15.6",
    thresholds=Thresholds,
)
def normality_assumed(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A t, z or F test, or a normal interval, over single iterations whose times are not normal.

    ## What it does
    Where the printed test, or the method of the stated interval, is one of normal theory and its values are iterations
    or requests, tests each trial's times for normality by Shapiro and Wilk.

    ## Why it misleads
    Times have a floor and a long tail. On few of them such a test errs more often than it says.

    ## Branches
    - (a) caveat, C2: the times of a trial are not normal (p < .01).
    - not applicable: test and interval are over trials or runs, or not of normal theory, or what they are over is not
      said;
      or no trial has 20 to 5,000 values that differ.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"test": {"kind": "t", "values": "iteration"}}},
     "arms": {"a": {"trials": {"t1": {"samples": {"step_time_s": [0.1021, 0.1023, 0.1022, 0.1024, 0.1025, 0.1022,
       0.1023, 0.1024, 0.1022, 0.1026, 0.1023, 0.1025, 0.1024, 0.1022, 0.1023, 0.1051, 0.1022, 0.1098, 0.1024, 0.1023,
       0.1025, 0.1310, 0.1022, 0.1024]}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose times look normal:
    ```json
    {"claims": {"rate": {"test": {"kind": "t", "values": "iteration"}}}}
    ```

    ## How to fix
    Test medians, or one value per trial.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 6; Royston (1995).
    """
    test = claim.test
    tested = test is not None and test.kind in NORMAL_THEORY and test.values in {"iteration", "request"}
    arms = [
        arm
        for arm in timed(claim, case)
        if tested or _normal_interval(stated_interval(claim, case, arm), len(arm.series))
    ]
    if not tested and not arms:
        yield Inapplicable("neither test nor interval is one of normal theory over iterations")
        return
    what = f"the {test.kind} test" if tested and test is not None else "the interval"
    told = False
    for arm in arms:
        for item in arm.series:
            if not LEAST <= len(item.values) <= MOST or min(item.values) == max(item.values):
                continue
            told = True
            p = normality_p(item.values)
            if p < thresholds.alpha:
                message = f"{what} takes iterations for normal; those of {item.trial} are not (p = {p:.2g})"
                yield Violation("a", CAVEAT, C2, message, item.at, recomputed=f"{p:.2g}")
    yield from untold(claim, case, told, "no trial has 20 to 5,000 values that differ")


def _normal_interval(interval: Interval | None, trials: int) -> bool:
    """Whether an interval is one of normal theory over the iterations of a process."""
    if interval is None or not within_trials(interval, trials):
        return False
    kinds = kinds_of(interval.method)
    return bool(kinds & OF_NORMAL) and not kinds & OTHERWISE
