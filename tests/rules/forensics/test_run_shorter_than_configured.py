"""F49, run-shorter-than-configured: A trace that does not fill the window for which the run was configured."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import found
from support.patches import both
from support.suite_results import performance
from support.training_logs import REFUTED

PASS, VIOLATION = Outcome.PASS, Outcome.VIOLATION


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ({"trace_s": 599, "wall_s": 599, "largest_latency_s": 599}, REFUTED),
        ({"trace_s": 599.5, "wall_s": 599.5, "largest_latency_s": 599.5}, "pass"),
        ({"largest_latency_s": 663}, REFUTED),
        ({"largest_latency_s": 662.4}, "pass"),
        ({"wall_s": 676}, REFUTED),
        ({"wall_s": 670}, "pass"),
        ({"wall_s": 600}, "pass"),
        ({"rate_per_s": 110000}, REFUTED),
        ({"configured_max_s": 650}, REFUTED),
        ({"configured_max_s": 660}, "pass"),
        ({"configured_max_s": 0}, "pass"),
        ({"trace_s": None}, "not-applicable"),
        ({"configured_min_s": None, "configured_max_s": 900}, "not-applicable"),
    ],
)
def test_windows_of_a_run(judged, window, expected):
    assert found(judged("suite-inference", "F49", "offline", performance(window=window))) == expected


@pytest.mark.parametrize(
    ("unit", "work", "outcome"),
    [
        ("tokens/s", 62177280, PASS),
        ("tokens/s", 64000000, VIOLATION),
        # of samples the headline itself is held against them
        ("samples/s", 64000000, PASS),
    ],
)
def test_work_that_was_there_at_once_takes_its_latency(inference, unit, work, outcome):
    patch = both({"claims": {"offline": {"unit": unit}}}, performance(window={"work": work}))
    assert inference("F49", patch)[0] is outcome


def test_work_that_a_long_trace_contradicts_is_no_short_run(judged):
    patch = performance(window={"work": 41000000})
    assert judged("suite-inference", "Q10", "offline", patch).outcome is PASS
    found = judged("suite-inference", "F49", "offline", patch)
    assert "its trace lasts 661.842 s" in found.branch.message
