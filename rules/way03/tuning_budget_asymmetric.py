"""W0303: one side was tuned, the other was not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.behind import behind
from ..facts.comparison.named_base import open_side
from ..facts.comparison.parties import others, subject
from ..facts.comparison.tuning import (
    KINDS,
    budget,
    is_treatment,
    nothing_to_tune,
    quotes_on_tuning,
    search_of,
    unchanged_recipe,
    untuned,
    words,
)
from ..facts.document.words import words_in
from ..outcome import C1, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

QUOTED = frozenset({"published", "audited"})
PROVIDE = """\
arms:
  theirs:
    search: {trials: 24, device_hours: 0.8, method: grid}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    ratio: float = Threshold(2, "larger over smaller budget", "judgement")


@rule(
    "W0303",
    "tuning-budget-asymmetric",
    effect=UNDERMINES,
    confidence=C1,
    applies="comparison and has(search)",
    origin="S1.3, J",
    also=("W0305",),
    thresholds=Thresholds,
)
def tuning_budget_asymmetric(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The claim's side had a search for good hyper-parameters, the side that it beats had none.

    ## What it does
    Compares tuning trials and device-hours of both arms, in every kind that both state. Effort counts against a claim
    where its own side had more than twice as much, and most of all where the other is stated to be untuned. A cited
    recipe that is used unchanged was tuned by those who published it, and a quoted result by those who submitted it.

    ## Why it misleads
    Almost any method beats an untuned one. What is measured then is effort, not the method.

    ## Branches
    - (a) undermines, C1: more than twice the budget of an arm that is untuned in this setting.
    - (b, instead of a) caveat, C1: more than twice the budget of an arm that was tuned, too, with less.
    - pass with note: the other side runs a published recipe for its model, or its number is quoted from its makers; or
      both were tuned alike; or, instead of b, a quote about the tuning gives both budgets.
    - not applicable: what was tuned is the difference under study; the other side has nothing to tune, as is said of
      it; or the claim's side is the slower one by its own numbers, so that its effort won it nothing.
    - not shown: one of the two budgets is not stated.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"search": {"trials": 40, "device_hours": 25, "method": "random", "recipe": null}},
              "theirs": {"search": {"recipe": null}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, where both systems run one published recipe.

    ## How to fix
    Give both sides equal budgets.

    ## References
    Hoefler, Twelve ways to fool the masses, way 3.
    """
    sides = case.subject(claim), case.base(claim)
    own, other = search_of(sides[0]), search_of(sides[1])
    if is_treatment(own, claim):
        yield Inapplicable("what was tuned is the difference under study")
        return
    if nothing_to_tune(other):
        yield Inapplicable("the other side is said to have nothing to tune")
        return
    ours, theirs = budget(own), budget(other)
    if ours and not any(ours.values()):
        return
    if unchanged_recipe(other) or (claim.comparator is not None and claim.comparator.source in QUOTED):
        yield Note("the other side runs a published recipe or is quoted from its makers")
        return
    common = [kind for kind in KINDS if kind in ours and kind in theirs]
    if not common:
        message = _missing(ours, theirs)
        message = message if sides[1] is not None else open_side(message, claim, case)
        yield NotShown(message, sides[1].arm.at if sides[1] is not None else claim.at, "", PROVIDE)
        return
    assert sides[0] is not None
    assert sides[1] is not None
    if all(_ratio(ours[kind], theirs[kind]) > thresholds.ratio for kind in common):
        kind = common[0]
        if any(behind(claim, case, subject(claim, case), party) for party in others(claim, case)):
            yield Inapplicable("the claim's side is the one that loses")
            return
        if not untuned(other) and any(_told(claim, case, ours[kind], theirs[kind]) for kind in common):
            yield Note("a quote about the tuning gives both budgets")
            return
        branch, effect = ("a", UNDERMINES) if untuned(other) else ("b", CAVEAT)
        message = f"{words(kind, ours[kind])} for the claim's side, {words(kind, theirs[kind])} for the other"
        related = (Related(sides[1].arm.place("search"), "the other side"),)
        at = sides[0].arm.place("search")
        yield Violation(branch, effect, C1, message, at, f"{ours[kind]:g}", f"{theirs[kind]:g}", related)
    elif any(theirs[kind] > 0 for kind in common):
        yield Note("both sides were tuned")


def _told(claim: Claim, case: Case, ours: float, theirs: float) -> bool:
    """Whether a quote about the tuning gives both budgets: that answers a caveat."""
    quotes, values = words_in(*quotes_on_tuning(claim, case)), [Decimal(f"{value:g}") for value in (ours, theirs)]
    return any(all(words.prints(value) for value in values) for words in quotes)


def _ratio(ours: float, theirs: float) -> float:
    return ours / theirs if theirs > 0 else math.inf if ours > 0 else 1.0


def _missing(ours: Mapping[str, float], theirs: Mapping[str, float]) -> str:
    if not ours and not theirs:
        return "neither side's tuning budget is stated"
    if ours and theirs:
        return "one side counts tuning trials, the other device-hours"
    return "the tuning budget of the " + ("other side" if ours else "claim's side") + " is not stated"
