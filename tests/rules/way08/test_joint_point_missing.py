"""W0803, joint-point-missing."""

import pytest
from dlaudit.rules.outcome import Outcome

GONE = {f"s{i}": None for i in range(1, 6)}


def split(good_options=None, **good):
    """The fused arm is only timed, the plain one only trained."""
    return {
        "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
        "arms": {
            "fused": {"quality": None, "trials": GONE},
            "plain": {
                "performance": None,
                "trials": {f"t{i}": None for i in range(1, 6)},
                "options": good_options or {},
                **good,
            },
        },
    }


def test_two_differing_option_sets_are_no_joint_point(judged):
    result = judged("training-pair", "W0803", "speedup", split({"global_batch": 64, "micro_batch": 64}))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "one option set with both values")


def test_equal_option_sets_are_one(judged):
    assert judged("training-pair", "W0803", "speedup", split({"attention": "exact, fused"})).outcome is Outcome.PASS


def test_option_sets_that_may_be_equal_are_left_to_the_comparison(judged):
    patch = split({"attention": "exact, fused", "optimizer": None})
    assert judged("training-pair", "W0803", "speedup", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "name",
    ["fused", "plain"],
)
def test_without_an_option_set_nothing_is_joined(judged, name):
    patch = split({"attention": "exact, fused"})
    patch["arms"][name]["options"] = None
    assert judged("training-pair", "W0803", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_equal_digests_join(judged):
    patch = split({"global_batch": 64})
    for name in ("fused", "plain"):
        patch["arms"][name] |= {"options": None, "option_set": "sha256:" + "a" * 64}
    assert judged("training-pair", "W0803", "speedup", patch).outcome is Outcome.PASS


def test_removing_the_quality_never_reaches_a_better_answer_than_not_applicable(judged):
    patch = split({"global_batch": 64})
    patch["arms"]["plain"] |= {"quality": None}
    patch["arms"]["plain"]["trials"] |= GONE
    assert judged("training-pair", "W0803", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_joint_point_of_another_model_does_not_count(judged):
    patch = split({"global_batch": 64, "micro_batch": 64})
    patch["arms"]["other"] = {
        "options": {"model": "VGG-16"},
        "performance": {"rate": {"quantity": "rate", "unit": "images/s", "value": "100"}},
        "quality": {"top1": {"metric": "top-1", "value": "71.5"}},
    }
    assert judged("training-pair", "W0803", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_throughput_tables_are_outside(judged):
    assert judged("rate", "W0803", "rate").outcome is Outcome.NOT_APPLICABLE
