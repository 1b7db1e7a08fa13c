"""W0109: faster with other results, and nobody looked at them."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.lossy_change import lossy_change
from ..facts.comparison.pairing import has_value, judged_like
from ..facts.training.stated_quality import printed_quality
from ..outcome import Branch, NotShown, Related
from ..registry import rule

ITEM = "quality of the changed method"
PROVIDE = """\
arms:
  fast:
    quality:
      accuracy: {metric: top-1, value: "75.9", unit: "%", split: test, reference: "76.1"}   # of the base, same data
"""


@rule(
    "W0109",
    "lossy-change-unjudged",
    applies="comparison and not (accuracy or tta) and (compares=other_system or not kernel) and has(lossy_change)",
    origin="S1.1",
)
def lossy_change_unjudged(claim: Claim, case: Case) -> Iterator[Branch]:
    """A gain over one's base by fewer bits or by work left out, without the quality that is left.

    ## What it does
    Compares the claim's side with its base: number formats, and what their options, names and the treatment say of
    quantisation, pruning, sparse attention, skipped or reused steps, compression or distillation. Where the claim's
    side alone has such a thing, it looks for a quality of that arm, of one with the same options, or for outputs that
    were compared. Fewer bits of a training count where the gain is attributed to precision, those of inference from
    8 bits on, fewer bits to accumulate in everywhere. Of another system the formats may stand in its entry or in a
    quote on options that differ. A method that is said to give the same results owes nothing, and neither do
    one's own kernels in several formats, which show what a machine does.

    ## Why it misleads
    Any program becomes faster by computing something easier. What was given up for the speed is the price of it, and no
    speed tells.

    ## Branches
    - not shown: the document holds no quality. Required (quality of the changed method) from the reviewer profile on.
    - not shown: it holds one of other options only; the finding asks whether it stands for the changed arm.

    ## Flagged
    On `serving-comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"outputs": null, "comparator": {"quality": null}}},
     "arms": {"ours": {"options": {"precision": {"compute": "e4m3"}}, "quality": null}, "theirs": {"quality": null}}}
    ```

    ## Accepted
    On `serving-comparison` for claim `speedup`, whose outputs were compared:
    ```json
    {"arms": {"ours": {"options": {"precision": {"compute": "e4m3"}}}}}
    ```

    ## How to fix
    Evaluate the changed arm and its base on the same data, and give both values beside the gain.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1.
    """
    change, side = lossy_change(case, claim), case.subject(claim)
    if claim.outputs is not None or case.quality(claim.quality) is not None:
        return
    judged = judged_like(case, side) if side is not None else ()
    if any(map(has_value, (quality for other in judged for quality in other.arm.quality.values()))):
        return
    if any(trial.evaluations or trial.final for other in judged for trial in other.arm.trials.values()):
        return
    at, other = claim.at if side is None else side.arm.at, printed_quality(case)
    if other is None:
        yield NotShown(f"no quality is stated of what was changed for the speed: {change}", at, ITEM, PROVIDE)
        return
    message = f"whether {other.words} is the quality of what was changed for the speed ({change}) is not stated"
    related = (Related(other.at, "a quality of the document"),)
    yield NotShown(message, at, ITEM, PROVIDE, related, question=True)
