"""W0201, test-metric-absent: No quality on data that the model has not seen."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
NO_TRIALS = dict.fromkeys(("s1", "s2", "s3", "s4", "s5"))


def qualities(**loss):
    """Both arms without curves; the loss of the first one is changed, the other has none."""
    return {
        "arms": {
            "fused": {"quality": {"loss": loss}, "trials": NO_TRIALS},
            "plain": {"quality": None, "trials": NO_TRIALS},
        }
    }


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ({"split": "test"}, PASS),
        ({"split": "train"}, NOT_SHOWN),
        ({"split": "validation", "selection": {"split_used_for": ["checkpoint"]}}, NOT_SHOWN),
        ({"split": "validation", "selection": {"split_used_for": ["nothing"]}}, PASS),
        ({"split": "validation", "metric": "accuracy", "selection": {"split_used_for": ["nothing"]}}, NOT_SHOWN),
        ({"split": None}, NOT_SHOWN),
        ({"split": None, "metric": "test accuracy"}, PASS),
    ],
)
def test_the_split_of_what_was_evaluated(judged, loss, expected):
    assert answer(judged("training-pair", "W0201", "speedup", qualities(**loss))) is expected


def test_a_value_without_its_split_is_asked_about(judged):
    branch = judged("training-pair", "W0201", "speedup", qualities(split=None)).branch
    assert branch.question
    assert "on which split" in branch.message


def test_a_curve_on_the_test_split_counts(judged):
    assert answer(judged("training-pair", "W0201", "speedup", {"arms": {"fused": {"quality": None}}})) is PASS


def test_a_quality_of_another_model_is_asked_about(judged):
    patch = qualities(split="train")
    patch["arms"]["fused"]["quality"] = None
    patch["arms"]["plain"] |= {"quality": {"loss": {"split": "test"}}, "options": {"model": "decoder 13B"}}
    branch = judged("training-pair", "W0201", "speedup", patch).branch
    assert branch.question
    assert "is the quality of this model" in branch.message


def test_so_is_a_column_of_qualities(judged):
    patch = qualities()
    patch["arms"]["fused"]["quality"] = None
    column = {"loss": {"quantity": "accuracy", "unit": "nats"}}
    patch["tables"] = {"models": {"columns": column, "rows": {"small": {"values": {"loss": "3.1"}}}}}
    assert judged("training-pair", "W0201", "speedup", patch).branch.question
