"""W0803: performance and quality never stand at one point."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import Same, compare
from ..facts.comparison.pairing import like_models, paired_quality
from ..outcome import Branch, Inapplicable, NotShown, Related
from ..registry import rule

ITEM = "one option set with both values"
PROVIDE = """\
arms:
  joint:                    # one arm, one option set: it is timed and trained
    options: {precision: {compute: bf16}}
throughput: {warmup: 5, iterations: 50, trials: 5}
convergence: {seeds: [1, 2, 3, 4, 5], evaluate_every_samples: 10000}
"""


@rule("W0803", "joint-point-missing", applies="pairing", origin="S1.8, MEAS")
def joint_point_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """Performance and quality are printed together, and no option set of the document holds both.

    ## What it does
    Looks among the arms of the claim's model for one whose option set carries a performance and a quality value.
    Without one, a pair of option sets of which one carries each will do if they are equal, or not known to differ (then
    W0801 speaks).

    ## Why it misleads
    A curve of speeds and a curve of accuracies that share no point describe two systems. Nobody knows whether the fast
    one learns, or the accurate one is fast.

    ## Branches
    - not applicable: the document holds no quality value.
    - not shown: no option set carries both values, and every pair differs in an option or lacks its option set.
      Required (one option set with both values) from the reviewer profile on.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
     "arms": {"fused": {"quality": null, "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}},
              "plain": {"performance": null, "options": {"global_batch": 64, "micro_batch": 64},
                        "trials": {"t1": null, "t2": null, "t3": null, "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, whose arms were both timed and trained.

    ## How to fix
    Time and train at least one option set.

    ## References
    Hoefler, Twelve ways to fool the masses, way 8.
    """
    subject = case.subject(claim)
    arms = like_models(case, subject)
    fast, good = [side for side in arms if _timed(side)], [side for side in arms if _judged(side)]
    if not good:
        yield Inapplicable("the document holds no quality value")
        return
    known = [side for side in good if _identified(side)]
    if any(side.id == other.id for side in known for other in fast):
        return
    if any(_may_be_one(side, other) for side in fast if _identified(side) for other in known):
        return
    paired = paired_quality(claim, case)
    related = tuple(Related(side.arm.at, "carries a quality value") for side in good[:3])
    message = "no option set of the document carries both a performance and a quality value"
    yield NotShown(message, paired.at if paired is not None else claim.at, ITEM, PROVIDE, related)


def _timed(side: Side) -> bool:
    return bool(side.arm.performance) or any(trial.kind == "throughput" for trial in side.arm.trials.values())


def _judged(side: Side) -> bool:
    return bool(side.arm.quality) or any(trial.evaluations for trial in side.arm.trials.values())


def _identified(side: Side) -> bool:
    return side.arm.options is not None or side.arm.option_set is not None


def _may_be_one(fast: Side, good: Side) -> bool:
    digests = (fast.arm.option_set, good.arm.option_set)
    return compare(fast.arm.options, good.arm.options, digests).stat() is not Same.DIFFERENT
