"""Q16, token-latency-over-limit: A service of a language model that answers more slowly than its scenario allows."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.patches import both
from support.suite_results import result, run

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("value", "benchmark", "division", "wrong"),
    [
        (False, "llama2-70b-99", "closed", True),
        (True, "llama2-70b-99", "closed", False),
        (False, "llama2-70b-99", "open", False),
        (False, "resnet", "closed", False),
    ],
)
def test_latencies_of_tokens_that_were_not_recorded(inference, value, benchmark, division, wrong):
    event = {"time_ms": 1744020000040, "key": "requested_use_token_latencies", "value": value, "kind": "mark"}
    patch = {
        "claims": {
            "offline": {
                "work": "tokens",
                "division": division,
                "suite_result": {"benchmark": benchmark, "division": division},
            }
        },
        "arms": {"offline": {"runs": {"performance": {"events": {"40": event}}}}},
    }
    found = inference("Q16", patch)
    assert (found == (VIOLATION, UNDERMINES)) is wrong


def service(benchmark="llama2-70b-99", scenario="Server", **fields):
    return both(
        {"claims": {"server": {"work": "tokens", "purpose": "serving_objective"}}},
        result("server", benchmark=benchmark, scenario=scenario, round="v5.1"),
        run("server", summary=fields),
    )


FIRST, NEXT = "99.00_percentile_first_token_latency_ns", "99.00_percentile_time_to_output_token_ns"


@pytest.mark.parametrize(
    ("scenario", "figures", "outcome"),
    [
        ("Interactive", {FIRST: 435976100, NEXT: 39507635}, PASS),
        ("Interactive", {FIRST: 450000001, NEXT: 39507635}, VIOLATION),
        ("Server", {FIRST: 450000001, NEXT: 39507635}, PASS),
        ("Interactive", {FIRST: 435976100, NEXT: 39507635, "tpot_latency_ns": 200000000}, VIOLATION),
        ("Interactive", {FIRST: 435976100}, NOT_SHOWN),
        ("Offline", {FIRST: 435976100}, NOT_APPLICABLE),
    ],
)
def test_token_latencies(inference, scenario, figures, outcome):
    assert inference("Q16", service(scenario=scenario, **figures), "server")[0] is outcome


def test_too_few_queries_for_a_percentile(inference):
    few = both(service(**{FIRST: 1, NEXT: 1}), run("server", events={"18": {"value": 298}}))
    assert inference("Q16", few, "server") == (NOT_SHOWN, None)
