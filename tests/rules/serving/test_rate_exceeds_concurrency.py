"""L04, rate-exceeds-concurrency: A rate and a mean latency that need more requests in flight than the load offers."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import effect
from support.serving import TIMES

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def queue(rate=None, latency=None):
    return {"arms": {"server": {"performance": {"rate": rate or {}, "latency": latency or {}}}}}


LOOSE = {"load": {"loop": None, "steady": None}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (queue(), PASS),
        (queue({"value": "6.60"}), PASS),  # 16.5 within 5 %
        (queue({"value": "7.20"}), VIOLATION),
        (queue({"value": "7.20", **LOOSE}, LOOSE), VIOLATION),
        (queue({"value": "432", "unit": "requests/min"}), VIOLATION),
        (queue({"value": "7.20"}, {"value": "2503", "unit": "ms", "summary": None}), VIOLATION),
        (queue({"value": "7.20", "load": {"loop": "open"}}), NOT_APPLICABLE),
        (queue({"value": "7.20", "load": {"steady": False}}), NOT_APPLICABLE),
        (queue({"value": "7.20"}, {"load": {"concurrency": 64}}), NOT_APPLICABLE),
        (queue({"value": "7.20"}, {"statistic": "percentile", "summary": None}), NOT_APPLICABLE),
        (queue({"value": "900", "unit": "tokens/s"}), NOT_APPLICABLE),
    ],
)
def test_requests_in_flight(judged, patch, outcome):
    result = judged("serving", "L04", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


def test_golden_mean_in_flight_of_five_clients(judged):
    load = {"load": {"concurrency": 5}}
    patch = queue({"value": "0.959", **load}, load)
    result = judged("serving", "L04", "rate", patch)
    assert (result.outcome, result.notes) == (
        PASS,
        ("request rate x mean end-to-end latency: 2.40038 requests in flight of 5",),
    )


@pytest.mark.parametrize(
    ("rate", "outcome"),
    [("812", PASS), ("1000", VIOLATION), ("850", PASS)],
)
def test_a_rate_of_tokens_needs_requests_in_flight(judged, rate, outcome):
    change = {"value": rate, "statistic": "total", "token_times": TIMES}
    patch = {"arms": {"ours": {"performance": {"rate": change}}}}
    result = judged("serving-comparison", "L04", "speedup", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is REFUTES


@pytest.mark.parametrize(
    "change",
    [{"statistic": "median"}, {"output_tokens": None}, {"end_to_end": None}, {"statistic": None}],
)
def test_times_that_are_no_means_tell_no_requests_in_flight(judged, change):
    rate = {"value": "2000", "statistic": "total", "token_times": {**TIMES, **change}}
    rate["token_times"] = {key: value for key, value in rate["token_times"].items() if value is not None}
    patch = {"arms": {"ours": {"performance": {"rate": rate}}}}
    assert judged("serving-comparison", "L04", "speedup", patch).outcome is not VIOLATION
