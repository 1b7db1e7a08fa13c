"""W0902: a teraflop for every image."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.inputs import example_of, other_task, rationale
from ..facts.numbers import short
from ..facts.options import flat
from ..outcome import C1, CAVEAT, Branch, Inapplicable, Violation
from ..registry import Threshold, rule


@rule(
    "W0902",
    "flops-per-example-excessive",
    effect=CAVEAT,
    confidence=C1,
    applies="flops or scaling",
    origin="S1.9",
    thresholds={"flop": Threshold(1e12, "operations per example", "Hoefler, way 9: a teraflop per example")},
)
def flops_per_example_excessive(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """More than a teraflop for one image, without a reason.

    ## What it does
    Reads the operations per example of models that take images. Sequences count per token and are left out, as are
    generative, video, volumetric and scientific tasks.

    ## Why it misleads
    A model that spends far more operations on an image than the task needs keeps a machine busy with work that nobody
    asked for.

    ## Branches
    - (a) caveat, C1: more than 1e12 operations for one image, and no reason is given.
    - not applicable: the examples are no images, or of an exempt task, or the operations per example are not stated.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"options": {"model": "ViT-22B", "dataset": "ImageNet", "input_length": null,
                                "input_shape": [3, 224, 224]},
                    "operations": {"flop_per_sample": 3.3e13}}}, "claims": {"flops": {"work": "samples"}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`, with an image model of 12.3 GFLOP:
    ```json
    {"arms": {"a": {"options": {"model": "ResNet-50", "dataset": "ImageNet", "input_length": null,
                                "input_shape": [3, 224, 224]},
                    "operations": {"flop_per_sample": 1.23e10}}},
     "claims": {"flops": {"work": "samples"}, "mfu": null}}
    ```

    ## How to fix
    Say why the task needs them, or report a usual model beside it.

    ## References
    Hoefler, Twelve ways to fool the masses, way 9.
    """
    side = case.subject(claim)
    operations = side.arm.operations if side is not None else None
    options = flat(side.arm.options) if side is not None else {}
    one = example_of(options)
    if operations is None or operations.flop_per_sample is None:
        yield Inapplicable("the operations per example are not stated")
    elif one is None or one.kind != "image" or claim.work == "tokens" or other_task(options):
        yield Inapplicable("not a task on single images of a usual size")
    elif operations.flop_per_sample > settings.flop and not rationale(claim, case):
        message = f"one image takes {short(operations.flop_per_sample)} operations, and no reason is given"
        at = operations.place("flop_per_sample")
        yield Violation("a", CAVEAT, C1, message, at, recomputed=short(operations.flop_per_sample))
