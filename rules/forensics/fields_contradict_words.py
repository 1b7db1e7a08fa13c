"""F56: fields of a claim that its own words contradict."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..completion.complete import contradicted
from ..completion.contradicted_fields import Contradiction
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Effect, Related, Violation
from ..registry import rule


@rule(
    "F56",
    "fields-contradict-words",
    effect=UNDERMINES,
    confidence=C3,
    applies="any",
    origin="MEAS",
)
def fields_contradict_words(claim: Claim, case: Case) -> Iterator[Branch]:
    """A claim whose fields say something else than its sentence or its unit.

    ## What it does
    Holds what a claim is taken for against its own words: quantity and form where its number is the degree of a
    comparison ("100x faster" as a count), the quantity against the unit (seconds of a rate), the scope of a kernel
    against a sentence about a whole training, the purpose of a machine's speed against a time to an accuracy, the value
    against one that the sentence spells out ("twice as fast" as 3x), statistic, scaling label, metric and split against
    those that the sentence names. Words that leave a field open contradict nothing. Where they contradict what decides
    which rules judge the claim, rules that the words make apply judge it, too, and quote them.

    ## Why it misleads
    Fields decide which evidence a claim has to show. Taken for something harmless, a sentence shows less than it says.

    ## Branches
    - (a) undermines, C3: quantity, form, scope, purpose, value or statistic are contradicted.
    - (b) caveat, C3: scaling label, metric or split are.

    ## Flagged
    On `training-pair` for claim `speedup`, taken for a count:
    ```json
    {"claims": {"speedup": {"quantity": "count"}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, which is what its sentence says.

    ## How to fix
    Make the fields say what the sentence says, or mend the sentence.

    ## References
    Measured on submissions that were edited with knowledge of the rules: fields changed until a rule stopped to apply.
    """
    found = contradicted(case, claim)
    for strong, branch, effect in ((True, "a", UNDERMINES), (False, "b", CAVEAT)):
        items = [item for item in found if item.strong is strong]
        if items:
            yield _violation(claim, items, branch, effect)


def _violation(claim: Claim, items: list[Contradiction], branch: str, effect: Effect) -> Violation:
    said = [f"the {item.read.source} says {_plain(item.read.value)}" for item in items]
    given = [f"the {item.read.field} is given as {_plain(item.stated)}" for item in items]
    message = "; ".join(f"{one}, and {other}" for one, other in zip(given, said, strict=True))
    first, related = items[0], tuple(Related(item.read.at, item.read.note) for item in items)
    at = claim.place(first.read.field)
    return Violation(branch, effect, C3, message, at, _plain(first.stated), _plain(first.read.value), related)


def _plain(value: str) -> str:
    return value.replace("_", " ")
