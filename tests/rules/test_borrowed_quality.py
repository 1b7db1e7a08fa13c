"""W0101 and W1004: a quality that runs on fewer devices gave, printed with a larger point."""

import pytest
from dlaudit.rules.outcome import Outcome

RUNS = {f"s{i}": None for i in range(1, 6)}
QUALITY = {"metric": "accuracy", "value": "0.7648", "unit": "fraction", "direction": "higher", "split": "official_val"}
CURVE = {
    "kind": "convergence",
    "outcome": "completed",
    "evaluations": [{"split": "official_val", "step": 56250, "metrics": {"accuracy": 0.7648}}],
}
SPEEDUP = "At the same global batch, eight nodes train 6.61x faster than one (strong scaling)"


def untrained_at_the_top(statement, of="n1", **claim):
    """Return a patch: only the smallest, or the smallest three points were trained; the sentence speaks for all."""
    trained = {"quality": {"accuracy": QUALITY}}
    arms = dict.fromkeys(("n1", "n2", "n4")[: 1 if of == "n1" else 3], trained)
    if of != "n1":
        arms["n4"] = {**trained, "trials": {"c1": CURVE}}
    arms["n8"] = {"target": None, "quality": None, "trials": RUNS}
    change = {"statement": statement, "quality": {"arm": of, "quality": "accuracy"}, **claim}
    return {"claims": {"speedup": change}, "arms": arms}


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


def test_a_point_with_runs_of_its_own_borrows_nothing(judged):
    patch = {"claims": {"speedup": {"statement": f"{SPEEDUP}, accuracy 0.7612."}}}
    for code in ("W0101", "W1004"):
        assert judged("strong-scaling", code, "speedup", patch).outcome is not Outcome.NOT_SHOWN


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


def test_without_a_curve_there_is_no_range_to_speak_of(judged):
    patch = untrained_at_the_top(f"{SPEEDUP}, accuracy 0.7648.", of="n4")
    patch["arms"]["n4"] = {"quality": {"accuracy": QUALITY}}
    result = judged("strong-scaling", "W0101", "speedup", patch)
    assert (result.outcome, "that of `n4`" in result.branch.message) == (Outcome.NOT_SHOWN, True)
