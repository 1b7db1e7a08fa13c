"""W0205: the quality of one split under the name of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import combinations

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..language.printed import span
from ..language.reading import read
from ..outcome import C2, C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule

FEWEST_DIGITS = 4
"""Values of fewer digits agree by chance."""
NAMES = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("validation", "valid", "val", "dev", "eval", "evaluation"), "validation"),
    "test": "test",
}


@rule(
    "W0205",
    "quality-of-another-split",
    effect=UNDERMINES,
    confidence=C3,
    applies="accuracy or tta",
    origin="S1.2",
)
def quality_of_another_split(claim: Claim, case: Case) -> Iterator[Branch]:
    """A quality on training data as that of the model, or one value for two splits.

    ## What it does
    Reads which split each quality of an arm belongs to, as stated or by its name ("eval accuracy"). Asks whether the
    claim's value is the one on the training split, while a worse one of the same metric on other data stands in the
    arm; and whether the values of two splits agree in every one of at least four digits.

    ## Why it misleads
    The gap between training and test is what the model did not learn. Two sets of examples hardly ever give one value
    to the last digit: rather one of them was evaluated, and printed twice.

    ## Branches
    - (a) undermines, C3: the claimed quality is that on the training split, a worse one on held-out data stands in the
      same arm, and the sentence does not say that it is one of training.
    - (b) caveat, C2: validation and test, or training and test, have one value to the last of at least four digits.
    - not applicable: the arm states no quality on two splits.

    ## Flagged
    On `accuracy` for claim `accuracy`, whose number is that on the training images:
    ```json
    {"claims": {"accuracy": {"statement": "ResNet-9 reaches 99.91 % accuracy.", "value": "99.91",
                             "quality": {"arm": "trained", "quality": "fitted"}}},
     "arms": {"trained": {"quality": {"fitted": {"metric": "accuracy", "value": "99.91", "unit": "%",
                                                 "direction": "higher", "split": "train"}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, which is about the test split:
    ```json
    {"arms": {"trained": {"quality": {"fitted": {"metric": "accuracy", "value": "99.91", "unit": "%",
                                                 "direction": "higher", "split": "train"}}}}}
    ```

    ## How to fix
    Claim the value on the test split, and give the one on training data beside it.

    ## References
    Hoefler, Twelve ways to fool the masses, way 2.
    """
    side = case.side(claim.quality) or case.subject(claim)
    found = _by_split(side) if side is not None else {}
    if side is None or len(found) < 2:
        yield Inapplicable("no quality on two splits is stated")
        return
    own = case.quality(claim.quality)
    if own is not None and _split(own) == "train" and not read(claim.statement).has("split.train", affirmed=False):
        yield from _of_training(claim, own, found)
    yield from _equal(found)
    if own is None:
        yield Inapplicable("the claim does not name its quality")


def _split(quality: Quality) -> str | None:
    """Return the split of a quality: as stated, else the one that its name says."""
    if quality.split is not None:
        return NAMES.get(quality.split)
    said = {NAMES[word] for word in _words(quality) if word in NAMES}
    return said.pop() if len(said) == 1 else None


def _words(quality: Quality) -> tuple[str, ...]:
    return tuple(token.low for token in read(quality.metric.replace("_", " ")).tokens)


def _by_split(side: Side) -> Mapping[str, tuple[Quality, ...]]:
    found: dict[str, tuple[Quality, ...]] = {}
    for quality in side.arm.quality.values():
        split = _split(quality)
        if split is not None and quality.value is not None:
            found[split] = (*found.get(split, ()), quality)
    return found


def _one_metric(left: Quality, right: Quality) -> bool:
    """Whether two qualities are of one metric, whatever split their names say."""
    ours, theirs = ([word for word in _words(item) if word not in NAMES] for item in (left, right))
    return ours == theirs and (left.unit == right.unit or None in {left.unit, right.unit})


def _of_training(claim: Claim, own: Quality, found: Mapping[str, tuple[Quality, ...]]) -> Iterator[Violation]:
    higher = own.direction != "lower" if own.direction is not None else read(own.metric).higher_is_better() is not False
    for other in (*found.get("test", ()), *found.get("validation", ())):
        ours, theirs = span(own.value or "0"), span(other.value or "0")
        worse = theirs.high < ours.low if higher else theirs.low > ours.high
        if worse and _one_metric(own, other):
            message = f"{own.value} is the {own.metric} on the training split; on the {_split(other)} one it is "
            related = (Related(other.at, "on held-out data"),)
            at = claim.place("value")
            yield Violation("a", UNDERMINES, C3, f"{message}{other.value}", at, own.value, other.value, related)
            return


def _equal(found: Mapping[str, tuple[Quality, ...]]) -> Iterator[Violation]:
    """Yield two splits whose values of one metric agree to the last digit."""
    for one, other in combinations(sorted(found), 2):
        for left in found[one]:
            for right in found[other]:
                if left.value == right.value and _one_metric(left, right) and _digits(left.value) >= FEWEST_DIGITS:
                    message = f"{left.metric} is {left.value} on the {one} split and on the {other} split"
                    related = (Related(left.at, f"on the {one} split"),)
                    yield Violation("b", CAVEAT, C2, message, right.at, left.value, None, related)
                    return


def _digits(value: str | None) -> int:
    """Return the digits of a value that is neither 0 nor the best there is."""
    number = Decimal(value or "0")
    return 0 if number in {0, 1, 100} else len(number.as_tuple().digits)
