"""P13: more than n times the speed on n times the devices."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.told import explained
from ..facts.document.words import Words, words_around
from ..facts.training.problem_size import related
from ..language.printed import short
from ..language.reading import read
from ..outcome import C1, C2, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ._growth import Growth, growths

SIZE_SLACK = 0.05


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    with_interval: float = Threshold(1.02, "times the devices, with an interval", "Hoefler and Belli 2015")
    plain: float = Threshold(1.05, "times the devices, without one", "measured on published reports")
    strong: float = Threshold(1.25, "times the devices, without one", "judgement")


@rule(
    "P13",
    "superlinear-unexplained",
    effect=UNDERMINES,
    confidence=C2,
    applies="scaling",
    origin="HB15, MEAS",
    thresholds=Thresholds,
)
def superlinear_unexplained(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A speed-up larger than the growth in devices, without a word on why.

    ## What it does
    Divides the claimed speed-up, and those of the other rows of its table over their base row, by the growth in
    devices: at the lower end of a stated interval, of the ratio or of both of its sides, else of what the digits allow.
    Beside a claimed speed-up the other rows count where their intervals are known. A base that was slowed down shows in
    every row, and most in those with the least other losses. Only bases count that differ in nothing but the devices
    and what scales with them.

    ## Why it misleads
    Work that is split does not become less. Where it seems to, the base was slowed down by something that the larger
    run does not have: too little memory, another configuration, a cold start.

    ## Branches
    - (a) undermines, C2: the lower end of the interval is above 1.02 times the devices, and no cause is given.
    - (b) undermines, C2: without interval, above 1.25 times the devices.
    - (c) undermines, C1: without interval, above 1.05 times the devices.
    - not applicable: the sizes of the problems differ, or devices or a matching base are not stated.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"value": "9.00", "interval": {"low": "8.90", "high": "9.10"}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, 6.61 times the speed on 8 times the devices.

    ## How to fix
    Explain it (caches, memory), or measure the base again.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rules 1 and 11.
    """
    found = growths(claim, case)
    if not found:
        yield Inapplicable("devices or a base that matches are not stated")
        return
    sizes = related(claim, case)
    if sizes.ratio > 1 + Decimal(str(SIZE_SLACK)) and not sizes.covered:
        yield Inapplicable("the sizes of the problems differ")
        return
    if _explained(claim, case) or _words(claim, case).has("cause_of_superlinearity", affirmed=False):
        return
    judged = [(item, branch) for item in found if (branch := _branch(item, thresholds)) is not None]
    if judged:
        worst, branch = max(judged, key=lambda pair: (pair[1] != "c", pair[0].gain / pair[0].devices))
        excess = worst.gain / worst.devices
        message = (
            f"{worst.words} on {short(worst.devices)} times the devices: {short(excess)} times linear, unexplained"
        )
        places, sure = (Related(worst.base, "the base"),), C1 if branch == "c" else C2
        yield Violation(branch, UNDERMINES, sure, message, worst.at, short(worst.gain), short(worst.devices), places)


def _explained(claim: Claim, case: Case) -> bool:
    """Whether the claim, or another one of the same table, gives a cause."""
    table = claim.row.table if claim.row is not None else None
    alike = [other for other in case.submission.claims.values() if other.row is not None and other.row.table == table]
    return any(explained(other) for other in (claim, *(alike if table is not None else ())))


def _branch(item: Growth, thresholds: Thresholds) -> str | None:
    excess = item.gain / item.devices
    if item.interval:
        return "a" if excess > Decimal(str(thresholds.with_interval)) else None
    if excess > Decimal(str(thresholds.strong)):
        return "b"
    return "c" if excess > Decimal(str(thresholds.plain)) else None


def _words(claim: Claim, case: Case) -> Words:
    """Return what is said beside a claim, and what the document discloses of its base or of superlinear growth."""
    told = [item for item in case.submission.disclosures if read(item.quote).has("base_of_scaling", affirmed=False)]
    return words_around(claim, case).and_(*((item.at, item.quote) for item in told))
