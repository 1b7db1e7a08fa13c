"""E02: an energy that is not mean power times time."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.energy import Energy
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap
from ..facts.quantities.likely_cause import likely_cause
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

ONE_SOURCE = frozenset({"sampled", "modelled", "meter"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    same: float = Threshold(0.02, "fraction, energy and power from one source", "judgement")
    cross: float = Threshold(0.10, "fraction, energy from a counter beside power from a sensor", "judgement")


@rule(
    "E02",
    "energy-not-mean-power-x-time",
    effect=REFUTES,
    confidence=C3,
    applies="energy and has(power)",
    origin="S0",
    thresholds=Thresholds,
)
def energy_not_mean_power_x_time(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Energy, mean power and time of one window that do not fit together.

    ## What it does
    Multiplies mean power and time, with and without the stated idle power, and compares the product with the energy:
    within 2 % where both come from one source, within 10 % where a counter stands beside a power sensor.

    ## Why it misleads
    One of the three numbers is of another window, another meter or another unit.

    ## Branches
    - (a) refutes, C3: the energy differs from power times time by more than the rounding and that share.
    - not applicable: one of the three is missing, or the method is not stated and the difference lies between the two
      shares.

    ## Flagged
    On `energy` for claim `per-joule`:
    ```json
    {"arms": {"limited": {"energy": {"energy_j": 128426}}}}
    ```

    ## Accepted
    On `energy` for claim `per-joule`, where 243.9 W over 936.6 s are the 228 kJ stated.

    ## How to fix
    Integrate power over the window again, or say what was subtracted.

    ## References
    Green500 methodology: energy is mean power times time over the measured window.
    """
    sides = [case.subject(claim)]
    if claim.form in {"ratio", "efficiency"}:
        sides.append(case.base(claim))
    for side in sides:
        energy = side.arm.energy if side is not None else None
        products = _products(energy) if energy is not None else []
        if side is None or energy is None or energy.energy_j is None or not products:
            yield Inapplicable("energy, mean power and time of one window are not all stated")
            continue
        stated = _span(energy.energy_j)
        distance = min(gap(stated, product) for product in products)
        share: float = thresholds.same if energy.method in ONE_SOURCE else thresholds.cross
        if distance > Decimal(str(share)):
            yield _violation(side, energy, stated, products[0])
        elif energy.method is None and distance > Decimal(str(thresholds.same)):
            yield Inapplicable("the method is not stated: a counter beside a sensor may differ that much")


def _products(energy: Energy) -> list[Span]:
    """Return power times time, then the same above the stated idle power."""
    if energy.mean_power_w is None or energy.duration_s is None:
        return []
    power, time = _span(energy.mean_power_w), _span(energy.duration_s)
    found = [power * time]
    if energy.idle_power_w is not None and energy.idle_power_w < energy.mean_power_w:
        idle = Decimal(repr(energy.idle_power_w))
        found.append(Span(power.low - idle, power.high - idle) * time)
    return [product for product in found if product.low > 0]


def _span(value: float) -> Span:
    return span(format(Decimal(repr(value)).normalize(), "f"))


def _violation(side: Side, energy: Energy, stated: Span, product: Span) -> Violation:
    at = energy.place("energy_j")
    message = (
        f"arm {side.id} states {energy.energy_j:g} J; {energy.mean_power_w:g} W over {energy.duration_s:g} s are "
        f"{short(product.low)} J{likely_cause(stated, product)}"
    )
    related = (Related(energy.place("mean_power_w"), "mean power"), Related(energy.place("duration_s"), "time"))
    return Violation("a", REFUTES, C3, message, at, f"{energy.energy_j:g}", str(product), related)
