"""F29, F42, F44, F45 and F46: what honest folders of suite results hold otherwise than their descriptions."""

import pytest
from dlaudit.rules.outcome import Outcome

ARM = "retinanet"
VIOLATION = Outcome.VIOLATION


def logged(**options):
    lines = {str(900 + index): {"key": key, "value": value, "kind": "option"} for index, (key, value) in
             enumerate(options.items())}  # fmt: skip
    return {"arms": {ARM: {"runs": {f"result_{i}": {"events": lines} for i in range(5)}}}}


def server(**fields):
    return {"systems": {"server": fields}}


def effect(result):
    return result.branch.effect.word if result.outcome is VIOLATION else None


@pytest.mark.parametrize(
    ("device", "each", "expected"),
    [
        ("AMD Instinct MI250X", 16, None),  # dies
        ("Intel Data Center GPU Max 1550", 16, None),  # tiles
        ("TPU v3", 16, None),  # cores
        ("AWS Trainium1", 16, None),
        ("AWS Trainium2", 16, "refutes"),
        ("NVIDIA H100-SXM5-80GB", 16, "refutes"),
        ("AMD Instinct MI250X", 32, "refutes"),
    ],
)
def test_logs_count_dies_and_cores_of_what_a_description_counts_whole(judged, device, each, expected):
    patch = server(device=device, devices_per_node=8, nodes=1)
    patch |= logged(number_of_nodes=1, accelerators_per_node=each)
    assert effect(judged("suite-training", "F45", ARM, patch)) == expected


@pytest.mark.parametrize(
    ("count", "options", "expected"),
    [
        (3098, {"number_of_nodes": 8, "accelerators_per_node": 8}, None),  # of a node
        (388, {"number_of_nodes": 8, "accelerators_per_node": 8}, None),  # of a device
        (775, {"number_of_ranks": 32}, None),
        (97, {"eval_batch_size": 256}, None),  # batches
        (20000, {"number_of_nodes": 8, "eval_batch_size": 256}, "refutes"),
        (12391, {"eval_batch_size": 256}, "refutes"),
    ],
)
def test_the_share_of_a_process_and_a_count_of_batches_are_no_part_of_the_set(judged, count, options, expected):
    patch = logged(**options)
    for run in patch["arms"][ARM]["runs"].values():
        run["events"]["20"] = {"key": "eval_samples", "value": count, "kind": "option"}
    assert effect(judged("suite-training", "F42", ARM, patch)) == expected


@pytest.mark.parametrize(
    ("platform", "device", "expected"),
    [
        ("32xtrn1.32xlarge", "AWS Trainium1", None),
        ("tpu-v5e-128", "TPU v5litepod", None),
        ("32xtrn1.32xlarge", "AWS Trainium2", "undermines"),
    ],
)
def test_a_device_is_called_by_several_names(judged, platform, device, expected):
    patch = server(name="a system", device=device)
    runs = {f"result_{i}": {"events": {"11": {"key": "submission_platform", "value": platform, "kind": "identity"}}}
            for i in range(5)}  # fmt: skip
    description = {"fields": {"accelerator_model_name": device}}
    patch |= {"arms": {ARM: {"folder": "Lab/results/a_system", "runs": runs, "description": description}}}
    assert effect(judged("suite-training", "F44", ARM, patch)) == expected


@pytest.mark.parametrize(("folder", "expected"), [("8xH100", "undermines"), ("8xH100_open", "caveat")])
def test_an_open_result_whose_logs_say_closed_may_lie_in_a_folder_called_open(judged, folder, expected):
    runs = {f"result_{i}": {"file": {"name": f"Lab/results/{folder}/retinanet/result_{i}.txt"}} for i in range(5)}
    patch = {"arms": {ARM: {"runs": runs, "description": {"fields": {"division": "open"}}}}}
    assert effect(judged("suite-training", "F46", ARM, patch)) == expected


@pytest.mark.parametrize(
    ("platform", "expected"), [("2xEPYC_8xH100", None), ("4xSocket", None), ("2xXE9680", "undermines")]
)
def test_a_platform_counts_processors_too(judged, platform, expected):
    runs = {f"result_{i}": {"events": {"11": {"key": "submission_platform", "value": platform, "kind": "identity"}}}
            for i in range(5)}  # fmt: skip
    patch = server(nodes=1, devices_per_node=8) | {"arms": {ARM: {"runs": runs}}}
    assert effect(judged("suite-training", "F45", ARM, patch)) == expected


@pytest.mark.parametrize(
    ("round_name", "count", "expected"),
    [("v0.7", 4952, None), ("v0.7", 5000, None), ("v0.7", 2476, "undermines"), ("v2.0", 97, None), (None, 2476, None)],
)
def test_the_set_of_a_benchmark_is_that_of_its_rounds(judged, round_name, count, expected):
    patch = logged()
    for run in patch["arms"][ARM]["runs"].values():
        run["events"]["20"] = {"key": "eval_samples", "value": count, "kind": "option"}
    patch["arms"][ARM] |= {"quality": None, "trials": None, "splits": None, "options": {"dataset": None}}
    patch["claims"] = {ARM: {"quality": None, "suite_result": {"benchmark": "ssd", "round": round_name}}}
    assert effect(judged("suite-training", "F42", ARM, patch)) == expected
