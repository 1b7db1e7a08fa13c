"""What the readings of a trial show about a clock that should stand still."""

import pytest
from dlaudit.runners.environment.gpu_clocks import judge, slowed_s

SECOND = 10**9


def reading(at_s, clock, *, used=97, reasons=0, **slowed_s):
    slowed = {"power_cap": 0, "thermal": 0, "power_brake": 0} | {k: int(v * SECOND) for k, v in slowed_s.items()}
    return {
        "time_ns": int(at_s * SECOND),
        "sm_mhz": clock,
        "memory_mhz": 2619,
        "reasons": reasons,
        "utilization": used,
        "slowed_ns": slowed,
    }


def trial(*clocks, **last):
    """Return the readings of a trial of ten seconds: an idle one, these, and an idle one."""
    within = [reading(10 * (n + 1) / (len(clocks) + 1), clock) for n, clock in enumerate(clocks)]
    return [reading(0, 345, used=0, reasons=1), *within, reading(10, 345, used=0, reasons=1, **last)]


def test_a_clock_that_stands_is_verified_and_the_idle_ends_do_not_count():
    held = judge(trial(*[1410] * 50), "sm", 1410)
    assert (held.state, held.found_mhz) == ("verified", 1410)
    assert held.measured["samples"] == held.measured["samples_loaded"] == 50
    assert held.measured["window_s"] == 10


@pytest.mark.parametrize(("clock", "state"), [(1395, "verified"), (1425, "verified"), (1394, "contradicted")])
def test_one_step_is_no_deviation(clock, state):
    assert judge(trial(*[clock] * 10), "sm", 1410).state == state


@pytest.mark.parametrize(("outside", "state"), [(1, "verified"), (2, "contradicted")])
def test_one_in_a_hundred_samples_may_be_off(outside, state):
    held = judge(trial(*[1410] * (100 - outside), *[1980] * outside), "sm", 1410)
    assert held.state == state
    assert held.measured["samples_outside"] == outside


def test_idle_gaps_are_no_deviation():
    readings = trial(*[1410] * 10)
    readings[3] = reading(3, 345, used=0)
    readings[4] = reading(4, 345, used=3, reasons=1)
    held = judge(readings, "sm", 1410)
    assert held.state == "verified"
    assert held.measured["samples_loaded"] == 8


def test_without_load_nothing_is_known():
    assert judge(trial(), "sm", 1410).state == "unverifiable"
    assert judge([reading(0, 1410)], "sm", 1410).state == "unverifiable"


@pytest.mark.parametrize("kind", ["power_cap", "thermal", "power_brake"])
@pytest.mark.parametrize(("seconds", "state"), [(0.09, "verified"), (0.2, "contradicted")])
def test_a_counter_sees_what_the_samples_miss(kind, seconds, state):
    held = judge(trial(*[1410] * 20, **{kind: seconds}), "sm", 1410)
    assert held.state == state
    assert held.measured[f"{kind}_s"] == seconds


def test_a_counter_that_starts_again_counts_nothing():
    assert slowed_s(reading(0, 1, thermal=5), reading(1, 1, thermal=0.1))["thermal"] == 0


def test_the_memory_clock_is_judged_by_its_own():
    assert judge(trial(*[1410] * 5), "memory", 2619).state == "verified"
    assert judge(trial(*[1410] * 5), "memory", 1593).state == "contradicted"


def test_a_gpu_that_does_not_count_says_so():
    readings = [{**one, "slowed_ns": {}, "reasons": None} for one in trial(*[1410] * 5)]
    held = judge(readings, "sm", 1410)
    assert held.state == "verified"
    assert "does not count" in held.evidence
    assert "thermal_s" not in held.measured
