"""M14, throttle-observed: A timing, or an energy, during which heat or a power brake held the clocks down."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.conditions import arm, both_arms, knob

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def of_two(column, first, second):
    return {f"{column}.GPU-1": first, f"{column}.GPU-2": second}


LOGGED = {"environment": {"clocks": {"policy": "logged", "low_mhz": None, "high_mhz": None}}}


def counters(window=30.0, **reasons):
    return {"trials": {"t1": {"telemetry": {"window_s": window, "throttled_s": reasons}}}}


def unlocked(fields):
    return LOGGED | fields


@pytest.mark.parametrize(
    ("fused", "plain", "expected"),
    [
        (unlocked(counters(thermal=0.0)), unlocked(counters(thermal=3.0)), ("a", UNDERMINES)),
        (unlocked(counters(power_brake=3.0)), unlocked(counters(power_brake=0.0)), ("a", UNDERMINES)),
        (unlocked(counters(thermal=3.0)), unlocked(counters(thermal=3.0)), PASS),
        (counters(thermal=3.0), counters(thermal=3.0), ("a", UNDERMINES)),  # both said to be locked
        (unlocked(counters(power_cap=30.0, thermal=0.0)), unlocked(counters(power_cap=0.0, thermal=0.1)), PASS),
        (unlocked(counters(thermal=3.0)), {}, NOT_SHOWN),
        (unlocked(counters(thermal=0.0)), {}, NOT_APPLICABLE),
        (unlocked(counters(power_cap=3.0)), unlocked(counters(power_cap=0.0)), NOT_APPLICABLE),
        (counters(power_cap=3.0), counters(power_cap=0.0), ("b", CAVEAT)),  # a lock that did not hold
        (counters(power_cap=3.0), counters(power_cap=3.0), NOT_APPLICABLE),  # the operating point of both
        (counters(power_cap=3.0), {}, NOT_APPLICABLE),
        (unlocked(counters(window=None, thermal=3.0)), unlocked(counters(thermal=0.0)), NOT_APPLICABLE),
    ],
)
def test_throttling_of_arms(judged, fused, plain, expected):
    assert answer(judged("training-pair", "M14", "speedup", both_arms(fused, plain))) == expected


def test_a_throttled_reading_in_a_hundred_is_none(judged):
    def flags(count):
        return {"trials": {"t1": {"telemetry": {"columns": {"throttle_thermal": [1] * count + [0] * (200 - count)}}}}}

    plain = unlocked(flags(0))
    assert answer(judged("training-pair", "M14", "speedup", both_arms(unlocked(flags(2)), plain))) is PASS
    assert answer(judged("training-pair", "M14", "speedup", both_arms(unlocked(flags(3)), plain))) == ("a", UNDERMINES)


@pytest.mark.parametrize(("held", "expected"), [(3, ("a", UNDERMINES)), (2, PASS)])
def test_the_second_of_two_devices_throttled_counts_whole(judged, held, expected):
    columns = of_two("throttle_thermal", [0] * 200, [1] * held + [0] * (200 - held))
    fields = unlocked({"trials": {"t1": {"telemetry": {"columns": columns}}}})
    assert answer(judged("rate", "M14", "rate", arm(**fields))) == expected


def test_an_arm_alone_may_be_throttled_too(judged):
    assert answer(judged("rate", "M14", "rate", arm(**unlocked(counters(thermal=3.0))))) == ("a", UNDERMINES)
    assert answer(judged("rate", "M14", "rate")) is NOT_APPLICABLE


COUNTED = {"window_s": 30.0, "samples_loaded": 200, "samples_outside": 0, "sm_clock_low_mhz": 1395}


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (COUNTED | {"thermal_s": 0.0, "power_brake_s": 0.0, "power_cap_s": 20.0}, PASS),
        (COUNTED | {"thermal_s": 0.4}, ("a", UNDERMINES)),
        (COUNTED | {"thermal_share": 0.02}, ("a", UNDERMINES)),
        (COUNTED | {"thermal_share": 0.005}, PASS),
        (COUNTED, NOT_APPLICABLE),
    ],
)
def test_throttling_that_the_runner_counted(judged, measured, expected):
    assert answer(judged("rate", "M14", "rate", arm(**knob(**measured)))) == expected


def held_down(seconds):
    counters = {"telemetry": {"window_s": 150.0, "throttled_s": {"thermal": seconds}}}
    cool = {"telemetry": {"window_s": 150.0, "throttled_s": {"thermal": 0.0}}}
    return {
        "arms": {
            "full": {"trials": {f"t{n}": counters for n in range(1, 6)}},
            "limited": {"trials": {f"t{n}": cool for n in range(1, 6)}},
        }
    }


@pytest.mark.parametrize(("seconds", "expected"), [(25.0, ("a", UNDERMINES)), (0.2, PASS)])
def test_heat_moves_an_energy_too(judged, seconds, expected):
    assert answer(judged("energy", "M14", "gain", held_down(seconds))) == expected
