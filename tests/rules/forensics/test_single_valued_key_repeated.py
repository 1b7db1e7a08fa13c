"""F52, single-valued-key-repeated: Two values where a log can hold one."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.answers import found, nothing
from support.training_logs import CLAIM, EVENTS, RUNS, START, STOP, of_run

PASS, VIOLATION = Outcome.PASS, Outcome.VIOLATION


@pytest.mark.parametrize(
    ("event", "processes", "expected"),
    [
        ({"time_ms": START, "key": "run_start"}, 1, "pass"),
        ({"time_ms": START + 900, "key": "run_start"}, 1, "pass"),
        ({"time_ms": START + 1_500, "key": "run_start"}, 1, ("a", "refutes")),
        ({"time_ms": START + 4_500, "key": "run_start"}, 8, "pass"),
        ({"time_ms": STOP - 60_000, "key": "run_stop", "value": "success"}, 8, ("a", "refutes")),
        ({"time_ms": STOP, "key": "submission_benchmark", "value": "bert"}, 1, ("a", "refutes")),
        ({"time_ms": STOP, "key": "submission_benchmark", "value": "RetinaNet"}, 1, "pass"),
        ({"time_ms": STOP, "key": "init_start"}, 1, "pass"),
        ({"time_ms": STOP, "key": "seed", "value": 9}, 1, "pass"),
        ({"time_ms": STOP, "key": "global_batch_size", "value": 256, "kind": "option"}, 1, "pass"),
    ],
)
def test_what_stands_twice(judged, event, processes, expected):
    patch = of_run({"130": event}, processes=processes)
    assert found(judged("suite-training", "F52", CLAIM, patch)) == expected


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("seed", 7, ("b", "caveat")),
        ("opt_name", "lamb", ("b", "caveat")),
        ("global_batch_size", 512, ("c", "undermines")),
    ],
)
def test_one_log_that_states_twice_what_the_others_state_once(judged, key, value, expected):
    again = next(event for event in EVENTS.values() if event["key"] == key) | {"value": value}
    lines = EVENTS | {"22": again}
    patch = of_run(lines)
    assert found(judged("suite-training", "F52", CLAIM, patch)) == expected
    everywhere = {f"result_{number}": {"events": {"22": again}} for number in range(5)}
    assert found(judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": everywhere}}})) == "pass"


def counted_late(name):
    """The line of a run's start, and a line after it of what was consumed of a data set whose size stands before it."""
    events = base("suite-training")["arms"][CLAIM]["runs"][name]["events"]
    start = next(line for line, event in events.items() if event["key"] == "run_start")
    return start, {"1000": {"time_ms": events[start]["time_ms"], "key": "train_samples", "value": 90000}}


def test_a_log_without_a_start_does_not_tell_an_option_from_a_counter(judged):
    logs = {f"result_{number}": counted_late(f"result_{number}") for number in range(5)}
    runs = {name: {"events": events} for name, (_, events) in logs.items()}
    assert found(judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": runs}}})) == "pass"
    runs["result_1"]["events"] |= {logs["result_1"][0]: None}
    assert found(judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": runs}}})) == "pass"


def test_two_sizes_before_the_start_are_told_apart_from_the_counter_after_it(judged):
    runs = {f"result_{number}": {"events": counted_late(f"result_{number}")[1]} for number in range(5)}
    runs["result_1"]["events"] |= {"21": {"time_ms": START, "key": "train_samples", "value": 118000}}
    result = judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": runs}}})
    assert found(result) == ("b", "caveat")
    assert "and as 118000; 4 other runs log one value before the steps" in result.branch.message


def test_two_results_of_a_harness_refute_and_equal_ones_do_not(judged):
    def again(value):
        event = {"time_ms": 1744020661890, "key": "result_samples_per_second", "value": value, "kind": "stat"}
        return {"arms": {"offline": {"runs": {"performance": {"events": {"30": event}}}}}}

    assert found(judged("suite-inference", "F52", "offline", again(93945.806))) == "pass"
    assert found(judged("suite-inference", "F52", "offline", again(99945.806))) == ("a", "refutes")
    assert found(judged("suite-inference", "F52", "offline", again("NaN"))) == ("a", "refutes")


def test_two_batches_before_the_start_leave_open_which_was_in_force(logged_training):
    second = {"12": EVENTS["12"], "21": {**EVENTS["12"], "value": 512}}
    assert found(logged_training("F52", of_run(second))) == ("c", "undermines")
    phase = {"58": {**EVENTS["12"], "value": 512, "kind": "option"}}
    assert found(logged_training("F52", of_run(phase))) == ("b", "caveat")
    rate = {"21": {**EVENTS["14"], "value": 0.001}}
    assert found(logged_training("F52", of_run(rate))) == ("b", "caveat")


def stopped_with(**values):
    patch = {"arms": {CLAIM: {"runs": {}}}}
    for name, run in RUNS.items():
        last = [event["value"] for event in run["events"].values() if event["key"] == "eval_accuracy"][-1]
        line = max(map(int, run["events"])) + 1
        stop = {"key": "run_stop.value", "value": values.get(name, last), "time_ms": START}
        patch["arms"][CLAIM]["runs"][name] = {"events": {str(line): stop}}
    return patch


def test_a_number_beside_the_stop_is_that_of_the_last_evaluation_as_in_the_other_runs(logged_training):
    assert nothing(logged_training("F52", stopped_with()))
    assert found(logged_training("F52", stopped_with(result_1=0.35))) == ("d", "caveat")
    assert nothing(logged_training("F52", stopped_with(result_1=0.35, result_2=0.36)))
    assert nothing(logged_training("F52", stopped_with(result_1=0.33715)))


@pytest.mark.parametrize(("second", "outcome"), [(846_210, VIOLATION), (846_000, PASS)])
def test_an_estimate_that_is_logged_twice(inference, second, outcome):
    event = {"time_ms": 1744020661890, "key": "early_stopping_latency_ms", "kind": "stat"}
    events = {"60": event | {"value": 846_000}, "61": event | {"value": second}}
    assert inference("F52", {"arms": {"offline": {"runs": {"performance": {"events": events}}}}})[0] is outcome


@pytest.mark.parametrize("kind", ["stat", "option"])
def test_a_key_that_one_log_holds_twice_as_a_reading_stops_nothing(judged, kind):
    again = {"time_ms": STOP, "key": "global_batch_size", "value": 512, "kind": kind}
    lines = {
        at: event | ({"kind": "stat"} if event["key"] == "global_batch_size" else {}) for at, event in EVENTS.items()
    }
    assert judged("suite-training", "F52", CLAIM, of_run(lines | {"22": again})).outcome is not Outcome.ERROR
