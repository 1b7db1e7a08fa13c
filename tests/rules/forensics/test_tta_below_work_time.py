"""F15, tta-below-work-time."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ({"value": "85.0", "unit": "epochs"}, NOT_APPLICABLE),
        ({"value": "2.0", "unit": "x", "form": "ratio"}, NOT_APPLICABLE),
    ],
)
def test_a_time_to_target_in_no_unit_of_time_holds_no_work(judged, time, expected):
    assert answer(judged("time-to-accuracy", "F15", "time", {"claims": {"time": time}})) is expected


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ({"value": "50.0", "unit": "ms"}, PASS),
        ({"value": "70.0", "unit": "ms"}, ("a", REFUTES)),
        ({"value": "70.0", "unit": "ms", "summary": {"min": "50.0"}}, PASS),  # the shortest step counts
        ({"value": "70.0", "unit": "fortnights"}, NOT_APPLICABLE),
    ],
)
def test_a_time_of_a_step_bounds_a_time_to_target(judged, step, expected):
    """1,277,952 images are 1248 steps of 1024: 62.4 s at 50 ms, 87.4 s at 70 ms; 85.0 s are claimed."""
    metric = {"quantity": "time", "scope": "step", "statistic": "median", **step}
    arms = base("time-to-accuracy")["arms"]
    bare = {name: {"performance": dict.fromkeys(arm.get("performance", {}))} for name, arm in arms.items()}
    bare["trained"]["performance"]["step"] = metric
    assert answer(judged("time-to-accuracy", "F15", "time", {"arms": bare})) == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({}, PASS),
        ({"value": "42.5"}, ("a", REFUTES)),
        ({"value": "0.71", "unit": "min"}, ("a", REFUTES)),
        ({"value": "50", "qualifier": "at_least"}, PASS),
        ({"value": "1.42", "unit": "min"}, PASS),
        ({"value": "42.5", "crossing_samples": 700000}, PASS),
        ({"value": "42.5", "measured": {"arm": "timed"}}, NOT_APPLICABLE),
    ],
)
def test_a_time_holds_its_work(judged, claim, expected):
    assert answer(judged("time-to-accuracy", "F15", "time", {"claims": {"time": claim}})) == expected


def test_only_a_rate_of_the_same_options_bounds_a_time(judged):
    claim = {"claims": {"time": {"value": "42.5"}}}
    other = claim | {"arms": {"timed": {"options": {"precision": {"compute": "fp32"}}}}}
    assert answer(judged("time-to-accuracy", "F15", "time", other)) is NOT_APPLICABLE
    more = claim | {"arms": {"timed": {"devices": 8}}}
    assert answer(judged("time-to-accuracy", "F15", "time", more)) is NOT_APPLICABLE
