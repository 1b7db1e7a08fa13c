"""lm-evaluation-harness asks a served model: its accuracies and perplexities are those of the arm that was served."""

import json
import math
import sys
from pathlib import Path

import pytest
import torch
from dlaudit.audit.lint.read import read_documents
from dlaudit.runners.serving import harness, model, scoring
from dlaudit.runners.workloads import grammar
from dlaudit.runners.workloads.parameters import LmEval, Serving
from dlaudit.schemas.errors import UserError
from support.forks import program

MEASURE = Path(__file__).parents[1] / "programs" / "measure.py"
SMALL = {"width": 32, "layers": 1, "heads": 2, "train_steps": 40, "length": 64, "prompt_tokens": 8, "output_tokens": 4}
SOURCE = grammar.seeded(**grammar.GRAMMAR)
CHOICES = """
task: next_word
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{prompt}}}}"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: "{{{{target}}}}"
metric_list: [{{metric: acc, aggregation: mean, higher_is_better: true}}]
metadata: {{version: 1.0}}
"""
TEXT = """
task: sentences
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{{{text}}}}"
metric_list: [{{metric: word_perplexity}}]
metadata: {{version: 1.0}}
"""


@pytest.fixture
def tasks(tmp_path):
    """A folder of two tasks on text of the grammar: which word comes next, and how likely a text is."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    words = [f"w{number}" for number in SOURCE.sample(grammar.TEST_SEED, 30 * 20)]
    rows = [words[first : first + 20] for first in range(0, len(words), 20)]
    asked = [
        {"prompt": " ".join(row[:-1]), "choices": [row[-1], f"w{(int(row[-1][1:]) + 5) % SOURCE.words}"], "target": 0}
        for row in rows
    ]
    for name, task, lines in (("next", CHOICES, asked), ("text", TEXT, [{"text": " ".join(row)} for row in rows])):
        data = folder / f"{name}.jsonl"
        data.write_text("".join(json.dumps(line) + "\n" for line in lines))
        (folder / f"{name}.yaml").write_text(task.format(data=data))
    return folder


def spec_of(lm_eval, **arms):
    return {
        "dlaudit": "spec/1",
        "title": "A service that a harness asks",
        "workload": {
            "name": "serving",
            "parameters": {**SMALL, "arrival": "constant", "rate": 30, "lm_eval": lm_eval},
        },
        "arms": arms or {"base": {}},
        "throughput": {"warmup": 2, "iterations": 12, "trials": 2},
        "claims": {"purpose": "serving_objective", "mode": "inference"},
    }


def run(folder, spec):
    (folder / "spec.json").write_text(json.dumps(spec))
    return program([MEASURE, "run", "spec.json", "--unsigned", "--out", "out"], folder)


@pytest.mark.slow
def test_the_harness_asks_each_arm_once_and_its_numbers_are_the_arms_quality(tmp_path, tasks, monkeypatch):
    pytest.importorskip("lm_eval", reason="lm-eval is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    told = {
        "tasks": ["next_word", "sentences"],
        "include": str(tasks),
        "program": str(Path(sys.executable).parent / "lm_eval"),
    }
    done = run(tmp_path, spec_of(told, whole={}, int4={"workload": {"parameters": {"quantisation": "int4"}}}))
    assert done.returncode == 0, done.stderr
    statement = json.loads((tmp_path / "out" / "manifest.json").read_text())
    kept = [subject["name"] for subject in statement["subject"] if "lm_eval" in subject["name"]]
    assert kept == [
        f"trials/{arm}-t1.lm_eval.{name}"
        for arm in ("int4", "whole")
        for name in ("next_word.jsonl", "results.json", "sentences.jsonl")
    ]
    whole, rounded = (statement["predicate"]["arms"][name]["quality"] for name in ("whole", "int4"))
    # nothing predicts the grammar better than its entropy rate, but for the chance of 600 words
    assert float(whole["sentences_word_perplexity"]["value"]) > 0.9 * math.exp(SOURCE.entropy_rate())
    assert whole["sentences_word_perplexity"]["direction"] == "lower"
    assert whole["sentences_word_perplexity"]["value"] != rounded["sentences_word_perplexity"]["value"]
    accuracy = whole["next_word_acc"]
    assert float(accuracy["value"]) > 0.8
    assert {name: accuracy[name] for name in ("examples", "split", "counted")} == {
        "examples": 30,
        "split": "test",
        "counted": True,
    }
    claims = json.loads((tmp_path / "out" / "submission.json").read_text())["claims"]
    assert claims["int4-rate"]["quality"]["arm"] == "int4"
    read = read_documents([str(tmp_path / "out/trials/whole-t1.lm_eval.results.json")])[0].source.value
    (arm,) = read["arms"].values()
    assert {quality["metric"]: quality["value"] for quality in arm["quality"].values()} == {
        quality["metric"]: quality["value"] for quality in whole.values()
    }


def test_without_the_harness_nothing_is_measured_first(tmp_path):
    done = run(tmp_path, spec_of({"tasks": ["next_word"], "program": "no-such-harness"}))
    assert done.returncode == 3
    assert "no-such-harness is not installed here" in done.stderr
    assert not (tmp_path / "out" / "submission.json").exists()


def test_a_harness_that_fails_is_quoted(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'no task of this name' >&2\nexit 1\n")
    broken.chmod(0o755)
    done = run(tmp_path, spec_of({"tasks": ["next_word"], "program": str(broken)}))
    assert "lm-evaluation-harness failed: no task of this name" in done.stderr


@pytest.mark.parametrize("data", [b"", b"[]", b'{"results": 3}', b'{"results": {}, "lm_eval_version": "0.4"}'])
def test_what_is_no_file_of_results_is_one_clear_error(tmp_path, data):
    path = tmp_path / "results.json"
    path.write_bytes(data)
    with pytest.raises(UserError, match="lm-evaluation-harness"):
        harness.qualities(path)


def test_a_part_of_a_task_is_told_as_one(tmp_path):
    record = {
        "results": {"t": {"alias": "t", "acc,none": 0.5, "acc_stderr,none": 0.1, "f1,strict": 0.25, "sample_len": 9}},
        "configs": {"t": {"validation_split": "validation"}},
        "versions": {"t": 2},
        "n-shot": {"t": 5},
        "n-samples": {"t": {"original": 100, "effective": 26}},
        "higher_is_better": {"t": {"acc": True}},
        "lm_eval_version": "0.4.13",
    }
    (tmp_path / "results.json").write_text(json.dumps(record))
    found = harness.qualities(tmp_path / "results.json")
    assert set(found) == {"t_acc", "t_f1_strict"}
    accuracy = found["t_acc"]
    assert accuracy["subset"] == "26 of 100 examples"
    assert (accuracy["prompts"], accuracy["split"]) == ("5 shots", "validation")
    assert accuracy["plus_minus"] == {"value": "0.1", "label": "sem", "varies": "examples"}
    assert found["t_f1_strict"]["metric"] == "t f1 (strict)"
    assert not found["t_f1_strict"]["counted"]


def test_an_echoed_prompt_has_the_log_probabilities_of_the_model():
    asked = Serving(**SMALL)
    served = model.trained(asked)
    row = SOURCE.sample(3, 20)
    (choice,) = scoring.echoed(served, [row])
    told = choice["logprobs"]
    scores = served(torch.tensor([row]))[0, :-1].detach()
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor(row[1:]), reduction="sum")
    assert told["token_logprobs"][0] is None
    assert sum(told["token_logprobs"][1:-1]) == pytest.approx(-float(loss), rel=1e-5)
    assert len(told["tokens"]) == len(told["top_logprobs"]) == len(row) + 1
    assert all(
        max(top.values()) >= own
        for top, own in list(zip(told["top_logprobs"], told["token_logprobs"], strict=True))[1:]
    )


@pytest.mark.parametrize(
    ("prompt", "rows"),
    [("w1 w2", [[1, 2]]), ([1, 2], [[1, 2]]), ([[1], [2, 30]], [[1], [2, 6]]), (["w1", "other"], [[1], [5]])],
)
def test_a_prompt_is_a_text_or_tokens_one_or_several(prompt, rows):
    assert scoring.prompts({"prompt": prompt}) == rows


def test_tasks_have_to_be_named():
    with pytest.raises(ValueError, match="name a task"):
        Serving(**SMALL, lm_eval=LmEval(tasks=()))
