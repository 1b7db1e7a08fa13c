"""How much of a trial went to others: processors that other programs used, time that was stolen or throttled away.

From the kernel's counters before and after the whole trial. Other programs take from a trial in two ways: they use
processors that it waits for, and they use what processors share (caches, memory, clock, the other thread of a core).
The first is at most the time in which some task waited and at most what the others worked; the second grows with their
share of the machine. The larger one counts; stolen and throttled time come on top.
"""

from __future__ import annotations

from msgspec import Struct

from ....schemas.evidence import Trial

KNOB = "other_load"
HELD_DOWN = ("thermal", "power_brake")
"""Reasons for which a device holds its clocks down that are not its usual operation, as a power limit is."""


class Lost(Struct, frozen=True):
    """Shares of a trial's time that went to others."""

    others: float
    """To other programs."""
    stolen: float
    """To other machines on the same hardware."""
    throttled: float
    """To quotas, heat and power brakes."""
    left: float
    """Share of the machine's processors that other programs left idle or to the trial."""

    @property
    def share(self) -> float:
        """All of it together, at most 1."""
        return min(1.0, self.others + self.stolen + self.throttled)


def lost(trial: Trial) -> Lost | None:
    """Return what a trial lost to others; None where its record does not tell."""
    control = trial.controls.get(KNOB)
    told = control.measured if control is not None else {}
    window_s, others_s, processors = (told.get(name) for name in ("window_s", "others_s", "processors"))
    if not window_s or others_s is None or not processors:
        return None
    waited = told.get("cpu_pressure_s", 0.0) / window_s
    others = max(min(waited, others_s / window_s), others_s / window_s / processors)
    stolen = told.get("steal_s", 0.0) / window_s / processors
    throttled = told.get("throttled_s", 0.0) / window_s + _held_down(trial)
    return Lost(min(1.0, others), stolen, throttled, max(0.0, 1 - others_s / window_s / processors))


def _held_down(trial: Trial) -> float:
    sensed = trial.telemetry
    if sensed is None or not sensed.window_s:
        return 0.0
    return max((sensed.throttled_s.get(reason, 0.0) for reason in HELD_DOWN), default=0.0) / sensed.window_s
