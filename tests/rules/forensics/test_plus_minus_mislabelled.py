"""F08, plus-minus-mislabelled: A plus-minus whose label is one thing and whose value another."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer
from support.quality import accuracy

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def scattered(half, value="62.00", varies="examples", label="sem", **quality):
    held = {"plus_minus": {"value": half, "label": label, "varies": varies}, "examples": 100, "counted": True}
    patch = accuracy(value, **{**held, **quality})
    patch["claims"]["accuracy"]["statement"] = f"ResNet-9 has a test accuracy of {value} +- {half}."
    return patch


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (scattered("0.40"), ("b", UNDERMINES)),
        (scattered("4.878"), NOT_APPLICABLE),  # as it is; there are no seeds to form it from
        (scattered("3.9"), NOT_APPLICABLE),
        (scattered("9.7"), NOT_APPLICABLE),  # of dependent examples
        (scattered("0.40", varies=None), NOT_APPLICABLE),  # over runs, as it may be
        (scattered("0.40", varies="seeds"), NOT_APPLICABLE),
        (scattered("0.40", label="sd"), NOT_APPLICABLE),
        (scattered("0.40", counted=False), NOT_APPLICABLE),  # a mean of what scatters less
        (scattered("0.40", averaging="mean of 64 samples per problem"), NOT_APPLICABLE),
        (scattered("0.40", averaging="over 4 epochs"), NOT_APPLICABLE),
        (scattered("0.40", averaging="micro"), ("b", UNDERMINES)),
        (scattered("0.40", metric="accuracy, avg@64"), NOT_APPLICABLE),
        (scattered("0.40", metric="pass@10"), NOT_APPLICABLE),
        (scattered("0.40", metric="pass@1"), ("b", UNDERMINES)),
        (scattered("0.40", value="62.37"), NOT_APPLICABLE),  # no count of 100 gives it
        (scattered("0.40", examples=None), NOT_APPLICABLE),
        (scattered("0.40", value="100.00"), NOT_APPLICABLE),
        (scattered("0.004", value="0.62", unit="fraction"), ("b", UNDERMINES)),
        (scattered("0.0488", value="0.62", unit="fraction"), NOT_APPLICABLE),
    ],
)
def test_a_standard_error_over_examples_follows_from_their_share(judged, patch, expected):
    assert answer(judged("accuracy", "F08", "accuracy", patch)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("62.00 +- 0.40 (standard error over 100 problems of the mean of 64 samples each)", NOT_APPLICABLE),
        ("62.00 +- 0.40, averaged over 4 epochs", NOT_APPLICABLE),
        ("62.00 +- 0.40, 8 generations for each question", NOT_APPLICABLE),
        ("62.00 +- 0.40 (mean of 100 samples)", ("b", UNDERMINES)),
        ("62.00 +- 0.40 after 40 epochs", ("b", UNDERMINES)),
    ],
)
def test_the_mean_of_several_answers_scatters_less(judged, statement, expected):
    patch = scattered("0.40")
    patch["claims"]["accuracy"]["statement"] = statement
    assert answer(judged("accuracy", "F08", "accuracy", patch)) == expected


@pytest.mark.parametrize(
    ("value", "label", "outcome"),
    [
        ("0.06", "sd", VIOLATION),  # the standard error: the deviation is 0.14
        ("0.06", "sem", PASS),
        ("0.14", "sd", PASS),
        ("0.1", "sd", NOT_APPLICABLE),  # its one digit may hide too much
    ],
)
def test_a_plus_minus_of_one_digit(judged, value, label, outcome):
    seeds = {"1": "82.93", "2": "83.30", "3": "83.00", "4": "83.05", "5": "83.06"}
    quality = {"metric": "accuracy", "value": "83.07", "seeds": seeds, "plus_minus": {"value": value, "label": label}}
    claim = {"quality": {"arm": "a", "quality": "accuracy"}}
    patch = {"claims": {"rate": claim}, "arms": {"a": {"quality": {"accuracy": quality}}}}
    assert judged("rate", "F08", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("value", "expected"),
    [("0.0455", PASS), ("0.0203", ("a", UNDERMINES)), ("0.020", ("a", UNDERMINES)), ("0.02", NOT_APPLICABLE)],
)
def test_the_plus_minus_of_seeds(judged, value, expected):
    quality = {"plus_minus": {"value": value, "label": "sd"}}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}}}}
    assert answer(judged("accuracy", "F08", "accuracy", patch)) == expected
