"""W0101, accuracy-missing-at-scale."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.patches import both
from support.quality import QUALITY, RUNS, SPEEDUP, untrained_at_the_top
from support.scaling import rows

NO_QUALITY = {"arms": {"n8": {"target": None, "quality": None, "trials": RUNS}}}


def test_the_same_batch_by_other_means_is_covered(judged):
    """Micro batch, accumulation and data-parallel size differ, their product does not."""
    result = judged("strong-scaling", "W0101", "efficiency")
    assert result.outcome is Outcome.PASS


def test_a_ratio_of_equal_option_sets_needs_no_convergence(judged):
    result = judged("strong-scaling", "W0101", "speedup", NO_QUALITY)
    assert (result.outcome, "equal options" in result.reason) == (Outcome.NOT_APPLICABLE, True)


def test_without_any_run_convergence_is_not_shown(judged):
    result = judged("strong-scaling", "W0101", "efficiency", NO_QUALITY)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "convergence at the largest point")
    assert result.branch.at == "/tables/nodes/rows/r8"


def test_a_larger_batch_covers_a_smaller_one(judged):
    patch = rows(**{name: {"options": {"global_batch": 4096}} for name in ("r1", "r2", "r4", "r8")})
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.PASS


def test_a_larger_batch_under_partly_unknown_options_covers_nothing(judged):
    patch = rows(r8={"options": {"global_batch": 4096, "optimizer": "LARS", "attention": "exact"}})
    result = judged("strong-scaling", "W0101", "efficiency", patch)
    assert (result.outcome, "attention" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_a_smaller_batch_is_w1004s(judged):
    result = judged("strong-scaling", "W0101", "efficiency", rows(r8={"options": {"global_batch": 16384}}))
    assert (result.outcome, "W1004" in result.reason) == (Outcome.NOT_APPLICABLE, True)


def test_another_normalisation_group_is_unknown_not_different(judged):
    patch = rows(r8={"options": {"normalisation_group": "1024, synchronised over the node"}})
    result = judged("strong-scaling", "W0101", "efficiency", patch)
    assert (result.outcome, "normalisation_group" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_spelling_does_not_make_another_model(judged):
    patch = rows(r8={"options": {"model": "resnet50 V1.5"}})
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.PASS


def test_throughput_only_is_told_so(judged):
    patch = both(NO_QUALITY, {"claims": {"efficiency": {"purpose": "hardware_throughput"}}})
    message = judged("strong-scaling", "W0101", "efficiency", patch).branch.message
    assert message.startswith("throughput only: says nothing about convergence")


def test_a_final_quality_beside_its_reference_counts(judged):
    patch = {"arms": {"n8": {"target": None, "trials": RUNS}}}
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.PASS


def test_a_missed_target_covers_nothing(judged):
    patch = {"arms": {"n8": {"target": {"value": "0.80"}}}}
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.NOT_SHOWN


def ended(devices=(1, 8), split="held_out", runs=5, **n8):
    """Trainings of a fixed length at both ends: no target, a final loss each."""
    loss = {"metric": "loss", "direction": "lower", "unit": "nats/token", "split": split}
    n = {"unit": "training_run", "planned": 5, "completed": runs}
    values = {1: "2.870", 8: "2.955"}
    arms = {
        f"n{count}": {"quality": {"accuracy": None, "loss": {**loss, "value": values[count], "n": n if runs else None}}}
        for count in devices
    }
    arms["n8"] = {**arms.get("n8", {"quality": None}), "target": None, "trials": RUNS, **n8}
    claim = {"metric": "loss", "target": None, "quality": {"arm": "n8", "quality": "loss"}}
    return {"arms": arms, "claims": {"efficiency": claim, "speedup": claim}}


def test_final_losses_at_both_ends_answer_where_there_is_no_target(judged):
    result = judged("strong-scaling", "W0101", "efficiency", ended())
    assert result.outcome is Outcome.PASS
    assert any("2.955 in 5 runs at the largest point, at 2.87 in 5 runs" in note for note in result.notes)


@pytest.mark.parametrize(
    "patch",
    [
        ended(devices=(8,)),
        ended(devices=(1,)),
        ended(split="train"),
        ended(runs=0),
        both(ended(), rows(r8={"options": {"global_batch": 65536}})),  # the row is not the arm
        ended(target={"metric": "loss", "value": "2.9", "direction": "lower"}),  # there is one, and it is missed
    ],
)
def test_other_final_losses_do_not(judged, patch):
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize("words", [", top-1 accuracy 0.7648.", ", at an accuracy of 76.48 %."])
def test_the_quality_of_the_smallest_point_is_no_quality_of_the_largest(judged, words):
    result = judged("strong-scaling", "W0101", "speedup", untrained_at_the_top(SPEEDUP + words))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "")
    assert "that of `n1`" in result.branch.message
    assert judged("strong-scaling", "W1004", "speedup", untrained_at_the_top(SPEEDUP + words)).branch is None


@pytest.mark.parametrize(
    "words",
    [
        ", accuracy 0.7648 (trained on 8 devices).",
        "; the accuracy is 0.7648 on eight GPUs.",
        ", with an accuracy of 0.7648 of the 8-device run.",
        ".",
    ],
)
def test_a_sentence_that_says_whose_quality_it_is_borrows_none(judged, words):
    result = judged("strong-scaling", "W0101", "speedup", untrained_at_the_top(SPEEDUP + words))
    assert result.outcome is Outcome.NOT_APPLICABLE


def test_another_quote_or_the_caption_may_say_it(judged):
    patch = untrained_at_the_top(SPEEDUP + ", top-1 accuracy 0.7648.")
    patch["tables"] = {"nodes": {"caption": "Images/s at one batch. The accuracy was measured on 8 devices only."}}
    assert judged("strong-scaling", "W0101", "speedup", patch).outcome is Outcome.NOT_APPLICABLE
    patch["tables"] = {"nodes": {"caption": "Images/s at one batch, relative to 8 devices. Accuracy beside it."}}
    assert judged("strong-scaling", "W0101", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_without_a_curve_there_is_no_range_to_speak_of(judged):
    patch = untrained_at_the_top(f"{SPEEDUP}, accuracy 0.7648.", of="n4")
    patch["arms"]["n4"] = {"quality": {"accuracy": QUALITY}}
    result = judged("strong-scaling", "W0101", "speedup", patch)
    assert (result.outcome, "that of `n4`" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_a_quality_beside_points_that_name_no_model_is_asked_about(judged):
    nodes = ("n1", "n2", "n4", "n8")
    bare = {name: {"options": {"model": None}, "target": None, "quality": None, "trials": RUNS} for name in nodes}
    other = {"options": {"model": "BERT"}, "quality": {"accuracy": QUALITY}}
    branch = judged("strong-scaling", "W0101", "efficiency", {"arms": {**bare, "other": other}}).branch
    assert branch.question
    assert "0.7648" in branch.message
