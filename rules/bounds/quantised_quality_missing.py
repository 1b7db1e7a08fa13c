"""P11: speed of a quantised model without its quality."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import flat
from ..facts.device.formats import normalised
from ..facts.device.labels import compute_format
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule

NARROW = frozenset({"e4m3", "e5m2", "fp8", "e3m2", "e2m3", "fp6", "e2m1", "int8", "int4"})
LEAST_SHARE = 0.1
"""A smaller share of the products may be one layer that is no matter of quality."""
ITEM = "quality of the quantised model"
PROVIDE = """\
arms:
  int8:
    quality:
      accuracy: {metric: top-1, value: "75.9", unit: "%", split: validation, reference: "76.13"}  # of FP32, same data
"""


@rule(
    "P11",
    "quantised-quality-missing",
    applies="(inference and quantised and not kernel) or (training and has(formats))",
    origin="S0, ML",
    also=("L13",),
)
def quantised_quality_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """The speed of a model in 8 bits or less, without what the bits cost.

    ## What it does
    Looks for a quality value of the quantised arm, and for the quality of a reference to hold against it: a stated
    reference, or the same metric of another arm of the same model. Of a training that computes at least a tenth of its
    products in 8 bits or less, it looks for any quality that was reached.

    ## Why it misleads
    Rounding weights and activations changes outputs. How much depends on model, calibration and task, and nobody can
    tell from the speed.

    ## Branches
    - not shown: no quality of the quantised model is stated. Required (quality of the quantised model) from the
      publication profile on.
    - not shown: no quality of a reference is stated beside it.
    - not shown: of a training in 8 bits or less, neither a quality nor an evaluation is stated.
    - not applicable: a training whose products are computed in more than 8 bits.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"options": {"quantisation": "int8 weights", "precision": {"weights": "int8"}},
                         "quality": null}}}
    ```

    ## Accepted
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"options": {"quantisation": "int8 weights", "precision": {"weights": "int8"}},
       "quality": {"mmlu": {"metric": "MMLU", "value": "65.1", "unit": "%", "split": "test",
                            "reference": "65.4"}}}}}
    ```

    ## How to fix
    Evaluate the quantised model and the one it comes from, on the same data.

    ## References
    MLPerf inference rules, section on quantisation.
    """
    side = case.subject(claim)
    if side is None:
        return
    if claim.mode == "training":
        yield from _of_training(side)
        return
    own = {key: quality for key, quality in side.arm.quality.items() if quality.value is not None}
    if not own:
        yield NotShown("no quality of the quantised model is stated", side.arm.at, ITEM, PROVIDE)
    elif not any(quality.reference is not None or _elsewhere(quality, side, case) for quality in own.values()):
        message = "the quality of the quantised model is given without that of a reference"
        yield NotShown(message, next(iter(own.values())).at, provide=PROVIDE)


def _of_training(side: Side) -> Iterator[Branch]:
    operations = side.arm.operations
    shares = operations.fractions if operations is not None else {}
    narrow = {name for name, share in shares.items() if share >= LEAST_SHARE and normalised(name) in NARROW}
    compute = compute_format(side)
    if not narrow and compute not in NARROW:
        yield Inapplicable("the products of the training are computed in more than 8 bits")
        return
    stated = any(quality.value is not None for quality in side.arm.quality.values())
    if not stated and not any(trial.evaluations or trial.final for trial in side.arm.trials.values()):
        name = min(narrow) if narrow else compute
        message = f"products of the training are computed in {name}; no quality that it reaches is stated"
        yield NotShown(message, side.arm.at, provide=PROVIDE)


def _elsewhere(quality: Quality, side: Side, case: Case) -> bool:
    """Whether another arm of the same model states the same metric."""
    model = flat(side.arm.options).get("model")
    return any(
        other.metric == quality.metric and other.value is not None
        for arm in case.sides()
        if arm.id != side.id and flat(arm.arm.options).get("model") == model
        for other in arm.arm.quality.values()
    )
