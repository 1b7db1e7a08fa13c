"""W1102: a batch several times as large, trained by the recipe of the small one."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.options import compare_flat, flat
from ..facts.comparison.points import Point, by_problem, points
from ..facts.comparison.purpose import THROUGHPUT_ONLY, throughput_only
from ..facts.training.convergence import TargetRun, batch_of, target_runs
from ..outcome import C1, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

SLACK = 1.01
WORDS = {"learning_rate": "peak rate", "warmup_samples": "warm-up", "epochs": "epochs", "planned": "total samples"}
TOTAL = frozenset({"epochs", "planned"})
PROVIDE = """\
tables:
  scaling:
    rows:
      r8: {devices: 64, options: {global_batch: 65536, learning_rate: 12.8, warmup_samples: 6400000, epochs: 90}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    ratio: float = Threshold(2, "largest over smallest batch", "practice: rates are adjusted from a doubling on")


@rule(
    "W1102",
    "batch-grows-recipe-unadjusted",
    effect=UNDERMINES,
    confidence=C1,
    applies="scaling or tta",
    origin="S1.11, S3",
    thresholds=Thresholds,
)
def batch_grows_recipe_unadjusted(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A global batch that doubles or more, at the same learning rate, warm-up and number of samples.

    ## What it does
    Compares the recipes at the smallest and the largest global batch of a series: peak rate, warm-up in samples, total
    samples (or epochs). An arm's recipe holds for its own batch and device count, not for rows that state others.
    Whatever the recipe, a run that reached the target at that batch answers the question.

    ## Why it misleads
    A larger batch takes fewer steps over the same samples. With an unchanged recipe it usually ends at a worse model,
    which a series of rates does not show.

    ## Branches
    - (a) undermines, C1: the largest batch is at least twice the smallest, rate, warm-up and samples are all equal, and
      no run reached the target at that batch.
    - not applicable: there are no two batches; or one of the three is not known, and the claim is about a machine's
      speed, which no recipe changes.
    - not shown: a batch, or one of the three, is not known, and none of them is known to be adjusted.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"arms": {"n8": {"target": null, "options": {"global_batch": 65536, "accumulation": 8},
                     "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}, "quality": null}},
     "tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 65536, "accumulation": 8}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, at one global batch.

    ## How to fix
    Adjust the recipe, and show convergence at that batch.

    ## References
    Hoefler, Twelve ways to fool the masses, way 11; benchmarking practice on batch sizes and learning rates.
    """
    found = points(claim, case)
    if len(found) < 2:
        yield Inapplicable("the claim relates no two batches")
        return
    runs = target_runs(case, claim)
    for group in by_problem(found):
        known = [point for point in group if point.global_batch is not None]
        small = min(known, key=lambda point: point.global_batch or 0, default=None)
        large = max(known, key=lambda point: point.global_batch or 0, default=None)
        if small is not None and large is not None and _ratio(small, large) >= thresholds.ratio:
            yield from _judge(claim, case, small, large, runs)
        if len(known) < len(group):
            message = "whether the global batch grows over the points is not stated for all of them"
            yield _missing(claim, case, message, group[0].at)


def _ratio(small: Point, large: Point) -> float:
    return (large.global_batch or 0) / (small.global_batch or 1)


def _judge(claim: Claim, case: Case, small: Point, large: Point, runs: tuple[TargetRun, ...]) -> Iterator[Branch]:
    if any(_reached(run, large) for run in runs):
        return
    recipes = _recipe(small), _recipe(large)
    shared = [key for key in WORDS if key in recipes[0] and key in recipes[1]]
    if any(recipes[0][key] != recipes[1][key] for key in shared):
        return
    growth = f"the global batch grows from {small.global_batch} to {large.global_batch}"
    unknown = [
        words for key, words in WORDS.items() if key not in shared and not (key in TOTAL and TOTAL & set(shared))
    ]
    if unknown:
        message = f"{growth}, and the recipe at both is not stated: {', '.join(unknown)}"
        yield _missing(claim, case, message, large.at)
        return
    recipe = ", ".join(f"{WORDS[key]} {recipes[0][key]:g}" for key in shared)
    message = f"{growth} at an unchanged recipe ({recipe}), and no run at that batch reached the target"
    related = (Related(small.at, f"global batch {small.global_batch}"),)
    yield Violation("a", UNDERMINES, C1, message, large.at, related=related)


def _missing(claim: Claim, case: Case, message: str, at: str) -> Branch:
    if throughput_only(claim, case):
        return Inapplicable(f"{THROUGHPUT_ONLY} ({message})")
    return NotShown(message, at, provide=PROVIDE)


def _reached(run: TargetRun, point: Point) -> bool:
    """Whether a run reached its target at a point's batch or a larger one, on a problem that does not differ."""
    batch = batch_of(run)
    if batch is None or batch * SLACK < (point.global_batch or 0):
        return False
    return not compare_flat(point.options, flat(run.side.arm.options)).differing("HARD")


def _recipe(point: Point) -> dict[str, float]:
    """Return the recipe of a point as far as it is stated for it."""
    own = flat(point.row.options) if point.row is not None else {}
    found = dict(own)
    if point.side is not None and _of_arm(point, own):
        found = flat(point.side.arm.options) | own
        planned = {trial.planned_samples for trial in point.side.arm.trials.values() if trial.kind == "convergence"}
        found |= {"planned": planned.pop()} if len(planned) == 1 else {}
    return {key: float(value) for key in WORDS if isinstance(value := found.get(key), int | float)}


def _of_arm(point: Point, own: dict[str, object]) -> bool:
    """Whether a row reports its arm as it ran: at its device count and its batch."""
    assert point.side is not None
    batch = flat(point.side.arm.options).get("global_batch")
    same_batch = "global_batch" not in own or own["global_batch"] == batch
    return same_batch and (point.side.devices is None or point.devices == point.side.devices)
