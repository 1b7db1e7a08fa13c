"""Output folders of the Hugging Face Trainer: one run in several files, and what their numbers are."""

import json
import math
from pathlib import Path

import pytest
from dlaudit.audit.drafts.reports import drafts_of
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.validation import validate

TRAIN = {"epoch": 3.0, "train_loss": 0.35, "train_runtime": 600.0, "train_samples": 8000,
         "train_samples_per_second": 40.0, "train_steps_per_second": 2.5}  # fmt: skip
EVAL = {"epoch": 3.0, "eval_accuracy": 0.899, "eval_loss": 0.29, "eval_runtime": 4.0, "eval_samples": 2000,
        "eval_samples_per_second": 500.0, "eval_steps_per_second": 31.25}  # fmt: skip
BEST = {**EVAL, "eval_accuracy": 0.9025, "eval_loss": 0.27}


def logged(step, accuracy, loss, speed=500.0):
    return {"step": step, "epoch": step / 500, "eval_accuracy": accuracy, "eval_loss": loss, "eval_runtime": 4.0,
            "eval_samples_per_second": speed}  # fmt: skip


LOG = [logged(500, 0.88, 0.31, 480.0), logged(1000, 0.9025, 0.27), logged(1500, 0.899, 0.29, 510.0)]


def state(log=LOG, **more):
    best = {"best_metric": 0.9025, "best_model_checkpoint": "out/checkpoint-1000"}
    step = log[-1]["step"]
    return {"global_step": step, "log_history": [*log, {"step": step, **TRAIN}], "epoch": 3.0, **best, **more}


def folder(path, **files):
    for name, value in files.items():
        file = path / f"{name.replace('__', '/')}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    return path


def read(path):
    ((_, draft),) = drafts_of(str(path), None, plugins=False)
    assert not validate("submission", draft.value)
    return draft


def arm(path):
    return read(path).value["arms"]["run"]


def single(value):
    draft = of_file("a.json", json.dumps(value).encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def found(path):
    (one,) = read_documents([str(path)])
    return {(f.code, str(f.effect)) for f in lint(one, Settings()).report.all_findings if f.outcome == "violation"}


def grave(path):
    return {code for code, effect in found(path) if effect in {"refutes", "undermines"}}


def test_the_files_of_an_output_folder_are_one_run(tmp_path):
    folder(tmp_path, trainer_state=state(), train_results=TRAIN, eval_results=EVAL, all_results={**TRAIN, **EVAL})
    draft = read(tmp_path)
    run = draft.value["arms"]["run"]
    assert len(run["trials"]["t1"]["evaluations"]) == 3
    assert run["splits"]["train"]["examples"] == 8000
    assert run["quality"]["accuracy"]["value"] == "0.899"
    assert draft.value["claims"]["quality-accuracy"]["statement"] == "accuracy 0.899 at the last evaluation"
    assert grave(tmp_path) == set()


def test_runs_in_folders_of_their_own_stay_apart(tmp_path):
    folder(tmp_path, a__trainer_state=state(), a__eval_results=EVAL, b__trainer_state=state(), b__eval_results=EVAL)
    assert [Path(name).name for name, _ in drafts_of(str(tmp_path), None, plugins=False)] == ["a", "b"]


def test_states_of_checkpoints_are_earlier_ones_of_the_run(tmp_path):
    folder(tmp_path, trainer_state=state())
    folder(tmp_path / "checkpoint-500", trainer_state=state(LOG[:1]))
    folder(tmp_path / "checkpoint-1000", trainer_state=state(LOG[:2]))
    draft = read(tmp_path)
    assert len(draft.value["arms"]["run"]["trials"]["t1"]["evaluations"]) == 3
    assert sum("an earlier state of the same run" in text for text in draft.unused) == 2


def test_of_checkpoints_alone_the_last_is_the_run(tmp_path):
    folder(tmp_path / "checkpoint-1000", trainer_state=state(LOG[:2]))
    folder(tmp_path / "checkpoint-500", trainer_state=state(LOG[:1]))
    assert len(arm(tmp_path)["trials"]["t1"]["evaluations"]) == 2


def test_the_results_of_the_best_checkpoint_say_so(tmp_path):
    folder(tmp_path, trainer_state=state(), eval_results=BEST)
    quality = arm(tmp_path)["quality"]["accuracy"]
    assert quality["checkpoint"] == "out/checkpoint-1000"
    assert quality["selection"] == {"evaluations": 3, "split_used_for": ["checkpoint"]}
    assert "of the best checkpoint" in read(tmp_path).value["claims"]["quality-accuracy"]["statement"]
    assert grave(tmp_path) == set()


def test_two_files_that_print_one_number_differently_are_found(tmp_path):
    folder(tmp_path, eval_results=EVAL, all_results={**TRAIN, **EVAL})
    assert grave(tmp_path) == set()
    folder(tmp_path, all_results={**TRAIN, **EVAL, "eval_accuracy": 0.95})
    assert "F28" in grave(tmp_path)
    folder(tmp_path, all_results={**TRAIN, **EVAL}, train_results={**TRAIN, "train_samples_per_second": 80.0})
    assert "F28" in grave(tmp_path)


def test_a_best_metric_that_no_evaluation_holds_is_found(tmp_path):
    folder(tmp_path, trainer_state=state())
    assert arm(tmp_path)["quality"]["best"]["metric"] == "accuracy"
    assert grave(tmp_path) == set()
    folder(tmp_path, trainer_state=state(best_metric=0.95))
    assert grave(tmp_path) == {"F28"}
    folder(tmp_path, trainer_state=state(best_metric=0.27))
    assert grave(tmp_path) == set()


def test_a_best_metric_of_a_checkpoint_that_the_log_does_not_hold_is_not_judged(tmp_path):
    folder(tmp_path, trainer_state=state(LOG[2:], best_metric=0.95))
    assert grave(tmp_path) == set()
    folder(tmp_path, trainer_state=state(LOG[1:], best_metric=0.95))
    assert grave(tmp_path) == {"F28"}


@pytest.mark.parametrize(
    ("value", "examples"),
    [
        (336 / 408, 408),
        (0.8235, 408),
        (0.4213049853372434, None),  # of tokens; the samples are blocks
        (0.42, None),  # too few digits to tell
    ],
)
def test_samples_are_the_examples_of_an_accuracy_that_is_a_share_of_them(value, examples, tmp_path):
    report = {**EVAL, "eval_accuracy": value, "eval_samples": 408}
    folder(tmp_path, eval_results=report)
    assert single(report).value["arms"]["run"]["quality"]["accuracy"].get("examples") == examples
    assert "F11" not in {code for code, _ in found(tmp_path)}


def test_a_perplexity_is_the_exponential_of_the_loss(tmp_path):
    report = {**EVAL, "eval_loss": 3.0172, "perplexity": math.exp(3.0172)}
    folder(tmp_path, eval_results=report)
    assert "perplexity" in single(report).value["arms"]["run"]["quality"]
    assert grave(tmp_path) == set()
    folder(tmp_path, eval_results={**report, "perplexity": 15.3})
    assert "F19" in grave(tmp_path)


def test_predictions_are_of_the_test_split_and_lengths_are_no_quality():
    draft = single({**EVAL, "eval_gen_len": 18.9, "predict_rouge1": 44.4, "predict_gen_len": 19.1, "predict_samples": 9,
                    "predict_runtime": 1.0, "predict_samples_per_second": 9.0})  # fmt: skip
    quality = draft.value["arms"]["run"]["quality"]
    assert {name: each["split"] for name, each in quality.items()} == {
        "accuracy": "unlabelled",
        "loss": "unlabelled",
        "predict-rouge1": "test",
    }
    assert draft.value["arms"]["run"]["options"]["extra"]["eval_gen_len"] == 18.9
    assert draft.unused == ()


def test_a_file_of_predictions_alone_is_read():
    report = {"predict_accuracy": 0.9, "predict_runtime": 1.0, "predict_samples_per_second": 9.0}
    assert single(report).value["claims"]["quality-predict-accuracy"]["value"] == "0.9"


CARD = """---
tags:
- generated_from_trainer
---
# net
### Training hyperparameters
- learning_rate: 5e-05
- train_batch_size: 8
- seed: 42
- num_devices: 4
### Training results
| Training Loss | Epoch | Step | Validation Loss | Accuracy |
|:---:|:---:|:---:|:---:|:---:|
| No log | 1.0 | 500 | 0.31 | 0.88 |
### Framework versions
- Transformers 4.25.1
- Pytorch 1.13.0+cu116
"""


def test_the_model_card_belongs_to_the_run_in_whose_folder_it_lies(tmp_path):
    path = folder(tmp_path, trainer_state=state(), eval_results=EVAL, config={"a": 1})
    (path / "README.md").write_text(CARD)
    run = arm(path)
    assert {name: run["options"][name] for name in ("per_device_batch", "seed")} == {"per_device_batch": 8, "seed": 42}
    assert run["options"]["extra"]["learning_rate"] == "5e-05"
    assert run["devices"] == 4
    assert run["software"]["packages"] == {"transformers": "4.25.1", "pytorch": "1.13.0+cu116"}


@pytest.mark.parametrize(
    "text",
    [
        CARD.replace("- generated_from_trainer", ""),
        CARD + "\n| GPU | images/s |\n|---|---|\n| A100 | 512.0 |\n| H100 | 900.0 |\n",
    ],
)
def test_a_readme_with_claims_of_its_own_is_a_report_of_its_own(tmp_path, text):
    path = folder(tmp_path, trainer_state=state())
    (path / "README.md").write_text(text)
    assert len(read_documents([str(path)])) == 2


def test_how_often_an_evaluation_was_timed_is_counted_in_the_log(tmp_path):
    run = arm(folder(tmp_path, trainer_state=state()))
    assert run["performance"]["eval_samples_per_second"]["n"] == {"unit": "iteration", "completed": 3}
    assert "n" not in run["performance"]["train_runtime"]
