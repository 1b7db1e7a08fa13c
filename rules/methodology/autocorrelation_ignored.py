"""M08: an interval that takes dependent iterations for independent ones."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.quantities.intervals import relative_width, stated_interval, within_trials
from ..facts.series.dependence import Dependence, dependences
from ..facts.series.kept_series import timed, untold
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Related, Violation
from ..registry import Threshold, rule
from ..statistics.means import deviation
from ..statistics.proportions import normal_quantile


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    width: float = Threshold(0.8, "stated width over that from blocks", "simulation")


@rule(
    "M08",
    "autocorrelation-ignored",
    effect=UNDERMINES,
    confidence=C2,
    applies="timing and has(raw) and has(interval)",
    origin="SIM",
    thresholds=Thresholds,
)
def autocorrelation_ignored(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An interval over iterations that are not independent, narrower than independent blocks of them allow.

    ## What it does
    Where the interval of a number is one over the iterations of a process, tests each trial's times for dependence
    (neighbours correlated by more than 2/sqrt(n), or Ljung and Box's test at 5 %) and compares the interval's width
    with the one that the medians of independent blocks give. The blocks are held to the normal quantile, so that their
    small number does not count against the interval. Where a series is too dependent for blocks, the interval is
    compared with the one of independent iterations, widened by the root of the autocorrelation time: at least n / 20
    iterations then weigh as one. Trials of an arm decide together.

    ## Why it misleads
    Dependent iterations repeat each other. An interval that counts each of them covers the truth in 30 to 70 % of cases
    instead of 95 %.

    ## Branches
    - (a) undermines, C2: the arm's trials are dependent, and the interval is narrower than 0.8 of the one that allows
      for it.
    - (b) caveat, C2: one trial alone shows it.
    - not applicable: the interval is one over trials or seeds, or does not say what varies; or no series has 30 values
      that differ.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"performance": {"rate": {
      "interval": {"low": "2499", "high": "2501", "level": 0.95, "method": "t", "varies": "iterations"}}},
     "trials": {
      "t1": {"samples": {"step_time_s": [0.1030, 0.1030, 0.1018, 0.1024, 0.1031, 0.1023, 0.1025, 0.1029, 0.1027,
        0.1025, 0.1027, 0.1022, 0.1020, 0.1020, 0.1025, 0.1027, 0.1022, 0.1018, 0.1019, 0.1023, 0.1022, 0.1031,
        0.1036, 0.1012, 0.1000, 0.1014, 0.1021, 0.1023, 0.1026, 0.1038, 0.1027, 0.1017, 0.1035, 0.1037, 0.1031,
        0.1024, 0.1012, 0.1018, 0.1025, 0.1017, 0.1014, 0.1020, 0.1018, 0.1019, 0.1024, 0.1025, 0.1021, 0.1025,
        0.1032, 0.1030, 0.1021, 0.1025, 0.1024, 0.1027, 0.1022, 0.1025, 0.1028, 0.1016, 0.1016, 0.1023]}},
      "t2": {"samples": {"step_time_s": [0.1019, 0.1013, 0.1020, 0.1022, 0.1023, 0.1030, 0.1018, 0.1018, 0.1032,
        0.1028, 0.1018, 0.1025, 0.1029, 0.1031, 0.1026, 0.1014, 0.1017, 0.1021, 0.1027, 0.1029, 0.1015, 0.1009,
        0.1024, 0.1032, 0.1023, 0.1021, 0.1027, 0.1029, 0.1031, 0.1029, 0.1025, 0.1022, 0.1029, 0.1015, 0.1013,
        0.1024, 0.1016, 0.1020, 0.1022, 0.1026, 0.1027, 0.1027, 0.1034, 0.1032, 0.1020, 0.1011, 0.1028, 0.1031,
        0.1019, 0.1022, 0.1024, 0.1028, 0.1028, 0.1024, 0.1020, 0.1024, 0.1020, 0.1023, 0.1036, 0.1022]}},
      "t3": null, "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with an interval that independent iterations support:
    ```json
    {"arms": {"a": {"performance": {"rate": {
      "interval": {"low": "2485", "high": "2515", "level": 0.95, "method": "median ranks", "varies": "iterations"}}},
     "trials": {"t2": null, "t3": null, "t4": null, "t5": null}}}}
    ```

    ## How to fix
    Form the interval from medians of blocks, or better from the medians of several fresh processes.

    ## References
    Geyer, Practical Markov chain Monte Carlo (1992); Ljung and Box (1978); simulations of coverage.
    """
    told = False
    for arm in timed(claim, case):
        interval = stated_interval(claim, case, arm)
        if interval is None or not within_trials(interval, len(arm.series)):
            continue
        width, level = relative_width(interval), interval.level or 0.95
        found = dependences(case, arm.side, arm.column)
        told = told or any(item is not None for item in found)
        count = sum(len(series.values) for series in arm.series)
        shown = [
            (series, item)
            for series, item in zip(arm.series, found, strict=True)
            if item is not None and item.shown and width < thresholds.width * _width(item, level, count)
        ]
        if not shown:
            continue
        series, item = shown[0]
        branch, effect = ("a", UNDERMINES) if of_the_arm(len(shown), len(found)) else ("b", CAVEAT)
        message = (
            f"the interval {interval.low} to {interval.high} counts iterations as independent; in {len(shown)} of "
            f"{len(found)} trials they are not, and what depends on what in {series.trial} makes one "
            f"{_width(item, level, count) / max(width, 1e-12):.2g} times as wide"
        )
        related = tuple(Related(other.at, f"trial {other.trial}") for other, _ in shown)
        yield Violation(branch, effect, C2, message, interval.at, f"{interval.low} to {interval.high}", related=related)
    yield from untold(claim, case, told, "no interval over iterations stands beside series that tell")


def _width(item: Dependence, level: float, count: int) -> float:
    """Return the relative width, at the normal quantile, of an interval that allows for the dependence of a series.

    That of its blocks; where it has none, that of all `count` values of the arm as so many independent ones as the
    autocorrelation time leaves, which is a lower bound of it.
    """
    both = 2 * normal_quantile((1 + level) / 2)
    if item.blocks is None:
        return both * item.scatter * math.sqrt(item.tau / max(count, item.n))
    mean = math.fsum(item.blocks) / len(item.blocks)
    return both * deviation(item.blocks) / math.sqrt(len(item.blocks)) / mean
