"""What the rules of serving read of requests that are recorded one by one."""

import pytest
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.recorded import TOKENS, document

BOUND = {"value": "0.5", "unit": "s", "percentile": "99", "part": "first_token"}
CLOSED = {"loop": "closed", "request_rate": None, "concurrency": 5}


def judged(code, claim="server-ttft", bound=None, **how):
    value = document(trials=2, **how)
    if bound is not None:
        value["claims"][claim] |= {"latency_bound": bound, "purpose": "serving_objective"}
    (result,) = judge(Case(to_model(value, Submission)), [by_code(code)], [claim])
    return result


FLAWS = [
    ("L11", "a", {"lost": 0.02}),
    ("L05", "b", {"lost": 0.02, "bound": BOUND}),
    ("L15", "b", {"stalls": (3.0, 6.0)}),
    ("L08", "b", {"distinct": 20, "cached": 0.9}),
    ("L08", "a", {"distinct": 20, "load": {"prefix_cache": True}}),
    ("L14", "a", {"clients": 5}),
    ("L14", "b", {"load": {"request_rate": 24.0}}),
    ("L14", "c", {"late": 0.06}),
    ("L04", "b", {"clients": 8, "load": CLOSED}),
    ("L09", "b", {"tokens": TOKENS * 8 // 10}),
]


@pytest.mark.parametrize(("code", "branch", "how"), FLAWS)
def test_a_flaw_is_flagged(code, branch, how):
    result = judged(code, **how)
    assert result.outcome is Outcome.VIOLATION
    assert result.branch.branch == branch


@pytest.mark.parametrize("code", sorted({code for code, _, _ in FLAWS}))
def test_an_honest_service_is_not(code):
    assert judged(code).outcome in {Outcome.PASS, Outcome.NOT_APPLICABLE}


def test_a_closed_loop_that_says_so_passes():
    assert judged("L14", clients=5, load=CLOSED).outcome is Outcome.NOT_APPLICABLE
    assert judged("L04", clients=5, load=CLOSED).outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(
    ("column", "values"),
    [("ended_s", [1.0]), ("outcome", ["completed"]), ("prompt", [1]), ("output_tokens", [1e308] * 250)],
)
def test_requests_that_contradict_themselves_stop_no_rule(column, values):
    value = document(trials=2)
    for trial in value["arms"]["server"]["trials"].values():
        trial["requests"][column] = values
    codes = [by_code(code) for code in ("L04", "L05", "L07", "L08", "L09", "L11", "L14", "L15", "F48")]
    results = judge(Case(to_model(value, Submission)), codes, ["server-rate"])
    assert Outcome.ERROR not in {result.outcome for result in results}


def test_two_counts_of_the_tokens_are_told():
    load = {"tokenizer": None}
    assert judged("L07", claim="server-rate", load=load).outcome is Outcome.PASS
    result = judged("L07", claim="server-rate", load=load, again=1.2)
    assert (result.outcome, result.branch.branch) == (Outcome.VIOLATION, "b")


def logged(parts, bound_ns=9e9):
    settings = {
        "effective_scenario": "Server",
        "effective_min_query_count": 100,
        "effective_min_duration_ms": 1000,
        "effective_target_latency_percentile": 0.99,
        "effective_target_latency_ns": bound_ns,
    }
    events = {str(line): {"key": key, "value": item} for line, (key, item) in enumerate(settings.items(), 1)}
    verdict = {"valid": all(parts.values()), "parts": parts}
    value = document(trials=2, count=500)
    value["arms"]["server"]["runs"] = {
        "t0-performance": {"role": "performance", "verdict": verdict, "events": events, "clock": {"kind": "relative"}}
    }
    (result,) = judge(Case(to_model(value, Submission)), [by_code("F48")], ["server-ttft"])
    return result


MET = {"min_duration": True, "min_queries": True, "early_stopping": True, "performance_constraints": True}


def test_a_verdict_that_the_requests_bear_out_passes():
    assert logged(MET).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("parts", "bound_ns"),
    [(MET, 0.3e9), ({"min_queries": False}, 9e9), ({"performance_constraints": False}, 9e9)],
)
def test_a_verdict_that_they_do_not_bear_out_is_refuted(parts, bound_ns):
    result = logged(MET | parts, bound_ns)
    assert result.outcome is Outcome.VIOLATION
    assert "c" in {branch.branch for branch in (result.branch, *result.others)}
