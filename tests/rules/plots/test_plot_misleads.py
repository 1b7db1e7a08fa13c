"""B01, plot-misleads."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def figure(**changes):
    known = {"caption": "c", "kind": "bar", "axis_start": 0, "connects_categories": False, "intervals_drawn": True}
    return {"figures": {"f": {**known, "arms": ["a"], **changes}}}


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, PASS),
        ({"axis_start": 2400}, VIOLATION),
        ({"axis_start": 2400, "log_axis": True}, PASS),
        ({"axis_start": 2400, "kind": "line"}, PASS),
        ({"connects_categories": True}, VIOLATION),
        ({"axis_start": None}, NOT_APPLICABLE),
        ({"kind": None}, NOT_APPLICABLE),
        ({"intervals_drawn": False}, NOT_APPLICABLE),
        ({"axis_start": 2400, "arms": ["other"]}, NOT_APPLICABLE),
        ({"axis_start": 2400, "arms": None}, VIOLATION),
    ],
)
def test_figures(judged, changes, outcome):
    assert judged("rate", "B01", "rate", figure(**changes)).outcome is outcome


@pytest.mark.parametrize(("low", "outcome"), [("2300", VIOLATION), ("2480", PASS)])
def test_a_scatter_that_is_not_drawn(judged, low, outcome):
    interval = {"a": {"performance": {"rate": {"interval": {"low": low, "high": "2520"}}}}}
    assert judged("rate", "B01", "rate", {**figure(intervals_drawn=False), "arms": interval}).outcome is outcome


@pytest.mark.parametrize(
    ("axis", "batch", "outcome"),
    [("iterations", 2048, VIOLATION), ("samples", 2048, NOT_APPLICABLE), ("iterations", 1024, NOT_APPLICABLE)],
)
def test_curves_of_different_batches_over_iterations(judged, axis, batch, outcome):
    drawn = {
        "caption": "Loss",
        "kind": "line",
        "connects_categories": False,
        "x_axis": axis,
        "arms": ["fused", "plain"],
    }
    options = {"fused": {"options": {"global_batch": 1024}}, "plain": {"options": {"global_batch": batch}}}
    assert judged("training-pair", "B01", "speedup", {"figures": {"f1": drawn}, "arms": options}).outcome is outcome
