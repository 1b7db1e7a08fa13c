"""F36, start-stamps-coincide: Several runs of a result that carry one start time to the last digit."""

import copy

from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.answers import found
from support.training_logs import CLAIM, HOUR, NAMES, RUNS, copied, of_runs


def starts(*names, line="23", time=1744012991494):
    return of_runs(**{name: {"events": {line: {"time_ms": time}}} for name in names})


def test_two_stamps_undermine_and_three_refute(judged):
    assert found(judged("suite-training", "F36", CLAIM, starts("result_1"))) == ("b", "undermines")
    assert found(judged("suite-training", "F36", CLAIM, starts("result_1", "result_2"))) == ("a", "refutes")


def test_copies_explain_two_equal_stamps(judged):
    patch = copied(times=True)
    for line, event in patch["arms"][CLAIM]["runs"]["result_1"]["events"].items():
        event["time_ms"] = RUNS["result_0"]["events"][line]["time_ms"]
    assert found(judged("suite-training", "F36", CLAIM, patch)) == "pass"


def test_coarse_relative_and_scripted_stamps_are_not_judged(judged):
    coarse = {name: {"clock": {"resolution_ms": 1000}} for name in NAMES}
    relative = {name: {"clock": {"kind": "relative"}} for name in NAMES}
    for runs in (coarse, relative):
        patch = starts("result_1", "result_2")
        for name, fields in runs.items():
            patch["arms"][CLAIM]["runs"].setdefault(name, {}).update(fields)
        assert found(judged("suite-training", "F36", CLAIM, patch)) == "not-applicable"
    scripted = starts(*NAMES[1:], line="4", time=RUNS["result_0"]["events"]["4"]["time_ms"])
    assert found(judged("suite-training", "F36", CLAIM, scripted)) == "pass"


def started(stamp):
    return {"1": {"time_ms": stamp, "key": "run_start"}, "2": {"time_ms": stamp + HOUR, "key": "run_stop"}}


def test_runs_that_a_scheduler_starts_together_may_meet(judged):
    value = copy.deepcopy(base("suite-training"))
    run = {"role": "training", "clock": {"kind": "unix", "resolution_ms": 1}}
    stamps = [1744012991000 + 7 * i for i in range(20)] + [1744012991007]
    value["arms"][CLAIM]["runs"] = {f"r{i}": {**run, "events": started(stamp)} for i, stamp in enumerate(stamps)}
    (result,) = judge(Case(to_model(value, Submission)), [by_code("F36")], [CLAIM])
    assert result.outcome is not Outcome.VIOLATION


def test_a_start_that_all_runs_share_was_written_afterwards(judged):
    assert found(judged("suite-training", "F36", CLAIM, starts(*NAMES))) == ("a", "refutes")


def test_whole_seconds_and_instances_of_a_throughput_may_coincide(judged):
    whole = starts(*NAMES[1:3], line="5", time=1744012941000)
    for name in NAMES:
        event = whole["arms"][CLAIM]["runs"].setdefault(name, {}).setdefault("events", {}).setdefault("5", {})
        event.setdefault("time_ms", 1744012941000 + 2_400_000 * NAMES.index(name))
    assert found(judged("suite-training", "F36", CLAIM, whole)) == "pass"
    weak = starts(*NAMES)
    weak["arms"][CLAIM]["folder"] = "results/box/weak/retinanet"
    assert found(judged("suite-training", "F36", CLAIM, weak)) == "not-applicable"
