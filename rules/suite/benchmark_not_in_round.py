"""Q06: a benchmark that its round does not have."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite_result import members, quoted
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, Violation
from ..registry import rule


@rule("Q06", "benchmark-not-in-round", effect=UNDERMINES, confidence=C3, applies="suite", origin="POL")
def benchmark_not_in_round(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A result of a benchmark that the named round of the suite did not hold.

    ## What it does
    Looks for the named benchmark, under any of the names that results use, among the members of the named round.

    ## Why it misleads
    There is no such result. Round or benchmark is another one, and with it target and data.

    ## Branches
    - (a) undermines, C3: the closed division of the round has no such benchmark.
    - pass with note: a result of the open division, whose model stands for a benchmark under its own name.
    - not applicable: benchmark or round is not stated, the round is not in the table, or the division is not stated.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"suite_result": {"benchmark": "gpt3", "round": "v5.1"}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, a member of round v5.0.

    ## How to fix
    Name the round from which the result is.

    ## References
    Members of the rounds, as the suite's tools list them.
    """
    result = quoted(claim)
    held = members(result.part, result.round)
    if result.named is None or not held:
        yield Inapplicable("benchmark and a round that the table knows are not both stated")
    elif result.benchmark is not None:
        return
    elif result.division == "open":
        yield Note(f"{result.named} is no benchmark of round v{result.round}; an open result may stand for one")
    elif not result.closed:
        yield Inapplicable("the division is not stated")
    else:
        message = f"round v{result.round} has no benchmark {result.named}; it has {', '.join(sorted(held))}"
        place = claim.suite_result.place("benchmark") if claim.suite_result is not None else claim.at
        yield Violation("a", UNDERMINES, C3, message, place, result.named, ", ".join(sorted(held)))
