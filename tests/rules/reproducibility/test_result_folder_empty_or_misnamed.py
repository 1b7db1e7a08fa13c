"""R08, result-folder-empty-or-misnamed."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.training_logs import training_arm

RUNS = [f"result_{number}" for number in range(5)]
FOLDER = "results/example_server_8xh100/retinanet"


def of_file(**fields):
    return {"folder": {"files": {f"{FOLDER}/result_0.txt": fields}}}


def line_of(key, run="result_1"):
    events = base("suite-training")["arms"]["retinanet"]["runs"][run]["events"]
    return next(line for line, event in events.items() if event["key"] == key)


@pytest.mark.parametrize(
    "folder",
    [FOLDER, "results/example_server_8xh100/strong/RetinaNet", "retinanet", "results/example/retina-net/retinanet"],
)
def test_a_folder_named_after_its_logs_is_one(judged, folder):
    assert judged("suite-training", "R08", "retinanet", training_arm(folder=folder)).outcome is Outcome.PASS


def test_a_folder_of_another_benchmark_quotes_the_log(judged):
    result = judged("suite-training", "R08", "retinanet", training_arm(folder="results/example_server_8xh100/bert"))
    assert (result.outcome, result.branch.recomputed) == (Outcome.VIOLATION, "retinanet")
    assert result.branch.at.endswith("/events/" + line_of("submission_benchmark", "result_0"))


def without_names(folder):
    gone = {line_of("submission_benchmark", name): None for name in RUNS}
    return training_arm(folder=folder, runs={name: {"events": gone} for name in RUNS})


def test_logs_that_name_no_benchmark_leave_the_round_to_tell(judged):
    assert judged("suite-training", "R08", "retinanet", without_names("results/a/bert")).outcome is Outcome.PASS
    unknown = judged("suite-training", "R08", "retinanet", without_names("results/a/resnet34"))
    assert unknown.outcome is Outcome.VIOLATION
    open_round = without_names("results/a/resnet34") | {"folder": {"benchmarks": None}}
    assert judged("suite-training", "R08", "retinanet", open_round).outcome is Outcome.PASS


def test_a_declared_result_without_a_run_file_shows_nothing(judged):
    result = judged("suite-training", "R08", "retinanet", training_arm(runs=None))
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
    result = judged("suite-training", "R08", "retinanet", training_arm(runs=runs))
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert "1 of 5 logs" in result.branch.message


def test_folders_are_asked_for_only_where_one_was_handed_in(judged):
    assert judged("suite-training", "R08", "retinanet", {"folder": None}).outcome is Outcome.NOT_APPLICABLE
    assert judged("suite-training", "R08", "retinanet", training_arm(folder=None)).outcome is Outcome.NOT_APPLICABLE
