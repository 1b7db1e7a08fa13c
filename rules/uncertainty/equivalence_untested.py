"""S06: parity that nobody tested."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.parity import margin, numbers_missing, one_sided, parity, stated_difference
from ..language.reading import read
from ..outcome import C2, C3, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

NUMBERS, MARGIN = "numbers of both arms", "margin"
PROVIDE_NUMBERS = """\
claims:
  parity:
    measured: {arm: fast, metric: rate}
    base: {arm: plain, metric: rate, definition: "the same code without it"}
"""
PROVIDE_MARGIN = """\
claims:
  parity:
    margin: {value: "5", declared_before: true}    # percent of the reference, fixed before the runs
"""
PROVIDE_TRIALS = """\
throughput: {warmup: 5, iterations: 50, trials: 10}    # until the interval lies inside the margin
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    margin: float = Threshold(0.05, "share of the base's performance", "judgement: the practical threshold of a gain")
    quality: float = Threshold(0.01, "share of the base's quality", "rules of the training benchmark: 99 %")


@rule(
    "S06",
    "equivalence-untested",
    effect=UNDERMINES,
    confidence=C3,
    applies="parity",
    origin="J, SIM",
    thresholds=Thresholds,
)
def equivalence_untested(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Two things are called equal, and no test says so.

    ## What it does
    Forms the 90 % interval of the ratio of both arms: over at least three trials a side, over seeds for a quality of
    training, over examples for a quality of fixed weights. It asks whether the interval lies inside the margin that
    the claim states (two one-sided tests at 5 %). Where no margin is stated, 5 % of a performance and 1 % of a quality
    are taken to look for contradictions only. A claim that nothing is lost is not contradicted by something better.

    ## Why it misleads
    "No significant difference" is what every small and noisy experiment finds: in simulations with 3 % between runs,
    three trials a side miss a difference of 5 % in three of four experiments.

    ## Branches
    - pass: every output of one arm is identical to the other's.
    - (a) undermines, C2: the 90 % interval lies wholly outside the margin.
    - (b) undermines, C3: there is no such interval, and the two numbers as they are stated lie further apart than the
      margin, or than twice the usual one where none is stated; not where the sentence speaks of noise.
    - not shown: the numbers of an arm are missing (required from the reviewer profile on); the margin is not stated,
      or was chosen after the runs (required from the publication profile on); there are fewer than three trials a side;
      or the interval overlaps the margin's edge.

    ## Flagged
    On `training-pair` for claim `speedup`, called "as fast as before":
    ```json
    {"claims": {"speedup": {"form": "parity", "value": null, "unit": null, "margin": {"value": "5"},
                            "statement": "Training with fused attention is as fast as before."}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where five seeds a side end at the same loss:
    ```json
    {"claims": {"speedup": {"form": "parity", "quantity": "accuracy", "metric": "loss", "value": null, "unit": null,
                            "margin": {"value": "1", "declared_before": true},
                            "statement": "Fused attention loses nothing: both arms end at a loss of 3.22."}}}
    ```

    ## How to fix
    Fix the margin before the runs, and test equivalence by two one-sided tests.

    ## References
    Schuirmann (1987); simulated power and false positives of the two one-sided tests at three to twenty trials.
    """
    outputs = claim.outputs
    if outputs is not None and outputs.identical == outputs.compared:
        yield Note(f"all {outputs.compared} outputs are identical")
        return
    missing = numbers_missing(claim, case)
    if missing:
        yield NotShown(missing, claim.at, NUMBERS, PROVIDE_NUMBERS)
    if claim.margin is None:
        message = "the claim does not say how large a difference counts as none"
        yield NotShown(message, claim.at, MARGIN, PROVIDE_MARGIN)
    elif claim.margin.declared_before is False:
        message = "the margin was not fixed before the runs: a margin that was chosen after them is always wide enough"
        yield NotShown(message, claim.margin.at, MARGIN, PROVIDE_MARGIN)
    if not missing:
        allowed = margin(claim, performance=thresholds.margin, quality=thresholds.quality)
        yield from _judge(claim, case, allowed)


def _as_stated(claim: Claim, case: Case, allowed: float) -> Iterator[Violation]:
    """Judge by the two numbers alone, where nothing else is given: a margin that is not stated is taken twice."""
    stated, words = stated_difference(claim, case), read(claim.statement)
    if stated is None or words.has("within_noise", affirmed=False):
        return
    most = allowed if claim.margin is not None else 2 * allowed
    low, high = stated
    if high < 1 / (1 + most) - 1 or (low > most and not one_sided(claim)):
        interval = f"{low:+.2%} to {high:+.2%}"
        message = f"the two numbers differ by {interval}, as they are stated, beyond the margin of {allowed:.2%}"
        yield Violation("b", UNDERMINES, C3, message, claim.at, f"within {allowed:.2%}", interval)


def _judge(claim: Claim, case: Case, allowed: float) -> Iterator[Branch]:
    found = parity(case, claim)
    if isinstance(found, str):
        yield from _as_stated(claim, case, allowed)
        yield NotShown(f"parity cannot be tested: {found}", claim.at, "", PROVIDE_TRIALS)
        return
    related = (Related(found.base_at, "what it is compared with"),)
    interval = f"{found.low:+.2%} to {found.high:+.2%}"
    either = not one_sided(claim)
    if found.below(allowed) or (either and found.above(allowed)):
        message = f"the difference is {interval} ({found.method}, 90 %), beyond the margin of {allowed:.2%}"
        yield Violation("a", UNDERMINES, C2, message, found.at, f"within {allowed:.2%}", interval, related)
    elif not found.within(allowed, not either):
        message = f"the difference is {interval} ({found.method}, 90 %), which reaches over the margin of {allowed:.2%}"
        yield NotShown(message, found.at, "", PROVIDE_TRIALS, related)
