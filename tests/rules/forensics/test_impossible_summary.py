"""F09, impossible-summary: Mean, median, standard deviation and extremes that no set of numbers can have together."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer, effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def summary(**changes):
    return {"arms": {"server": {"performance": {"latency": {"summary": changes}}}}}


@pytest.mark.parametrize(
    ("changes", "outcome", "strength"),
    [
        ({}, PASS, None),
        ({"median": "3.2"}, VIOLATION, REFUTES),  # above the maximum
        ({"mean": "2.0"}, VIOLATION, REFUTES),  # below the minimum
        ({"sd": "0.60"}, VIOLATION, REFUTES),  # above half the range
        ({"sd": "0.008"}, VIOLATION, REFUTES),  # too small for the extremes
        ({"sd": "15.1"}, VIOLATION, CAVEAT),  # a percentage beside fractions
        ({"sd": "0.00151"}, VIOLATION, CAVEAT),
        ({"min": "3.1", "max": "2.9"}, VIOLATION, REFUTES),
        ({"mean": "2.9", "median": "2.5", "sd": "0.15"}, VIOLATION, REFUTES),
        ({"max": None}, NOT_APPLICABLE, None),
        ({"mean": None, "max": None, "min": None, "sd": "0.2"}, NOT_APPLICABLE, None),
    ],
)
def test_summaries(judged, changes, outcome, strength):
    result = judged("serving", "F09", "latency", summary(**changes))
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_golden_dispersion_beside_a_percentage(judged):
    changes = {"mean": "77.150", "median": "77.150", "sd": "0.00098", "min": "77.05", "max": "77.25"}
    result = judged("serving", "F09", "latency", summary(**changes))
    assert (result.branch.branch, effect(result)) == ("b", CAVEAT)
    result = judged("serving", "F09", "latency", summary(**{**changes, "mean": "71.0", "min": None, "max": None}))
    assert (result.branch.branch, effect(result)) == ("a", REFUTES)


def test_a_harmonic_mean_of_rates_is_not_accused(judged):
    changes = {"mean": "2.0", "median": "3.0", "sd": "0.5", "min": "1.5", "max": "4.0"}
    patch = summary(**changes)
    patch["arms"]["server"]["performance"]["latency"]["quantity"] = "rate"
    assert judged("serving", "F09", "latency", patch).outcome is not VIOLATION


def test_summaries_that_one_percent_of_room_repairs_are_a_caveat(judged):
    def summary(**changes):
        return {"arms": {"server": {"performance": {"latency": {"summary": changes}}}}}

    assert answer(judged("serving", "F09", "latency", summary(max="2.49", mean="2.503"))) == ("a", CAVEAT)
    assert answer(judged("serving", "F09", "latency", summary(max="2.10", mean="2.503"))) == ("a", REFUTES)
    assert answer(judged("serving", "F10", "latency", summary(percentiles={"90": "2.87"}))) == ("a", CAVEAT)
    assert answer(judged("serving", "F10", "latency", summary(percentiles={"90": "2.95"}))) == ("a", REFUTES)


def test_the_slip_behind_a_summary_is_named(judged):
    swapped = {"arms": {"server": {"performance": {"latency": {"summary": {"min": "3.066", "max": "2.071"}}}}}}
    assert "min and max look swapped" in judged("serving", "F09", "latency", swapped).branch.message
    slip = {"arms": {"server": {"performance": {"latency": {"summary": {"percentiles": {"90": "0.002699"}}}}}}}
    assert "a factor 1000 in the 90th" in judged("serving", "F10", "latency", slip).branch.message
