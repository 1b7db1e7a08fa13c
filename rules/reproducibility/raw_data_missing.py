"""R04: a measured number without its raw values."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "raw values"
SPEED = frozenset({"rate", "flops", "mfu", "latency"})
PARTS = frozenset({"kernel", "collective", "layer", "phase", "step", "request", "serving_window"})
PROVIDE = """\
arms:
  fast:
    trials:
      t1: {kind: throughput, outcome: completed, samples: {step_time_s: [0.101, 0.102, 0.101]}}
"""


@rule("R04", "raw-data-missing", applies="measured", origin="S4")
def raw_data_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A measured number whose raw values are not given.

    ## What it does
    Looks for raw values of a trial, in the document or in a file with a digest: samples, or the evaluations of a
    training run; for accuracy the value of every seed too. The speed of steps, kernels or requests follows from no
    evaluation: it needs samples. A ratio needs them on both sides.

    ## Why it misleads
    Without raw values a number can be believed or not, but not checked. It counts as declared, no more.

    ## Branches
    - not shown: no raw values are given. Required (raw values) from the publication profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": null}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with all iterations of five trials.

    ## How to fix
    Publish the raw values: all iterations of all trials, with the warm-up apart.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 9.
    """
    sides = {"the arm": case.subject(claim)}
    if claim.form in {"ratio", "efficiency"}:
        sides["its base"] = case.base(claim)
    for name, side in sides.items():
        if side is None or not _raw(side, claim):
            at = side.arm.at if side is not None else claim.at
            yield NotShown(f"no raw values of {name} are given", at, ITEM, PROVIDE)


def _raw(side: Side, claim: Claim) -> bool:
    seeds = claim.quantity == "accuracy" and any(quality.seeds for quality in side.arm.quality.values())
    of_parts = claim.quantity in SPEED and claim.scope in PARTS
    return seeds or any(_holds(trial, side, not of_parts) for trial in side.arm.trials.values())


def _holds(trial: Trial, side: Side, by_evaluations: bool) -> bool:
    """Whether a trial holds raw values; a file that is only named, with no study that it was verified in, is none."""
    samples = any(trial.samples.values()) or (trial.samples_file is not None and side.study is not None)
    return samples or (by_evaluations and bool(trial.evaluations))
