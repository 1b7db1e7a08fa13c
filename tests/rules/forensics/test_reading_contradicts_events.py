"""F60, reading-contradicts-events: what a log states of its own course, against its events."""

import pytest
from support.answers import found
from support.training_logs import CLAIM, RUNS, START, STOP, each_run, events

SECONDS = (STOP - START) / 1000
SURE, LIKELY, FINE = ("a", "undermines"), ("b", "undermines"), "pass"


def printed(key, value, line="900"):
    return {line: {"key": key, "value": value, "kind": "mark"}}


def judge(judged, patch):
    return found(judged("suite-training", "F60", CLAIM, patch))


@pytest.mark.parametrize(
    ("seconds", "expected"), [(int(SECONDS) - 3, SURE), (int(SECONDS) - 1, FINE), (int(SECONDS) + 600, FINE)]
)
def test_a_script_takes_as_long_as_the_run_in_it(judged, seconds, expected):
    assert judge(judged, events("result_1", **printed("printed_seconds", seconds))) == expected


def test_text_of_several_runs_in_one_log_says_nothing(judged):
    twice = {**printed("printed_seconds", 5), **printed("printed_seconds", 5, "901")}
    assert judge(judged, events("result_1", **twice)) == FINE


@pytest.mark.parametrize(
    ("begin", "expected"),
    [
        ("2025-04-07 08:00:00 PM", FINE),
        ("2025-04-08 10:00:00 AM", FINE),
        ("2025-03-07 08:00:00 AM", SURE),
        ("2025-04-12 08:00:00 AM", SURE),
        ("yesterday", FINE),
    ],
)
def test_a_script_begins_near_its_first_event_in_any_zone(judged, begin, expected):
    assert judge(judged, events("result_1", **printed("printed_begin", begin))) == expected


def evaluations(run="result_1"):
    lines = RUNS[run]["events"]
    return [lines[line]["value"] for line in sorted(lines, key=int) if lines[line]["key"] == "eval_accuracy"]


def test_the_printed_quality_is_the_logged_one(judged):
    values = evaluations()
    same = {
        line: entry
        for number, value in enumerate(values)
        for line, entry in printed("printed_ap", f"{value:.5f}", str(900 + number)).items()
    }
    assert judge(judged, events("result_1", **same)) == FINE
    other = same | printed("printed_ap", f"{values[0] - 0.004:.5f}")
    assert judge(judged, events("result_1", **other)) == SURE
    other.pop("901")
    assert judge(judged, events("result_1", **other)) == FINE


def epochs(rates, lasted_ms=600_000):
    """A log with epochs of one length and their rates."""
    lines = {}
    for number, rate in enumerate(rates):
        at, begin = 1000 + 3 * number, START + number * lasted_ms
        entries = ("epoch_start", begin, None), ("epoch_stop", begin + lasted_ms, None)
        for offset, (key, time, value) in enumerate((*entries, ("throughput", begin + lasted_ms, rate))):
            lines[str(at + offset)] = {"key": key, "time_ms": time, "value": value, "epoch": 100 + number}
    return events("result_1", **lines)


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((2600.0, 2614.7, 2610.2, 2605.0, 2608.1), FINE),
        ((2600.0, 3488.1, 2610.2, 2605.0, 2608.1), LIKELY),
        ((2600.0, 3488.1, 3400.2, 2605.0, 2608.1), FINE),
        ((2600.0, 3488.1, 2605.0), "not-applicable"),
    ],
    ids=["alike", "one off", "two off", "few"],
)
def test_epochs_of_one_length_ran_at_one_rate(judged, rates, expected):
    assert judge(judged, epochs(rates)) == expected


def counts(odd):
    """Every log ends with the samples that its last evaluation counted, but for one."""

    def change(name, line, event):
        if event["key"] == "run_stop":
            return {"samples": 1000}
        return {}

    patch = each_run(change)
    for name, run in patch["arms"][CLAIM]["runs"].items():
        value = odd if name == "result_2" else 10**9
        run["events"]["950"] = {"key": "train_samples", "value": value, "kind": "stat", "samples": 10**9}
    return patch


def test_a_log_counts_the_samples_that_it_says_it_trained_on(judged):
    assert judge(judged, counts(10**9)) == FINE
    assert judge(judged, counts(9 * 10**8)) == LIKELY
