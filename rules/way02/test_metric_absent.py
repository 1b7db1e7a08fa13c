"""W0201: no quality on data that the model has not seen."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..caching import fact, remembered
from ..case import Case, Side
from ..facts.comparison.pairing import has_value, judged_like
from ..facts.training.convergence import HELD_OUT
from ..facts.training.stated_quality import printed_quality
from ..language.reading import read
from ..outcome import Branch, NotShown, Related
from ..registry import rule

ITEM = "quality on a test split"
PROVIDE = """\
convergence:
  seeds: [1, 2, 3, 4, 5]
  evaluate_every_samples: 10000
  target: {metric: accuracy, value: "0.95", direction: higher}
"""
PROVIDE_UNUSED = """\
arms:
  fused:
    quality:
      loss: {selection: {policy: final, evaluations: 1, split_used_for: [nothing]}}
"""


@rule(
    "W0201",
    "test-metric-absent",
    applies="training and not (kernel or purpose=kernel_benchmark or hosted or quantity=memory)",
    origin="S1.2",
)
def test_metric_absent(claim: Claim, case: Case) -> Iterator[Branch]:
    """Training performance without any quality on a test split.

    ## What it does
    Looks for an evaluation on a test, official validation or held-out split: a declared quality value, or an evaluation
    in a curve, of the claim's arm or of another one whose model and HARD options are not known to differ. Held-out loss
    counts for language-model pre-training.

    ## Why it misleads
    Learning is not optimisation: a model can lower its training error while it gets worse on everything else, and a
    faster way to a worse model is no progress.

    A metric that is called a test metric ("test accuracy") counts as one where its split is not labelled. Any other
    value without a label may stand for training data: the finding then asks which split it is. The loss on a
    validation split that is stated to have been used for nothing else is one on held-out data, too.

    ## Branches
    - not shown: no evaluation on such a split, or the splits are not labelled; or every quality of the document is of
      another model or of other options: then the finding asks whose it is. Required (quality on a test split) of
      claims that put quality at stake, from the reviewer profile on, but for those that W0101 asks for convergence and
      for sentences without a number.

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
    held_out, unlabelled, seen = _stated(case, case.subject(claim))
    if held_out:
        return
    if unlabelled is not None:
        own = case.quality(claim.quality)
        first = own if own is not None and own.split is None and has_value(own) else unlabelled
        value = f" {first.value}" if first.value is not None else ""
        message = f"on which split {first.metric}{value} was measured is not stated"
        related = (Related(first.at, "a quality without its split"),)
        yield NotShown(message, claim.at, ITEM, PROVIDE, related, question=True)
        return
    other = printed_quality(case) if not seen else None
    if other is not None:
        message = f"whether {other.words} is the quality of this model with these options is not stated"
        related = (Related(other.at, "a quality of the document"),)
        yield NotShown(message, claim.at, ITEM, PROVIDE, related, question=True)
        return
    what = f"quality is given only on: {', '.join(seen)}" if seen else "no quality value on any split"
    if "validation" in seen:
        message = f"{what}; whether anything was tuned or chosen on the validation split is not stated"
        yield NotShown(message, claim.at, ITEM, PROVIDE_UNUSED)
        return
    yield NotShown(f"{what}; what the trained model can do is not known", claim.at, ITEM, PROVIDE)


@fact
def _stated(case: Case, subject: Side | None) -> tuple[bool, Quality | None, tuple[str, ...]]:
    """Return whether a document has a quality of held-out data, its first without a split, and the splits it names.

    What another model reached, or this one with other options of the kind that decide what is computed, is no quality
    of the claim's arm.
    """
    sides = tuple(case.sides()) if subject is None else judged_like(case, subject)
    qualities = [quality for side in sides for quality in side.arm.quality.values()]
    splits = {quality.split for quality in qualities}
    for side in sides:
        for trial in side.arm.trials.values():
            splits.update(evaluation.split for evaluation in trial.evaluations)
    held_out = any(split in HELD_OUT for split in splits)
    held_out = held_out or any(_called_test(quality) or _used_for_nothing(quality) for quality in qualities)
    unlabelled = next((quality for quality in qualities if quality.split is None and has_value(quality)), None)
    return held_out, unlabelled, tuple(sorted(split for split in splits if split is not None))


@remembered(4096)
def _says(metric: str, concept: str) -> bool:
    return read(metric).has(concept)


def _called_test(quality: Quality) -> bool:
    """Whether the name of a metric without a label says that it is one of held-out data."""
    return quality.split is None and has_value(quality) and _says(quality.metric, "test_split")


def _used_for_nothing(quality: Quality) -> bool:
    """Whether a value is the loss on a validation split on which nothing was tuned or chosen: one of unseen data.

    An accuracy on a validation split is not taken for one: those who have a test split report that.
    """
    used = quality.selection.split_used_for if quality.selection is not None else ()
    unused = quality.split == "validation" and has_value(quality) and used == ("nothing",)
    return unused and read(quality.metric).has("held_out_loss")
