"""Q10, minimum-duration-short: A performance run below the least duration of its round."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.patches import both
from support.suite_results import result, run

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("window", "outcome"),
    [
        ({"configured_min_s": 600}, PASS),
        ({"configured_min_s": 599}, VIOLATION),
        ({"trace_s": 500}, VIOLATION),
        ({"trace_s": 597}, PASS),
        ({"rate_per_s": 200000}, PASS),
        ({"rate_per_s": 200000, "trace_s": None}, VIOLATION),
        ({"rate_per_s": 0}, PASS),
    ],
)
def test_the_least_duration(inference, window, outcome):
    assert inference("Q10", run(window=window))[0] is outcome


def test_early_rounds_asked_for_a_minute(inference):
    short = both(run(window={"configured_min_s": 60, "trace_s": 75, "work": None}), run(events={"6": {"value": 60000}}))
    assert inference("Q10", both(short, result("offline", round="v0.7"))) == (PASS, None)
    assert inference("Q10", both(short, result("offline", round="v1.0"))) == (VIOLATION, UNDERMINES)


def test_a_ranging_run_may_be_short(inference):
    ranging = run(name="ranging", role="ranging", window={"configured_min_s": 10, "trace_s": 12})
    assert inference("Q10", ranging) == (PASS, None)


def test_a_run_without_durations(inference):
    bare = run(window=None, summary=None, events={"6": None})
    assert inference("Q10", bare) == (NOT_SHOWN, None)
