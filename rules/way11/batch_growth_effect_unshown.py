"""W1107: the batch grows with the devices, and nobody shows what that does to the model."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.options import compare_flat, flat
from ..facts.comparison.points import Point, by_problem, points
from ..facts.comparison.purpose import THROUGHPUT_ONLY, throughput_only
from ..facts.comparison.scaling_mode import label_of, told_per_device
from ..facts.training.convergence import HELD_OUT
from ..outcome import Branch, NotShown, Related
from ..registry import Threshold, rule

ITEM = "convergence at the largest batch"
PROVIDE = """\
arms:
  largest:
    options: {global_batch: 65536}
convergence:
  seeds: [1, 2, 3, 4, 5]
  target: {metric: accuracy, value: "0.759", direction: higher}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    growth: float = Threshold(
        2, "largest over smallest global batch", "practice: rates are adjusted from a doubling on"
    )
    slack: float = Threshold(1.01, "factor", "exact: remainders are rounded")


@rule(
    "W1107",
    "batch-growth-effect-unshown",
    applies="scaling and not (replicated or hosted or purpose=kernel_benchmark)",
    origin="S1.11, MEAS",
    also=("W0101",),
    thresholds=Thresholds,
)
def batch_growth_effect_unshown(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A series whose global batch grows, without any training at the largest batch.

    ## What it does
    Looks at the global batch over the points, whatever the label says, and where it doubles or more, for training at
    the largest one: evaluations, a recorded crossing, or a quality on held-out data, under options that do not differ
    otherwise. Convergence that turns out worse is shown, too.

    ## Why it misleads
    Large batches cost samples, accuracy, or both. A series that grows the batch and shows only rates leaves out what
    it paid.

    ## Branches
    - not shown: the batch grows by a factor of 2 or more, and no training at the largest batch is in the document
      (where a quality of no named split stands there, the finding asks of which split it is); or
      the batches are not stated, which decides nothing where the label says that they are constant. Required
      (convergence at the largest batch) of scaling claims that put quality at stake, from the reviewer profile on.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"arms": {"n8": {"target": null, "quality": null,
                     "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}},
     "tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16384, "accumulation": 2}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, at one global batch.

    ## How to fix
    Show convergence at the largest batch, or the series at a constant batch.

    ## References
    Hoefler, Twelve ways to fool the masses, way 11; benchmarking practice on batch sizes and learning rates.
    """
    found = points(claim, case)
    batches = [(point, point.global_batch) for point in found if point.global_batch is not None]
    if len(batches) < len(found) or len(batches) < 2:
        yield from _unknown(claim, case, found)
    grown = [group for group in by_problem(point for point, _ in batches) if _growth(group) >= thresholds.growth]
    peaks = [max(group, key=lambda point: point.global_batch or 0) for group in grown]
    missing = [point for point in peaks if not _trained(case, point, thresholds.slack)]
    if not missing:
        return
    point = missing[0]
    least = min(batch for _, batch in batches)
    message = (
        f"the global batch grows from {least} to {point.global_batch}, and no training at {point.global_batch} is shown"
    )
    if throughput_only(claim, case):
        message = f"{THROUGHPUT_ONLY} ({message})"
    claimed = _claimed_quality(case, point, thresholds.slack)
    if claimed is not None:
        message = (
            f"{claimed.metric} {claimed.value} at the largest batch ({point.global_batch}) is of a split not named"
        )
    related = (Related(claimed.at, "the quality at the largest batch"),) if claimed is not None else ()
    yield NotShown(message, point.at, ITEM, PROVIDE, related, question=claimed is not None)


def _claimed_quality(case: Case, point: Point, slack: float) -> Quality | None:
    """Return a quality at the largest batch, or at a larger one, of which no split is stated."""
    trained = [side for side in case.sides() if _stands_for(side, point, slack)]
    found = (quality for side in trained for quality in side.arm.quality.values())
    return next((item for item in found if item.split is None and item.value is not None), None)


def _unknown(claim: Claim, case: Case, found: tuple[Point, ...]) -> Iterator[Branch]:
    constant = label_of(claim, case)[0] == "strong"
    message = "whether the global batch grows over the points is not stated for all of them"
    if throughput_only(claim, case):
        message = f"{THROUGHPUT_ONLY} ({message})"
    at, question = found[0].at if found else claim.at, told_per_device(claim, case, found)
    yield NotShown(message, at, "" if constant else ITEM, PROVIDE, question=question)


def _growth(group: tuple[Point, ...]) -> float:
    sizes = [point.global_batch or 0 for point in group]
    return max(sizes) / min(sizes) if min(sizes) > 0 else 1.0


@fact
def _trained(case: Case, point: Point, slack: float) -> bool:
    """Whether some arm was trained at a point's batch, or at a larger one, under options that do not differ."""
    return any(_shows_quality(side) and _stands_for(side, point, slack) for side in case.sides())


def _stands_for(side: Side, point: Point, slack: float) -> bool:
    options = flat(side.arm.options)
    batch = options.get("global_batch")
    if not isinstance(batch, int) or batch < (point.global_batch or 0) / slack:
        return False
    differing = compare_flat(point.options, options).differing("HARD", "STAT")
    return {key for key, _, _ in differing} <= {"global_batch"}


def _shows_quality(side: Side) -> bool:
    arm = side.arm
    return any(quality.split in HELD_OUT and quality.value is not None for quality in arm.quality.values()) or any(
        trial.kind == "convergence" and (trial.evaluations or trial.crossing is not None or trial.final)
        for trial in arm.trials.values()
    )
