"""F17, F41, F43, F48, F52, R11, Q01, Q02, Q05: stamps, counters, values and instances that logs of training hold."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome

CLAIM = "retinanet"
RUNS = base("suite-training")["arms"][CLAIM]["runs"]
EVENTS = RUNS["result_1"]["events"]
START = EVENTS["23"]["time_ms"]
HOUR, DAY = 3_600_000, 86_400_000


def of_run(lines, name="result_1", **fields):
    return {"arms": {CLAIM: {"runs": {name: {"events": lines, **fields}}}}}


def of_runs(change, **arm):
    """Change the events of every run: (name, line, event) to a patch of the event."""
    runs = {
        name: {"events": {line: change(name, line, event) for line, event in run["events"].items()}}
        for name, run in RUNS.items()
    }
    return {"arms": {CLAIM: {"runs": runs, **arm}}}


def line_of(name, key):
    return next(line for line, event in RUNS[name]["events"].items() if event["key"] == key)


def found(result):
    if result.outcome is Outcome.VIOLATION:
        return result.branch.branch, result.branch.effect.word
    return result.outcome.value


@pytest.fixture
def training(judged):
    return lambda code, patch: judged("suite-training", code, CLAIM, patch)


def nothing(result):
    return result.outcome in {Outcome.PASS, Outcome.NOT_APPLICABLE}


# F17: stops before starts


@pytest.mark.parametrize(
    ("early_ms", "accused"), [(900, None), (1_100, "caveat"), (4_900, "caveat"), (90_000, "undermines")]
)
def test_an_evaluation_does_not_end_before_it_begins(training, early_ms, accused):
    result = training("F17", of_run({"56": {"time_ms": EVENTS["52"]["time_ms"] - early_ms}}))
    assert nothing(result) is (accused is None)
    if accused:
        assert found(result) == ("e", accused)
        assert "eval_stop" in result.branch.message
        assert result.branch.at.endswith("/events/56")


def test_any_mark_counts_and_marks_of_several_processes_are_not_paired(training):
    stages = {
        "120": {"key": "staging_start", "time_ms": START},
        "121": {"key": "staging_stop", "time_ms": START - 5_000},
    }
    assert found(training("F17", of_run(stages))) == ("e", "undermines")
    ranks = {"119": {"key": "staging_start", "time_ms": START - 9_000}, **stages}
    assert nothing(training("F17", of_run(ranks)))
    assert nothing(training("F17", of_run({"121": stages["121"]})))


def test_an_initialisation_that_ends_after_the_start(training):
    late = training("F17", of_run({"22": {"time_ms": START + 300_000}}))
    assert found(late) == ("f", "caveat")
    assert nothing(training("F17", of_run({"22": {"time_ms": START + 4_000}})))
    after = {"22": None, "26": {"key": "init_stop", "time_ms": START + 300_000}}
    assert nothing(training("F17", of_run(after)))


# F17: seconds among milliseconds


def test_a_log_in_seconds_among_logs_in_milliseconds(training):
    seconds = {line: {"time_ms": event["time_ms"] // 1000} for line, event in EVENTS.items()}
    result = training("F17", of_run(seconds))
    assert found(result) == ("e", "undermines")
    assert "in seconds" in result.branch.message
    since_boot = {line: {"time_ms": event["time_ms"] - START + 1_500_000} for line, event in EVENTS.items()}
    assert nothing(training("F17", of_run(since_boot, clock={"kind": None})))


def test_logs_that_all_count_seconds_are_not_told_apart(training):
    assert nothing(training("F17", of_runs(lambda name, line, event: {"time_ms": event["time_ms"] // 1000})))


# F17: after the round


@pytest.mark.parametrize(("round_name", "noticed"), [("v5.0", False), ("v4.1", True), ("v9.9", False)])
def test_what_was_run_after_its_round_was_published_is_a_rerun(training, round_name, noticed):
    """The logs are of April 2025: v4.1 came out in November 2024, v5.0 in June 2025."""
    handed = {"publication": None, "folder": {"name": "training_results"}}
    patch = {**handed, "claims": {CLAIM: {"suite_result": {"round": round_name}}}}
    assert (found(training("F17", patch)) == ("g", "caveat")) is noticed


def test_one_run_after_the_round_among_those_before_it_was_put_there(training):
    year_ms = 365 * 86_400_000
    before = of_runs(lambda name, line, event: {"time_ms": event["time_ms"] - (year_ms if name != "result_0" else 0)})
    patch = {"publication": None, "folder": {"name": "training_results"}, **before}
    patch["claims"] = {CLAIM: {"suite_result": {"round": "v4.1"}}}
    result = training("F17", patch)
    assert found(result) == ("g", "undermines")
    assert (result.branch.claimed, result.branch.recomputed) == (None, None)
    assert result.branch.at.endswith("/runs/result_0/events/" + line_of("result_0", "run_start"))
    arm = patch["arms"][CLAIM] | {"trials": None}
    for name in RUNS.keys() - {"result_0"}:
        arm["runs"][name] = {"events": {line: {"time_ms": None} for line in EVENTS}, "window": None}
    untimed = training("F17", {**patch, "arms": {CLAIM: arm}})
    assert found(untimed) == ("g", "undermines")
    assert untimed.branch.message.startswith(f"1 of {len(RUNS)} runs")


@pytest.mark.parametrize("left", ["init_start", None])
def test_a_run_after_its_round_is_named_where_its_log_says_that_it_began(training, left):
    window = {"start_ms": START, "stop_ms": START + HOUR}
    lines = {line: None for line, event in EVENTS.items() if event["key"] in {"run_start", "init_start"} - {left}}
    patch = {"publication": None, "folder": {"name": "training_results"}, **of_run(lines, window=window)}
    patch["arms"][CLAIM]["runs"] |= dict.fromkeys(name for name in RUNS if name != "result_1")
    patch["claims"] = {CLAIM: {"suite_result": {"round": "v4.1"}}}
    result = training("F17", patch)
    assert found(result) == ("g", "caveat")
    place = "/runs/result_1" + (f"/events/{line_of('result_1', left)}" if left else "")
    assert result.branch.at.endswith(place)


def test_a_published_number_may_rest_on_later_runs_of_an_old_round(training):
    assert nothing(training("F17", {"claims": {CLAIM: {"suite_result": {"round": "v4.1"}}}}))


# F37, Q01: instances that run at once


def at_once(**starts_ms):
    """All runs as instances of a weak-scaling result, which start together but where told otherwise."""
    first = {name: run["events"]["23"]["time_ms"] for name, run in RUNS.items()}

    def change(name, line, event):
        return {"time_ms": event["time_ms"] - first[name] + START + starts_ms.get(name, 0)}

    return of_runs(change, folder="results/box/weak/retinanet")


def numbered(patch, *numbers):
    for name, number in zip(RUNS, numbers, strict=True):
        event = {"key": "instance_id", "value": number, "time_ms": START - 50_000}
        patch["arms"][CLAIM]["runs"][name]["events"]["21"] = event
    return patch


def no_host(patch):
    for run in patch["arms"][CLAIM]["runs"].values():
        run |= {"host": None, "exclusive": None}
    return patch


def test_instances_of_a_throughput_overlap_by_design(training):
    assert nothing(training("F37", no_host(at_once())))
    together = no_host(at_once())
    together["arms"][CLAIM]["folder"] = "results/box/retinanet"
    assert training("F37", together).outcome is Outcome.NOT_SHOWN


def test_an_instance_that_ran_while_no_other_did(training):
    result = training("Q01", at_once(result_3=5 * HOUR))
    assert found(result) == ("b", "undermines")
    assert result.branch.at.endswith("/result_3")
    assert found(training("Q01", at_once(result_3=-5 * HOUR))) == ("b", "undermines")
    assert nothing(training("Q01", at_once(result_3=HOUR // 2)))


def test_runs_of_a_weak_result_that_all_follow_each_other_are_another_plan(training):
    assert nothing(training("Q01", {"arms": {CLAIM: {"folder": "results/box/weak/retinanet"}}}))


def test_numbers_of_instances(training):
    assert nothing(training("Q01", numbered(at_once(), 0, 1, 2, 3, 4)))
    assert nothing(training("Q01", numbered(at_once(), 222, 223, 224, 225, 226)))
    twice = training("Q01", numbered(at_once(), 0, 1, 2, 2, 3))
    assert found(twice) == ("c", "caveat")
    missing = training("Q01", numbered(at_once(), 0, 1, 2, 4, 5))
    assert missing.outcome is Outcome.NOT_SHOWN
    assert "instance 3 of 0 to 5" in missing.branch.message
    assert nothing(training("Q01", at_once()))


# F43


def blocks(*counters):
    lines = {}
    for index, (begin, end) in enumerate(counters):
        time = START + 60_000 * index
        lines[str(200 + 2 * index)] = {"time_ms": time, "key": "block_start", "samples": begin}
        lines[str(201 + 2 * index)] = {"time_ms": time + 50_000, "key": "block_stop", "samples": end}
    return of_run(lines)


@pytest.mark.parametrize(
    ("counters", "accused"),
    [
        (((0, 10), (10, 20), (20, 30), (30, 40)), None),
        (((40, 10), (10, 20), (20, 30), (30, 40)), "caveat"),  # the first count may be a checkpoint's
        (((0, 10), (10, 20), (70, 30), (30, 40)), "undermines"),
        # a checkpoint, blocks that count their own samples, starts that count something else
        (((40, 50), (50, 60), (60, 70), (70, 80)), None),
        (((0, 10), (10, 10), (20, 10), (30, 10)), None),
        (((40, 10), (80, 20), (120, 30), (160, 40)), None),
        (((40, 10), (10, 20)), None),
    ],
)
def test_a_block_does_not_begin_above_its_own_end(training, counters, accused):
    result = training("F43", blocks(*counters))
    assert (result.outcome is Outcome.VIOLATION) is (accused is not None)
    assert accused is None or found(result) == ("b", accused)


# F41, F48, Q02: text and two values


def test_an_evaluation_that_is_text_is_named_and_not_taken_for_a_miss(training):
    text = of_run({"88": {"value": "0.34164 (ok)"}})
    result = training("F41", text)
    assert found(result) == ("c", "undermines")
    assert "its last one" in result.branch.message
    assert result.branch.at.endswith("/events/88")
    assert nothing(training("F48", text))
    assert nothing(training("Q02", text))
    assert found(training("F48", of_run({"88": {"value": 0.33}}))) == ("a", "refutes")


def test_words_that_every_evaluation_holds_are_no_text_among_numbers(training):
    evaluations = [line for line, event in EVENTS.items() if event["key"] == "eval_accuracy"]
    assert nothing(training("F41", of_run({line: {"value": "see above"} for line in evaluations})))


def test_two_values_of_the_evaluation_that_decides_are_both_named(training):
    second = {**EVENTS["88"], "value": 0.33164}
    result = training("Q02", of_run({"87": second}))
    assert found(result) == ("b", "undermines")
    assert "0.34164 and as 0.33164" in result.branch.message
    assert nothing(training("Q02", of_run({"87": {**EVENTS["88"], "value": 0.34264}})))
    earlier = {**EVENTS["77"], "value": 0.34100}
    assert nothing(training("Q02", of_run({"76": earlier})))


def test_two_metrics_under_one_key_are_not_two_values_of_one(training):
    lines = {
        str(int(line) - 1): {**event, "value": event["value"] - 0.02}
        for line, event in EVENTS.items()
        if event["key"] == "eval_accuracy"
    }
    assert found(training("Q02", of_run(lines))) != ("b", "undermines")


# F52


def test_two_batches_before_the_start_leave_open_which_was_in_force(training):
    second = {"12": EVENTS["12"], "21": {**EVENTS["12"], "value": 512}}
    assert found(training("F52", of_run(second))) == ("c", "undermines")
    phase = {"58": {**EVENTS["12"], "value": 512, "kind": "option"}}
    assert found(training("F52", of_run(phase))) == ("b", "caveat")
    rate = {"21": {**EVENTS["14"], "value": 0.001}}
    assert found(training("F52", of_run(rate))) == ("b", "caveat")


def stopped_with(**values):
    patch = {"arms": {CLAIM: {"runs": {}}}}
    for name, run in RUNS.items():
        last = [event["value"] for event in run["events"].values() if event["key"] == "eval_accuracy"][-1]
        line = max(map(int, run["events"])) + 1
        stop = {"key": "run_stop.value", "value": values.get(name, last), "time_ms": START}
        patch["arms"][CLAIM]["runs"][name] = {"events": {str(line): stop}}
    return patch


def test_a_number_beside_the_stop_is_that_of_the_last_evaluation_as_in_the_other_runs(training):
    assert nothing(training("F52", stopped_with()))
    assert found(training("F52", stopped_with(result_1=0.35))) == ("d", "caveat")
    assert nothing(training("F52", stopped_with(result_1=0.35, result_2=0.36)))
    assert nothing(training("F52", stopped_with(result_1=0.33715)))


# R11


def test_a_log_that_breaks_off_is_named(training):
    cut = {line: None for line in EVENTS if int(line) > 63}
    result = training("R11", of_run(cut, status=None))
    assert result.outcome is Outcome.NOT_SHOWN
    assert "breaks off at eval_start" in result.branch.message
    aborted = of_run({**{line: None for line in cut if line != "90"}, "90": {"value": "aborted"}}, status="aborted")
    assert nothing(training("R11", aborted))


def test_caches_that_all_other_runs_say_they_cleared(training):
    result = training("R11", of_run({"4": None}))
    assert result.outcome is Outcome.NOT_SHOWN
    assert "cache_clear" in result.branch.message

    def change(name, line, event):
        return None if event["key"] == "cache_clear" else {}

    assert nothing(training("R11", of_runs(change)))


# F38, Q05


def test_a_finding_about_days_stands_at_the_run_that_lies_apart(training):
    for name, days in (("result_0", -90), ("result_4", 90)):
        lines = {line: {"time_ms": event["time_ms"] + days * DAY} for line, event in RUNS[name]["events"].items()}
        patch = of_run(lines, name)
        patch["arms"][CLAIM]["plan"] = None
        result = training("F38", patch)
        assert found(result) == ("a", "undermines")
        assert result.branch.at.endswith(f"/{name}")
        assert f"{name}.txt" in result.branch.message


@pytest.mark.parametrize(("step", "noted"), [(150_080, False), (149_632, False), (148_736, True)])
def test_evaluations_within_a_batch_of_the_prescribed_distance_are_on_time(training, step, noted):
    """For a batch of 448: 155,157 samples, rounded down to 150,000, and up to whole batches."""
    evaluations = [line for line, event in EVENTS.items() if event["key"] == "eval_accuracy"]
    lines = {line: {"samples": step * (index + 2)} for index, line in enumerate(evaluations)}
    patch = of_run({**lines, "12": {"value": 448}})
    patch["arms"][CLAIM]["runs"] |= dict.fromkeys(name for name in RUNS if name != "result_1")
    patch["claims"] = {CLAIM: {"suite_result": {"benchmark": "bert", "round": "v5.0"}}}
    result = training("Q05", patch)
    assert result.outcome is Outcome.PASS
    assert bool(result.notes) is noted
