"""When a run started, stopped and was initialised, how it ended, and under which seeds.

A key that must be single and is logged with two different times gives no answer here: which one counts is not for a
rule to choose.
"""

from __future__ import annotations

from ...trace import Event, Logged

SUCCESS = frozenset({"success", "completed", "converged"})


def single(run: Logged, *keys: str) -> Event | None:
    """Return the event of the first of some keys that is logged, or None where it stands at two different times."""
    for key in keys:
        found = run.trace.by_key.get(key, ())
        if found:
            return found[0] if len({event.time_ms for event in found}) == 1 else None
    return None


def started_ms(run: Logged) -> float | None:
    """Start of the measured time on the run's clock, in milliseconds."""
    if run.run.window is not None and run.run.window.start_ms is not None:
        return run.run.window.start_ms
    event = single(run, "run_start")
    return event.time_ms if event is not None else None


def stopped_ms(run: Logged) -> float | None:
    """End of the measured time on the run's clock, in milliseconds."""
    if run.run.window is not None and run.run.window.stop_ms is not None:
        return run.run.window.stop_ms
    event = single(run, "run_stop")
    return event.time_ms if event is not None else None


def duration_s(run: Logged) -> float | None:
    """Measured time, in seconds; None where start or stop is missing or stands twice."""
    start, stop = started_ms(run), stopped_ms(run)
    return (stop - start) / 1000 if start is not None and stop is not None else None


def init_start_ms(run: Logged) -> float | None:
    """First start of the initialisation among all processes, in milliseconds."""
    if run.run.init is not None and run.run.init.start_ms is not None:
        return run.run.init.start_ms
    return min((e.time_ms for e in run.trace.of("init_start") if e.time_ms is not None), default=None)


def span_ms(run: Logged) -> tuple[float, float] | None:
    """First and last clock time of the log, in milliseconds; of the window where there is no log."""
    start, stop = started_ms(run), stopped_ms(run)
    return run.trace.span_ms or ((start, stop) if start is not None and stop is not None else None)


def is_unix(run: Logged) -> bool:
    """Whether the run's times are instants, which can be compared between runs."""
    if run.run.clock is not None and run.run.clock.kind is not None:
        return run.run.clock.kind == "unix"
    span = span_ms(run)
    return span is not None and span[0] > 1e11


def status(run: Logged) -> str | None:
    """How the run ended as logged (success, aborted, ...), in lower case; None where it is not said."""
    if run.run.status is not None:
        return run.run.status.casefold()
    for event in run.trace.of("run_stop", "status", "run_final"):
        if isinstance(event.value, str):
            return event.value.casefold()
    return None


def is_successful(run: Logged) -> bool:
    """Whether the log calls the run successful."""
    return status(run) in SUCCESS


def seeds(run: Logged) -> tuple[str, ...]:
    """Distinct seeds that the run logs, sorted as text: those of all its processes."""
    found = {str(event.value) for event in run.trace.of("seed", "run_set_random_seed") if event.value is not None}
    return tuple(sorted(found))
