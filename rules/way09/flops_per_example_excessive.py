"""W0902: far more operations for an example than it needs."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import flat
from ..facts.training.inputs import example_of, other_task, rationale
from ..language.printed import short
from ..outcome import C1, CAVEAT, Branch, Inapplicable, Violation
from ..registry import Threshold, rule
from ._usual_work import Repeated, Usual, repeated_work, usual_work


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    flop: float = Threshold(1e12, "operations per example", "Hoefler, way 9: a teraflop per example")
    work: float = Threshold(
        4, "times the usual operations", "judgement: above both counts of a multiply-add and recomputation together"
    )
    times: float = Threshold(10, "computations of one example for one result", "judgement")


@rule(
    "W0902",
    "flops-per-example-excessive",
    effect=CAVEAT,
    confidence=C1,
    applies="(flops or mfu or scaling or rate) and not kernel",
    origin="S1.9",
    thresholds=Thresholds,
)
def flops_per_example_excessive(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """More than a teraflop for one image, or many times the usual work of the model, without a reason.

    ## What it does
    Reads the operations per example of models that take images, and compares them with the published forward pass of
    well-known networks (three times that in training). Of models of sequences it compares the operations per token, or
    per sequence, with 6 per parameter in training and 2 in inference, and with attention on top. It also reads how
    often an example is computed for one result, where the document says so: layers passed several times, copies of an
    image within a step, candidates that are thrown away. Generative, video, volumetric and scientific tasks are left
    out, as are the views of self-supervised training.

    ## Why it misleads
    A model that spends far more operations on an image than the task needs keeps a machine busy with work that nobody
    asked for.

    ## Branches
    - (a) caveat, C1: more than 1e12 operations for one image, and no reason is given.
    - (b) caveat, C1: one example takes more than 4 times the operations that its model usually needs, and no reason is
      given.
    - (c) caveat, C1: one example is computed 10 times or more for one result, and no reason is given.
    - not applicable: the examples are of an exempt task; or neither their operations nor how often they are computed
      can be compared.

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
    Hoefler, Twelve ways to fool the masses, way 9. Kaplan et al., Scaling laws for neural language models (2020), for
    operations per parameter.
    """
    side = case.subject(claim)
    if side is None or other_task(flat(side.arm.options)):
        yield Inapplicable("not a task on examples of a usual size")
        return
    usual, repeated = usual_work(claim, side), repeated_work(side)
    if _image(claim, side) is None and usual is None and repeated is None:
        yield Inapplicable("the operations per example are not stated, or there is nothing to compare them with")
    elif not rationale(claim, case):
        yield from _judge(claim, side, thresholds, usual, repeated)


def _image(claim: Claim, side: Side) -> float | None:
    """Return the operations of one image; None where the examples are no images or it is not stated."""
    one, operations = example_of(flat(side.arm.options)), side.arm.operations
    if one is None or one.kind != "image" or claim.work == "tokens" or operations is None:
        return None
    return operations.flop_per_sample


def _judge(
    claim: Claim, side: Side, thresholds: Thresholds, usual: Usual | None, repeated: Repeated | None
) -> Iterator[Branch]:
    operations, image = side.arm.operations, _image(claim, side)
    stated = operations.flop_per_sample if operations is not None else None
    if operations is not None and image is not None and image > thresholds.flop:
        message = f"one image takes {short(image)} operations, and no reason is given"
        yield Violation("a", CAVEAT, C1, message, operations.place("flop_per_sample"), recomputed=short(image))
    if (
        operations is not None
        and stated is not None
        and usual is not None
        and stated > thresholds.work * usual.operations
    ):
        message = (
            f"one example takes {short(stated)} operations, {short(stated / usual.operations)} times the usual "
            f"{short(usual.operations)} ({usual.words}), and no reason is given"
        )
        at = operations.place("flop_per_sample")
        yield Violation("b", CAVEAT, C1, message, at, short(stated), short(usual.operations))
    if repeated is not None and repeated.times >= thresholds.times:
        message = f'one example is computed {repeated.times} times ("{repeated.words}"), and no reason is given'
        yield Violation("c", CAVEAT, C1, message, repeated.at)
