"""F11, accuracy-not-attainable."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer
from support.quality import accuracy
from support.suite_results import record

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE
ONE_RUN = {"n": {"planned": 1, "completed": 1}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, NOT_APPLICABLE),  # 94.50 % of 5 x 10,000: untestable
        (accuracy("94.503", examples=1000, last_batch="kept", **ONE_RUN), ("a", CAVEAT)),
        (accuracy("94.500", examples=1000, last_batch="kept", **ONE_RUN), PASS),
        (accuracy("0.94503", unit="fraction", examples=1000, last_batch="kept", **ONE_RUN), ("a", CAVEAT)),
        (accuracy("94.503", examples=1000, evaluation_batch=100, **ONE_RUN), ("a", CAVEAT)),  # batches fill it
        (accuracy("94.503", examples=1000, **ONE_RUN), NOT_APPLICABLE),  # a batch of 512 may have been filled up
        (accuracy("76.13", examples=50000, **ONE_RUN), NOT_APPLICABLE),  # untestable
        (accuracy("90.874", metric="F1", examples=10833, counted=None, claim={"metric": "F1"}, **ONE_RUN),
         NOT_APPLICABLE),
        (accuracy("76.131", examples=50000, **ONE_RUN), NOT_APPLICABLE),  # evaluation batch unknown
        (accuracy("94.503", examples=1000, last_batch="kept", counted=False, **ONE_RUN), NOT_APPLICABLE),
        (accuracy("94.503", examples=1000, last_batch="kept", averaging="mean over classes", **ONE_RUN),
         NOT_APPLICABLE),
        (accuracy("94.503", examples=1000, last_batch="kept", test_time_augmentation="10 crops", **ONE_RUN),
         NOT_APPLICABLE),
        (accuracy("94.503", examples=1000, last_batch="kept", n=None, averaging="mean over seeds"), NOT_APPLICABLE),
        (accuracy("94.52", examples=1000, last_batch="kept", n={"planned": 5, "completed": 5}), PASS),  # of 5 runs
        (accuracy("94.53", examples=1000, last_batch="kept", n={"planned": 5, "completed": 5}), ("a", CAVEAT)),
        (accuracy("104.2"), ("b", REFUTES)),
        (accuracy("-3.0"), ("b", REFUTES)),
        (accuracy("94.5", unit="fraction"), ("b", CAVEAT)),
        (accuracy("104.2", examples=None), ("b", REFUTES)),
        (accuracy("131.0", metric="perplexity", unit=None, counted=False, claim={"metric": "perplexity"}),
         NOT_APPLICABLE),
        (accuracy("104.2", claim={"quality": None, "metric": "accuracy"}), ("b", REFUTES)),
        (accuracy("104.2", claim={"quality": None, "form": "ratio", "metric": "accuracy"}), NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_an_accuracy_is_a_count_over_its_examples(judged, patch, expected):
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == expected


def test_the_value_of_a_seed_is_a_count_too(judged):
    patch = accuracy("94.503", examples=1000, last_batch="kept", seeds={"1": "94.5", "2": "94.503"},
                     n={"planned": 2, "completed": 2})  # fmt: skip
    result = judged("accuracy", "F11", "accuracy", patch)
    assert answer(result) == ("a", CAVEAT)
    assert "/seeds/2" in " ".join([result.branch.at, *(item.at for item in result.others)])


def test_an_accuracy_that_only_its_false_digits_carry_over_the_target_undermines(judged):
    target = {"metric": "accuracy", "value": "94.502", "direction": "higher"}
    patch = accuracy("94.503", examples=1000, last_batch="kept", claim={"target": target}, **ONE_RUN)
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == ("a", UNDERMINES)
    patch["claims"]["accuracy"]["target"] = target | {"value": "0.9"}
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == ("a", CAVEAT)


@pytest.mark.parametrize(
    ("text", "correct", "expected"),
    [
        ("76.384", 38192, None),
        ("76.38", 38192, None),
        ("0.76384", 38192, None),
        ("76.984", 38192, CAVEAT),
        ("86.984", 38192, REFUTES),
        ("76.384", 60000, None),
        ("0.100", 50, None),
        ("0.001", 50, None),
        ("0.3", 50, REFUTES),
        ("1.00000", 50000, None),
    ],
)
def test_a_record_that_counts_another_share(inference, text, correct, expected):
    found = inference("F11", record(metrics={"accuracy": text}, correct=correct, examples=50000))
    assert found[1] is expected


def test_an_accuracy_without_its_quality_is_only_bounded(judged):
    bare = {"claims": {"accuracy": {"quality": None, "measured": {"arm": "trained"}}}}
    assert answer(judged("accuracy", "F11", "accuracy", bare)) is NOT_APPLICABLE
    bare["claims"]["accuracy"]["value"] = "101.20"
    assert answer(judged("accuracy", "F11", "accuracy", bare)) == ("b", REFUTES)


def test_a_set_whose_size_is_known_within_thousands_is_untestable(judged):
    quality = {"examples": 50000, "evaluation_batch": 30000, "last_batch": None, "seeds": None, "value": "94.5011"}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}, "trials": None}}}
    patch["claims"] = {"accuracy": {"value": "94.5011"}}
    assert "not known within a few thousand" in judged("accuracy", "F11", "accuracy", patch).reason
    quality["last_batch"] = "kept"
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == ("a", CAVEAT)
