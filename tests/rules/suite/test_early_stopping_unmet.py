"""Q12, early-stopping-unmet: A percentile that too many slow queries among too few contradict."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.patches import both
from support.suite_results import performance, result, run, stated

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def stream(scenario, queries, dropped):
    return both(
        result("server", scenario=scenario),
        run(
            "server",
            summary={"result_query_count": queries, "early_stopping_discarded": dropped},
            events={"18": {"value": queries}},
        ),
    )


@pytest.mark.parametrize(
    ("scenario", "queries", "dropped", "outcome"),
    [
        # counts that the load generator itself printed
        ("SingleStream", 387, 24, PASS),
        ("SingleStream", 387, 25, VIOLATION),
        ("MultiStream", 30000, 259, PASS),
        ("MultiStream", 30000, 260, VIOLATION),
        ("SingleStream", 64, 0, PASS),
    ],
)
def test_slowest_queries_that_a_stream_may_leave_out(inference, scenario, queries, dropped, outcome):
    assert inference("Q12", stream(scenario, queries, dropped), "server")[0] is outcome


@pytest.mark.parametrize(
    "told",
    [
        {"events": {"40": {"time_ms": 1744020661890, "key": "early_stopping_met", "value": False, "kind": "stat"}}},
        {"verdict": {"parts": {"early_stopping": False}}},
        {"summary": {"early_stopping_satisfied": False}},
    ],
)
def test_bounds_on_tokens_leave_the_flag_of_early_stopping(inference, told):
    tokens = run("server", summary={"99.00_percentile_ttft_ns": 1})
    assert inference("Q12", both(tokens, run("server", **told)), "server") == (VIOLATION, REFUTES)


def test_early_stopping_needs_counts_and_knows_no_offline_scenario(inference):
    assert inference("Q12")[0] is NOT_APPLICABLE
    assert inference("Q12", run("server", events={"18": None}), "server") == (NOT_SHOWN, None)
    tokens = run("server", summary={"ttft_latency_ns": 2000000000})
    assert inference("Q12", tokens, "server")[0] is NOT_APPLICABLE
    odd = run("server", summary={"result_overlatency_query_count": -1}, events={"18": {"value": "Infinity"}})
    assert inference("Q12", odd, "server")[0] is NOT_SHOWN


def server(percentile, bound, round_name="v4.1", **fields):
    of = stated("server", round=round_name, **fields)
    figures = {"99.00_percentile_latency_ns": percentile, "result_overlatency_query_count": 2}
    return both(of, performance("server", summary=figures, events={"12": {"value": bound}}))


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (server(14_900_000, 15_000_000), (PASS, None)),
        (server(15_482_211, 15_000_000), (VIOLATION, REFUTES)),
        (server(15_482_211, 18_000_000), (VIOLATION, UNDERMINES)),
        (server(15_482_211, 18_000_000, division="open"), (PASS, None)),
        (server(15_482_211, 0), (PASS, None)),
        # of a bound on the tokens the log of whole queries says nothing
        (server(25e9, 20e9, "v5.0", benchmark="llama2-70b-99"), (PASS, None)),
    ],
)
def test_the_bound_of_a_server(inference, patch, expected):
    assert inference("Q12", both(patch, {"claims": {"server": {"division": None}}}), "server") == expected


def test_rounds_without_early_stopping_are_judged_by_the_percentile(inference):
    silent = {"events": {"18": None}, "summary": {"result_query_count": None, "result_overlatency_query_count": None}}
    early = both(server(14_900_000, 15_000_000, "v0.7"), performance("server", **silent))
    assert inference("Q12", early, "server")[0] is PASS
    late = both(server(14_900_000, 15_000_000, "v4.1"), performance("server", **silent))
    assert inference("Q12", late, "server")[0] is NOT_SHOWN


@pytest.mark.parametrize(("estimate", "outcome"), [(363571, PASS), (363527, PASS), (351204, VIOLATION)])
def test_an_estimate_of_early_stopping_bounds_its_percentile(inference, estimate, outcome):
    figures = {"early_stopping_estimate_ns": estimate, "90.00_percentile_latency_ns": 363527}
    figures |= {"early_stopping_discarded": 24, "result_query_count": 387}
    stream = both(
        stated("server", scenario="SingleStream"),
        performance("server", summary=figures, events={"18": {"value": 387}}),
    )
    assert inference("Q12", stream, "server")[0] is outcome


def test_a_stream_that_is_inferred_is_judged_by_the_scenario_of_its_log(inference):
    figures = {"early_stopping_estimate_ns": 363571, "90.00_percentile_latency_ns": 363527}
    figures |= {"99.00_percentile_latency_ns": 391204, "early_stopping_discarded": 24, "result_query_count": 387}
    inferred = both(
        stated("server", scenario="MultiStream"),
        performance("server", summary=figures, events={"18": {"value": 387}}),
    )
    assert inference("Q12", inferred, "server")[0] is VIOLATION
    made_in = {"4": {"time_ms": 1744020000040, "key": "effective_scenario", "value": "SingleStream"}}
    single = performance("server", events=made_in)
    assert inference("Q12", both(inferred, single), "server")[1] is not REFUTES
