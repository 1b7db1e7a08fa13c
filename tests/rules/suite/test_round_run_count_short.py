"""Q01, round-run-count-short."""

from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import found, nothing
from support.patches import both
from support.suite_results import runs, without
from support.training_logs import CLAIM, HOUR, NAMES, RUNS, START, at_once

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def declared(count):
    return {"arms": {"retinanet": {"performance": {"score": {"n": {"planned": count, "completed": count}}}}}}


def test_too_few_runs(training):
    assert training("Q01", both(without("result_4"), declared(4))) == (VIOLATION, UNDERMINES)
    assert training("Q01", both(without(*NAMES), declared(5))) == (PASS, None)


def test_an_excerpt_may_leave_logs_out(training):
    few = both(
        without("result_4"), {"coverage": "excerpt"}, {"arms": {"retinanet": {"performance": {"score": {"n": None}}}}}
    )
    assert training("Q01", few) == (NOT_SHOWN, None)
    assert training(
        "Q01", both(few, {"coverage": "full", "claims": {"retinanet": {"value": None, "form": "words"}}})
    ) == (
        NOT_SHOWN,
        None,
    )


def test_one_aborted_run_may_be_left_out_and_two_may_not(training):
    one = runs(result_1={"status": "aborted"})
    assert training("Q01", one) == (PASS, None)
    assert training("Q01", both(one, runs(result_2={"status": "aborted"}))) == (VIOLATION, UNDERMINES)


def test_more_runs_than_count_need_a_rule(training):
    more = runs(result_5={"role": "training", "status": "success", "file": {"name": "result_5.txt"}})
    assert training("Q01", more) == (PASS, None)
    bare = both(more, {"arms": {"retinanet": {"measurement": {"discard_rule": None}}}})
    assert training("Q01", bare) == (VIOLATION, UNDERMINES)


def test_a_weak_scaling_result_has_no_number_of_runs(training):
    weak = {"arms": {"retinanet": {"folder": "results/box/weak/retinanet"}}}
    assert training("Q01", both(weak, without("result_4"), declared(4))) == (NOT_APPLICABLE, None)
    assert training("Q08", both(weak, {"claims": {"retinanet": {"value": "1.0"}}})) == (NOT_APPLICABLE, None)


def numbered(patch, *numbers):
    for name, number in zip(RUNS, numbers, strict=True):
        event = {"key": "instance_id", "value": number, "time_ms": START - 50_000}
        patch["arms"][CLAIM]["runs"][name]["events"]["21"] = event
    return patch


def test_an_instance_that_ran_while_no_other_did(logged_training):
    result = logged_training("Q01", at_once(result_3=5 * HOUR))
    assert found(result) == ("b", "undermines")
    assert result.branch.at.endswith("/result_3")
    assert found(logged_training("Q01", at_once(result_3=-5 * HOUR))) == ("b", "undermines")
    assert nothing(logged_training("Q01", at_once(result_3=HOUR // 2)))


def test_runs_of_a_weak_result_that_all_follow_each_other_are_another_plan(logged_training):
    assert nothing(logged_training("Q01", {"arms": {CLAIM: {"folder": "results/box/weak/retinanet"}}}))


def test_numbers_of_instances(logged_training):
    assert nothing(logged_training("Q01", numbered(at_once(), 0, 1, 2, 3, 4)))
    assert nothing(logged_training("Q01", numbered(at_once(), 222, 223, 224, 225, 226)))
    twice = logged_training("Q01", numbered(at_once(), 0, 1, 2, 2, 3))
    assert found(twice) == ("c", "caveat")
    missing = logged_training("Q01", numbered(at_once(), 0, 1, 2, 4, 5))
    assert missing.outcome is Outcome.NOT_SHOWN
    assert "instance 3 of 0 to 5" in missing.branch.message
    assert nothing(logged_training("Q01", at_once()))
