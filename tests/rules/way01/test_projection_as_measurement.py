"""W0105, projection-as-measurement: A projected or simulated number that reads like a measured one."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.patches import both
from support.scaling import rows


def derived(**claim):
    return {"claims": {"time": {"basis": "derived", "measured": {"arm": "timed", "metric": "rate"}, **claim}}}


@pytest.mark.parametrize("basis", ["projected", "simulated"])
def test_a_projection_that_says_so_is_a_caveat_else_not_shown(judged, basis):
    silent = judged("rate", "W0105", "rate", {"claims": {"rate": {"basis": basis}}})
    assert (silent.outcome, silent.branch.item) == (Outcome.NOT_SHOWN, "measurement behind the number")
    statement = "We estimate that one A100 trains ResNet-50 at 2500 images per second."
    said = judged("rate", "W0105", "rate", {"claims": {"rate": {"basis": basis, "statement": statement}}})
    assert (said.branch.branch, said.branch.effect) == ("a", CAVEAT)


def test_a_quoted_projection_counts_without_a_stated_basis(judged):
    said = [{"topic": "projection", "quote": "extrapolated from one layer"}]
    assert judged("rate", "W0105", "rate", {"claims": {"rate": {"said": said}}}).branch.branch == "a"


def test_runs_on_fewer_devices_than_claimed(judged):
    patch = rows(r8={"devices": 512})
    result = judged("strong-scaling", "W0105", "speedup", patch)
    assert (result.outcome, result.branch.related[0].note) == (
        Outcome.NOT_SHOWN,
        "the claim is about 512 devices, the runs used 64",
    )


def test_runs_on_another_device_model(judged):
    patch = both(rows(r8={"system": "big"}), {"systems": {"big": {"name": "8x DGX B200", "device": "B200"}}})
    result = judged("strong-scaling", "W0105", "speedup", patch)
    assert (result.outcome, "B200" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_a_derived_time_on_the_same_devices_is_w0102s(judged):
    assert judged("time-to-accuracy", "W0105", "time", derived()).outcome is Outcome.NOT_APPLICABLE


def test_a_derived_time_without_a_measured_rate_is_a_caveat(judged):
    patch = {"claims": {"time": {"basis": "derived", "measured": None, "quality": None}}}
    result = judged("time-to-accuracy", "W0105", "time", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_derived_time_of_a_training_that_took_place_passes(judged):
    assert (
        judged("time-to-accuracy", "W0105", "time", {"claims": {"time": {"basis": "derived"}}}).outcome is Outcome.PASS
    )


def test_a_derived_unit_is_no_projection(judged):
    patch = {"claims": {"rate": {"basis": "derived", "unit": "images/h", "value": "9000000", "digits": 2}}}
    assert judged("rate", "W0105", "rate", patch).outcome is Outcome.PASS


def test_a_number_without_basis_and_run_is_not_shown(judged):
    assert judged("rate", "W0105", "rate", {"claims": {"rate": {"measured": None}}}).outcome is Outcome.NOT_SHOWN


def test_a_quote_beside_a_measured_number_projects_that_of_the_other_side(judged):
    said = [{"topic": "projection", "quote": "we interpolated the other system's time from its paper"}]
    patch = {"claims": {"speedup": {"said": said}}}
    assert judged("comparison", "W0105", "speedup", patch).outcome is Outcome.PASS
