"""F13: a run that is another run stretched and shifted."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.series.kept_series import all_timed, timed
from ..fields import field_of
from ..outcome import C2, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ._affine_copies import LEAST, Affine, affine_copies


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    residual: float = Threshold(1e-6, "1 - r^2", "simulation: runs on equal data reach r = .99")


@rule(
    "F13",
    "affine-copy-of-series",
    effect=REFUTES,
    confidence=C2,
    applies="has(trials) and has(raw)",
    origin="J",
    thresholds=Thresholds,
)
def affine_copy_of_series(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Times of one run that are those of another one, times a factor or plus a constant.

    ## What it does
    Compares the trials of a document, arms among each other too, whose values rise and fall alike, and fits a line. It
    has to hold for all values and again without those that lie far out, so that one long pause at the same place makes
    no copy. Where it does not hold for all, parts of 17 values are compared, which have to rise and to fall often.

    ## Why it misleads
    A second system was not measured: its numbers were made from those of the first.

    ## Branches
    - (a) refutes, C2: 1 - r^2 is below a millionth, or what rounding to the printed digits leaves, and the line is not
      the identity.
    - not applicable: fewer than two trials of 10 values, or simulated times.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {"t2": {"samples": {"step_time_s": [0.111727, 0.111496, 0.111342, 0.113003, 0.112662,
      0.112574, 0.112552, 0.112156, 0.112827, 0.113784, 0.112321, 0.112376, 0.112354, 0.113113, 0.113058,
      0.11297, 0.113894, 0.112101]}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose trials rise and fall by themselves.

    ## How to fix
    Hand in the numbers that were measured.

    ## References
    Judgement; a coefficient of correlation of .999 999 5 does not come from two measurements.
    """
    if field_of("basis", claim, case) == "simulated":
        yield Inapplicable("simulated times may be made from each other")
        return
    arms = timed(claim, case)
    if sum(len(item.values) >= LEAST for arm in arms for item in arm.series) < 2:
        yield Inapplicable("fewer than two trials hold 10 values")
        return
    if not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")
    for column in dict.fromkeys(arm.column for arm in arms):
        own = {arm.side.id for arm in arms if arm.column == column}
        found = [
            item
            for item in affine_copies(case, column, thresholds.residual)
            if own & {item.left.side.id, item.right.side.id}
        ]
        if found:
            first = found[0]
            message = (
                f"{_which(first)} of {first.right.name} are {first.slope:.6g} times those of {first.left.name} "
                f"{'+' if first.offset >= 0 else '-'} {abs(first.offset):.3g}: 1 - r^2 = {first.residual:.1g}"
            )
            related = (
                Related(first.left.series.at, "the other series"),
                *(Related(item.right.series.at, f"made from {item.left.name}") for item in found[1:]),
            )
            yield Violation(
                "a", REFUTES, C2, message, first.right.series.at, recomputed=f"{first.slope:.6g}", related=related
            )


def _which(found: Affine) -> str:
    if found.length is None:
        return "the values"
    return f"the values {found.start + 1} to {found.start + found.length}"
