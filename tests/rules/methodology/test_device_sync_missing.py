"""M11, device-sync-missing: Steps timed on the host without waiting for the device that does the work."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.answers import answer
from support.conditions import arm

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
HOST = {"timer": {"name": "time.perf_counter"}}
UNSYNCED = {"synchronisation": "none"} | HOST
AT_THE_END = {"synchronisation": "final_sync_only"} | HOST


def no_samples(**fields):
    return {f"t{index}": {"samples": None, **fields} for index in range(1, 6)}


TOTALS = {"performance": {"rate": {"statistic": "total", "n": None}}, "trials": no_samples()}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"measurement": UNSYNCED}, ("a", REFUTES)),
        ({"measurement": AT_THE_END}, ("b", UNDERMINES)),
        ({"measurement": {"synchronisation": None}}, NOT_SHOWN),
        ({"measurement": {"synchronisation": "none", "timer": None}}, NOT_SHOWN),
        ({"measurement": {"synchronisation": "none", "timer": {"name": "our timer"}}}, NOT_SHOWN),
        ({"measurement": {"synchronisation": "none", "timer": {"name": "CUDA events"}}}, PASS),
        ({"measurement": {"synchronisation": "device_sync_each"} | HOST}, PASS),
        ({"measurement": {"synchronisation": "not_needed"} | HOST}, PASS),
        ({"measurement": UNSYNCED, **TOTALS}, PASS),
        ({"measurement": AT_THE_END, **TOTALS}, PASS),
        ({"measurement": AT_THE_END, "performance": {"rate": {"statistic": "mean"}}}, PASS),
        ({"measurement": AT_THE_END, "trials": no_samples()}, ("b", UNDERMINES)),
        ({"measurement": UNSYNCED, "trials": no_samples()}, ("a", REFUTES)),
    ],
)
def test_how_the_clock_waits(judged, fields, expected):
    assert answer(judged("rate", "M11", "rate", arm(**fields))) == expected


def test_operations_per_second_are_timed_as_well(judged):
    patch = arm(measurement={"synchronisation": None}) | {"claims": {"rate": {"quantity": "flops"}}}
    assert answer(judged("rate", "M11", "rate", patch)) is NOT_SHOWN


def test_a_loss_read_in_every_step_makes_the_host_wait(judged):
    losses = {f"t{index}": {"samples": {"loss": [2.0] * 60}} for index in range(1, 6)}
    assert answer(judged("rate", "M11", "rate", arm(measurement=UNSYNCED, trials=losses))) is PASS


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("a", REFUTES)),
        ({"exclusions": {"compile": {"recurs": "per_run", "duration_s": 400.0, "stated": True}}}, ("b", UNDERMINES)),
        ({"wall_s": 40.0}, ("b", UNDERMINES)),
    ],
)
def test_steps_that_last_a_tenth_of_the_wall_time_were_not_waited_for(judged, more, expected):
    measurement = AT_THE_END | {"raw_count": 300, "wall_s": 400.0} | more
    assert answer(judged("rate", "M11", "rate", arm(measurement=measurement))) == expected


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ({"flop_per_sample": 2.46e11, "peak_flops": 3.12e14, "peak_kind": "dense"}, ("a", REFUTES)),
        ({"flop_per_sample": 2.46e10, "peak_flops": 3.12e14, "peak_kind": "dense"}, PASS),
        ({"flop_per_sample": 2.46e11}, ("a", REFUTES)),
        ({"flop_per_sample": 1.30e11, "peak_flops": 3.12e14, "peak_kind": "dense"}, PASS),
    ],
)
def test_a_rate_above_the_peak_by_a_host_clock(judged, operations, expected):
    patch = arm(measurement=AT_THE_END, operations=operations, **TOTALS)
    result = judged("rate", "M11", "rate", patch)
    assert answer(result) == expected


@pytest.mark.parametrize("unit", ["tokens/s", "steps/s"])
def test_what_is_counted_may_not_be_a_sample(judged, unit):
    patch = arm(
        measurement=AT_THE_END,
        operations={"flop_per_sample": 2.46e11, "peak_flops": 3.12e14, "peak_kind": "dense"},
        performance={"rate": {"unit": unit, "statistic": "total", "n": None}},
        trials=no_samples(),
    )
    assert answer(judged("rate", "M11", "rate", patch)) is PASS
