"""F48, validity-flag-contradicted."""

import pytest
from dlaudit.rules.bases import base
from support.answers import found, nothing
from support.suite_results import performance
from support.training_logs import CAVEAT, CLAIM, REFUTED, of_run, trained

TRAINING = base("suite-training")["arms"]["retinanet"]["runs"]["result_1"]
INFERENCE = base("suite-inference")["arms"]["offline"]["runs"]


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ({"valid": False, "words": "INVALID"}, REFUTED),
        ({"parts": {"min_duration": False}}, REFUTED),
        ({"errors": 3}, CAVEAT),
        ({"errors": 3, "parts": {"min_duration": False}}, REFUTED),
        ({"errors": 0}, "pass"),
        ({"valid": None}, "not-applicable"),
    ],
)
def test_verdicts_of_the_harness(judged, verdict, expected):
    assert found(judged("suite-inference", "F48", "offline", performance(verdict=verdict))) == expected


def test_errors_that_the_claim_states_and_warnings(judged):
    stated = performance(verdict={"errors": 3})
    stated["arms"]["offline"]["performance"] = {"rate": {"n": {"failed": 3}}}
    assert found(judged("suite-inference", "F48", "offline", stated)) == "pass"
    error = {"40": {"key": "issue_query", "value": "slot in use", "kind": "error"}}
    assert found(judged("suite-inference", "F48", "offline", performance(events=error))) == CAVEAT
    not_said = performance(events=error, verdict={"valid": None})
    assert found(judged("suite-inference", "F48", "offline", not_said)) == REFUTED
    warning = {"40": {"key": "warning", "value": "slot in use", "kind": "stat"}}
    assert found(judged("suite-inference", "F48", "offline", performance(events=warning))) == "pass"


@pytest.mark.parametrize("role", ["compliance", "ranging"])
def test_runs_beside_the_measured_one_may_be_invalid(judged, role):
    patch = {"arms": {"offline": {"runs": {"TEST01": {"role": role, "verdict": {"valid": False}}}}}}
    assert found(judged("suite-inference", "F48", "offline", patch)) == "pass"


def test_a_success_below_the_target_refutes(judged):
    def all_at(value):
        lines = [line for line, event in TRAINING["events"].items() if event["key"] == "eval_accuracy"]
        return trained(runs={"result_1": {"events": {line: {"value": value} for line in lines}}})

    assert found(judged("suite-training", "F48", CLAIM, all_at(0.3399))) == REFUTED
    assert found(judged("suite-training", "F48", CLAIM, all_at(0.34))) == "not-applicable"


def test_a_log_that_calls_itself_invalid_refutes(judged):
    def says(word):
        event = {"time_ms": 1744020661890, "key": "result_validity", "value": word, "kind": "stat"}
        lines = INFERENCE["performance"]["events"]
        told = next((line for line, item in lines.items() if item["key"] == "result_validity"), "60")
        return {"arms": {"offline": {"runs": {"performance": {"events": {told: event}}}}}}

    assert found(judged("suite-inference", "F48", "offline", says("INVALID"))) == REFUTED
    assert found(judged("suite-inference", "F48", "offline", says("VALID"))) == "pass"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("result_perf_constraints_met", False, REFUTED),
        ("early_stopping_met", False, REFUTED),
        ("result_min_queries_met", True, "pass"),
        ("result_no_such_part_met", False, "pass"),
    ],
)
def test_a_part_that_the_log_gives_as_unmet_refutes(judged, key, value, expected):
    told = {"60": {"time_ms": 1744020661890, "key": key, "value": value, "kind": "stat"}}
    assert found(judged("suite-inference", "F48", "offline", performance(events=told))) == expected
    ruled_out = performance(events=told, verdict={"parts": {"performance_constraints": False}})
    assert found(judged("suite-inference", "F48", "offline", ruled_out)) == REFUTED


def test_an_evaluation_that_is_text_is_named_and_not_taken_for_a_miss(logged_training):
    text = of_run({"88": {"value": "0.34164 (ok)"}})
    result = logged_training("F41", text)
    assert found(result) == ("c", "undermines")
    assert "its last one" in result.branch.message
    assert result.branch.at.endswith("/events/88")
    assert nothing(logged_training("F48", text))
    assert nothing(logged_training("Q02", text))
    assert found(logged_training("F48", of_run({"88": {"value": 0.33}}))) == ("a", "refutes")
