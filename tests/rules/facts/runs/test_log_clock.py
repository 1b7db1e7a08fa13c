"""The fact `runs.log_clock`: How finely the clock of a run's log ticks."""

import pytest
from dlaudit.rules.facts.runs.log_clock import resolution_ms
from dlaudit.rules.trace import Event, Logged, Trace
from dlaudit.schemas.runs import Run, RunClock


@pytest.mark.parametrize(
    ("times", "stated", "expected"),
    [((1000.0, 3000.0), None, 1000), ((1000.0, 3500.0), 1, 100), ((1000.0, 3001.0), 0.001, 0.001), ((), 1, None)],
)
def test_the_coarser_of_stated_and_shown_resolution(times, stated, expected):
    clock = RunClock(at="", resolution_ms=stated) if stated is not None else None
    trace = Trace(tuple(Event(1, time, "seed", "identity") for time in times))
    assert resolution_ms(Logged("r", Run(at="", clock=clock), trace)) == expected
