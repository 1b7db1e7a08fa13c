"""M07: times that rise or fall from the beginning to the end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.series.drift import ALPHA, CHANGE, drifts
from ..facts.series.kept_series import timed, untold
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Related, Violation
from ..registry import Threshold, rule

SIMULATED = "simulation: at most 2 % of honest trials, up to an autocorrelation of .6"


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(ALPHA, "two-sided error of Kendall's tau over 10 block medians", SIMULATED)
    change: float = Threshold(CHANGE, "total change as a share of the median", SIMULATED)


@rule(
    "M07",
    "drift-or-throttle-trend",
    effect=UNDERMINES,
    confidence=C2,
    applies="timing and has(raw)",
    origin="S4, SIM",
    thresholds=Thresholds,
)
def drift_or_throttle_trend(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A series of times that drifts: a device that throttles, memory that fills, data that grow.

    ## What it does
    Takes the medians of 10 contiguous blocks of each trial, tests their trend by Kendall's tau and measures it by the
    Theil-Sen slope. Single values are not tested: they wander together, and their trend fires in a third of honest
    series. Trials of an arm decide together.

    ## Why it misleads
    The number depends on how long was measured. A reader who runs longer, or shorter, gets another one.

    ## Branches
    - (a) undermines, C2: the arm's trials show a trend (p < .01) of more than 2 % from the first block to the last.
    - (b) caveat, C2: one trial alone does, at p < .01 divided by the number of trials.
    - not applicable: no series tells: fewer than 30 values, or so dependent that wandering looks like a trend.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {
      "t1": {"samples": {"step_time_s": [0.1001, 0.1004, 0.1002, 0.1006, 0.1008, 0.1005, 0.1009, 0.1012, 0.1010, 0.1013,
        0.1016, 0.1014, 0.1018, 0.1020, 0.1017, 0.1022, 0.1024, 0.1021, 0.1025, 0.1028, 0.1026, 0.1030, 0.1032, 0.1029,
        0.1033, 0.1036, 0.1034, 0.1038, 0.1040, 0.1037]}},
      "t2": {"samples": {"step_time_s": [0.1003, 0.1000, 0.1005, 0.1004, 0.1009, 0.1007, 0.1008, 0.1010, 0.1013, 0.1011,
        0.1014, 0.1017, 0.1015, 0.1019, 0.1021, 0.1018, 0.1023, 0.1025, 0.1022, 0.1026, 0.1029, 0.1027, 0.1031, 0.1033,
        0.1030, 0.1034, 0.1037, 0.1035, 0.1039, 0.1041]}},
      "t3": {"samples": {"step_time_s": [0.1002, 0.1003, 0.1001, 0.1007, 0.1006, 0.1004, 0.1010, 0.1009, 0.1012, 0.1014,
        0.1013, 0.1016, 0.1017, 0.1015, 0.1020, 0.1019, 0.1022, 0.1023, 0.1026, 0.1024, 0.1028, 0.1027, 0.1030, 0.1034,
        0.1032, 0.1031, 0.1036, 0.1039, 0.1035, 0.1040]}},
      "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose times stay on one level.

    ## How to fix
    Lock the clocks, let the device cool down or reach its steady temperature first, and measure again.

    ## References
    Kendall, Rank Correlation Methods; Sen, Estimates of the regression coefficient based on Kendall's tau (1968);
    simulations behind the blocks.
    """
    told = False
    for arm in timed(claim, case):
        found = drifts(case, arm.side, arm.column)
        told = told or any(item is not None for item in found)
        shown = [
            (series, item)
            for series, item in zip(arm.series, found, strict=True)
            if item is not None and item.p < thresholds.alpha and abs(item.change) > thresholds.change
        ]
        decided = of_the_arm(len(shown), len(found))
        if not decided:  # of many trials one drifts by chance: it has to be clear among as many
            shown = [(series, item) for series, item in shown if item.p < thresholds.alpha / len(found)]
        if not shown:
            continue
        series, item = shown[0]
        branch, effect = ("a", UNDERMINES) if decided else ("b", CAVEAT)
        way = "slower" if item.change > 0 else "faster"
        message = (
            f"{len(shown)} of {len(found)} trials of arm {arm.side.id} drift: {series.trial} becomes "
            f"{abs(100 * item.change):.3g} % {way} from its first block to its last (p = {item.p:.2g})"
        )
        related = tuple(Related(other.at, f"trial {other.trial}") for other, _ in shown[1:])
        yield Violation(branch, effect, C2, message, series.at, related=related)
    yield from untold(claim, case, told, "no series is long and independent enough to tell whether it drifts")
