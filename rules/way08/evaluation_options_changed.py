"""W0806: two qualities compared that were computed in different ways."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.named_base import open_side
from ..facts.comparison.options import differences
from ..facts.document.told import said
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..words import target_of, tta
from ._evaluation import SIZE, Setup, Setups, compare_setups, setup_of

PROVIDE = """\
arms:
  ours:                     # and the same for the other side
    quality:
      accuracy: {metric: top-1 accuracy, split: test, examples: 10000, evaluation_input: "224 x 224",
                 weight_averaging: none, test_time_augmentation: none, harness: "eval.py at 3f9c2ab"}
"""


@rule(
    "W0806",
    "evaluation-options-changed",
    effect=UNDERMINES,
    confidence=C3,
    applies="comparison and (accuracy or tta or has(pair))",
    origin="S1.8, MEAS",
)
def evaluation_options_changed(claim: Claim, case: Case) -> Iterator[Branch]:
    """A better quality, or a target reached sooner, that was evaluated in another way than the other side.

    ## What it does
    Compares how both qualities were computed: metric, split and number of examples, resolution or length, prompts,
    decoding and thresholds, averaging of weights, augmentation at test time, harness. Texts contradict each other where
    one says "none" and the other does not, or where their numbers and versions differ; another wording alone is no
    difference. Sizes of one split within 1 % differ by a last batch that was dropped or filled up. Beside a speed-up,
    the qualities of both sides that its sentence prints are compared.

    ## Why it misleads
    Averaged weights, ten crops or other prompts raise a score by themselves. What is sold as the new method's gain may
    be the gain of the new evaluation.

    ## Branches
    - (a) undermines, C3: an option that both sides state differs.
    - (b, instead of a) caveat, C3: the same, and both sides are also given under one evaluation; or the subject's split
      is the same and larger, or the sizes agree within 1 %; or the difference is said beside the number.
    - not shown: an option is stated on one side only, in words that do not tell, or on neither side any.
    - not applicable: a speed-up whose sentence does not print the quality of both sides.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"statement": "FastLM reaches a lower loss.", "quantity": "accuracy", "metric": "loss",
                            "base": {"metric": null}, "measured": null}},
     "arms": {"ours": {"quality": {"loss": {"weight_averaging": "exponential, 0.9999"}}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"statement": "FastLM reaches a lower loss.", "quantity": "accuracy", "metric": "loss",
                            "base": {"metric": null}, "measured": null}}}
    ```

    ## How to fix
    Evaluate the earlier result again in the new way.

    ## References
    Hoefler, Twelve ways to fool the masses, way 8.
    """
    sides = case.side(claim.quality) or case.subject(claim), case.base(claim)
    metric = claim.metric or getattr(target_of(claim, case), "metric", None)
    if claim.quantity != "accuracy" and not tta(claim, case):
        metric = _compared_beside(claim, case, sides)
        if metric is None:
            yield Inapplicable("the sentence does not compare two qualities")
            return
    ours = _setup(sides[0], case.quality(claim.quality), metric)
    theirs = _setup(sides[1], _counterpart(claim, case, sides[1]), metric)
    if ours is None or theirs is None:
        which = (
            "either side" if ours is None and theirs is None else "the subject" if ours is None else "the other side"
        )
        message = open_side(f"how the quality of {which} was evaluated is not stated", claim, case)
        yield NotShown(message, claim.at, provide=PROVIDE)
        return
    found = compare_setups(ours, theirs)
    related = (Related(theirs.at, "the other side's evaluation"),)
    if found.different:
        excused = _harmless(found) or _said(claim) or _matched(sides, metric)
        branch, effect = ("b", CAVEAT) if excused else ("a", UNDERMINES)
        message = f"the two qualities were evaluated in different ways: {differences(found.different)}"
        left, right = (", ".join(str(item[side]) for item in found.different) for side in (1, 2))
        yield Violation(branch, effect, C3, message, ours.at, left, right, related)
    elif found.unknown or not found.equal:
        options = ", ".join(found.unknown) or "any option"
        message = f"whether both sides were evaluated alike is not known for {options}"
        yield NotShown(message, ours.at, provide=PROVIDE, related=related)


def _compared_beside(claim: Claim, case: Case, sides: tuple[Side | None, Side | None]) -> str | None:
    """Return the metric of which a speed-up's sentence prints the subject's quality and the base's; None where none."""
    quality = case.quality(claim.quality)
    if quality is None or sides[0] is None or sides[1] is None or sides[0].id == sides[1].id:
        return None
    theirs = [item.value for item in sides[1].arm.quality.values() if item.metric == quality.metric]
    printed = len(theirs) == 1 and all(value and _stands(value, claim) for value in (quality.value, theirs[0]))
    return quality.metric if printed else None


def _stands(value: str, claim: Claim) -> bool:
    """Whether a printed value stands in the sentence, as it is or in percent."""
    return read(claim.statement).prints(Decimal(value), Decimal(value) * 100, Decimal(value) / 100)


def _setup(side: Side | None, quality: Quality | None, metric: str | None) -> Setup | None:
    if side is None:
        return None
    if quality is None:
        named = [item for item in side.arm.quality.values() if metric is None or item.metric == metric]
        quality = named[0] if len(named) == 1 else None
    return setup_of(side, quality, metric)


def _counterpart(claim: Claim, case: Case, side: Side | None) -> Quality | None:
    """Return the base's value of the quality that the claim cites, by its name; of several, that of the same split.

    Without it, what the log says of another split would be held against the quality beside the number.
    """
    quality = case.quality(claim.quality)
    if quality is None or side is None or claim.quality is None:
        return None
    alike = {name: item for name, item in side.arm.quality.items() if item.metric == quality.metric}
    of_split = [item for item in alike.values() if quality.split is not None and item.split == quality.split]
    named = alike.get(claim.quality.quality or "")
    return named if named is not None or len(of_split) != 1 else of_split[0]


def _harmless(found: Setups) -> bool:
    """Whether nothing but the number of examples differs, and the subject has more, or nearly as many."""
    if [name for name, _, _ in found.different] != ["examples"]:
        return False
    _, ours, theirs = found.different[0]
    assert isinstance(ours, int)
    assert isinstance(theirs, int)
    return ours >= theirs * (1 - SIZE)


def _said(claim: Claim) -> bool:
    return said(claim, "evaluation_options_differ")


def _matched(sides: tuple[Side | None, Side | None], metric: str | None) -> bool:
    """Whether the document also gives both sides under one evaluation."""
    if sides[0] is None or sides[1] is None:
        return False
    for mine in sides[0].arm.quality.values():
        for other in sides[1].arm.quality.values():
            if metric is not None and metric not in {mine.metric, other.metric}:
                continue
            pair = setup_of(sides[0], mine, None), setup_of(sides[1], other, None)
            if pair[0] is not None and pair[1] is not None and mine.metric == other.metric:
                found = compare_setups(pair[0], pair[1])
                if not found.different and found.equal and not found.unknown:
                    return True
    return False
