"""Q32: an accuracy that was measured on fewer examples than the round asks for."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import SMALL
from ..facts.suite.result import Quoted, member, quoted
from ..facts.training.evaluated_sets import evaluated, says_subset
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..tables import mlperf


@rule(
    "Q32",
    "accuracy-not-on-full-set",
    effect=REFUTES,
    confidence=C3,
    applies="(suite_inference or suite_training) and has(n_examples)",
    origin="POL, MEAS",
    also=("F42",),
)
def accuracy_not_on_full_set(claim: Claim, case: Case) -> Iterator[Branch]:
    """An accuracy on a part of the set that the round prescribes.

    ## What it does
    Compares the examples that the accuracy run evaluated with the size that the round prescribes for the benchmark. A
    closed training result evaluates the whole set of its benchmark: its size is the one stated for the split, counted
    by another arm, or that of the table of data sets.

    ## Why it misleads
    A part can be the easier one, and the accuracy is that of the whole set by name.

    ## Branches
    - (a) refutes, C3: fewer examples than prescribed; of a training result, more than 1 % fewer than its set holds.
    - not applicable: no figure for benchmark and round, or no number of examples beside the accuracy; a training result
      that is not closed.

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
    if result.part == "training":
        yield from _training(claim, case, closed=result.closed)
        return
    figures = member(result)
    asked = figures.examples if figures is not None else _earlier(result)
    if asked is None:
        yield result.no_figure("the number of examples")
        return
    side = case.side(claim.quality) or case.subject(claim)
    found = list(_examples(side)) if side is not None else []
    if not found:
        yield Inapplicable("the number of examples behind the accuracy is not given")
        return
    examples, at = min(found)
    if examples < asked:
        message = f"the accuracy is based on {examples} examples; the round asks for {asked}"
        yield Violation("a", REFUTES, C3, message, at, str(asked), str(examples))


def _earlier(result: Quoted) -> int | None:
    """Return the examples of a benchmark whose set was the same in the rounds of which no table has figures."""
    table = mlperf.inference()
    if result.round is None or result.round in table.rounds:
        return None
    return table.earlier_examples.benchmarks.get(result.benchmark or "")


def _training(claim: Claim, case: Case, *, closed: bool) -> Iterator[Branch]:
    found = evaluated(claim, case)
    if not closed or not found or says_subset(claim, case):
        yield Inapplicable("no closed result with the examples that it evaluated and the size of their set")
        return
    worst = min(found, key=lambda item: item.examples / item.full)
    if worst.examples < worst.full * (1 - float(SMALL)):
        message = f"the evaluations of a closed result cover {worst.examples} examples; {worst.source} {worst.full}"
        related = (Related(worst.full_at, f"{worst.full} examples"),)
        yield Violation("a", REFUTES, C3, message, worst.at, str(worst.full), str(worst.examples), related)


def _examples(side: Side) -> Iterator[tuple[int, str]]:
    """Yield the numbers of evaluated examples of values on the suite's own set."""
    for quality in side.arm.quality.values():
        if quality.examples is not None and quality.split in {None, "official_val", "validation", "test"}:
            yield quality.examples, quality.place("examples")
