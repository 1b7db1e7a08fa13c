"""W0202, train-test-leak: The quality is measured on examples that the model was trained on."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome


def splits(**changes):
    return {"arms": {"trained": {"splits": changes}}}


def test_the_training_split_as_test_split_is_refuted(judged):
    result = judged("time-to-accuracy", "W0202", "time", splits(test={"digest": "sha256:1f7a"}))
    assert (result.branch.effect, result.branch.at) == (REFUTES, "/arms/trained/splits/test/digest")


@pytest.mark.parametrize(("shared", "effect"), [(1, CAVEAT), (10, CAVEAT), (11, REFUTES), (10000, REFUTES)])
def test_shared_examples_by_their_share(judged, shared, effect):
    """Ten exact duplicates among 10,000 examples stand in public data sets; a leak is larger."""
    result = judged("time-to-accuracy", "W0202", "time", splits(test={"overlap_with_train": shared}))
    assert (result.branch.effect, result.branch.recomputed) == (effect, str(shared))


def test_a_size_that_is_not_stated_is_counted_in_the_evaluations(judged):
    patch = splits(test={"overlap_with_train": 5, "examples": None})
    assert judged("time-to-accuracy", "W0202", "time", patch).branch.effect is CAVEAT


def test_digests_alone_do_not_show_that_no_example_is_shared(judged):
    result = judged("time-to-accuracy", "W0202", "time", splits(test={"overlap_with_train": None}))
    assert result.outcome is Outcome.NOT_APPLICABLE


def test_a_split_that_the_claim_does_not_use_accuses_nobody(judged):
    validation = {"examples": 5000, "digest": "sha256:1f7a", "overlap_with_train": 5000}
    assert judged("time-to-accuracy", "W0202", "time", splits(validation=validation)).outcome is Outcome.PASS


def test_the_training_split_overlaps_with_itself(judged):
    patch = splits(train={"overlap_with_train": 50000})
    assert judged("time-to-accuracy", "W0202", "time", patch).outcome is Outcome.PASS


def test_two_empty_splits_have_one_digest(judged):
    patch = splits(test={"digest": "sha256:1f7a", "examples": 0})
    assert judged("time-to-accuracy", "W0202", "time", patch).outcome is Outcome.PASS


def test_without_fingerprints_there_is_nothing_to_check(judged):
    patch = splits(train={"digest": None}, test={"digest": None, "overlap_with_train": None})
    assert judged("time-to-accuracy", "W0202", "time", patch).outcome is Outcome.NOT_APPLICABLE
