"""Q28: an open result compared with a closed one, without saying why it is not closed."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import of_result, quoted
from ..facts.suite.words import main_words, other_side
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule


@rule(
    "Q28",
    "open-closed-without-reason",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite and comparison",
    origin="POL",
    also=("Q27",),
)
def open_closed_without_reason(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison across divisions that does not say what makes the open result an open one.

    ## What it does
    Where the divisions of the two results differ, looks in the main text for a reason.

    ## Why it misleads
    An open result may use another model. Beside a closed one it looks like a faster system.

    ## Branches
    - (a) undermines, C3: the divisions differ, and the reason is not given.
    - not applicable: the other side is not known as a result of the suite, or one division is not stated.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "comparator": {"suite": "training", "suite_result":
       {"round": "v5.0", "division": "open"}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "comparator": {"suite": "training", "suite_result":
       {"round": "v5.0", "division": "closed"}}}}}
    ```

    ## How to fix
    Name what keeps the open result out of the closed division.

    ## References
    MLPerf results messaging guidelines.
    """
    other = other_side(claim, case)
    theirs = of_result(other.part or "none", other.result, other.division) if other is not None else None
    ours = quoted(claim)
    if other is None or theirs is None or theirs.division is None or ours.division is None or other.part == "none":
        yield Inapplicable("the divisions of both results are not known")
    elif theirs.division != ours.division and not main_words(claim).has("derivation", "suite.reason", affirmed=False):
        message = (
            f"a result of the {ours.division} division is compared with one of the {theirs.division}, without a reason"
        )
        related = (Related(other.at, f"the result of the {theirs.division} division"),)
        yield Violation("a", UNDERMINES, C3, message, claim.at, ours.division, theirs.division, related)
