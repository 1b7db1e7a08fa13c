"""F03, samples-contradict-epochs: Training samples that are not the epochs times the examples of the training set."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer
from support.work import runs

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def trained(**arm):
    return {"arms": {"trained": arm}}


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ({}, PASS),
        ({"splits": {"train": {"examples": 100000}}}, ("a", REFUTES)),
        ({"splits": {"train": None}}, NOT_APPLICABLE),
        ({"options": {"augmentation": "repeated augmentation, 3 times"}, "splits": {"train": {"examples": 9000}}},
         NOT_APPLICABLE),
        ({"options": {"dataset": "first 10 % of CIFAR-10"}, "splits": {"train": {"examples": 5}}}, NOT_APPLICABLE),
        ({"options": {"epochs": 80}}, ("a", REFUTES)),
        ({"options": {"epochs": None}}, NOT_APPLICABLE),
        # epochs counted from 0, or cut off, are one fewer than were seen
        ({"trials": runs({"samples": 196608, "step": 192, "epoch": 3}, planned_samples=1966080)}, PASS),
        ({"trials": runs({"samples": 393216, "step": 384, "epoch": 3}, planned_samples=1966080)}, ("a", REFUTES)),
        ({"trials": runs({"samples": 96000, "step": 94, "epoch": 1.95}, planned_samples=1966080)}, PASS),
    ],
)  # fmt: skip
def test_samples_against_epochs(judged, arm, expected):
    assert answer(judged("time-to-accuracy", "F03", "time", trained(**arm))) == expected
