"""M30, evaluation-schedule-differs-between-runs: Runs of one result that were evaluated at other distances."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer, found
from support.training_logs import CLAIM, NAMES, RUNS, events, of_runs

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def test_runs_that_skip_the_first_evaluations_have_another_schedule(judged):
    events = base("suite-training")["arms"][CLAIM]["runs"]["result_1"]["events"]
    early = [line for line, event in events.items() if event["key"].startswith("eval_") and event.get("epoch", 9) <= 2]
    gone = {"events": dict.fromkeys(early)}
    assert early
    result = judged("suite-training", "M30", CLAIM, of_runs(result_1=gone))
    assert found(result) == ("a", "undermines")


def test_a_log_with_a_line_that_cannot_be_read_may_have_lost_an_evaluation(judged):
    events = base("suite-training")["arms"][CLAIM]["runs"]["result_1"]["events"]
    (line,) = [line for line, event in events.items() if event["key"] == "eval_accuracy" and event.get("epoch") == 3]
    lost = {"events": {line: None}}
    # it was evaluated where the others were: its log begins the evaluation
    assert found(judged("suite-training", "M30", CLAIM, of_runs(result_1=lost))) == "not-shown"
    cut = lost | {"malformed": {line: {"expected": "value", "column": 9}}}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(result_1=cut))) == "not-applicable"
    others = {**of_runs(result_1=cut), **of_runs(result_1=cut)}
    others["arms"][CLAIM]["runs"]["result_2"] = lost
    assert found(judged("suite-training", "M30", CLAIM, others)) == "not-shown"


def test_evaluations_wait_for_a_batch_and_no_longer(judged):
    usual, later = [4000 * i for i in range(1, 7)], [4000 * i + 256 * (i > 1) for i in range(1, 7)]
    runs = {name: counted(usual) for name in NAMES} | {"result_1": counted(later)}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == "pass"
    runs["result_1"] = counted([4000 * i + 600 * (i > 1) for i in range(1, 7)])
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == ("a", "undermines")


def test_schedules_of_runs_that_stop_at_other_evaluations_are_one(judged):
    shorter = {line: None for line, event in RUNS["result_1"]["events"].items() if event.get("epoch", 0) > 4}
    assert found(judged("suite-training", "M30", CLAIM, events("result_1", **shorter))) == "pass"
    bare = {line: None for line, event in RUNS["result_1"]["events"].items() if event.get("epoch", 0) > 2}
    assert found(judged("suite-training", "M30", CLAIM, events("result_1", **bare))) == "not-applicable"


def counted(counters):
    """Evaluations of a run at other counters of samples, one for each of its six evaluations."""
    lines = [line for line, event in RUNS["result_1"]["events"].items() if event["key"] == "eval_accuracy"]
    return {"events": {line: {"samples": samples} for line, samples in zip(lines, counters, strict=True)}}


def test_rounded_distances_alternate_in_every_run_alike(judged):
    one = [1000 * i + (i % 2) for i in range(1, 7)]
    runs = {name: counted(one) for name in NAMES}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == "pass"
    runs["result_1"] = counted([500 * i for i in range(1, 7)])
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == ("a", "undermines")


def test_the_last_evaluation_of_a_run_that_failed_was_set_by_its_end(judged):
    runs = {name: counted([1000 * i for i in range(1, 7)]) for name in NAMES}
    runs["result_1"] = counted([1000, 2000, 3000, 4000, 5000, 5100])
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == ("a", "undermines")
    runs["result_1"] |= {"status": "aborted"}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == "pass"


def listed(change, arm="trained"):
    """The evaluations of the first run, changed; the other runs keep theirs."""
    runs = submission("time-to-accuracy")["arms"][arm]["trials"]
    name = next(name for name, run in runs.items() if run.get("evaluations"))
    return {"arms": {arm: {"trials": {name: {"evaluations": change(list(runs[name]["evaluations"]))}}}}}


def between(evaluations):
    """One more evaluation, half a distance after the fourth."""
    left, right = evaluations[3], evaluations[4]
    middle = {**left, **{unit: (left[unit] + right[unit]) / 2 for unit in ("samples", "epoch", "time_s")}}
    return [*evaluations[:4], middle | {"step": (left["step"] + right["step"]) // 2}, *evaluations[4:]]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda found: found, PASS),
        (between, ("a", UNDERMINES)),
        (lambda found: [*found[:5], *found[6:]], ("a", UNDERMINES)),
        (lambda found: found[3:], ("a", UNDERMINES)),
        (lambda found: found[:-1], PASS),
        (lambda found: found[:8] + found[-1:], PASS),
        (lambda found: found[:1], NOT_APPLICABLE),
    ],
)
def test_listed_runs_are_evaluated_on_one_schedule(judged, change, expected):
    assert answer(judged("time-to-accuracy", "M30", "time", listed(change))) == expected
