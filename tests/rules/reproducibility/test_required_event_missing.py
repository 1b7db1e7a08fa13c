"""R11, required-event-missing."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.answers import nothing
from support.training_logs import EVENTS, each_run, of_run, training_arm

NOT_SHOWN = Outcome.NOT_SHOWN


def line_of(key, run="result_1"):
    events = base("suite-training")["arms"]["retinanet"]["runs"][run]["events"]
    return next(line for line, event in events.items() if event["key"] == key)


def lines_of(key, run="result_1"):
    events = base("suite-training")["arms"]["retinanet"]["runs"][run]["events"]
    return [line for line, event in events.items() if event["key"] == key]


def test_a_successful_run_needs_evaluations_too(judged):
    gone = dict.fromkeys(lines_of("eval_accuracy"))
    result = judged("suite-training", "R11", "retinanet", training_arm(runs={"result_1": {"events": gone}}))
    assert result.outcome is Outcome.NOT_SHOWN
    assert result.branch.item == "start and evaluations of successful runs"
    assert "no evaluation" in result.branch.message


@pytest.mark.parametrize(("key", "word"), [("global_batch_size", "batch"), ("seed", "seed")])
def test_a_log_without_batch_or_seed_could_be_any_run(judged, key, word):
    gone = training_arm(runs={"result_1": {"events": {line_of(key): None}}})
    result = judged("suite-training", "R11", "retinanet", gone)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "")
    assert f"no {word}" in result.branch.message


def test_an_aborted_or_killed_run_is_not_asked(judged):
    gone = {line_of("run_start"): None, line_of("run_stop"): {"value": "aborted"}}
    run = {"status": "aborted", "events": gone}
    assert judged("suite-training", "R11", "retinanet", training_arm(runs={"result_1": run})).outcome is Outcome.PASS
    low = {line: {"value": 0.2} for line, event in EVENTS.items() if event["key"] == "eval_accuracy"}
    run = {"status": None, "events": {line_of("run_start"): None, line_of("run_stop"): None} | low}
    assert judged("suite-training", "R11", "retinanet", training_arm(runs={"result_1": run})).outcome is Outcome.PASS


@pytest.mark.parametrize("key", ["run_stop", "init_stop", "train_samples"])
def test_a_log_that_lacks_what_the_other_logs_hold_was_cut(judged, key):
    line = next((line for line, event in EVENTS.items() if event["key"] == key), None)
    if line is None:
        pytest.skip("the base has no such event")
    run = {"status": None, "events": {line: None}}
    result = judged("suite-training", "R11", "retinanet", training_arm(runs={"result_1": run}))
    assert result.outcome is Outcome.NOT_SHOWN
    assert key in result.branch.message


def test_a_performance_log_without_its_verdict_or_scenario_is_not_shown(judged):
    logged = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["events"]
    silent = {line: None for line, event in logged.items() if event["key"] in {"result_validity", "effective_scenario"}}
    patch = {"arms": {"offline": {"runs": {"performance": {"events": silent}}}}}
    assert judged("suite-inference", "R11", "offline", patch).outcome is Outcome.NOT_SHOWN


def test_a_start_may_stand_in_the_window(judged):
    run = {"events": {line_of("run_start"): None}, "window": {"start_ms": 1744012991494}}
    assert judged("suite-training", "R11", "retinanet", training_arm(runs={"result_1": run})).outcome is Outcome.PASS


def test_inference_logs_need_no_training_events(judged):
    assert judged("suite-inference", "R11", "offline").outcome is Outcome.PASS


def test_a_log_that_breaks_off_is_named(logged_training):
    cut = {line: None for line in EVENTS if int(line) > 63}
    result = logged_training("R11", of_run(cut, status=None))
    assert result.outcome is Outcome.NOT_SHOWN
    assert "breaks off at eval_start" in result.branch.message
    aborted = of_run({**{line: None for line in cut if line != "90"}, "90": {"value": "aborted"}}, status="aborted")
    assert nothing(logged_training("R11", aborted))


def test_caches_that_all_other_runs_say_they_cleared(logged_training):
    result = logged_training("R11", of_run({"4": None}))
    assert result.outcome is Outcome.NOT_SHOWN
    assert "cache_clear" in result.branch.message

    def change(name, line, event):
        return None if event["key"] == "cache_clear" else {}

    assert nothing(logged_training("R11", each_run(change)))


def test_a_summary_that_is_missing_in_a_folder(judged):
    bare = {"folder": None, "arms": {"offline": {"runs": {"performance": {"summary": None}}}}}
    assert judged("suite-inference", "R11", "offline", bare).outcome is not NOT_SHOWN
    handed = bare | {"folder": {"name": "round", "files": {}}}
    found = judged("suite-inference", "R11", "offline", handed)
    assert (found.outcome, "summary" in found.branch.message) == (NOT_SHOWN, True)


def test_logs_of_the_first_rounds_leave_the_verdict_to_the_summary(judged):
    events = {"15": None, "70": {"time_ms": 1744020000001, "key": "build_date_utc", "value": "2020", "kind": "mark"}}
    early = {"arms": {"offline": {"runs": {"performance": {"events": events}}}}}
    assert judged("suite-inference", "R11", "offline", early).outcome is not NOT_SHOWN
    silent = {"arms": {"offline": {"runs": {"performance": {"events": {"15": None}}}}}}
    assert judged("suite-inference", "R11", "offline", silent).outcome is NOT_SHOWN
