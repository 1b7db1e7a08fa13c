"""The fact `runs.times`: When a run started, stopped and was initialised, how it ended, and under which seeds."""

import pytest
from dlaudit.rules.facts.runs.times import duration_s, init_start_ms, is_successful, is_unix, seeds, started_ms, status
from support.traces import of_run, runs


def test_a_run_tells_when_it_ran_and_how_it_ended():
    run = runs("suite-training", "retinanet")[0]
    (start,), (stop,) = run.trace.of("run_start"), run.trace.of("run_stop")
    assert started_ms(run) == start.time_ms
    assert duration_s(run) == pytest.approx((stop.time_ms - start.time_ms) / 1000)
    assert init_start_ms(run) < started_ms(run)
    assert (status(run), is_successful(run), is_unix(run)) == ("success", True, True)
    assert seeds(run) == ("1822113",)


def test_two_different_starts_give_no_start():
    first = runs("suite-training", "retinanet")[0]
    (start,) = first.trace.of("run_start")
    again = of_run(**{"9000": {"time_ms": start.time_ms + 5000, "key": "run_start"}})
    assert started_ms(runs("suite-training", "retinanet", again)[0]) is None
    equal = of_run(**{"9000": {"time_ms": start.time_ms, "key": "run_start"}})
    assert started_ms(runs("suite-training", "retinanet", equal)[0]) == start.time_ms
