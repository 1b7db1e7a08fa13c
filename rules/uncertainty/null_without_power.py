"""S12: no difference, found by an experiment that could not have found one."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.parity import margin, one_sided, parity
from ..language.reading import read
from ..outcome import C2, CAVEAT, Branch, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

LEAST_P = 0.05
PROVIDE_SIZE = """\
claims:
  parity:
    margin: {value: "1", declared_before: true}    # percent of the reference, fixed before the runs
"""
PROVIDE = """\
throughput: {warmup: 5, iterations: 50, trials: 10}    # trials of both arms, whose scatter tells the power
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    margin: float = Threshold(0.05, "share of the base's performance", "judgement: the practical threshold of a gain")
    quality: float = Threshold(0.01, "share of the base's quality", "rules of the training benchmark: 99 %")


@rule(
    "S12",
    "null-without-power",
    effect=CAVEAT,
    confidence=C2,
    applies="parity and comparison",
    origin="J",
    also=("S06",),
    thresholds=Thresholds,
)
def null_without_power(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """No difference, found by trials that would have missed one that matters.

    ## What it does
    Computes the smallest difference that these trials, with their scatter and number, would have found in four of five
    experiments, and sets it beside the difference that the claim calls negligible (5 % of a performance and 1 % of a
    quality, where it names none).

    ## Why it misleads
    Three noisy trials find no difference between almost any two systems. The silence of a weak test is then printed as
    its result.

    ## Branches
    - (a) caveat, C2: the smallest detectable difference (5 % error, 80 % power) is larger than the negligible one.
    - pass: the interval of the difference lies inside the margin, so that equivalence itself is shown; or the trials
      have the power.
    - not shown: the scatter of an arm is not known; or a test that is not significant stands for equality, and neither
      a negligible difference nor an interval is stated beside it.

    ## Flagged
    On `training-pair` for claim `speedup`, with two arms that scatter by 10 %:
    ```json
    {"claims": {"speedup": {"form": "parity", "value": null, "unit": null, "margin": {"value": "5"},
                            "statement": "Both attentions are equally fast."}},
     "arms": {
       "fused": {"trials": {"t1": {"samples": {"step_time_s": [0.80]}}, "t2": {"samples": {"step_time_s": [0.88]}},
                            "t3": {"samples": {"step_time_s": [0.72]}}, "t4": null, "t5": null}},
       "plain": {"trials": {"t1": {"samples": {"step_time_s": [0.81]}}, "t2": {"samples": {"step_time_s": [0.73]}},
                            "t3": {"samples": {"step_time_s": [0.89]}}, "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where five seeds a side end at the same loss:
    ```json
    {"claims": {"speedup": {"form": "parity", "quantity": "accuracy", "metric": "loss", "value": null, "unit": null,
                            "margin": {"value": "1", "declared_before": true},
                            "statement": "Fused attention loses nothing: both arms end at a loss of 3.22."}}}
    ```

    ## How to fix
    State the smallest difference that would have been found, or test equivalence.

    ## References
    Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), 2.4.
    """
    found, allowed = parity(case, claim), margin(claim, performance=thresholds.margin, quality=thresholds.quality)
    if isinstance(found, str) or found.detectable is None:
        why = found if isinstance(found, str) else "its scatter is not known"
        yield NotShown(f"what difference would have been found cannot be told: {why}", claim.at, "", PROVIDE)
        return
    untold = _not_significant(claim)
    if untold:
        yield NotShown(untold, claim.at, "", PROVIDE_SIZE)
    if found.within(allowed, one_sided(claim) and not read(claim.statement).has("no_difference")):
        yield Note("the interval of the difference lies inside the margin")
    elif found.detectable > allowed:
        message = f"these trials would find a difference of {found.detectable:.2%}; {allowed:.2%} is called negligible"
        related = (Related(found.base_at, "what it is compared with"),)
        yield Violation("a", CAVEAT, C2, message, found.at, f"{allowed:.2%}", f"{found.detectable:.2%}", related)


def _not_significant(claim: Claim) -> str:
    """Say that a difference test that found nothing is all that stands for equality; empty where it is not."""
    test = claim.test
    if test is None or test.p is None or claim.margin is not None or claim.interval is not None:
        return ""
    if not float(test.p) >= LEAST_P or read(test.name or "").has("equivalence"):
        return ""
    return f"p = {test.p} is read as no difference; which one would not matter, and which is ruled out, is not stated"
