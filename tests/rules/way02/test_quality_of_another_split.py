"""W0205, quality-of-another-split: A quality on training data as that of the model, or one value for two splits."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def quality(value, split=None, metric="accuracy", **fields):
    return {"metric": metric, "value": value, "unit": "%", "direction": "higher", "split": split, **fields}


def judge(judged, other, statement="ResNet-9 reaches 94.50 % accuracy.", linked="accuracy", **own):
    claim = {"statement": statement, "value": other["value"] if linked == "other" else "94.50"}
    link = {"quality": {"arm": "trained", "quality": linked}}
    arm = {"quality": {"other": other, "accuracy": {"seeds": None, **own}}}
    return answer(
        judged("accuracy", "W0205", "accuracy", {"claims": {"accuracy": {**claim, **link}}, "arms": {"trained": arm}})
    )


@pytest.mark.parametrize(
    ("other", "statement", "expected"),
    [
        (quality("99.91", "train"), "The network reaches an accuracy of 99.91 %.", ("a", UNDERMINES)),
        (quality("99.91", None, "train_accuracy"), "We obtain 99.91 %.", ("a", UNDERMINES)),
        (quality("99.91", "train"), "The training accuracy is 99.91 %.", PASS),
        (quality("99.91", "train"), "On the training set it reaches 99.91 %.", PASS),
        (quality("94.52", "train"), "It reaches 94.52 %.", ("a", UNDERMINES)),
        (quality("94.10", "train"), "It reaches 94.10 %.", PASS),  # no better than on the test split
    ],
)
def test_a_headline_on_training_data(judged, other, statement, expected):
    assert judge(judged, other, statement, "other") == expected


def test_a_lower_error_is_better(judged):
    other = quality("0.09", "train", "error", direction="lower")
    own = {"metric": "error", "value": "5.50", "direction": "lower"}
    assert judge(judged, other, "The error is 0.09 %.", "other", **own) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (quality("94.50", "validation"), ("b", CAVEAT)),
        (quality("94.50", None, "eval_accuracy"), ("b", CAVEAT)),
        (quality("94.50", "train"), ("b", CAVEAT)),
        (quality("94.51", "validation"), PASS),
        (quality("94.50", "validation", "top-5"), PASS),
        (quality("94.50", "test"), NOT_APPLICABLE),  # the same evaluation under two names
        (quality("94.50", None, "final accuracy"), NOT_APPLICABLE),
    ],
)
def test_two_splits_with_one_value(judged, other, expected):
    assert judge(judged, other) == expected


@pytest.mark.parametrize("value", ["94.5", "100.0", "0"])
def test_values_of_few_digits_agree_by_chance(judged, value):
    assert judge(judged, quality(value, "validation"), value=value) == PASS
