"""W1106: scaling from a small problem on few devices to a large one on many."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.training.problem_size import WORDS, Related, related, says_what_grows
from ..language.printed import short
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..outcome import Related as Place
from ..registry import Threshold, rule

PROVIDE = """\
tables:
  scaling:
    rows:
      r1: {devices: 8, parameters: 1300000000, options: {input_length: 2048}}
      r8: {devices: 64, parameters: 1300000000, options: {input_length: 2048}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    size: float = Threshold(0.05, "share", "judgement: rounding of parameter counts")


@rule(
    "W1106",
    "problem-size-varies-with-scale",
    effect=UNDERMINES,
    confidence=C3,
    applies="scaling or (words and points>=2)",
    origin="S1.11, MEAS",
    also=("P13",),
    thresholds=Thresholds,
)
def problem_size_varies_with_scale(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A scaling statement over points that solve problems of different size.

    ## What it does
    Compares parameters, layers and the size of one example at the points that the statement relates: the base and the
    row of a ratio, or all rows of a table. Parameters may stand in the rows or in the model's name. Where the rows of
    one size stand at every device count, the statement is about that series.

    ## Why it misleads
    A larger problem keeps more devices busy. Whoever grows it along the way measures how large a problem fits, not how
    much sooner one is solved.

    ## Branches
    - (a) undermines, C3: a size differs by more than 5 % between related points, the sentence does not say what grows,
      and no series of constant size is given.
    - (b) caveat, C3: the same, and one of the two is given; or "superlinear" is claimed across sizes.
    - not applicable: fewer than two points are given.
    - not shown: a size is not stated, or at some of the points only.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r1": {"parameters": 11689512}, "r2": {"parameters": 21797672},
                                   "r4": {"parameters": 21797672}, "r8": {"parameters": 25557032}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, which trains one model at every size.

    ## How to fix
    Give the series at a constant problem.

    ## References
    Hoefler, Twelve ways to fool the masses, way 11.
    """
    found = related(claim, case)
    if len(found.points) < 2:
        yield Inapplicable("the points that the statement relates are not given")
        return
    grown = found.ratio > 1 + thresholds.size
    superlinear = read(claim.statement).has("scaling.superlinear")
    if not found.covered and (grown or (superlinear and found.ratio > 1)):
        said = not grown or says_what_grows(claim, case) or found.constant
        yield _violation(found, "b" if said else "a", superlinear)
    elif found.unknown:
        words = ", ".join(WORDS[kind] for kind in found.unknown)
        message = f"whether all points solve a problem of one size is not stated: {words}"
        yield NotShown(message, found.points[0].at, provide=PROVIDE)


def _violation(found: Related, branch: str, superlinear: bool) -> Violation:
    assert found.least is not None
    assert found.most is not None
    (small, least), (large, most) = found.least, found.most
    what = WORDS[found.kind]
    sizes = f"{short(least.high)} at `{small.id}`, {short(most.low)} at `{large.id}`"
    message = f"the statement relates problems of different size ({what}): {sizes}"
    if superlinear:
        message += ", and calls it superlinear"
    places = (Place(small.at, f"{what}: {short(least.high)}"), Place(large.at, f"{what}: {short(most.low)}"))
    effect = UNDERMINES if branch == "a" else CAVEAT
    return Violation(branch, effect, C3, message, large.at, short(most.low), short(least.high), places)
