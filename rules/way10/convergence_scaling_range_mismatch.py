"""W1004: convergence at small scale beside speed at large scale."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.options import Same, differences
from ..facts.comparison.points import Point, largest, named, points
from ..facts.comparison.purpose import THROUGHPUT_ONLY, throughput_only
from ..facts.training.borrowed_quality import Borrowed, borrowed_quality
from ..facts.training.convergence import cover, target_runs
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

PROVIDE = """\
arms:
  largest:                       # the option set of the largest point
    quality:
      accuracy: {metric: accuracy, value: "0.759", split: test, direction: higher}
# or in the sentence: "top-1 accuracy 0.759, measured on up to 8 devices"
"""


@rule(
    "W1004",
    "convergence-scaling-range-mismatch",
    effect=UNDERMINES,
    confidence=C3,
    applies="scaling and has(curve) and not replicated",
    origin="S1.10",
    also=("W0101", "W1107"),
)
def convergence_scaling_range_mismatch(claim: Claim, case: Case) -> Iterator[Branch]:
    """Speed is shown up to many devices, convergence only under options that the largest point does not use.

    ## What it does
    Compares every training run that reached its target with the largest point of the series. Equal global batch and
    equal options make a run on fewer devices stand for it, and so does a run with a larger batch.

    For a claim about throughput alone the mismatch is a caveat: the shown convergence belongs to another point, which
    is no worse than to show none.

    Equal options make it likely, and show it to nobody: a sentence that prints a quality with the largest point, or
    calls it the same there, has to say up to how many devices it was measured.

    ## Why it misleads
    Two plots with different ranges look like one story: it converges, and it scales. At the scale of the second plot
    nobody saw it converge.

    ## Branches
    - not applicable: no run reached a target, or one cannot be compared with the largest point (W0101 says so).
    - (a) undermines, C3: every run that reached its target differs from the largest point in an option that changes
      what is learned, and none covers it.
    - (b, instead of a) caveat, C3: the same, and the claim is about throughput alone.
    - not shown: the sentence gives a quality to a point that shows none, without saying that runs on fewer devices gave
      it; that of the smallest point alone is W0101's.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16384, "accumulation": 2}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, trained to its target at the global batch of all its points.

    ## How to fix
    Show convergence at the largest point.

    ## References
    Hoefler, Twelve ways to fool the masses, way 10.
    """
    found = points(claim, case)
    point, runs = largest(found), target_runs(case, claim)
    loan = borrowed_quality(claim, case)
    if loan is not None:
        yield _borrowed(found, loan)
    if point is None or not runs:
        yield Inapplicable("no run reached a target")
        return
    answer = cover(case, point, runs)
    if answer.covered:
        return
    if answer.answer is not Same.DIFFERENT or answer.run is None or answer.comparison is None:
        yield Inapplicable("a run may stand for the largest point, and cannot be compared with it: see W0101")
        return
    differing = differences(answer.comparison.differing("HARD", "STAT"))
    shown = largest(item for item in found if cover(case, item, runs).covered)
    reach = f"; convergence is shown up to {named(shown)}" if shown is not None else ""
    message = f"the largest point ({named(point)}) is not what was trained to its target: {differing}{reach}"
    branch, effect = "a", UNDERMINES
    if throughput_only(claim, case):
        branch, effect, message = "b", CAVEAT, f"{message} ({THROUGHPUT_ONLY})"
    related = (Related(answer.run.at, "the nearest run that reached its target"),)
    yield Violation(branch, effect, C3, message, point.at, related=related)


def _borrowed(found: tuple[Point, ...], loan: Borrowed) -> NotShown | Inapplicable:
    if loan.of_smallest(found):
        return Inapplicable("the quality that is printed is that of the smallest point: see W0101")
    how = f"{loan.quality.value}, printed for" if loan.printed else "that is called the same for"
    message = (
        f"{loan.quality.metric} {how} {named(loan.point)} was measured on at most {loan.side.devices} devices "
        f"(`{loan.side.id}`), and the sentence does not say so"
    )
    related = (Related(loan.quality.at, "the quality on the most devices"),)
    return NotShown(message, loan.point.at, "", PROVIDE, related, question=True)
