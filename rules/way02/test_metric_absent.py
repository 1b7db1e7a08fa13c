"""W0201: no quality on data that the model has not seen."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.convergence import HELD_OUT
from ..outcome import Branch, NotShown
from ..registry import rule

PROVIDE = """\
convergence:
  seeds: [1, 2, 3, 4, 5]
  evaluate_every_samples: 10000
  target: {metric: accuracy, value: "0.95", direction: higher}
"""


@rule(
    "W0201",
    "test-metric-absent",
    applies="training and not (kernel or purpose=kernel_benchmark or hosted)",
    origin="S1.2",
)
def test_metric_absent(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Training performance without any quality on a test split.

    ## What it does
    Looks for an evaluation on a test, official validation or held-out split anywhere in the document: a declared
    quality value, or an evaluation in a curve. Held-out loss counts for language-model pre-training.

    ## Why it misleads
    Learning is not optimisation: a model can lower its training error while it gets worse on everything else, and a
    faster way to a worse model is no progress.

    ## Branches
    - not shown: no evaluation on such a split, or the splits are not labelled. Required (quality on a test split) of
      claims that put quality at stake, from the reviewer profile on.

    ## Flagged
    On `training-pair`:
    ```json
    {"arms": {
      "fused": {"quality": null, "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}},
      "plain": {"quality": null, "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}
    }}
    ```

    ## Accepted
    On `training-pair`, where both arms carry the loss on the test split.

    ## How to fix
    Report the test (or official validation) metric together with the number of examples.

    ## References
    Hoefler, Twelve ways to fool the masses, way 2.
    """
    splits = [quality.split for side in case.sides() for quality in side.arm.quality.values()]
    splits += [
        evaluation.split
        for side in case.sides()
        for trial in side.arm.trials.values()
        for evaluation in trial.evaluations
    ]
    if any(split in HELD_OUT for split in splits):
        return
    seen = sorted({split for split in splits if split is not None})
    what = f"quality is given only on: {', '.join(seen)}" if seen else "no quality value on any split"
    yield NotShown(f"{what}; nothing tells what the trained model can do", claim.at, "quality on a test split", PROVIDE)
