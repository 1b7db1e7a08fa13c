"""Curves: runs beside each other, losses that end at no number, counted examples, clocks that begin anew."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.detection import detect
from dlaudit.audit.importers.registry import importers
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.validation import validate


def read(text):
    draft = of_file("a.csv", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def only(mapping):
    (value,) = mapping.values()
    return value


def found(text, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    (one,) = read_documents([str(tmp_path / "a.csv")])
    return {(f.code, str(f.effect)) for f in lint(one, Settings()).report.all_findings if f.outcome == "violation"}


EXPORT = (
    '"Step","sun - val/acc","sun - val/acc__MIN","sun - val/acc__MAX","moon - val/acc","moon - val/acc__MIN"\n'
    '"100","0.71","0.71","0.71","0.70","0.70"\n"200","0.78","0.78","0.78","",""\n"300","0.80","0.80","0.80","0.81","0.81"\n'
)


def test_runs_beside_each_other_are_arms_of_their_own():
    value = read(EXPORT).value
    assert list(value["arms"]) == ["sun", "moon"]
    lengths = [len(arm["trials"]["t1"]["evaluations"]) for arm in value["arms"].values()]
    assert lengths == [3, 2]
    assert {claim["statement"] for claim in value["claims"].values()} == {
        "sun: val/acc 0.80 at Step 300",
        "moon: val/acc 0.81 at Step 300",
    }


def test_a_dash_in_a_heading_names_a_run_only_beside_its_range():
    assert list(read("step,loss - val/loss\n1,0.5\n2,0.4\n").value["arms"]) == ["run"]


@pytest.mark.parametrize("word", ["nan", "NaN", "inf", "-inf"])
def test_a_loss_that_ends_at_no_number_is_a_run_that_diverged(word, tmp_path):
    text = f"epoch,accuracy,loss,val_accuracy,val_loss\n0,0.8,0.6,0.84,0.5\n1,0.1,{word},0.1,{word}\n"
    draft = read(text)
    trial = only(draft.value["arms"])["trials"]["t1"]
    assert trial["outcome"] == "diverged"
    assert trial["evaluations"][-1]["metrics"] == {"val_accuracy": 0.1, "val_loss": None}
    assert [claim["metric"] for claim in draft.value["claims"].values()] == ["val_accuracy"]
    assert "val_loss: it is no number at its last evaluation" in draft.unused
    assert not {code for code, effect in found(text, tmp_path) if effect in {"refutes", "undermines"}}


@pytest.mark.parametrize(
    "text",
    [
        "epoch,val_accuracy,val_loss\n0,0.8,nan\n1,0.9,0.3\n",  # a number again
        "_step,train/loss,eval/loss\n0,2.3,nan\n50,1.1,0.9\n100,0.9,nan\n",  # evaluated at some steps only
    ],
)
def test_what_is_no_number_in_between_is_no_divergence(text):
    draft = read(text)
    assert only(draft.value["arms"])["trials"]["t1"]["outcome"] == "completed"
    assert not any("no number" in text for text in draft.unused)


def test_the_examples_of_an_evaluation_are_counted_by_split():
    text = (
        "accumulated_submission_time,global_step,test/accuracy,test/num_examples,validation/accuracy,"
        "validation/num_examples\n34.5,1,0.1,10000,0.1,50000\n551.2,1501,0.3,10000,0.36,50000\n"
    )
    draft = read(text)
    evaluations = only(draft.value["arms"])["trials"]["t1"]["evaluations"]
    assert {(each["split"], each["examples"]) for each in evaluations} == {("test", 10000), ("validation", 50000)}
    assert draft.unused == ()


def test_a_clock_of_the_process_that_begins_anew_is_no_time_of_the_run():
    rows = "_step,_runtime,eval/accuracy\n0,12.0,0.1\n100,120.0,0.5\n200,{},0.6\n"
    times = [each.get("time_s") for each in only(read(rows.format(230.0)).value["arms"])["trials"]["t1"]["evaluations"]]
    assert times == [12.0, 120.0, 230.0]
    draft = read(rows.format(15.0))
    assert all("time_s" not in each for each in only(draft.value["arms"])["trials"]["t1"]["evaluations"])
    assert "_runtime" in draft.unused


HEAD = "DLL 2026-03-01 10:15:00.1 - "


def test_keys_of_a_log_name_their_splits():
    draft = of_file(
        "a.log",
        (
            f"{HEAD}PARAMETER seed : 7 \n"
            f"{HEAD}Epoch: 0 train.loss : 5.9 None val.top1 : 12.31 % val.loss : 4.81\n"
            f"{HEAD}Epoch: 1 Iteration: 7 top1 : 30.5 loss : 4.4\n"
            f"{HEAD}Summary: val.top1 : 27.5 % test_accuracy : 0.31 final_loss : 4.4\n"
        ).encode(),
        Path(),
    ).draft
    run = only(draft.value["arms"])
    held = [(each["split"], sorted(each["metrics"])) for each in run["trials"]["t1"]["evaluations"]]
    assert held == [
        ("train", ["train.loss"]),
        ("validation", ["val.loss", "val.top1"]),
        ("unlabelled", ["top1"]),
        ("train", ["loss"]),
    ]
    assert {name: each["split"] for name, each in run["quality"].items()} == {
        "val.top1": "validation",
        "test_accuracy": "test",
        "final_loss": "train",
    }
    assert draft.value["claims"]["val.top1"]["unit"] == "%"


@pytest.mark.parametrize("line", ['DLLL {"step": [1, 2', "DLLL {" + '"a":[' * 3000, 'DLLL {"data": 1}', "DLLL {}"])
def test_a_broken_line_of_the_json_backend_is_passed_over(line):
    whole = 'DLLL {"type": "LOG", "step": 3, "data": {"loss": NaN, "val.acc": 0.5, "lr": null}}'
    draft = of_file("a.json", f"{line}\n{whole}\n".encode(), Path()).draft
    (evaluation,) = only(draft.value["arms"])["trials"]["t1"]["evaluations"]
    assert evaluation == {"split": "validation", "step": 3, "metrics": {"val.acc": 0.5}}


def test_a_history_of_keras_without_its_index_is_one_curve():
    rows = ["loss,accuracy,val_loss,val_accuracy,lr"]
    rows += [f"{2 - n / 10},0.{n}1,{2.1 - n / 10},0.{n},0.001" for n in range(1, 6)]
    file = open_report("history.csv", "\n".join(rows).encode())
    found = detect(file, importers()).importer
    assert found is not None
    draft = found.read(file)
    assert {claim["value"] for claim in draft.value["claims"].values()} == {"1.6", "0.5"}
    assert len(draft.value["arms"]) == 1
