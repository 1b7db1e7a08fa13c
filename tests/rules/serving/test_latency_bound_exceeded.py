"""L05, latency-bound-exceeded: A service objective whose own percentile lies above its bound."""

import pytest
from dlaudit.rules.outcome import C3, REFUTES, Outcome
from support.serving import server

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
NO_TRIALS = {f"t{i}": None for i in range(1, 6)}


def bound(value, percentile="99", unit="s", part=None, raw=True, claim="rate", **latency):
    stated = {"value": value, "unit": unit, "percentile": percentile, "part": part}
    stated = {key: item for key, item in stated.items() if item is not None}
    return server(latency=latency, claims={claim: {"latency_bound": stated}}, **({} if raw else {"trials": None}))


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, NOT_SHOWN),
        (bound("3.0"), PASS),
        (bound("2.857"), PASS),  # equal to the printed percentile
        (bound("2.86"), PASS),
        (bound("2.8"), VIOLATION),
        (bound("2800", unit="ms"), VIOLATION),
        (bound("2.8", raw=False), VIOLATION),
        (bound("2.7", summary=None), VIOLATION),  # by the raw latencies alone
        (bound("3.0", summary=None), PASS),
        (bound("3.0", raw=False, summary=None), NOT_SHOWN),
        (bound("3.0", percentile=None), NOT_SHOWN),
        (bound("3.0", "99.9", raw=False), NOT_SHOWN),
        (bound("3.0", raw=False, n=None), NOT_SHOWN),
        (bound("3.0", part="first_token"), NOT_SHOWN),
        (bound("2.0", percentile="50"), VIOLATION),
    ],
)
def test_latency_bounds(judged, patch, outcome):
    result = judged("serving", "L05", "rate", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (REFUTES, C3)
    assert outcome is not NOT_SHOWN or result.branch.item == "percentile and bound"


def test_the_claimed_percentile_stands_against_its_own_bound(judged):
    stated = {"value": "2.7", "unit": "s", "percentile": "99"}
    patch = {"claims": {"latency": {"value": "2.81", "latency_bound": stated}}}
    result = judged("serving-comparison", "L05", "latency", patch)
    assert (result.outcome, result.branch.at) == (VIOLATION, "/claims/latency/value")
    patch["claims"]["latency"] |= {"quantity": "energy", "unit": "J"}
    assert judged("serving-comparison", "L05", "latency", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("The 99th percentile of the latency is 2.90 s.", VIOLATION),
        ("p95 is 2.90 s.", VIOLATION),  # the 99th lies no lower
        ("p99.9 is 2.90 s.", NOT_SHOWN),  # the 99th may lie below
        ("The latency is 2.90 s.", NOT_SHOWN),
    ],
)
def test_the_percentile_that_the_sentence_names(judged, words, outcome):
    stated = {"value": "2.7", "unit": "s", "percentile": "99"}
    claim = {"statement": words, "value": "2.90", "latency_bound": stated}
    arm = {"performance": {"latency": {"summary": None}}, "trials": None}
    patch = {"claims": {"latency": claim}, "arms": {"ours": arm}}
    assert judged("serving-comparison", "L05", "latency", patch).outcome is outcome


def test_a_first_token_has_a_bound_of_its_own(judged):
    times = {"ttft_s": [0.30, 0.40, 0.50], "tpot_s": [0.01] * 3, "latency_s": [2.0] * 3}
    trials = {**NO_TRIALS, "t1": {"samples": times}}
    patch = bound("350", unit="ms", part="first_token")
    patch["arms"]["server"]["trials"] = trials
    assert judged("serving", "L05", "rate", patch).outcome is VIOLATION
    patch["claims"]["rate"]["latency_bound"]["value"] = "500"
    assert judged("serving", "L05", "rate", patch).outcome is PASS


def test_a_percentile_under_another_load_is_not_the_bounded_one(judged):
    """The bound is kept at 16 requests in flight; at 64 it is not, and nobody says so."""
    crowded = {"quantity": "latency", "value": "9.0", "unit": "s", "load": {"concurrency": 64, "loop": "closed"}}
    crowded["summary"] = {"percentiles": {"99": "12.0"}}
    patch = bound("3.0")
    patch["arms"]["server"]["performance"]["latency-at-64"] = crowded
    assert judged("serving", "L05", "rate", patch).outcome is PASS
    patch["claims"]["rate"]["measured"] = {"arm": "server", "metric": "latency-at-64"}
    assert judged("serving", "L05", "rate", patch).outcome is VIOLATION


def test_warm_up_inside_the_raw_times_is_not_held_against_a_bound(judged):
    times = [9.0] * 8 + [2.0] * 100
    trials = {**NO_TRIALS, "t1": {"iterations_planned": 100, "warmup": 8, "samples": {"latency_s": times}}}
    patch = bound("3.0", summary=None)
    patch["arms"]["server"]["trials"] = trials
    assert judged("serving", "L05", "rate", patch).outcome is PASS
    trials["t1"]["samples"]["latency_s"] = [9.0] * 108
    assert judged("serving", "L05", "rate", patch).outcome is VIOLATION
