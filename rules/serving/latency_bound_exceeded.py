"""L05: a promised latency that the claim's own percentile exceeds."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim, LatencyBound
from ..case import Case
from ..facts.serving.records import records
from ..outcome import C3, REFUTES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ._latency_bounds import bound_s, percentiles

ITEM = "percentile and bound"
PROVIDE = """\
claims:
  rate:
    latency_bound: {value: "3.0", unit: s, percentile: "99", part: end_to_end}
arms:
  server:
    performance:
      latency:
        n: {unit: request, planned: 1004, completed: 1000, failed: 4}
        summary: {percentiles: {"50": "2.500", "90": "2.699", "99": "2.857"}}
"""


@rule(
    "L05",
    "latency-bound-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="serving and purpose=serving_objective",
    origin="S4, ML",
)
def latency_bound_exceeded(claim: Claim, case: Case) -> Iterator[Branch]:
    """A service objective whose own percentile lies above its bound.

    ## What it does
    Reads the latency that the claim promises to keep, and the percentile for it: as claimed, as printed with the arm's
    latency, and as it follows from the raw times of the requests. Printed digits are read in favour of the claim.

    ## Why it misleads
    Any server answers more requests per second when it may let them wait. A rate at a bound that is not kept is a rate
    at another, unnamed bound.

    ## Branches
    - (a) refutes, C3: the percentile is above the bound that the claim states.
    - (b) refutes, C3: so many of the recorded requests were never answered that the percentile over all of them has no
      end: 2 % lost leave no 99th percentile.
    - not shown: bound, percentile or the number of requests behind it are not given. Required (percentile and bound)
      from the gate profile on.
    - not applicable: a quantity that no latency bounds (energy, cost, quality).

    ## Flagged
    On `serving` for claim `rate`, with a bound that the 99th percentile of 2.857 s exceeds:
    ```json
    {"claims": {"rate": {"latency_bound": {"value": "2.8", "unit": "s", "percentile": "99"}}}}
    ```

    ## Accepted
    On `serving-comparison` for claim `speedup`, each server within its bound of 4 s.

    ## How to fix
    Lower the load until the percentile keeps the bound.

    ## References
    Server scenario of the MLPerf inference benchmark.
    """
    if claim.quantity not in {"rate", "latency", "time"}:
        yield Inapplicable("no latency bounds this quantity")
        return
    bound = claim.latency_bound
    if bound is None or bound.percentile is None or not 0 < Decimal(bound.percentile) < 100:
        what = "no latency bound is stated" if bound is None else "the bound does not say of which percentile"
        yield NotShown(what, bound.at if bound is not None else claim.at, ITEM, PROVIDE)
        return
    yield from _never_answered(claim, case, bound)
    limit, found = bound_s(bound), percentiles(claim, case, bound)
    for kept in found:
        if kept.value.low > limit.high:
            message = f"the {bound.percentile}th percentile is {kept.printed}; {bound.value} {bound.unit} is the bound"
            related = (Related(bound.at, "the bound"),)
            yield Violation("a", REFUTES, C3, message, kept.at, f"{bound.value} {bound.unit}", kept.printed, related)
    if not found:
        yield NotShown(f"the {bound.percentile}th percentile of the latency is not given", bound.at, ITEM, PROVIDE)
    elif all(kept.n is None for kept in found):
        yield NotShown("the requests behind the percentile are not counted", found[0].at, ITEM, PROVIDE)


def _never_answered(claim: Claim, case: Case, bound: LatencyBound) -> Iterator[Branch]:
    """Yield that a percentile over all recorded requests lies among those that were never answered."""
    side = case.subject(claim)
    found = records(case, side) if side is not None else ()
    planned, unanswered = sum(one.planned for one in found), sum(one.unanswered for one in found)
    if side is not None and planned and unanswered / planned > 1 - float(bound.percentile or 0) / 100:
        message = (
            f"{unanswered} of {planned} recorded requests were never answered: "
            f"over all of them the {bound.percentile}th percentile has no end"
        )
        yield Violation("b", REFUTES, C3, message, side.arm.place("trials"), f"{bound.value} {bound.unit}", "no end")
