"""Results of lm-evaluation-harness: what is a count, on which split and part, with which model."""

import json
import math
from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.validation import validate


def report(results, config=None, **more):
    return {
        "results": results,
        "versions": dict.fromkeys(results, 1.0),
        "config": {"model": "hf", "model_args": "pretrained=example/net", "limit": None, **(config or {})},
        **more,
    }


def counts(effective, original=None, task="quiz"):
    return {"n-samples": {task: {"original": original or effective, "effective": effective}}}


def sem(share, n):
    return math.sqrt(share * (1 - share) / (n - 1))


def read(value):
    draft = of_file("a.json", json.dumps(value).encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def qualities(value):
    return read(value).value["arms"]["model"]["quality"]


def found(value, tmp_path):
    """Codes of the findings on a report, with their effects."""
    (tmp_path / "a.json").write_text(json.dumps(value))
    (one,) = read_documents([str(tmp_path / "a.json")])
    return {(f.code, str(f.effect)) for f in lint(one, Settings()).report.all_findings if f.outcome == "violation"}


SHARE = 336 / 408
MASS = {"acc,none": 0.5401837462918374, "acc_stderr,none": 0.01502}
"""A mean over examples of the probability of right answers: no count, and it scatters less than one."""


@pytest.mark.parametrize(
    ("results", "more", "expected"),
    [
        ({"acc,none": SHARE, "acc_stderr,none": sem(SHARE, 408)}, counts(408), True),
        ({"em,none": SHARE, "em_stderr,none": sem(SHARE, 408)}, counts(408), True),
        (MASS, counts(817), False),
        ({"inst_acc,none": 0.7841726618705036, "inst_acc_stderr,none": "N/A"}, counts(541), False),
        ({"acc,none": SHARE}, {**counts(408), "configs": {"quiz": {"output_type": "multiple_choice"}}}, True),
        (
            MASS,
            {**counts(817), "configs": {"quiz": {"process_results": "def process_results(doc, results): ..."}}},
            False,
        ),
        ({"f1,none": SHARE}, {**counts(408), "configs": {"quiz": {"output_type": "multiple_choice"}}}, False),
    ],
    ids=["its error", "any name", "mass", "no error", "configured", "a function of its own", "f1"],
)
def test_a_metric_is_a_count_only_where_that_is_shown(results, more, expected, tmp_path):
    value = report({"quiz": results}, **more)
    (quality,) = qualities(value).values()
    assert quality["counted"] is expected
    assert "F11" not in {code for code, _ in found(value, tmp_path)}


def test_a_share_that_no_count_gives_is_found(tmp_path):
    """The harness drops and fills up no batch, so that the examples are known."""
    honest = {"exact_match,strict-match": 0.62, "exact_match_stderr,strict-match": sem(0.62, 100)}
    more = {**counts(100), "configs": {"quiz": {"output_type": "generate_until"}}}
    assert found(report({"quiz": honest}, **more), tmp_path) == set()
    assert ("F11", "caveat") in found(
        report({"quiz": {**honest, "exact_match,strict-match": 0.6237}}, **more), tmp_path
    )


def test_a_limit_as_a_share_leaves_the_count_open(tmp_path):
    """Some versions print the examples of another task's limit."""
    value = report({"quiz": {"acc,none": 0.6237}}, {"limit": 0.1}, **counts(100, 1000))
    assert [quality["counted"] for quality in qualities(value).values()] == [False]
    assert {code for code, _ in found(value, tmp_path)} == {"F42"}


def test_an_error_that_the_share_does_not_allow_is_found(tmp_path):
    more = {**counts(100), "configs": {"quiz": {"output_type": "generate_until"}}}
    told = {"exact_match,none": 0.62, "exact_match_stderr,none": 0.004}
    assert ("F08", "undermines") in found(report({"quiz": told}, **more), tmp_path)
    assert "F08" not in {code for code, _ in found(report({"quiz": MASS}, **counts(817)), tmp_path)}


@pytest.mark.parametrize("group", [0.5799185543395265, 0.55, 0.6])
def test_a_group_is_a_mean_of_its_subtasks(group, tmp_path):
    results = {"all": {"acc,none": group}, "one": {"acc,none": 0.55}, "two": {"acc,none": 0.6}}
    value = report(results, group_subtasks={"all": ["one", "two"], "one": [], "two": []})
    assert set(qualities(value)["all-acc"]["shards"]) == {"one", "two"}
    assert found(value, tmp_path) == set()
    results["all"]["acc,none"] = 0.68
    assert ("M22", "refutes") in found(value, tmp_path)


def test_a_group_whose_subtasks_have_other_metrics_is_held_against_none():
    results = {"all": {"acc,none": 0.68}, "one": {"acc,none": 0.55}, "two": {"acc_norm,none": 0.6}}
    assert "shards" not in qualities(report(results, group_subtasks={"all": ["one", "two"]}))["all-acc"]


@pytest.mark.parametrize(
    ("config", "split"),
    [
        ({"training_split": "train", "validation_split": "validation", "test_split": "test"}, "test"),
        ({"training_split": "train", "validation_split": "val", "test_split": None}, "validation"),
        ({"training_split": "train"}, "unlabelled"),
    ],
)
def test_the_split_is_the_one_that_the_harness_takes(config, split):
    (quality,) = qualities(report({"quiz": {"acc,none": 0.5}}, configs={"quiz": config})).values()
    assert quality["split"] == split


@pytest.mark.parametrize(
    ("limit", "count", "words"),
    [
        (100.0, counts(100, 1319), "limit 100.0: 100 of 1319 examples"),
        (None, counts(100, 1319), "100 of 1319 examples"),
        (5000, counts(1319), None),
        (100, {}, "limit 100"),
        (None, {}, None),
    ],
)
def test_a_part_of_the_examples_is_said(limit, count, words, tmp_path):
    value = report({"quiz": {"acc,none": 0.5}}, {"limit": limit}, **count)
    (quality,) = qualities(value).values()
    assert quality.get("subset") == words
    assert (("F42", "caveat") in found(value, tmp_path)) is (words is not None and "of" in words)


@pytest.mark.parametrize(
    "arguments",
    [
        "pretrained=example/net,dtype=bfloat16,quantization=fp8",
        {"pretrained": "example/net", "dtype": "bfloat16", "quantization": "fp8", "max_length": 2048},
    ],
)
def test_arguments_of_the_model_are_a_text_or_a_map(arguments):
    arm = read(report({"quiz": {"acc,none": 0.5}}, {"model": "vllm", "model_args": arguments})).value["arms"]["model"]
    assert arm["options"]["model"] == "example/net"
    assert arm["options"]["precision"] == {"compute": "bf16"}
    assert arm["options"]["quantisation"] == "fp8"
    assert arm["software"]["framework"] == "vllm"


def test_a_backend_is_no_model_where_the_model_is_named():
    arm = read(report({"quiz": {"acc,none": 0.5}}, {"model_args": ""}, model_name="example/net")).value["arms"]["model"]
    assert (arm["options"]["model"], arm["software"]["framework"]) == ("example/net", "transformers")
    arm = read(report({"quiz": {"acc,none": 0.5}}, {"model": "example-api", "model_args": ""})).value["arms"]["model"]
    assert arm["options"]["model"] == "example-api"


def test_filters_of_one_metric_are_told_apart():
    value = report({"quiz": {"exact_match,strict-match": 0.6, "exact_match,flexible-extract": 0.7}})
    assert [quality["metric"] for quality in qualities(value).values()] == [
        "quiz exact_match (strict-match)",
        "quiz exact_match (flexible-extract)",
    ]


def test_a_group_of_which_a_part_was_evaluated_says_so():
    results = {"all": {"acc,none": 0.6}, "one": {"acc,none": 0.5}, "two": {"acc,none": 0.7}}
    sizes = {"one": {"original": 300, "effective": 100}, "two": {"original": 50, "effective": 50}}
    more = {"group_subtasks": {"all": ["part", "two"], "part": ["one"]}, "n-samples": sizes}
    held = qualities(report(results, {"limit": 100.0}, **more))
    assert held["all-acc"]["examples"] == 150
    assert held["all-acc"]["subset"] == "limit 100.0: 150 of 350 examples"
    assert "subset" not in held["two-acc"]
    del sizes["two"]
    assert "examples" not in qualities(report(results, **more))["all-acc"]


def test_a_group_that_names_itself_ends():
    held = qualities(report({"all": {"acc,none": 0.6}}, **{"group_subtasks": {"all": ["all"]}, "n-samples": {}}))
    assert "examples" not in held["all-acc"]


MACHINE = (
    "PyTorch version: 2.9.0+cu128\nGPU models and configuration: GPU 0: NVIDIA L4\nGPU 1: NVIDIA L4\n"
    "Nvidia driver version: 535.274.02\nCUDA runtime version: Could not collect\n"
)


def test_the_machine_of_an_evaluation_is_read_where_the_model_ran_on_it():
    more = {"pretty_env_info": MACHINE, "transformers_version": "4.57.5"}
    value = read(report({"quiz": {"acc,none": 0.5}}, {"device": "cuda:0"}, **more)).value
    assert value["systems"]["machine"] == {"name": "NVIDIA L4", "device_kind": "accelerator", "device": "NVIDIA L4"}
    software = value["arms"]["model"]["software"]
    assert software["driver"] == "535.274.02"
    assert software["packages"] == {"torch": "2.9.0+cu128", "transformers": "4.57.5"}
    for config in ({"model": "local-completions"}, {"device": "cpu"}):
        assert "systems" not in read(report({"quiz": {"acc,none": 0.5}}, config, **more)).value
