"""E05: an energy over too few updates of its sensor."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.energy import Energy
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.per_second import seconds
from ..language.printed import span
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

WHOLE = frozenset({"epoch", "training_run"})
WITHOUT_SENSOR = frozenset({"meter", "modelled"})
PROVIDE = """\
arms:
  fast:
    energy: {duration_s: 768.0, sensor_period_s: 0.1}    # or updates: 7680
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    updates: float = Threshold(50, "updates of the sensor", "judgement, on published measurements of sensors")
    window: float = Threshold(0.05, "fraction of the window by which the claimed time may exceed it", "judgement")


@rule(
    "E05",
    "energy-sampling-too-short",
    effect=CAVEAT,
    confidence=C3,
    applies="energy",
    origin="Y24",
    thresholds=Thresholds,
)
def energy_sampling_too_short(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An energy from a device's own sensor over less than 50 of its updates.

    ## What it does
    Counts the updates of the sensor in the measured window: as stated, else the window over the sensor's period. An
    external meter integrates by itself, and a model has no sensor.

    ## Why it misleads
    Sensors of accelerators update every tenth of a second, average over longer, and some see a quarter of the time.
    Over a few updates the energy is that of the moments that were seen.

    ## Branches
    - (a) caveat, C3: fewer than 50 updates.
    - (b) caveat, C3: the sensor was read over less than the time of what the energy is claimed for (an epoch, a run),
      so that the energy of the rest is extrapolated.
    - not shown: neither the updates nor the sensor's period and the window are stated.
    - not applicable: an external meter, or a modelled energy.

    ## Flagged
    On `energy` for claim `per-joule`:
    ```json
    {"arms": {"limited": {"energy": {"updates": 12}}}}
    ```

    ## Accepted
    On `energy` for claim `per-joule`, with 9,365 updates.

    ## How to fix
    Measure at least 30 seconds, several times, starting at other phases of the sensor.

    ## References
    Yang, Adamek and Armour, Part-time power measurements: nvidia-smi's lack of attention (2023).
    """
    sides = [case.subject(claim)]
    if claim.form in {"ratio", "efficiency"}:
        sides.append(case.base(claim))
    for side in sides:
        energy = side.arm.energy if side is not None else None
        if energy is not None and energy.method in WITHOUT_SENSOR:
            yield Inapplicable("the energy comes from no sensor of the device")
            continue
        yield from _judge(claim, side, energy, thresholds)


def _judge(claim: Claim, side: Side | None, energy: Energy | None, thresholds: Thresholds) -> Iterator[Branch]:
    updates = _updates(energy) if energy is not None else None
    if side is None or energy is None or updates is None:
        at = energy.at if energy is not None else side.arm.at if side is not None else claim.at
        name = f"of arm {side.id} " if side is not None else ""
        yield NotShown(f"how often the sensor {name}updated within the window is not stated", at, provide=PROVIDE)
    elif updates < thresholds.updates:
        message = f"the energy of arm {side.id} rests on {updates:.0f} updates of its sensor"
        yield Violation("a", CAVEAT, C3, message, energy.at, recomputed=f"{updates:.3g}")
    if side is not None and energy is not None:
        yield from _carried_over(claim, side, energy, thresholds)


def _carried_over(claim: Claim, side: Side, energy: Energy, thresholds: Thresholds) -> Iterator[Branch]:
    """Judge a sampled energy that is claimed for longer than the sensor was read."""
    if energy.method != "sampled" or energy.duration_s is None or claim.scope not in WHOLE:
        return
    stated = [
        (metric, span(metric.value, digits=metric.digits).low * unit)
        for metric in side.arm.performance.values()
        if metric.quantity == "time" and metric.scope == claim.scope and metric.value is not None
        if (unit := seconds(metric.unit)) is not None
    ]
    longer = [item for item in stated if float(item[1]) > energy.duration_s * (1 + thresholds.window)]
    if stated and len(longer) == len(stated):
        metric = longer[0][0]
        message = (
            f"the sensor of arm {side.id} was read for {energy.duration_s:g} s; the {claim.scope.replace('_', ' ')} "
            f"takes {metric.value} {metric.unit}"
        )
        related = (Related(metric.at, "the time of what the energy is claimed for"),)
        yield Violation("b", CAVEAT, C3, message, energy.at, related=related)


def _updates(energy: Energy) -> float | None:
    if energy.updates is not None:
        return energy.updates
    if energy.duration_s is None or energy.sensor_period_s is None:
        return None
    return energy.duration_s / energy.sensor_period_s
