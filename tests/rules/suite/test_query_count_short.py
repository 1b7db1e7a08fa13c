"""Q11, query-count-short."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.patches import both
from support.suite_results import performance, run, stated

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def logged(key, value, line="30", kind="option"):
    return {line: {"time_ms": 1744020000040, "key": key, "value": value, "kind": kind}}


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"events": logged("effective_performance_issue_same", True)}, VIOLATION),
        ({"events": logged("effective_performance_issue_same", False)}, PASS),
        ({"summary": {"performance_issue_same": 1}}, VIOLATION),
        ({"summary": {"performance_issue_same": "true"}}, VIOLATION),
        ({"summary": {"performance_issue_same": "maybe"}}, PASS),
        ({"events": {"12": {"value": 8}}}, VIOLATION),
        ({"events": {"12": {"value": 2048}}}, PASS),
        # an accuracy run in performance mode loads set after set: nothing is counted then
        ({"events": {"12": {"value": 8}} | logged("loaded_qsl_set", 8, kind="mark")}, PASS),
        # a set that is smaller than what was configured
        ({"events": {"12": {"value": 500}} | logged("qsl_reported_total_count", 500, kind="mark")}, PASS),
    ],
)
def test_samples_that_were_sent_and_loaded(inference, fields, outcome):
    found = inference("Q11", performance(**fields))
    assert found == (outcome, UNDERMINES if outcome is VIOLATION else None)


def test_a_compliance_run_may_send_one_sample(inference):
    same = {"arms": {"offline": {"runs": {"TEST04": {"summary": {"performance_issue_same": 1}}}}}}
    assert inference("Q11", same) == (PASS, None)


@pytest.mark.parametrize(
    ("benchmark", "round_name", "division", "outcome"),
    [
        ("llama2-70b-99", "v4.1", "closed", VIOLATION),
        ("llama2-70b-99", "v5.0", "closed", VIOLATION),
        ("llama3.1-8b", "v5.1", "closed", VIOLATION),
        ("llama2-70b-99", "v5.0", "open", None),
        ("llama2-70b-99", "v4.0", "closed", None),
        ("resnet", "v5.0", "closed", None),
    ],
)
def test_samples_of_different_sizes_are_sent_equally_often(inference, benchmark, round_name, division, outcome):
    of = stated("offline", benchmark=benchmark, round=round_name, division=division)
    setting = performance(events=logged("effective_sample_concatenate_permutation", False))
    samples = {"arms": {"offline": {"runs": {"performance": {"events": {"8": {"value": 30000}}}}}}}
    found = inference("Q11", both(of, setting, samples, {"claims": {"offline": {"division": division}}}))
    assert (found[0] is VIOLATION) is (outcome is VIOLATION)


@pytest.mark.parametrize(
    ("round_name", "samples", "wrong"), [("v4.1", 4, True), ("v4.1", 8, False), ("v1.1", 4, False), ("v4.1", 16, False)]
)
def test_samples_of_a_query_of_several_streams(inference, round_name, samples, wrong):
    of = stated("server", scenario="MultiStream", round=round_name)
    setting = performance("server", events=logged("effective_samples_per_query", samples))
    assert (inference("Q11", both(of, setting), "server")[0] is VIOLATION) is wrong


@pytest.mark.parametrize(("round_name", "wrong"), [("v0.7", True), ("v1.0", False)])
def test_early_rounds_ask_for_five_runs_of_a_server(inference, round_name, wrong):
    of = both(stated("server", round=round_name), {"publication": None})
    assert (inference("Q11", of, "server")[0] is VIOLATION) is wrong
    # a publication quotes one of them, and an excerpt shows one
    assert inference("Q11", stated("server", round=round_name), "server")[0] is not VIOLATION
    assert inference("Q11", both(of, {"coverage": "excerpt"}), "server")[0] is not VIOLATION
    # the open division may run what it likes
    assert inference("Q11", both(of, stated("server", division="open")), "server")[0] is not VIOLATION


SERVER = base("suite-inference")["arms"]["server"]["runs"]["performance"]["events"]


def test_offline_samples_and_loaded_samples(inference):
    assert inference("Q11") == (PASS, None)
    assert inference("Q11", run(window={"work": 24575})) == (VIOLATION, UNDERMINES)
    assert inference("Q11", run(window={"work": None})) == (NOT_SHOWN, None)
    assert inference("Q11", run(events={"8": {"value": "NaN"}})) == (NOT_SHOWN, None)


def test_fewer_queries_suffice_where_early_stopping_is_met(inference):
    few = run("server", window={"work": 900}, events={"18": {"value": 900}})
    assert inference("Q11", few, "server") == (PASS, None)
    unmet = both(few, run("server", verdict={"parts": {"early_stopping": False}}))
    assert inference("Q11", unmet, "server") == (VIOLATION, UNDERMINES)
    silent = both(few, run("server", verdict={"parts": {"early_stopping": None}}))
    assert inference("Q11", silent, "server") == (NOT_SHOWN, None)


def test_early_stopping_needs_queries_even_where_none_was_slow(inference):
    met = run("server", verdict={"parts": {"early_stopping": True}})
    counted = {"time_ms": 1744020661890, "key": "result_query_count", "kind": "stat"}
    lines = {line: None for line, event in SERVER.items() if event["key"] == "result_query_count"}
    few = run("server", events=lines | {"60": counted | {"value": 90}})
    enough = run("server", events=lines | {"60": counted | {"value": 5000}})
    assert inference("Q11", both(met, few), "server")[0] is VIOLATION
    assert inference("Q11", both(met, enough), "server")[0] is PASS


@pytest.mark.parametrize(("made_in", "outcome"), [("SingleStream", PASS), ("Offline", VIOLATION)])
def test_an_offline_result_may_be_inferred_from_a_stream(inference, made_in, outcome):
    logs = (
        {"4": {"value": made_in}} | logged("generated_samples_per_query", 1) | logged("result_query_count", 4096, "31")
    )
    found = performance(events=logs, verdict={"parts": {"early_stopping": True}})
    assert inference("Q11", found)[0] is outcome
