"""S01, uncertainty-missing."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
BARE = {"trials": None, "performance": {"rate": {"interval": None}}}


def without_raw(**rate):
    return {"trials": None, "performance": {"rate": {"interval": None, **rate}}}


@pytest.mark.parametrize(
    ("claim", "arm", "outcome"),
    [
        ({}, BARE, PASS),
        ({"interval": None}, {}, PASS),
        ({"interval": None}, BARE, NOT_SHOWN),
        ({"interval": {"varies": None}}, BARE, NOT_SHOWN),
        ({"interval": None}, {"trials": None}, PASS),
        ({"interval": None}, without_raw(interval={"low": "1", "high": "2", "varies": None}, n=None), NOT_SHOWN),
        ({"interval": None}, without_raw(plus_minus={"value": "9", "label": "sd"}), PASS),
        ({"interval": None}, without_raw(plus_minus={"value": "9"}), NOT_SHOWN),
        ({"interval": None}, without_raw(summary={"percentiles": {"25": "1", "75": "2"}}), PASS),
    ],
)
def test_uncertainty(judged, claim, arm, outcome):
    result = judged("training-pair", "S01", "speedup", {"claims": {"speedup": claim}, "arms": {"plain": arm}})
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert result.branch.item == "interval of the difference"


def test_an_absolute_number_needs_its_own_interval(judged):
    result = judged("rate", "S01", "rate", {"arms": {"a": BARE}})
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "interval for every measured number")
    memory = {"claims": {"rate": {"quantity": "memory", "unit": "MiB"}}}
    assert judged("rate", "S01", "rate", memory).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("metric", "outcome"),
    [
        ({}, PASS),
        ({"interval": None}, PASS),  # its own raw numbers
        ({"interval": None, "column": None}, NOT_SHOWN),
        ({"interval": None, "column": "step_time_s"}, NOT_SHOWN),
    ],
)
def test_the_scatter_of_an_energy_is_its_own(judged, metric, outcome):
    patch = {"arms": {"limited": {"performance": {"per-joule": metric}}}}
    assert judged("energy", "S01", "per-joule", patch).outcome is outcome


def test_step_times_are_no_scatter_of_a_whole_run(judged):
    steps = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.1, 0.11, 0.12]}}}
    alone = {f"s{number}": None for number in range(2, 6)}
    metric = {"performance": {"time": {"interval": None}}}
    patch = {"claims": {"time": {"interval": None}}, "arms": {"trained": {"trials": steps, **metric}}}
    assert judged("time-to-accuracy", "S01", "time", patch).outcome is PASS
    patch["arms"]["trained"]["trials"] = steps | alone
    assert judged("time-to-accuracy", "S01", "time", patch).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("interval", "outcome"),
    [
        ({"level": None, "method": None, "varies": None}, NOT_SHOWN),
        ({"level": None, "method": None, "varies": "trials"}, PASS),
        ({}, PASS),
    ],
)
def test_two_bounds_alone(judged, interval, outcome):
    assert (
        judged("serving-comparison", "S01", "speedup", {"claims": {"speedup": {"interval": interval}}}).outcome
        is outcome
    )
