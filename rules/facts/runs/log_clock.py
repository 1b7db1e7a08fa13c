"""How finely the clock of a run's log ticks."""

from __future__ import annotations

from ...trace import Logged

STEPS_MS = (1000.0, 100.0, 10.0)


def resolution_ms(run: Logged) -> float | None:
    """Return the smallest step of a log's times, in milliseconds, or None where no event gives a time.

    What the document states, or what the times show where that is coarser: all of them whole seconds, for instance.
    """
    if run.trace.span_ms is None:
        return None
    times = [event.time_ms for event in run.trace.events if event.time_ms is not None]
    shown = next((step for step in STEPS_MS if all(time % step == 0 for time in times)), 1.0)
    stated = run.run.clock.resolution_ms if run.run.clock is not None else None
    return shown if stated is None else max(shown, stated) if shown > 1 else stated
