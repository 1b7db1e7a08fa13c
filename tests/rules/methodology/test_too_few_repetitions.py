"""M04, too-few-repetitions: A timing that rests on too few repetitions, or does not say on how many."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def metered(completed, unit="trial", column=None):
    """The energy of the limited arm, read by a meter."""
    metric = {"column": column, "n": {"unit": unit, "planned": completed, "completed": completed}, "trials": completed}
    return {"arms": {"limited": {"performance": {"per-joule": metric}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (metered(2), NOT_SHOWN),
        (metered(3), PASS),
        (metered(5), PASS),
        (metered(9, "iteration"), NOT_SHOWN),
        (metered(2, column="energy_j"), PASS),
    ],
)
def test_an_energy_is_measured_as_often_as_its_meter_is_read(judged, patch, expected):
    assert answer(judged("energy", "M04", "per-joule", patch)) is expected


def test_of_the_trials_that_are_stated_those_that_are_listed_count(judged):
    patch = metered(5)
    patch["arms"]["limited"]["trials"] = {"t3": None, "t4": None, "t5": None}
    assert answer(judged("energy", "M04", "per-joule", patch)) is NOT_SHOWN


def test_a_cost_without_n_is_that_of_its_time(judged):
    patch = metered(5)
    patch["claims"] = {"per-joule": {"quantity": "cost", "unit": "EUR"}}
    assert answer(judged("energy", "M04", "per-joule", patch)) is PASS
    patch["arms"]["limited"]["performance"]["per-joule"]["n"] = None
    assert answer(judged("energy", "M04", "per-joule", patch)) is NOT_APPLICABLE


def test_operations_per_second_are_measured_as_often_as_their_times(judged):
    few = {"arms": {"n8192": {"trials": None, "performance": {"rate": {"n": {"planned": 6, "completed": 6}}}}}}
    assert answer(judged("kernel", "M04", "gemm")) is PASS
    assert answer(judged("kernel", "M04", "gemm", few)) is NOT_SHOWN


@pytest.mark.parametrize(
    ("processes", "expected"), [(10, PASS), (5, PASS), (4, ("a", CAVEAT)), (2, NOT_SHOWN), (1, NOT_SHOWN)]
)
def test_processes_that_were_timed_once_each_count(judged, processes, expected):
    """As a tool gives them that starts a program over and over."""
    once = {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.1]}, "iterations_planned": 1}
    trials = {f"t{k}": {**once, "seed": k} if k <= processes else None for k in range(1, 11)}
    patch = {"arms": {"a": {"trials": trials, "performance": {"rate": {"n": None, "interval": None}}}}}
    assert answer(judged("rate", "M04", "rate", patch)) == expected
