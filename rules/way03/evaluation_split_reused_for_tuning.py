"""W0306: the split that judges was used to choose."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Quality, Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.training.convergence import HELD_OUT
from ..facts.training.stated_quality import same_metric, stated_quality
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ..words import target_of, tta

USES = {
    "checkpoint": "the checkpoint",
    "hyperparameters": "hyper-parameters",
    "early_stop": "when to stop",
    "successive_records": "successive records",
}
STOP = frozenset({"early_stop", "checkpoint"})
PROVIDE = """\
arms:
  trained:
    quality:
      accuracy:
        selection: {policy: final, split_used_for: [nothing]}    # or what it was used to choose
"""


@rule(
    "W0306",
    "evaluation-split-reused-for-tuning",
    effect=CAVEAT,
    confidence=C3,
    applies="accuracy or tta",
    origin="S1.2, S1.3, MEAS",
)
def evaluation_split_reused_for_tuning(claim: Claim, case: Case) -> Iterator[Branch]:
    """The split on which the quality is reported was used to choose what is reported.

    ## What it does
    Reads what the claimed split was used to select: the checkpoint, hyper-parameters, the time to stop, or a row of
    records that were each judged on it. Another held-out split of the same arm that nothing was chosen on answers it.

    A time to a target that was declared before, of runs that stop at the first crossing, uses the split as the claim
    says: that stop is what is timed.

    ## Why it misleads
    Every choice that is made on a split leaks a little of it into the result. After a hundred choices the split no
    longer tells how the model does on new data.

    ## Branches
    - not applicable: the quality is on training data.
    - (a) caveat, C3: the claimed split was used for a selection, and no untouched split is reported.
    - pass with note: the rule set defines the target on the official validation set; or the run stops at the crossing
      of a target that was declared before.
    - not shown: what the split was used for is not stated.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"arms": {"trained": {"quality": {"accuracy": {"selection": {"split_used_for": ["hyperparameters"]}}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, whose hyper-parameters were chosen on a part of the training split.

    ## How to fix
    Evaluate once on a split that nothing was chosen on.

    ## References
    Hoefler, Twelve ways to fool the masses, ways 2 and 3.
    """
    stated = stated_quality(claim, case)
    if stated is None:
        yield NotShown(
            "which split judges the quality, and what else it was used for, is not stated", claim.at, "", PROVIDE
        )
        return
    side, quality = stated.side, stated.quality
    if quality.split in {"train", "unlabelled"}:
        yield Inapplicable("the quality is not on held-out data")
        return
    uses = _uses(quality)
    if quality.split == "official_val" and claim.suite in {"training", "inference"}:
        yield Note("the rule set defines the target on the official validation set")
        return
    if not uses:
        message = f"whether anything was chosen on the {quality.split or 'evaluated'} split is not stated"
        yield NotShown(message, quality.at, "", PROVIDE)
        return
    used = sorted(uses - {"nothing"})
    if not used:
        return
    if _is_the_claim(claim, case, quality, used):
        yield Note("the run stops at the crossing of a target that was declared before: that stop is what is timed")
        return
    yield from _judge(side, quality, used)


def _uses(quality: Quality) -> set[str]:
    """Return what a split was used to choose; a checkpoint that is called the best on test was chosen on it."""
    if quality.selection is None:
        return set()
    by_policy = {"checkpoint"} if quality.selection.policy == "best_on_test" else set()
    return set(quality.selection.split_used_for) | by_policy


def _is_the_claim(claim: Claim, case: Case, quality: Quality, used: list[str]) -> bool:
    target = target_of(claim, case)
    declared = isinstance(target, Target) and target.declared_before is True
    stops = quality.selection is not None and quality.selection.policy == "first_crossing"
    return tta(claim, case) and declared and stops and set(used) <= STOP


def _judge(side: Side, quality: Quality, used: list[str]) -> Iterator[Branch]:
    others = [item for item in side.arm.quality.values() if _another_split(item, quality)]
    if any(_uses(item) == {"nothing"} for item in others):
        return
    unknown = [item for item in others if not _uses(item)]
    if unknown:
        message = (
            f"the {quality.split} split was used for tuning, and whether the {unknown[0].split} split was not is open"
        )
        yield NotShown(message, unknown[0].at, "", PROVIDE)
        return
    what = ", ".join(USES[use] for use in used)
    split = f"the {quality.split} split" if quality.split is not None else "the evaluated split"
    message = f"{split} was used to choose {what}, and no untouched split is reported"
    related = tuple(Related(item.at, "chosen on, too") for item in others)
    at = quality.selection.at if quality.selection is not None else quality.at
    yield Violation("a", CAVEAT, C3, message, at, quality.value, related=related)


def _another_split(item: Quality, quality: Quality) -> bool:
    on_other = item.split in HELD_OUT and item.split != quality.split and item.value is not None
    return on_other and same_metric(item.metric, quality.metric)
