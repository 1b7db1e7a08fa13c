"""M09: times with several modes behind one number."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.series.kept_series import timed, untold
from ..facts.series.modes import ALPHA, TIES, modes_p, pooled_modes_p
from ..outcome import C2, CAVEAT, Branch, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(ALPHA, "error of the dip test", "simulation: at most 0.6 % of series with one mode at 5 %")
    ties: float = Threshold(TIES, "share of tied values", "simulation: coarse clocks show modes that are none")


@rule(
    "M09",
    "multimodal-timing-summarised-by-one-number",
    effect=CAVEAT,
    confidence=C2,
    applies="(timing or (measured and quantity in {flops, mfu})) and has(raw)",
    origin="HB15, SIM",
    thresholds=Thresholds,
)
def multimodal_timing_summarised_by_one_number(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Times that fall into several groups, such as a fast and a slow kind of iteration, behind one mean or median.

    ## What it does
    Applies Hartigan's dip test to the first 2,000 times of every trial, ties spread over the resolution of the clock.
    Trials that are each too short for it are tested together, every time as a multiple of its trial's mean.

    ## Why it misleads
    No iteration took the time that is reported, and the share of the slow kind decides what a reader gets.

    ## Branches
    - (a) caveat, C2: a trial, or an arm of short trials, has more than one mode (p < .01).
    - not applicable: neither a series nor an arm has 50 values of which at most a fifth are tied.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {
      "t1": {"samples": {"step_time_s": [0.09001, 0.11502, 0.09013, 0.11514, 0.09025, 0.11526, 0.09037, 0.11538,
        0.09049, 0.11551, 0.09062, 0.11563, 0.09074, 0.11575, 0.09086, 0.11587, 0.09098, 0.11599, 0.09011, 0.11512,
        0.09023, 0.11524, 0.09035, 0.11536, 0.09047, 0.11548, 0.09059, 0.11561, 0.09072, 0.11573, 0.09084, 0.11585,
        0.09096, 0.11597, 0.09008, 0.11509, 0.09021, 0.11522, 0.09033, 0.11534, 0.09045, 0.11546, 0.09057, 0.11558,
        0.09069, 0.11571, 0.09082, 0.11583, 0.09094, 0.11595, 0.09106, 0.11607, 0.09018, 0.11519, 0.09031, 0.11532,
        0.09043, 0.11544, 0.09055, 0.11556]}},
      "t2": {"samples": {"step_time_s": [0.11507, 0.09006, 0.11519, 0.09018, 0.11531, 0.09030, 0.11543, 0.09042,
        0.11555, 0.09054, 0.11567, 0.09066, 0.11579, 0.09078, 0.11591, 0.09090, 0.11603, 0.09102, 0.11515, 0.09014,
        0.11527, 0.09026, 0.11539, 0.09038, 0.11549, 0.09050, 0.11560, 0.09061, 0.11572, 0.09073, 0.11584, 0.09085,
        0.11596, 0.09097, 0.11508, 0.09009, 0.11521, 0.09022, 0.11533, 0.09034, 0.11545, 0.09046, 0.11557, 0.09058,
        0.11569, 0.09070, 0.11581, 0.09083, 0.11593, 0.09095, 0.11605, 0.09107, 0.11517, 0.09019, 0.11529, 0.09032,
        0.11541, 0.09044, 0.11553, 0.09056]}},
      "t3": null, "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose times have one mode.

    ## How to fix
    Report the modes and their shares, or percentiles, and say what makes the slow kind.

    ## References
    Hartigan and Hartigan, The dip test of unimodality (1985); Hoefler and Belli, Scientific benchmarking of parallel
    computing systems (2015).
    """
    told = False
    for arm in timed(claim, case):
        found = [modes_p(item.values, thresholds.ties) for item in arm.series]
        told = told or any(p is not None for p in found)
        shown = [item for item, p in zip(arm.series, found, strict=True) if p is not None and p < thresholds.alpha]
        short = all(p is None for p in found)
        together = pooled_modes_p([item.values for item in arm.series], thresholds.ties) if short else None
        told = told or together is not None
        if together is not None and together < thresholds.alpha:
            message = f"the times of the {len(found)} trials of arm {arm.side.id}, taken together, have several modes"
            yield Violation("a", CAVEAT, C2, message, arm.series[0].at)
        if shown:
            message = f"the times of {len(shown)} of {len(found)} trials of arm {arm.side.id} have more than one mode"
            yield Violation("a", CAVEAT, C2, message, shown[0].at)
    yield from untold(claim, case, told, "no series has 50 values that are fine enough to show modes")
