"""Qualities that were reached: what holds for many of their rules."""

import pytest
from dlaudit.rules.outcome import Outcome


@pytest.mark.parametrize(
    "number", ["9" * 40, "1e60", "-1e60", "1e-59", "1e59", "-" + "9" * 39, "0." + "0" * 37 + "1", "0", "-0", "0.0"]
)
@pytest.mark.parametrize("code", ["W0104", "W0106", "W0107", "W0108", "W0203", "W0306"])
def test_no_printed_number_crashes_a_rule(judged, code, number):
    seeds_of = dict.fromkeys(("101", "102", "103"), number)
    target = {"metric": "accuracy", "value": number, "direction": "higher", "criterion": "mean"}
    quality = {"accuracy": {"value": number, "seeds": seeds_of}}
    finals = {f"s{i}": {"final": {"accuracy": number}, "evaluations": None} for i in (1, 2, 3)}
    for change in (
        {"arms": {"trained": {"quality": quality}}},
        {"claims": {"time": {"target": target, "criterion": "mean"}}},
        {"claims": {"time": {"value": number}}, "arms": {"trained": {"quality": None, "trials": finals}}},
    ):
        result = judged("time-to-accuracy", code, "time", change)
        assert result.outcome is not Outcome.ERROR, (result.reason, change)


@pytest.mark.parametrize("value", [1e60, -1e60, 1e-59, 0, None, 1e59])
@pytest.mark.parametrize("code", ["W0104", "W0106", "W0107", "W0108", "W0203", "W1003", "W1005"])
def test_no_logged_number_crashes_a_rule(judged, code, value):
    logs = [{"split": "test", "samples": i, "metrics": {"accuracy": value}} for i in range(1, 10)]
    arm = {"trials": {f"s{i}": {"evaluations": logs, "crossing": None} for i in (1, 2, 3)}}
    for quality in ({}, {"quality": None}):
        result = judged("time-to-accuracy", code, "time", {"arms": {"trained": arm | quality}})
        assert result.outcome is not Outcome.ERROR, result.reason
