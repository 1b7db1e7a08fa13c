"""P11: speed of a quantised model without its quality."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.options import flat
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "quality of the quantised model"
PROVIDE = """\
arms:
  int8:
    quality:
      accuracy: {metric: top-1, value: "75.9", unit: "%", split: validation, reference: "76.13"}  # of FP32, same data
"""


@rule(
    "P11", "quantised-quality-missing", applies="inference and quantised and not kernel", origin="S0, ML", also=("L13",)
)
def quantised_quality_missing(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """The speed of a model in 8 bits or less, without what the bits cost.

    ## What it does
    Looks for a quality value of the quantised arm, and for the quality of a reference to hold against it: a stated
    reference, or the same metric of another arm of the same model.

    ## Why it misleads
    Rounding weights and activations changes outputs. How much depends on model, calibration and task, and nobody can
    tell from the speed.

    ## Branches
    - not shown: no quality of the quantised model is stated. Required (quality of the quantised model) from the
      publication profile on.
    - not shown: no quality of a reference is stated beside it.

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
    own = {key: quality for key, quality in side.arm.quality.items() if quality.value is not None}
    if not own:
        yield NotShown("no quality of the quantised model is stated", side.arm.at, ITEM, PROVIDE)
    elif not any(quality.reference is not None or _elsewhere(quality, side, case) for quality in own.values()):
        message = "the quality of the quantised model stands without that of a reference"
        yield NotShown(message, next(iter(own.values())).at, provide=PROVIDE)


def _elsewhere(quality: Quality, side: Side, case: Case) -> bool:
    """Whether another arm of the same model states the same metric."""
    model = flat(side.arm.options).get("model")
    return any(
        other.metric == quality.metric and other.value is not None
        for arm in case.sides()
        if arm.id != side.id and flat(arm.arm.options).get("model") == model
        for other in arm.arm.quality.values()
    )
