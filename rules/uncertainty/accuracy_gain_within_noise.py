"""S14: a better model, or another seed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.claimed_gain import below_quoted, denies_difference, no_better, speaks_of_gain, unnamed_other
from ..facts.comparison.quality_change import change_of, final_of, not_alike
from ..facts.training.final_quality import FinalQuality
from ..facts.training.stated_quality import of_metric, quality_side
from ..language.printed import short
from ..language.reading import read
from ..outcome import Branch, Inapplicable, Note, NotShown, Related
from ..registry import Threshold, rule
from ..statistics.mcnemar import mcnemar_p

LEAST_LEVEL = 0.9
ITEM = "interval of a quality gain"
PROVIDE_BASE = """\
claims:
  accuracy:
    base: {arm: plain, value: "76.1", unit: "%", definition: "the same model, trained without it"}
"""
PROVIDE = """\
arms:
  new:
    quality:
      accuracy:
        examples: 10000
        counted: true
        seeds: {"1": "0.7604", "2": "0.7612", "3": "0.7601", "4": "0.7607", "5": "0.7607"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(0.05, "two-sided error", "convention")


@rule(
    "S14",
    "accuracy-gain-within-noise",
    applies="accuracy and comparison",
    origin="J",
    thresholds=Thresholds,
)
def accuracy_gain_within_noise(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A gain of quality that another seed, or another test set, would give or take.

    ## What it does
    From three seeds a side it forms Welch's interval of the gain. With fewer it takes the examples: McNemar's exact
    test where it is stated how many examples only one of the two answers correctly, else Newcombe's interval of two
    shares, which is cautious where both saw the same examples. A metric that is no share needs an interval on each
    side. Where the claim names no base, its table's base row counts, or
    the only other arm that states the same metric.

    ## Why it misleads
    On 10,000 images at 76 % each of two equal models scatters by 0.8 points, on 50,000 by 0.4. Seeds add as much again.

    ## Branches
    - not shown: the interval of the gain includes 0; or neither seeds nor the number of examples of both sides are
      given. Required (interval of a quality gain) from the reviewer profile on.
    - not applicable: no gain is claimed (parity; a loss that is said; a value that is not the better of the two, beside
      no word of a gain; or a difference that the sentence calls chance itself); or the two values are of different
      splits or scales.

    ## Flagged
    On `training-pair` for claim `speedup`, as a claim about the loss:
    ```json
    {"claims": {"speedup": {"quantity": "accuracy", "metric": "loss", "form": "absolute", "value": "3.22", "unit": null,
                            "statement": "With fused attention the model ends at 3.22, better than without."}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, as a claim about a loss that is lower over five seeds:
    ```json
    {"claims": {"speedup": {"quantity": "accuracy", "metric": "loss", "form": "absolute", "value": "3.12", "unit": null,
                            "statement": "With fused attention the model ends at 3.12, better than without."}},
     "arms": {"fused": {"quality": {"loss": {"value": "3.12", "seeds": {
       "11": "3.11", "12": "3.13", "13": "3.12", "14": "3.10", "15": "3.12"}}}}}}
    ```

    ## How to fix
    Five seeds or more a side, or the examples on which the two differ.

    ## References
    McNemar (1947); Newcombe, Statistics in Medicine 17 (1998); Bouthillier et al., Accounting for variance in machine
    learning benchmarks (2021).
    """
    side, base = quality_side(claim, case), case.base(claim)
    if base is None and side is not None:
        base = unnamed_other(case, side, claim)
    ours = final_of(side, claim, case) if side is not None else None
    theirs = final_of(base, claim, case) if base is not None else None
    if claim.form == "parity":
        yield Inapplicable("parity is claimed, no gain: see S06")
        return
    if denies_difference(claim):
        yield Inapplicable("the sentence says itself that the difference may be chance")
        return
    if ours is not None and not speaks_of_gain(claim) and _is_no_better(claim, ours, theirs):
        yield Inapplicable("the claim's quality is not the better one, and its sentence does not say so")
        return
    outputs = claim.outputs
    if outputs is not None and outputs.only_subject_right is not None and outputs.only_base_right is not None:
        yield from _paired(outputs.only_subject_right, outputs.only_base_right, outputs.at, thresholds.alpha)
        return
    if ours is None or theirs is None:
        yield _missing(claim, ours, side, base)
        return
    why_not = not_alike(ours, theirs)
    if why_not:
        yield Inapplicable(why_not)
        return
    apart = side is not None and base is not None and _intervals_apart(side, base, claim, ours, theirs)
    yield from _judge(claim, ours, theirs, thresholds.alpha, apart)


def _is_no_better(claim: Claim, ours: FinalQuality, theirs: FinalQuality | None) -> bool:
    return below_quoted(claim, ours) if theirs is None else no_better(ours, theirs)


def _missing(claim: Claim, ours: FinalQuality | None, side: Side | None, base: Side | None) -> NotShown:
    metric = claim.metric or (ours.metric if ours is not None else "the quality")
    if ours is None:
        message = f"no arm states {metric} for the claim's side" if side is None else f"`{side.id}` states no {metric}"
        return NotShown(message, claim.at, ITEM, PROVIDE)
    if base is not None:
        return NotShown(f"`{base.id}` states no {metric} to compare with", base.arm.at, ITEM, PROVIDE)
    return NotShown(f"which other {metric} the claim is compared with is not stated", claim.at, ITEM, PROVIDE_BASE)


def _intervals_apart(side: Side, base: Side, claim: Claim, ours: FinalQuality, theirs: FinalQuality) -> bool:
    """Whether both sides print an interval of at least 90 %, and that of the claim's arm lies on the better side."""
    found = of_metric(side, claim.metric or ours.metric), of_metric(base, claim.metric or theirs.metric)
    ends = [item.interval for item in found if item is not None and item.interval is not None]
    if len(ends) != 2 or any(end.level is not None and end.level < LEAST_LEVEL for end in ends):
        return False
    if True in {ours.higher, theirs.higher}:
        return float(ends[0].low) > float(ends[1].high)
    return float(ends[0].high) < float(ends[1].low)


def _paired(ours: int, theirs: int, at: str, alpha: float) -> Iterator[Branch]:
    p = mcnemar_p(ours, theirs)
    if p >= alpha or ours <= theirs:
        message = f"{ours} examples against {theirs} that only one answers correctly do not show a gain: p = {short(p)}"
        yield NotShown(message, at, ITEM, PROVIDE)
    else:
        yield Note(f"McNemar's test gives p = {short(p)}")


def _judge(claim: Claim, ours: FinalQuality, theirs: FinalQuality, alpha: float, apart: bool) -> Iterator[Branch]:
    related = (Related(theirs.at, "quality of the other side"),)
    change = change_of(ours, theirs, 1 - alpha / 2)
    if change is None:
        message = "neither three seeds nor the counted examples of both sides are given"
        if not apart:
            yield NotShown(message, ours.at, ITEM, PROVIDE, related)
    elif change.high < 0 and read(claim.statement).has("loss_of"):
        yield Inapplicable("a loss is stated, no gain")
    elif change.low <= 0:
        message = f"the gain is {short(change.low)} to {short(change.high)} ({change.method}), which does not show one"
        yield NotShown(message, ours.at, ITEM, PROVIDE, related)
    elif not (ours.complete and theirs.complete):
        part = theirs if ours.complete else ours
        message = f"{len(part.values)} of {part.runs} runs give their {part.metric}; the others could change the answer"
        yield NotShown(message, part.at, ITEM, PROVIDE, related)
