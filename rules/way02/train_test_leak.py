"""W0202: the test data are among the training data."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Split
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.training.convergence import HELD_OUT
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

TRAINING = ("train", "training")


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    natural: float = Threshold(
        0.001, "share of the split", "judgement: exact duplicates that public data sets hold by nature"
    )


@rule(
    "W0202",
    "train-test-leak",
    effect=REFUTES,
    confidence=C3,
    applies="(accuracy or tta) and has(split_fingerprints)",
    origin="S1.2",
    thresholds=Thresholds,
)
def train_test_leak(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The quality is measured on examples that the model was trained on.

    ## What it does
    Compares the digests of the splits, and reads how many evaluated examples have a content hash that also occurs in
    the training split. Only exact hashes count, and only splits on which the claim's quality was evaluated.

    A handful of exact duplicates stands in most public data sets and moves no result; up to one example in a thousand
    is therefore a caveat that gives the count.

    ## Why it misleads
    A model repeats what it has seen. Its score on training examples says nothing about new ones.

    ## Branches
    - not applicable: the digests differ, and shared examples are not counted.
    - (a) refutes, C3: the evaluated split has the digest of the training split, or shares examples with it.
    - (b, instead of a) caveat, C3: it shares at most one example in a thousand.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"splits": {"test": {"overlap_with_train": 5000}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose splits share no example.

    ## How to fix
    Evaluate again on disjoint data.

    ## References
    Hoefler, Twelve ways to fool the masses, way 2.
    """
    side = case.side(claim.quality) or case.subject(claim)
    if side is None:
        return
    train = next((split for name, split in side.arm.splits.items() if name in TRAINING), None)
    for name in _evaluated(claim, case, side):
        split = side.arm.splits[name]
        same = train is not None and train.digest is not None and train.digest == split.digest
        if same and train is not None and split.examples != 0:
            related = (Related(train.place("digest"), "digest of the training split"),)
            message = f"the {name} split is the training split: both have the digest {split.digest}"
            yield Violation("a", REFUTES, C3, message, split.place("digest"), related=related)
        elif split.overlap_with_train is None:
            yield Inapplicable(f"how many {name} examples are also in the training split is not given")
        elif split.overlap_with_train > 0:
            yield _overlap(name, split, _examples(claim, case, side, name), thresholds.natural)


def _overlap(name: str, split: Split, examples: int | None, natural: float) -> Violation:
    shared = split.overlap_with_train
    assert shared is not None
    few = examples is not None and shared <= natural * examples
    message = f"{shared} of {examples or 'the'} {name} examples are also in the training split"
    branch, effect = ("b", CAVEAT) if few else ("a", REFUTES)
    return Violation(branch, effect, C3, message, split.place("overlap_with_train"), recomputed=str(shared))


def _evaluated(claim: Claim, case: Case, side: Side) -> list[str]:
    """Return the splits behind the claim's quality, by name; the held-out ones where it does not say which."""
    quality = case.quality(claim.quality)
    used = {quality.split} if quality is not None and quality.split is not None else set()
    if not used:
        metric = claim.metric or (claim.target or side.arm.target or claim).metric
        used = {
            evaluation.split
            for trial in side.arm.trials.values()
            for evaluation in trial.evaluations
            if metric is None or metric in evaluation.metrics
        }
        used |= {item.split for item in side.arm.quality.values() if item.split and metric in {None, item.metric}}
    names = used & set(side.arm.splits) or HELD_OUT & set(side.arm.splits)
    return sorted(names - set(TRAINING))


def _examples(claim: Claim, case: Case, side: Side, name: str) -> int | None:
    """Return the size of a split: as stated, else as its evaluations counted."""
    if side.arm.splits[name].examples is not None:
        return side.arm.splits[name].examples
    counted = [
        evaluation.examples
        for trial in side.arm.trials.values()
        for evaluation in trial.evaluations
        if evaluation.split == name and evaluation.examples
    ]
    quality = case.quality(claim.quality)
    if not counted and quality is not None and quality.split == name and quality.examples is not None:
        return quality.examples
    return max(counted, default=None)
