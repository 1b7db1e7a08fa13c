"""Q32: an accuracy that was measured on fewer examples than the round asks for."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.suite_result import member, quoted
from ..outcome import C3, REFUTES, Branch, Inapplicable, Violation
from ..registry import rule


@rule(
    "Q32",
    "accuracy-not-on-full-set",
    effect=REFUTES,
    confidence=C3,
    applies="suite_inference and has(n_examples)",
    origin="POL, MEAS",
    also=("F42",),
)
def accuracy_not_on_full_set(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """An accuracy on a part of the set that the round prescribes.

    ## What it does
    Compares the examples that the accuracy run evaluated with the size that the round prescribes for the benchmark.

    ## Why it misleads
    A part can be the easier one, and the accuracy is that of the whole set by name.

    ## Branches
    - (a) refutes, C3: fewer examples than prescribed.
    - not applicable: no figure for benchmark and round, or no number of examples beside the accuracy.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"quality": {"accuracy": {"examples": 5000}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, on all 50,000 images.

    ## How to fix
    Evaluate the whole set once.

    ## References
    MLPerf Inference rules, section on accuracy.
    """
    result = quoted(claim)
    figures = member(result)
    if figures is None or figures.examples is None:
        yield result.no_figure("the number of examples")
        return
    side = case.side(claim.quality) or case.subject(claim)
    found = list(_examples(side)) if side is not None else []
    if not found:
        yield Inapplicable("no number of examples stands with the accuracy")
        return
    examples, at = min(found)
    if examples < figures.examples:
        message = f"the accuracy stands on {examples} examples; the round asks for {figures.examples}"
        yield Violation("a", REFUTES, C3, message, at, str(figures.examples), str(examples))


def _examples(side: Side) -> Iterator[tuple[int, str]]:
    """Yield the numbers of evaluated examples of values on the suite's own set."""
    for quality in side.arm.quality.values():
        if quality.examples is not None and quality.split in {None, "official_val", "validation", "test"}:
            yield quality.examples, quality.place("examples")
