"""W1004, convergence-scaling-range-mismatch."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.quality import SPEEDUP, untrained_at_the_top

LARGER = {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16384, "accumulation": 2}}}}}}


def test_convergence_at_a_smaller_batch_undermines(judged):
    result = judged("strong-scaling", "W1004", "speedup", LARGER)
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
    assert "convergence is shown up to 32 devices" in result.branch.message


def test_a_claim_about_throughput_alone_gets_a_caveat(judged):
    patch = {**LARGER, "claims": {"speedup": {"purpose": "hardware_throughput"}}}
    result = judged("strong-scaling", "W1004", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_an_arm_of_its_own_shows_convergence_for_a_table(judged):
    """The claim is about the whole table and names no arm."""
    claim = {"row": {"table": "nodes", "row": None, "base_row": None}, "measured": None, "quality": None}
    patch = {**LARGER, "claims": {"speedup": claim}}
    assert judged("strong-scaling", "W1004", "speedup", patch).outcome is Outcome.VIOLATION


def test_a_batch_that_is_not_known_is_not_different(judged):
    row = {"devices": 128, "options": {"global_batch": None, "accumulation": None}}
    patch = {"tables": {"nodes": {"rows": {"r8": row}}}}
    assert judged("strong-scaling", "W1004", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    "words",
    [", top-1 accuracy 0.7648.", "; the accuracy does not change with the nodes.", ", without loss of accuracy."],
)
def test_a_range_of_trained_points_that_ends_below_the_fast_ones_is_said(judged, words):
    result = judged("strong-scaling", "W1004", "speedup", untrained_at_the_top(SPEEDUP + words, of="n4"))
    assert (result.outcome, "at most 32 devices" in result.branch.message) == (Outcome.NOT_SHOWN, True)


@pytest.mark.parametrize(
    "words", ["; the accuracy does not change up to 32 devices.", ", accuracy 0.7648 on 32 GPUs.", "."]
)
def test_a_range_that_is_named_is_no_flaw(judged, words):
    result = judged("strong-scaling", "W1004", "speedup", untrained_at_the_top(SPEEDUP + words, of="n4"))
    assert result.outcome is not Outcome.NOT_SHOWN
