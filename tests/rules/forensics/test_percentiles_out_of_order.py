"""F10, percentiles-out-of-order: Percentiles of one population that are not in order, or a mean above the maximum."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer
from support.suite_results import performance

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def summary(**changes):
    return {"arms": {"server": {"performance": {"latency": {"summary": changes}}}}}


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, PASS),
        ({"percentiles": {"50": "2.9"}}, VIOLATION),
        ({"percentiles": {"99": "3.2"}}, VIOLATION),  # above the maximum
        ({"percentiles": {"90": "2.857"}}, PASS),
        ({"mean": "3.2"}, VIOLATION),
        ({"percentiles": {"90": None}}, NOT_APPLICABLE),
        ({"percentiles": {"fast": "9"}}, PASS),
    ],
)
def test_percentiles(judged, changes, outcome):
    assert judged("serving", "F10", "latency", summary(**changes)).outcome is outcome


def test_percentiles_of_rates_may_fall(judged):
    changes = {"mean": None, "median": None, "sd": None, "min": None, "max": None}
    patch = summary(**changes, percentiles={"50": "10", "90": "8", "99": "5"})
    patch["arms"]["server"]["performance"]["latency"]["quantity"] = "rate"
    assert judged("serving", "F10", "latency", patch).outcome is not VIOLATION


@pytest.mark.parametrize(("high", "outcome"), [(650_991_244_180, VIOLATION), (634_103_360_348, PASS)])
def test_percentiles_of_any_run_rise(inference, high, outcome):
    figures = {"97.00_percentile_latency_ns": high, "99.00_percentile_latency_ns": 647_185_513_008}
    assert (inference("F10", performance(summary=figures))[0] is VIOLATION) is (outcome is VIOLATION)
    ranging = {"arms": {"offline": {"runs": {"TEST04": {"summary": figures}}}}}
    assert inference("F10", ranging)[0] is not VIOLATION


@pytest.mark.parametrize("percentiles", [{"50": None, "90": None, "99": "2.857"}, {"50": None, "90": None, "99": None}])
def test_one_percentile_has_no_order(judged, percentiles):
    summary = {"percentiles": percentiles, "median": None, "min": None, "max": None, "mean": None}
    patch = {"arms": {"server": {"performance": {"latency": {"summary": summary}}}}}
    assert answer(judged("serving", "F10", "latency", patch)) is NOT_APPLICABLE
