"""F18, clock-outside-lock: Readings of a clock outside the range to which it is said to be locked."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer
from support.conditions import arm, knob

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def polled(clocks, use=None):
    columns = {"sm_clock_mhz": clocks} | ({"utilisation": use} if use is not None else {})
    return {"t1": {"telemetry": {"columns": columns}}}


STEADY = [1410] * 60


@pytest.mark.parametrize(
    ("trials", "expected"),
    [
        (polled([*STEADY, 1200, 1200], [1.0] * 62), ("a", UNDERMINES)),
        (polled([*STEADY, 1200, 1200], [1.0] * 60 + [0.1, 0.1]), PASS),  # an idle gap
        (polled([*STEADY, 1200, 1200]), NOT_APPLICABLE),  # perhaps one
        (polled([*STEADY, 1700, 1700]), ("a", UNDERMINES)),  # above the lock in any case
        (polled([*STEADY, 1200], [1.0] * 61), PASS),  # a single reading
        (polled([*STEADY, 1425, 1395], [1.0] * 62), PASS),  # within a step
        (polled(STEADY * 4 + [1200, 1200], [1.0] * 242), PASS),  # below 1 %
        (polled([], []), NOT_APPLICABLE),
        ({"t1": {"samples": {"clock_mhz": [*STEADY, 1200, 1200]}}}, ("a", UNDERMINES)),  # of timed iterations
        ({}, NOT_APPLICABLE),
    ],
)
def test_clocks_against_their_lock(judged, trials, expected):
    assert answer(judged("rate", "F18", "rate", arm(trials=trials))) == expected


def test_a_logged_clock_has_no_lock_to_leave(judged):
    patch = arm(environment={"clocks": {"policy": "logged"}}, trials=polled([300, 2000, 2000], [1.0] * 3))
    assert answer(judged("rate", "F18", "rate", patch)) is NOT_APPLICABLE


def of_two(column, first, second):
    return {f"{column}.GPU-1": first, f"{column}.GPU-2": second}


@pytest.mark.parametrize(
    ("second", "use", "expected"),
    [
        ([1980] * 60, 1.0, ("a", UNDERMINES)),
        ([1980] * 60, 0.0, PASS),  # the other one is at work, and this one idle
        ([1410] * 60, 1.0, PASS),
    ],
)
def test_the_second_of_two_devices_off_its_lock(judged, second, use, expected):
    columns = of_two("sm_clock_mhz", STEADY, second) | of_two("utilisation", [1.0] * 60, [use] * 60)
    trials = {"t1": {"telemetry": {"columns": columns}}}
    assert answer(judged("rate", "F18", "rate", arm(trials=trials))) == expected


COUNTED = {"window_s": 30.0, "samples_loaded": 200, "samples_outside": 0, "sm_clock_low_mhz": 1395}


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (COUNTED, PASS),
        (COUNTED | {"samples_outside": 2}, PASS),
        (COUNTED | {"samples_outside": 3, "sm_clock_low_mhz": 1200}, ("a", UNDERMINES)),
        ({"window_s": 30.0, "samples_loaded": 0}, NOT_APPLICABLE),
    ],
)
def test_readings_that_the_runner_counted(judged, measured, expected):
    result = judged("rate", "F18", "rate", arm(**knob(**measured)))
    assert answer(result) == expected
    assert expected != ("a", UNDERMINES) or "15 of 1000 readings" in result.branch.message
