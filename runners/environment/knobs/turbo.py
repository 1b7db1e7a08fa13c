"""Clocks above the base clock, which last as long as heat and power allow: turbo of Intel, boost of AMD."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import effective_clock, hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "turbo"
SCOPE: Scope = "host"
SAMPLED = False

NO_TURBO = f"{hostfile.PROCESSORS}/intel_pstate/no_turbo"
BOOST = f"{hostfile.PROCESSORS}/cpufreq/boost"
BASE_KHZ = f"{hostfile.PROCESSORS}/cpu0/cpufreq/base_frequency"
ABOVE = 1.03
"""Ratio to the base clock from which on a probed clock is above it."""


def read(target: str) -> Reading:
    """Return the switch that this kernel has, by the path of its file."""
    for path in (NO_TURBO, BOOST):
        try:
            return {path: hostfile.read(target, path)}
        except Refused as refused:
            if refused.state == "not_permitted":
                raise
    raise Refused("unverifiable", "the kernel shows no turbo switch (usual in a virtual machine)")


def apply(target: str, requested: bool) -> Scalar:
    """Switch it on or off."""
    path = next(iter(read(target)))
    hostfile.write_all(target, {path: _written(path, requested)})
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading; where it is off, a probe of the clock may not be above the base clock."""
    states = [is_on(reading) for reading in readings]
    off = sum(state != applied for state in states)
    evidence = f"{next(iter(readings[-1]))}, {len(readings)} readings, {off} of them otherwise"
    measured = _probed_ghz(target)
    ghz, base = measured.get("effective_clock_ghz"), measured.get("base_clock_ghz")
    exceeds = not applied and ghz is not None and base is not None and ghz > ABOVE * base
    if ghz is not None:
        evidence += f"; a probe ran at {ghz:g} GHz" + (f", base clock {base:g} GHz" if base is not None else "")
    return Verification("contradicted" if off or exceeds else "verified", evidence, states[-1], measured)


def restore(target: str, original: Reading) -> Restoration:
    """Set the switch back."""
    hostfile.write_all(target, original)
    now = read(target)
    return Restoration("restored" if now == original else "failed", f"read back: {'on' if is_on(now) else 'off'}")


def _written(path: str, on: bool) -> str:
    return str(int(on if path == BOOST else not on))


def is_on(reading: Reading) -> bool:
    """Return what a reading says."""
    ((path, value),) = reading.items()
    return bool(value == _written(path, on=True))


def _probed_ghz(target: str) -> dict[str, float]:
    """Return the clock that a probe saw, and the base clock where the kernel tells it; a copied tree has neither."""
    if target != "/":
        return {}
    probed = effective_clock.ghz()
    found = {"effective_clock_ghz": float(probed.value)} if probed.known else {}
    try:
        found["base_clock_ghz"] = int(hostfile.read(target, BASE_KHZ)) / 1e6
    except (Refused, ValueError):
        return found
    return found
