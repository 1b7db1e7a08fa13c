"""Q02, round-target-missed."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import found, nothing
from support.patches import both
from support.suite_results import events, runs, training_result, without
from support.training_logs import EVENTS, NAMES, of_run

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def test_a_run_without_success_may_miss_the_target(training):
    missed = events("result_2", line88={"value": 0.33})
    assert training("Q02", missed) == (VIOLATION, REFUTES)
    failed = both(missed, runs(result_2={"status": "aborted"}))
    assert training("Q02", failed) == (PASS, None)


@pytest.mark.parametrize(
    ("benchmark", "value", "outcome"),
    [
        ("gnn", 0.71, VIOLATION),
        ("resnet", 0.758, VIOLATION),
        ("ssd", 0.1, NOT_APPLICABLE),
        ("bert", 0.7125, NOT_APPLICABLE),
        ("no", 0.1, NOT_APPLICABLE),
    ],
    ids=["gnn", "resnet", "targets differ", "a round without a single one", "unknown"],
)
def test_without_a_round_the_target_of_all_rounds_holds(training, benchmark, value, outcome):
    missed = both(training_result(round=None, benchmark=benchmark), events("result_2", line88={"value": value}))
    assert training("Q02", missed)[0] is outcome


@pytest.mark.parametrize(("target", "outcome"), [(0.33, VIOLATION), (0.34, PASS), (0.35, PASS), (34.0, PASS)])
def test_a_logged_target_must_not_be_easier(training, target, outcome):
    assert training("Q02", events("result_0", line21={"key": "eval_target", "value": target}))[0] is outcome


def test_two_metrics_have_to_meet_at_one_evaluation(training):
    diffusion = both(
        training_result(benchmark="stable_diffusion", round="v4.1"),
        *(without(name) for name in NAMES[1:]),
    )

    def at(first, second):
        patch = {
            line: {"value": value, "samples": samples}
            for line, value, samples in (
                *(("33", first[0], 512000), ("44", first[1], 512000)),
                *(("55", second[0], 1024000), ("66", second[1], 1024000)),
            )
        }
        patch |= dict.fromkeys(("77", "88"))
        return training("Q02", both(diffusion, runs(result_0={"events": patch})))

    assert at((120.5, 0.09), (89.1, 0.151)) == (PASS, None)
    assert at((120.5, 0.151), (89.1, 0.09)) == (VIOLATION, REFUTES)
    assert at((120.5, 0.09), (90.4, 0.151)) == (VIOLATION, REFUTES)


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_value_that_is_not_finite_never_meets_a_target(training, value):
    assert training("Q02", events("result_2", line88={"value": value})) == (VIOLATION, REFUTES)


@pytest.mark.parametrize("value", [None, True, "34.1 %", {}])
def test_a_value_that_cannot_be_read_decides_nothing(training, value):
    assert training("Q02", events("result_2", line88={"value": value})) == (NOT_APPLICABLE, None)


def test_two_values_of_the_evaluation_that_decides_are_both_named(logged_training):
    second = {**EVENTS["88"], "value": 0.33164}
    result = logged_training("Q02", of_run({"87": second}))
    assert found(result) == ("b", "undermines")
    assert "0.34164 and as 0.33164" in result.branch.message
    assert nothing(logged_training("Q02", of_run({"87": {**EVENTS["88"], "value": 0.34264}})))
    earlier = {**EVENTS["77"], "value": 0.34100}
    assert nothing(logged_training("Q02", of_run({"76": earlier})))


def test_two_metrics_under_one_key_are_not_two_values_of_one(logged_training):
    lines = {
        str(int(line) - 1): {**event, "value": event["value"] - 0.02}
        for line, event in EVENTS.items()
        if event["key"] == "eval_accuracy"
    }
    assert found(logged_training("Q02", of_run(lines))) != ("b", "undermines")
