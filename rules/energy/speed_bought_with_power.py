"""E07: a speed-up that a higher power pays for."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_around
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    power: float = Threshold(1.5, "times the power of the other side", "judgement")


@rule(
    "E07",
    "speed-bought-with-power",
    effect=CAVEAT,
    confidence=C3,
    applies="speedup and comparison",
    origin="S4, J",
    thresholds=Thresholds,
)
def speed_bought_with_power(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A speed-up on as many devices that draw much more power, without a word on it.

    ## What it does
    Divides the power of both sides of a ratio: the mean power that one kind of meter saw, else the power limit in
    force. Only where both use as many devices; more devices draw more, and say so.

    ## Why it misleads
    "2x faster" at 1.6 times the power does 1.25 times the work per joule. Where power is what limits a machine, that is
    all that was gained.

    ## Branches
    - (a) caveat, C3: more than 1.5 times the power of the other side, and neither the sentence, a quotation beside it
      nor the caption speaks of power or energy.
    - not applicable: the power of a side, or its devices, are not stated; the numbers of devices differ; or the claim's
      side is not the faster one.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"energy": {"boundary": "device", "mean_power_w": 380}},
              "plain": {"energy": {"boundary": "device", "mean_power_w": 240}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"energy": {"boundary": "device", "mean_power_w": 290}},
              "plain": {"energy": {"boundary": "device", "mean_power_w": 240}}}}
    ```

    ## How to fix
    Give the power of both sides, or the gain in work per joule, beside the speed-up.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 9.
    """
    side, base = case.subject(claim), case.base(claim)
    if side is None or base is None or side.devices is None or side.devices != base.devices or not _faster(claim):
        yield Inapplicable("both sides on as many devices, the claim's the faster one, are not stated")
        return
    powers = _powers(side, base)
    if powers is None:
        yield Inapplicable("the power of a side is not stated")
        return
    more = powers[0] / powers[1]
    if more <= thresholds.power or words_around(claim, case).has("energy", affirmed=False):
        return
    per_joule = f"{float(claim.value or 1) / more:.3g}"
    message = (
        f"{claim.value} {claim.unit} at {more:.3g} times the power of the other side is {per_joule} times the work per "
        "joule, and no word says so"
    )
    related = (Related(base.arm.at, "the other side"),)
    yield Violation("a", CAVEAT, C3, message, claim.place("value"), claim.value, per_joule, related)


def _faster(claim: Claim) -> bool:
    return claim.unit == "x" and claim.value is not None and Decimal(claim.value) > 1


def _powers(side: Side, base: Side) -> tuple[float, float] | None:
    """Return the power of both sides: as one kind of meter saw it, else the limits in force."""
    meters = side.arm.energy, base.arm.energy
    if meters[0] is not None and meters[1] is not None:
        seen = meters[0].mean_power_w, meters[1].mean_power_w
        same = meters[0].boundary == meters[1].boundary
        return (seen[0], seen[1]) if seen[0] and seen[1] and same else None
    limits = [_limit(item) for item in (side, base)]
    return (limits[0], limits[1]) if limits[0] and limits[1] else None


def _limit(side: Side) -> float | None:
    environment = side.arm.environment
    return environment.power_limit_w if environment is not None else None
