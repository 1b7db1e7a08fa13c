"""F42: an evaluation on fewer examples than its set holds."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import SMALL
from ..facts.training.evaluated_sets import evaluated, logged_short, says_subset
from ..outcome import C2, C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule


@rule(
    "F42",
    "evaluation-set-reduced",
    effect=REFUTES,
    confidence=C3,
    applies="has(n_examples) or (suite_training and has(trace))",
    origin="MEAS, ML",
    also=("W0504",),
)
def evaluation_set_reduced(claim: Claim, case: Case) -> Iterator[Branch]:
    """A quality that was counted on a part of the set it is named after.

    ## What it does
    Compares the evaluated examples, as declared and as logged, with the size of the set: the one stated for its split,
    the most that another arm of the document counts on it, or that of the table of data sets. More examples than the
    set holds are padding. What the runs of a suite's training result log before the start is held against the set of
    the benchmark, for benchmarks whose published logs all count the whole set.

    ## Why it misleads
    A part of a set may be easier than the whole, and its scatter is larger. Under the set's name, nobody expects it.

    ## Branches
    - (a) refutes, C3: fewer examples than the set holds, and nothing says so; a caveat where at most 1 % are missing,
      as a dropped last batch leaves them.
    - (b) caveat, C3: the same, and the publication says so.
    - (c) undermines, C2: the log of a suite's training run counts more than 1 % fewer examples than the set of the
      benchmark holds, and not the share of one device.
    - not applicable: the size of the set is not known.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"arms": {"trained": {"quality": {"accuracy": {"examples": 8000}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, counted on all 10,000 test images.

    ## How to fix
    Evaluate on the whole set, or say beside the number on which part.

    ## References
    Rules of the MLPerf benchmarks: the whole validation set is evaluated.
    """
    found = evaluated(claim, case)
    quality = case.quality(claim.quality)
    if not found or (quality is not None and quality.examples is None):
        yield Inapplicable("evaluated examples and the size of their set are not both known")
    logged = logged_short(claim, case)
    if logged is not None and logged.examples < logged.full * (1 - float(SMALL)):
        message = f"a run logs {logged.examples} examples of its evaluation; {logged.source} {logged.full}"
        yield Violation("c", UNDERMINES, C2, message, logged.at, str(logged.full), str(logged.examples))
    short = [item for item in found if item.examples < item.full]
    if not short:
        return
    worst = min(short, key=lambda item: item.examples / item.full)
    message = f"{worst.examples} examples were evaluated; {worst.source} {worst.full}"
    related = (Related(worst.full_at, f"{worst.full} examples"),)
    if says_subset(claim, case):
        branch, effect = "b", CAVEAT
    else:
        few = 1 - worst.examples / worst.full <= float(SMALL)
        branch, effect = "a", CAVEAT if few else REFUTES
    yield Violation(branch, effect, C3, message, worst.at, str(worst.full), str(worst.examples), related)
