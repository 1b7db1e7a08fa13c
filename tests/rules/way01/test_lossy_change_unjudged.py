"""W0109, lossy-change-unjudged."""

import pytest
from dlaudit.rules.outcome import Outcome

NOT_SHOWN, NOT_APPLICABLE, PASS = Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE, Outcome.PASS


def change(ours, theirs=None, quality=None, **claim):
    """Return a patch: what our side and its base say of how they compute, without any quality but ours."""
    return {
        "claims": {"speedup": {"outputs": None, "comparator": {"quality": None}, **claim}},
        "arms": {"ours": {"quality": quality, **ours}, "theirs": {"quality": None, **(theirs or {})}},
    }


FP8 = {"options": {"precision": {"compute": "e4m3"}}}
PRUNED = {"label": "ours, with token pruning"}
SPARSE = {"options": {"attention": "block-sparse windows"}}
SPARSIFIED = {"options": {"sparsity": "2:4"}}
QUANTISED = {"options": {"quantisation": "GPTQ, 4 bits a weight"}}
SCORE = {"score": {"metric": "MMLU", "value": "0.65", "split": "test"}}


@pytest.mark.parametrize("ours", [FP8, PRUNED, SPARSE, SPARSIFIED, QUANTISED])
def test_what_is_left_is_asked_for(judged, ours):
    result = judged("serving-comparison", "W0109", "speedup", change(ours))
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "quality of the changed method")
    assert not result.branch.question


@pytest.mark.parametrize(
    "patch",
    [
        change({}),
        change({"label": "ours, with fused kernels and paged attention"}),
        change(FP8, FP8),
        change(PRUNED, {"label": "theirs, with token pruning"}),
        change({"options": {"quantisation": "none", "sparsity": "none"}}),
    ],
    ids=["alike", "exact methods", "both in 8 bits", "both pruned", "said to be none"],
)
def test_where_nothing_is_lost_nothing_is_asked(judged, patch):
    assert judged("serving-comparison", "W0109", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_quality_of_the_changed_arm_answers(judged):
    assert judged("serving-comparison", "W0109", "speedup", change(FP8, quality=SCORE)).outcome is PASS


def test_a_quality_of_the_base_alone_is_asked_about(judged):
    patch = change(FP8, {"quality": SCORE})
    assert judged("serving-comparison", "W0109", "speedup", patch).branch.question


APART = [{"topic": "option_sets_differ", "quote": "New card FP8, old card FP16, 80GB each"}]
OTHERS = {"name": "the old card", "device": "A100", "configuration": "FP16, one device", "source": "rerun"}


@pytest.mark.parametrize(
    "claim",
    [
        {"statement": "The new card is 4.6x as fast in FP8.", "comparator": OTHERS},
        {"statement": "The new card is 4.6x as fast.", "said": APART, "comparator": {"name": "the old card"}},
    ],
    ids=["entry of the other side", "quote"],
)
def test_formats_of_another_system_are_read_in_words(judged, claim):
    unlinked = {"measured": None, "base": {"definition": "the old card", "arm": None, "metric": None}, "row": None}
    patch = change({}, **unlinked, **claim)
    assert judged("serving-comparison", "W0109", "speedup", patch).outcome is NOT_SHOWN


def test_fewer_bits_to_accumulate_in_are_a_change(judged):
    ours = {"options": {"precision": {"accumulate": "fp16"}}}
    theirs = {"options": {"precision": {"accumulate": "fp32"}}}
    assert judged("serving-comparison", "W0109", "speedup", change(ours, theirs)).outcome is NOT_SHOWN
    assert judged("serving-comparison", "W0109", "speedup", change(theirs, ours)).outcome is NOT_APPLICABLE


def test_a_gain_that_is_attributed_to_precision_needs_no_format_of_the_base(judged):
    bare = {"options": {"precision": {"compute": None}}}
    ours = {"options": {"precision": {"compute": "fp16"}}}
    found = judged("serving-comparison", "W0109", "speedup", change(ours, bare, attribution="precision"))
    assert found.outcome is NOT_SHOWN


def test_a_method_of_the_same_results_owes_none(judged):
    same = "Twice the tokens per second, bit-identical outputs."
    patch = change(PRUNED, statement=same)
    assert judged("serving-comparison", "W0109", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"statement": "The pruned model is twice as fast as OtherServe."}, NOT_SHOWN),
        (
            {"statement": "The distilled model is twice as fast.", "base": {"definition": "another distilled model"}},
            None,
        ),
        ({"statement": "The model is twice as fast as OtherServe, without pruning."}, None),
    ],
    ids=["a lossy method", "of both", "denied"],
)
def test_a_lossy_method_over_another_system_is_read_in_words(judged, claim, outcome):
    base = {"definition": "OtherServe", **claim.pop("base", {}), "arm": None, "metric": None}
    patch = change({}, measured=None, base=base, row=None, purpose="method_speedup", **claim)
    found = judged("serving-comparison", "W0109", "speedup", patch).outcome
    assert found is (outcome or NOT_APPLICABLE)
