"""R08, R09, R11, R13: the files that a result was handed in with, and what its logs must hold."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome

EVENTS = base("suite-training")["arms"]["retinanet"]["runs"]["result_1"]["events"]
RUNS = [f"result_{number}" for number in range(5)]
FOLDER = "results/example_server_8xh100/retinanet"


def training(**arm):
    return {"arms": {"retinanet": arm}}


def of_file(**fields):
    return {"folder": {"files": {f"{FOLDER}/result_0.txt": fields}}}


def line_of(key, run="result_1"):
    events = base("suite-training")["arms"]["retinanet"]["runs"][run]["events"]
    return next(line for line, event in events.items() if event["key"] == key)


def lines_of(key, run="result_1"):
    events = base("suite-training")["arms"]["retinanet"]["runs"][run]["events"]
    return [line for line, event in events.items() if event["key"] == key]


@pytest.mark.parametrize(
    "folder",
    [FOLDER, "results/example_server_8xh100/strong/RetinaNet", "retinanet", "results/example/retina-net/retinanet"],
)
def test_a_folder_named_after_its_logs_is_one(judged, folder):
    assert judged("suite-training", "R08", "retinanet", training(folder=folder)).outcome is Outcome.PASS


def test_a_folder_of_another_benchmark_quotes_the_log(judged):
    result = judged("suite-training", "R08", "retinanet", training(folder="results/example_server_8xh100/bert"))
    assert (result.outcome, result.branch.recomputed) == (Outcome.VIOLATION, "retinanet")
    assert result.branch.at.endswith("/events/" + line_of("submission_benchmark", "result_0"))


def without_names(folder):
    gone = {line_of("submission_benchmark", name): None for name in RUNS}
    return training(folder=folder, runs={name: {"events": gone} for name in RUNS})


def test_logs_that_name_no_benchmark_leave_the_round_to_tell(judged):
    assert judged("suite-training", "R08", "retinanet", without_names("results/a/bert")).outcome is Outcome.PASS
    unknown = judged("suite-training", "R08", "retinanet", without_names("results/a/resnet34"))
    assert unknown.outcome is Outcome.VIOLATION
    open_round = without_names("results/a/resnet34") | {"folder": {"benchmarks": None}}
    assert judged("suite-training", "R08", "retinanet", open_round).outcome is Outcome.PASS


def test_a_declared_result_without_a_run_file_shows_nothing(judged):
    result = judged("suite-training", "R08", "retinanet", training(runs=None))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "run files of a declared result")


def test_a_run_file_of_no_known_format_names_the_nearest(judged):
    patch = of_file(format=None, nearest="mlperf-training", missing=[":::MLLOG"])
    result = judged("suite-training", "R08", "retinanet", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert "nearest is mlperf-training, without :::MLLOG" in result.branch.message
    other = of_file(format=None, role="documentation")
    assert judged("suite-training", "R08", "retinanet", other).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("result_0.txt", Outcome.PASS),
        ("result_a-2.log", Outcome.PASS),
        ("best-1.log", Outcome.NOT_SHOWN),
        ("run.txt", Outcome.NOT_SHOWN),
    ],
)
def test_a_log_bears_the_suites_name(judged, name, outcome):
    runs = {"result_0": {"file": {"name": f"{FOLDER}/{name}", "format": "mlperf-training"}}}
    result = judged("suite-training", "R08", "retinanet", training(runs=runs))
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert "1 of 5 logs" in result.branch.message


def test_folders_are_asked_for_only_where_one_was_handed_in(judged):
    assert judged("suite-training", "R08", "retinanet", {"folder": None}).outcome is Outcome.NOT_APPLICABLE
    assert judged("suite-training", "R08", "retinanet", training(folder=None)).outcome is Outcome.NOT_APPLICABLE


def broken(text, **line):
    malformed = {"95": {"column": 31, "expected": "a comma", "text": text} | line}
    return training(runs={"result_1": {"malformed": malformed}})


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (':::MLLOG {"key": "eval_accuracy", "value": 0.3', Outcome.NOT_SHOWN),
        (':::MLLOG {"key": "score" 38.115', Outcome.VIOLATION),
        (':::MLLOG {"key": "score" 138.115', Outcome.NOT_SHOWN),
        (':::MLLOG {"key": "score" 38.1150', Outcome.NOT_SHOWN),
        ("", Outcome.NOT_SHOWN),
    ],
)
def test_broken_lines(judged, text, outcome):
    result = judged("suite-training", "R09", "retinanet", broken(text) if text else broken(None))
    assert result.outcome is outcome
    assert result.branch.at == "/arms/retinanet/runs/result_1/malformed/95"


def test_a_short_declared_number_is_a_coincidence(judged):
    patch = broken(':::MLLOG {"key": "score" 38')
    patch["claims"] = {"retinanet": {"value": "38"}}
    assert judged("suite-training", "R09", "retinanet", patch).outcome is Outcome.NOT_SHOWN


def test_a_successful_run_needs_evaluations_too(judged):
    gone = dict.fromkeys(lines_of("eval_accuracy"))
    result = judged("suite-training", "R11", "retinanet", training(runs={"result_1": {"events": gone}}))
    assert result.outcome is Outcome.NOT_SHOWN
    assert result.branch.item == "start and evaluations of successful runs"
    assert "no evaluation" in result.branch.message


@pytest.mark.parametrize(("key", "word"), [("global_batch_size", "batch"), ("seed", "seed")])
def test_a_log_without_batch_or_seed_could_be_any_run(judged, key, word):
    gone = training(runs={"result_1": {"events": {line_of(key): None}}})
    result = judged("suite-training", "R11", "retinanet", gone)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "")
    assert f"no {word}" in result.branch.message


def test_an_aborted_or_killed_run_is_not_asked(judged):
    gone = {line_of("run_start"): None, line_of("run_stop"): {"value": "aborted"}}
    run = {"status": "aborted", "events": gone}
    assert judged("suite-training", "R11", "retinanet", training(runs={"result_1": run})).outcome is Outcome.PASS
    low = {line: {"value": 0.2} for line, event in EVENTS.items() if event["key"] == "eval_accuracy"}
    run = {"status": None, "events": {line_of("run_start"): None, line_of("run_stop"): None} | low}
    assert judged("suite-training", "R11", "retinanet", training(runs={"result_1": run})).outcome is Outcome.PASS


@pytest.mark.parametrize("key", ["run_stop", "init_stop", "train_samples"])
def test_a_log_that_lacks_what_the_other_logs_hold_was_cut(judged, key):
    line = next((line for line, event in EVENTS.items() if event["key"] == key), None)
    if line is None:
        pytest.skip("the base has no such event")
    run = {"status": None, "events": {line: None}}
    result = judged("suite-training", "R11", "retinanet", training(runs={"result_1": run}))
    assert result.outcome is Outcome.NOT_SHOWN
    assert key in result.branch.message


def test_a_performance_log_without_its_verdict_or_scenario_is_not_shown(judged):
    logged = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["events"]
    silent = {line: None for line, event in logged.items() if event["key"] in {"result_validity", "effective_scenario"}}
    patch = {"arms": {"offline": {"runs": {"performance": {"events": silent}}}}}
    assert judged("suite-inference", "R11", "offline", patch).outcome is Outcome.NOT_SHOWN


def test_a_start_may_stand_in_the_window(judged):
    run = {"events": {line_of("run_start"): None}, "window": {"start_ms": 1744012991494}}
    assert judged("suite-training", "R11", "retinanet", training(runs={"result_1": run})).outcome is Outcome.PASS


def test_inference_logs_need_no_training_events(judged):
    assert judged("suite-inference", "R11", "offline").outcome is Outcome.PASS


def record(**fields):
    return {"arms": {"offline": {"runs": {"accuracy": {"record": fields}}}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "item"),
    [
        (record(named_sha256="ab72"), Outcome.VIOLATION, ""),
        (record(named_sha256="ab72", outputs="truncated"), Outcome.PASS, ""),
        (record(outputs="withheld", outputs_sha256=None), Outcome.NOT_SHOWN, ""),
        (record(named_sha256=None), Outcome.NOT_SHOWN, ""),
        (record(metrics=None), Outcome.NOT_SHOWN, "accuracy record"),
        ({"arms": {"offline": {"runs": {"accuracy": {"record": None}}}}}, Outcome.NOT_SHOWN, "accuracy record"),
        ({"arms": {"offline": {"runs": {"accuracy": None}}}}, Outcome.NOT_SHOWN, "accuracy record"),
    ],
)
def test_accuracy_records(judged, patch, outcome, item):
    result = judged("suite-inference", "R13", "offline", patch)
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == item


def test_digests_compare_without_case(judged):
    named = base("suite-inference")["arms"]["offline"]["runs"]["accuracy"]["record"]["outputs_sha256"].upper()
    assert judged("suite-inference", "R13", "offline", record(named_sha256=named)).outcome is Outcome.PASS


def test_pairs_of_other_harnesses_have_no_record(judged):
    assert judged("training-pair", "R13", "rate").outcome is Outcome.NOT_APPLICABLE
