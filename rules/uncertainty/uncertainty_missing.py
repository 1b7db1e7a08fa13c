"""S01: a measured number without its uncertainty."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Interval, Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import Same
from ..facts.series.kept_series import related_sides
from ..facts.serving.loads import same_load
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule

DIFFERENCE = "interval of the difference"
BOUNDS = "two bounds are given without their level, their method and what varies between them"
UNSAID = "what varies behind the interval is not stated"
NUMBER = "interval for every measured number"
PROVIDE = """\
claims:
  speedup:
    interval: {low: "1.42", high: "1.44", level: 0.95, method: "t on logs of trial medians", varies: trials}
"""


@rule("S01", "uncertainty-missing", applies="measured", origin="HB15.5, S4, NEURIPS")
def uncertainty_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A measured number without an interval, quartiles or raw values, or without a word on what varies.

    ## What it does
    Looks for an interval printed with the claim or its metric, for quartiles, a labelled plus-minus, or raw numbers. A
    ratio needs its own interval, or one of these on both sides. It must be clear what varies: iterations, trials,
    seeds. Raw numbers are those of the quantity itself: the times of steps tell nothing of the scatter of an energy,
    nor of the time of a whole run; of that the times of several runs do.

    ## Why it misleads
    A number without its scatter cannot be compared with any other.

    ## Branches
    - not shown: none of these is given, or what varies is not stated, or two bounds have neither level nor method.
      Required (interval of the difference) of ratios below 1.3 from the reviewer profile on and of every comparison
      from the gate profile on; required (interval for every measured number) from the publication profile on.
    - not applicable: the number is taken as deterministic (memory).

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"interval": null}},
     "arms": {"plain": {"trials": null, "performance": {"rate": {"interval": null}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, with a 95 % interval over trials.

    ## How to fix
    Give the 95 % interval, how it was computed, and what varies in it.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 5; NeurIPS paper checklist,
    item on statistical significance.
    """
    if claim.quantity == "memory":
        yield Inapplicable("a memory footprint is taken as deterministic")
        return
    related = claim.compares != "none" or claim.form == "ratio"
    item = DIFFERENCE if related else NUMBER
    if claim.interval is not None and _bare(claim.interval):
        yield NotShown(BOUNDS, claim.interval.at, item, PROVIDE)
        return
    if claim.interval is not None and claim.interval.varies is not None:
        return
    missing = (_missing(side, metric, claim) for side, metric in related_sides(claim, case))
    reason = next(filter(None, missing), "")
    if reason:
        yield NotShown(UNSAID if claim.interval is not None else reason, claim.at, item, PROVIDE)


def _bare(interval: Interval) -> bool:
    return interval.level is None and interval.method is None and interval.varies is None


def _raw(side: Side, metric: Metric | None, claim: Claim) -> bool:
    """Whether raw numbers stand behind a metric; those of one load are not those of another."""
    trials = side.arm.trials.values()
    if claim.quantity == "energy" or claim.scope == "training_run":
        column = metric.column if metric is not None else None
        return column is not None and any(column in trial.samples or trial.samples_file for trial in trials)
    held = any(trial.samples or trial.samples_file for trial in trials)
    if not held or metric is None or metric.column is not None or metric.load is None:
        return held
    others = [item for item in side.arm.performance.values() if item.quantity == metric.quantity]
    return not any(same_load(metric.load, item.load) is Same.DIFFERENT for item in others)


def _missing(side: Side | None, metric: Metric | None, claim: Claim) -> str:
    """Return what is missing for the scatter of one side to be known; empty where nothing is."""
    if side is None:
        return "no interval, no quartiles and no raw numbers are given"
    if claim.quantity == "accuracy":
        return _of_quality(side)
    if _raw(side, metric, claim):
        return ""
    several = sum(trial.kind == "convergence" for trial in side.arm.trials.values()) > 1
    if claim.scope == "training_run" and claim.quantity != "energy" and several:
        return ""
    counted = metric is not None and metric.n is not None
    interval = metric.interval if metric is not None else None
    if interval is not None and _bare(interval):
        return BOUNDS
    if interval is not None:
        return "" if interval.varies is not None or counted else UNSAID
    summary, spread = (metric.summary, metric.plus_minus) if metric is not None else (None, None)
    quartiles = summary is not None and {"25", "75"} <= set(summary.percentiles)
    labelled = spread is not None and spread.label not in {None, "unlabelled"}
    if not (quartiles or labelled):
        return f"arm {side.id} gives no interval, no quartiles and no raw numbers"
    said = labelled and spread is not None and spread.varies is not None
    return "" if counted or said else UNSAID


def _of_quality(side: Side) -> str:
    if any(len(quality.seeds) > 1 or quality.interval or quality.plus_minus for quality in side.arm.quality.values()):
        return ""
    runs = sum(bool(trial.evaluations or trial.final) for trial in side.arm.trials.values())
    return "" if runs > 1 else f"arm {side.id} gives its quality from one run without an interval"
