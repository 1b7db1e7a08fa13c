"""F50, headline-not-in-trace: A printed number that start and stop, counts and latencies of the logs contradict."""

import pytest
from dlaudit.rules.forensics.headline_not_in_trace import scores_s, trimmed
from support.answers import found
from support.suite_results import performance
from support.training_logs import CLAIM, REFUTED, trained


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("38.1154", "pass"),
        ("38.12", "pass"),
        ("38.1143", ("a", "caveat")),  # the middle one of three consecutive runs, where all five count
        ("38", "pass"),
        ("38.2", ("a", "caveat")),
        ("36", REFUTED),
        ("2286.9", REFUTED),
    ],
)
def test_training_times(judged, value, expected):
    assert found(judged("suite-training", "F50", CLAIM, {"claims": {CLAIM: {"value": value}}})) == expected


def test_a_window_of_the_runs_may_be_meant_where_it_is_not_said_how_many_count(judged):
    patch = {"claims": {CLAIM: {"value": "38.1143"}}}
    patch["arms"] = {CLAIM: {"performance": {"score": {"n": None, "trials": None}}}}
    assert found(judged("suite-training", "F50", CLAIM, patch)) == "pass"


def test_a_rate_of_tokens_is_held_against_the_log(judged):
    def tokens(value):
        event = {"time_ms": 1744020661890, "key": "result_tokens_per_second", "value": 34791.2, "kind": "stat"}
        runs = {"performance": {"events": {"60": event}}}
        return {"claims": {"offline": {"value": value, "unit": "tokens/s"}}, "arms": {"offline": {"runs": runs}}}

    assert found(judged("suite-inference", "F50", "offline", tokens("34791"))) == "pass"
    assert found(judged("suite-inference", "F50", "offline", tokens("35835"))) == REFUTED


def test_a_time_in_seconds_and_a_stated_statistic(judged):
    patch = {"claims": {CLAIM: {"value": "2291.9", "unit": "s", "statistic": "max"}}}
    assert found(judged("suite-training", "F50", CLAIM, patch)) == "pass"
    patch["claims"][CLAIM]["statistic"] = "min"
    assert found(judged("suite-training", "F50", CLAIM, patch)) == ("a", "caveat")
    patch["claims"][CLAIM]["statistic"] = "unspecified"
    assert found(judged("suite-training", "F50", CLAIM, patch)) == "not-applicable"


def test_the_time_of_one_run_is_its_stop_minus_its_start(judged):
    def walled(seconds):
        return trained(trials={"result_1": {"wall_s": seconds}})

    assert found(judged("suite-training", "F50", CLAIM, walled(2283.268))) == "pass"
    assert found(judged("suite-training", "F50", CLAIM, walled(2283.3))) == "pass"
    assert found(judged("suite-training", "F50", CLAIM, walled(2283.281))) == ("a", "caveat")
    assert found(judged("suite-training", "F50", CLAIM, walled(1983.281))) == REFUTED


def test_a_log_with_two_starts_gives_no_time(judged):
    twice = {"23": {}, "130": {"time_ms": 1, "key": "run_start"}}
    patch = trained(runs={"result_1": {"events": twice}})
    assert found(judged("suite-training", "F50", CLAIM, patch)) == "not-applicable"


def test_scores_of_runs():
    times = [10.0, 11.0, 12.0, 13.0, 100.0]
    assert trimmed(times) == 12
    assert trimmed([1.0, 2.0]) == float("inf")
    assert set(scores_s(times, "trimmed_mean")) == {12.0, 11.0, 13.0}
    assert scores_s([10.0, float("inf"), 12.0], "mean") == (11.0,)
    assert scores_s([], "mean") == scores_s([1.0], "words") == ()
    assert trimmed([float(i) for i in range(40)]) == 19.5


@pytest.mark.parametrize(
    ("claim", "value", "expected"),
    [
        ("offline", "93945.8", "pass"),
        ("offline", "94800", "pass"),
        ("offline", "95000", REFUTED),
        ("server", "75012.37", "pass"),
        ("server", "90000", "pass"),
        ("server", "99000", REFUTED),
        ("server", "72000", REFUTED),
    ],
)
def test_rates_of_arriving_and_of_waiting_work(judged, claim, value, expected):
    assert found(judged("suite-inference", "F50", claim, {"claims": {claim: {"value": value}}})) == expected


def test_queries_one_at_a_time_fit_into_the_trace(judged):
    def single(mean_ns):
        patch = performance(
            summary={"scenario": "SingleStream", "mean_latency_ns": mean_ns},
            window={"work": 1000, "trace_s": 600, "largest_latency_s": 1},
        )
        claim = {"value": "0.7", "unit": "s", "quantity": "latency", "suite_result": {"scenario": "SingleStream"}}
        return {"claims": {"offline": claim}, **patch}

    assert found(judged("suite-inference", "F50", "offline", single(600_000_000))) == "pass"
    assert found(judged("suite-inference", "F50", "offline", single(610_000_000))) == REFUTED


def test_tokens_and_unknown_scenarios_are_not_recomputed(judged):
    tokens = {"claims": {"offline": {"value": "5", "unit": "tokens/s"}}}
    assert found(judged("suite-inference", "F50", "offline", tokens)) == "not-applicable"
    multi = {"claims": {"offline": {"value": "5", "suite_result": {"scenario": "MultiStream"}}}}
    assert found(judged("suite-inference", "F50", "offline", multi)) == "not-applicable"
