"""Tables whose rows are the epochs of one training: a curve, of which the last evaluation alone is claimed."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.tables.epochs import heading_split
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate


def read(*rows):
    head, *rest = rows
    text = "\n".join(("# Log", "", head, "|" + "---|" * (head.count("|") - 1), *rest, ""))
    draft = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def claims(draft):
    return {claim["statement"]: claim["value"] for claim in draft.value["claims"].values()}


CARD = (
    "| Training Loss | Epoch | Step | Validation Loss | Accuracy |",
    "| No log | 1.0 | 100 | 0.41 | 0.80 |",
    "| 0.52 | 2.0 | 200 | 0.36 | 0.83 |",
)


def test_the_evaluations_of_a_model_card_are_a_curve():
    draft = read(*CARD)
    assert claims(draft) == {
        "Log: Validation Loss 0.36 at Epoch 2.0, Step 200": "0.36",
        "Log: Accuracy 0.83 at Epoch 2.0, Step 200": "0.83",
    }
    (arm,) = draft.value["arms"].values()
    assert {name: held["split"] for name, held in arm["quality"].items()} == {
        "Training-Loss": "train",
        "Validation-Loss": "validation",
        "Accuracy": "validation",
    }
    assert [(each["split"], each["epoch"], each["step"]) for each in arm["trials"]["t1"]["evaluations"]] == [
        ("validation", 1.0, 100),
        ("train", 2.0, 200),
        ("validation", 2.0, 200),
    ]


def test_a_log_of_epochs_with_percentages():
    draft = read(
        "| Epoch | Train Loss | Train Acc | Val Loss | Val Acc | LR |",
        "| 1 | 6.4 | 1.7% | 5.9 | 4.1% | 0.1 |",
        "| 90 | 1.2 | 75.0% | 0.9 | 77.4% | 0.01 |",
    )
    assert claims(draft) == {"Log: Val Loss 0.9 at Epoch 90": "0.9", "Log: Val Acc 77.4% at Epoch 90": "77.4"}
    assert [claim.get("unit") for claim in draft.value["claims"].values()] == [None, "%"]
    assert "LR: one value of each Epoch" in draft.unused


def test_a_loss_beside_one_of_the_validation_is_that_of_the_training():
    draft = read("| Step | loss | acc | val_loss | val_acc |", "| 1 | 2 | 0.1 | 3 | 0.1 |", "| 2 | 1 | 0.5 | 2 | 0.4 |")
    assert set(claims(draft)) == {"Log: val_loss 2 at Step 2", "Log: val_acc 0.4 at Step 2"}


def test_losses_of_the_training_alone_make_no_claim():
    assert not claims(read("| Epoch | Train Loss |", "| 1 | 6.4 |", "| 2 | 5.1 |"))


def test_a_loss_that_ends_at_no_number_is_a_run_that_diverged():
    draft = read("| Epoch | Val Loss | Val Acc |", "| 1 | 2.5 | 0.5 |", "| 2 | nan | 0.1 |")
    (arm,) = draft.value["arms"].values()
    assert arm["trials"]["t1"]["outcome"] == "diverged"
    assert claims(draft) == {"Log: Val Acc 0.1 at Epoch 2": "0.1"}


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("| Epochs | Top-1 |", ("| 90 | 76.1 |", "| 180 | 77.0 |")),
        ("| Epoch | Model | Top-1 |", ("| 90 | a | 76.1 |", "| 180 | b | 77.0 |")),
        ("| Epoch | Batch size | Top-1 |", ("| 90 | 256 | 76.1 |", "| 180 | 512 | 77.0 |")),
        ("| Epoch | Top-1 |", ("| 90 | 76.1 |", "| 90 | 77.0 |")),
        ("| Epoch | Top-1 |", ("| 90 | 76.1 |", "| 30 | 71.0 |")),
        ("| Step | Top-1 | images/s |", ("| 1 | 76.1 | 90 |", "| 2 | 77.0 | 95 |")),
    ],
)
def test_a_table_of_several_runs_is_no_curve(head, rows):
    draft = read(head, *rows)
    assert len(draft.value["claims"]) >= 2
    assert not any("trials" in arm for arm in draft.value["arms"].values())


@pytest.mark.parametrize(
    ("heading", "split"),
    [
        ("Train loss", "train"), ("training_loss", "train"), ("Acc (val)", "validation"), ("valLoss", "validation"),
        ("Dev F1", "validation"), ("Test top-1 (%)", "test"), ("Test Error", "test"), ("trainAcc", "train"),
        ("Accuracy after training", None), ("Post-training quantisation accuracy", None), ("Train/Val acc", None),
        ("Std dev", None), ("Test time augmentation acc", None), ("Accuracy", None), ("Test", None),
    ],
)  # fmt: skip
def test_the_split_that_a_heading_names(heading, split):
    assert heading_split(heading) == split


@pytest.mark.parametrize("state", ["crashed", "Killed", "❌ failed", "running", "OOM"])
def test_a_run_that_did_not_end_well_is_not_claimed(state):
    draft = read(
        "| Name | State | images/s | val/acc |", "| sun | finished | 100 | 0.75 |", f"| fog | {state} | 60 | 0.61 |"
    )
    assert [claim["value"] for claim in draft.value["claims"].values()] == ["100", "0.75"]
    assert f"the row in line 6: its run is {state!r}" in draft.unused


def test_what_else_is_called_a_state_or_a_failure_keeps_its_row():
    draft = read("| State | Failed | val/acc |", "| Texas | 0 | 0.75 |", "| Ohio | 1 | 0.61 |")
    assert len(draft.value["claims"]) == 2


@pytest.mark.parametrize("epoch", ["1e400", "-1", "9" * 39])
def test_an_epoch_beyond_all_bounds_stays_out(epoch):
    draft = read(
        "| Epoch | Val Acc |", f"| {epoch if epoch[0] == '-' else 1} | 0.1 |", f"| {epoch.strip('-')}0 | 0.4 |"
    )
    assert len(draft.value["claims"]) <= 2
