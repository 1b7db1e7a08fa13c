"""E03: a mean power that the devices cannot draw."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.energy import Energy
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import power_limit_w
from ..facts.device.specification import device_of
from ..facts.quantities.given import given
from ..language.printed import short
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.05, "fraction of the limit, or of the idle power", "judgement")


@rule(
    "E03",
    "power-outside-limits",
    effect=REFUTES,
    confidence=C3,
    applies="energy and has(power)",
    origin="S4",
    thresholds=Thresholds,
)
def power_outside_limits(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A mean power above the limit of the devices, or below what they draw idle.

    ## What it does
    Compares the mean power of a device meter with the power limit in force times the devices, or where no limit is
    stated with their design power, the largest that fits the named device; and, whatever the meter covers, with the
    idle power that is stated beside it.

    ## Why it misleads
    A power outside what the devices can draw was read in another unit, of another meter, or over another time. So was
    the energy beside it.

    ## Branches
    - (a) refutes, C3: the mean power is more than 5 % above limit times devices, or more than 5 % below the idle power.
    - not applicable: it is not stated what the meter covers, or it covers more than the devices and no idle power
      contradicts it; neither limit nor device count, and no idle power, are known; or the idle power was subtracted.

    ## Flagged
    On `energy` for claim `per-joule`:
    ```json
    {"arms": {"limited": {"energy": {"mean_power_w": 278.0}}}}
    ```

    ## Accepted
    On `energy` for claim `per-joule`, where 243.9 W lie below the limit of 250 W.

    ## How to fix
    Check units, boundary and window of the meter.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    sides = [case.subject(claim)]
    if claim.form in {"ratio", "efficiency"} or claim.compares != "none":
        sides.append(case.base(claim))
    for side in sides:
        energy = side.arm.energy if side is not None else None
        if side is None or energy is None or energy.mean_power_w is None:
            yield Inapplicable("no mean power is stated")
        elif energy.boundary is None:
            yield Inapplicable(f"what the meter of arm {side.id} covers is not said")
        else:
            yield from _judge(case, side, energy, thresholds)


def _judge(case: Case, side: Side, energy: Energy, thresholds: Thresholds) -> Iterator[Branch]:
    assert energy.mean_power_w is not None
    mean, at = given(energy.mean_power_w, "0.005"), energy.place("mean_power_w")
    slack = Decimal(str(thresholds.slack))
    limit = _most(case, side) if energy.boundary == "device" else None
    if limit is not None and mean.low > limit[0] * (1 + slack):
        message = f"arm {side.id} draws {energy.mean_power_w:g} W on average; {limit[1]} allow {short(limit[0])} W"
        yield Violation("a", REFUTES, C3, message, at, f"{energy.mean_power_w:g}", short(limit[0]))
    idle = energy.idle_power_w
    if idle and not _above_idle(energy, idle) and mean.high < given(idle, "0.005").low * (1 - slack):
        message = f"arm {side.id} draws {energy.mean_power_w:g} W on average, and {idle:g} W idle"
        related = (Related(energy.place("idle_power_w"), "idle power"),)
        yield Violation("a", REFUTES, C3, message, at, f"{energy.mean_power_w:g}", f"{idle:g}", related)
    if energy.boundary != "device":
        yield Inapplicable(f"the meter of arm {side.id} is not said to cover the devices alone")
    elif limit is None and not idle:
        yield Inapplicable("neither the devices' limit nor their idle power is known")


def _most(case: Case, side: Side) -> tuple[Decimal, str] | None:
    """Return the most that the devices of an arm draw together, in watts, and what says so; None where unknown.

    A processor's limits hold over seconds, not at once, and are none here.
    """
    system, devices = side.system, side.devices
    if devices is None or (system is not None and system.device_kind == "processor"):
        return None
    limit = power_limit_w(side)
    if limit is not None:
        return given(limit, "0.005").high * devices, f"{devices} x {limit:g} W of power limit"
    variant = device_of(case, system)
    design = (system.design_power_w if system is not None else None) or 0
    most = max(design, (variant.power_w or 0) * variant.sold_together)
    return (given(most, "0.005").high * devices, f"{devices} x {most:g} W of design power") if most else None


def _above_idle(energy: Energy, idle: float) -> bool:
    """Whether energy over time shows that the mean power is what was drawn above idle."""
    return (
        energy.energy_j is not None and bool(energy.duration_s) and energy.energy_j / (energy.duration_s or 1) >= idle
    )
