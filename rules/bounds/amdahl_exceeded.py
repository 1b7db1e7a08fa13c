"""P12: a speed-up above what the stated serial fraction allows."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.other_changes import other_changes
from ..facts.quantities.ratios import least
from ..language.printed import short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule


def strong_bound(serial: Decimal, base: int, new: int) -> Decimal:
    """Return the largest speed-up from `base` to `new` devices at one problem size.

    Args:
        serial: share of the work on one device that stays serial.
        base: devices of the base.
        new: devices of the subject.
    """
    return (serial + (1 - serial) / base) / (serial + (1 - serial) / new)


def weak_bound(serial: Decimal, base: int, new: int) -> Decimal:
    """Return the largest growth of the rate from `base` to `new` devices where the work grows with the devices."""
    return (serial + (1 - serial) * new) / (serial + (1 - serial) * base)


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.02, "fraction of the bound", "judgement")


@rule(
    "P12",
    "amdahl-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="speedup and ((scaling and has(serial_fraction)) or has(kernel_gain))",
    origin="S3, HB15.11",
    also=("P13",),
    thresholds=Thresholds,
)
def amdahl_exceeded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A speed-up on more devices above the bound that the claim's own serial fraction sets.

    ## What it does
    With a serial fraction s of the work on one device, p devices take s + (1 - s) / p of the time. The claimed
    speed-up, at the lower end of what its digits allow, is compared with that bound at the lower end of s, from the
    base's devices to the subject's. Of a part that became faster, the
    rest of the time is the serial fraction. Under a weak-scaling label the work grows with the devices and the bound is
    s + (1 - s) p.

    ## Why it misleads
    If the serial fraction is right, the speed-up is impossible; if the speed-up is right, the analysis is not.

    ## Branches
    - (a) refutes, C3: the speed-up exceeds the bound by more than 2 %.
    - not applicable: the device counts of both sides are not stated.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"points": 2, "serial_fraction": {"low": "0.50", "high": "0.50"},
       "measured": {"arm": "fused", "metric": "rate"}, "base": {"devices": 1}}},
     "arms": {"fused": {"devices": 2}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"points": 2, "serial_fraction": {"low": "0.10", "high": "0.40"}, "base": {"devices": 1}}},
     "arms": {"fused": {"devices": 2}}}
    ```

    ## How to fix
    Correct the serial fraction or the speed-up; explain a superlinear part (cache, memory) apart.

    ## References
    Amdahl (1967); Gustafson (1988); Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015),
    rule 11.
    """
    if claim.part is not None and not other_changes(claim, case):
        yield from _of_part(claim, thresholds)
    side, fraction = case.subject(claim), claim.serial_fraction
    new = side.devices if side is not None else None
    counts = (item.devices for item in (claim.base, case.base(claim)) if item is not None)
    base = next((count for count in counts if count is not None), None)
    claimed = least(claim, claim.quantity == "rate")
    if fraction is None or new is None or base is None or new <= base or claimed is None:
        yield Inapplicable("the devices of both sides and a speed-up on more of them are not stated")
        return
    serial = max(span(fraction.low).low, Decimal(0))
    if serial > 1:
        serial /= 100
    bound = (weak_bound if _weak(claim, case) else strong_bound)(serial, base, new)
    if claimed > bound * (1 + Decimal(str(thresholds.slack))):
        message = (
            f"{claim.value} from {base} to {new} devices; with a serial fraction of {fraction.low} "
            f"at most {short(bound)} is possible"
        )
        related = (Related(fraction.at, "serial fraction"),)
        yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, short(bound), related)


def _of_part(claim: Claim, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield a speed-up of the whole that the stated part of it cannot give: the rest of the time stays."""
    part, claimed = claim.part, least(claim, claim.quantity == "rate")
    if part is None or claimed is None:
        return
    share, gain = Decimal(repr(part.fraction_high)), span(part.speedup).high
    if not 0 < share < 1 or gain <= 1:
        return
    bound = 1 / (1 - share + share / gain)
    if claimed > bound * (1 + Decimal(str(thresholds.slack))):
        message = (
            f"{claim.value} of the whole; {part.name or 'a part'} of at most {short(share)} of the time, "
            f"{part.speedup} times as fast, gives at most {short(bound)}"
        )
        related = (Related(part.at, "the part"),)
        yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, short(bound), related)


def _weak(claim: Claim, case: Case) -> bool:
    table = case.table(claim)
    labels = {claim.label, table.label if table is not None else None}
    return bool(labels & {"weak", "mixed"})
