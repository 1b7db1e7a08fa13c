"""W0806, evaluation-options-changed."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome


def quality(ours=None, theirs=None, **claim):
    about = {"quantity": "accuracy", "metric": "loss", "base": {"metric": None}, "measured": None}
    return {
        "claims": {"speedup": {**about, **claim}},
        "arms": {"ours": {"quality": {"loss": ours or {}}}, "theirs": {"quality": {"loss": theirs or {}}}},
    }


@pytest.mark.parametrize(
    "ours",
    [
        {"weight_averaging": "exponential, 0.9999"},
        {"split": "validation"},
        {"examples": 1000},
        {"metric": "loss", "split": "train"},
    ],
)
def test_another_evaluation(judged, ours):
    result = judged("comparison", "W0806", "speedup", quality(ours))
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [("prompts", "5-shot", "0-shot"), ("evaluation_input", "288 x 288", "224 x 224"),
     ("test_time_augmentation", "10 crops", "none"), ("harness", "lm-eval 0.4.2", "lm-eval 0.3.0")],
)  # fmt: skip
def test_texts_whose_numbers_differ(judged, key, one, other):
    result = judged("comparison", "W0806", "speedup", quality({key: one}, {key: other}))
    assert result.branch.branch == "a"
    assert f"{one} against {other}" in result.branch.message


@pytest.mark.parametrize(
    "patch",
    [
        quality({"examples": 5000}),
        quality({"examples": 1984}),
        quality(
            {"split": "validation"},
            said=[{"topic": "evaluation_options_differ", "quote": "theirs on the test split"}],
        ),
    ],
)
def test_a_larger_split_a_last_batch_and_what_is_said_are_caveats(judged, patch):
    result = judged("comparison", "W0806", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def beside_a_speedup(sentence, **ours):
    """A speed-up whose sentence prints two accuracies."""
    values = {"ours": "0.6611", "theirs": "0.6632"}
    score = {"metric": "MMLU accuracy", "split": "test", "examples": 14042, "prompts": "5 shots"}
    arms = {name: {"quality": {"mmlu": {**score, "value": value}}} for name, value in values.items()}
    arms["ours"]["quality"]["mmlu"] |= ours
    claim = {"statement": sentence, "quality": {"arm": "ours", "quality": "mmlu"}}
    return {"arms": arms, "claims": {"speedup": claim}}


@pytest.mark.parametrize(
    ("sentence", "prompts", "outcome"),
    [
        ("1.42 times as fast, with an accuracy of 0.6611 against 0.6632.", "8 shots", Outcome.VIOLATION),
        ("1.42 times as fast, with an accuracy of 66.11 % against 66.32 %.", "8 shots", Outcome.VIOLATION),
        ("1.42 times as fast, with an accuracy of 0.6611 against 0.6632.", "5 shots", Outcome.PASS),
        ("1.42 times as fast, with an accuracy of 0.6611.", "8 shots", Outcome.NOT_APPLICABLE),
        ("1.42 times as fast.", "8 shots", Outcome.NOT_APPLICABLE),
    ],
)
def test_qualities_that_a_speedups_sentence_compares(judged, sentence, prompts, outcome):
    result = judged("comparison", "W0806", "speedup", beside_a_speedup(sentence, prompts=prompts))
    assert result.outcome is outcome, result


def test_both_sides_evaluated_alike_besides(judged):
    patch = quality({"weight_averaging": "exponential, 0.9999"})
    again = {"metric": "loss", "value": "3.06", "split": "test", "examples": 2000, "weight_averaging": "none"}
    patch["arms"]["ours"]["quality"]["plain"] = again
    patch["claims"]["speedup"]["quality"] = {"arm": "ours", "quality": "loss"}
    assert judged("comparison", "W0806", "speedup", patch).branch.branch == "b"


@pytest.mark.parametrize(
    "patch",
    [
        quality({"harness": "eval.py at 3f9c2ab"}),
        quality({"prompts": "greedy"}, {"prompts": "argmax"}),
        quality({"split": None}),
        quality({"split": "official_val"}),
        quality(base={"arm": None, "value": "3.06"}),
    ],
)
def test_options_of_one_side_only_and_other_words(judged, patch):
    assert judged("comparison", "W0806", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_evaluations_of_the_runs_stand_in_for_a_stated_quality(judged):
    patch = quality()
    patch["arms"]["theirs"]["quality"] = None
    assert judged("comparison", "W0806", "speedup", patch).outcome is Outcome.NOT_SHOWN
    patch["arms"]["ours"]["quality"] = None
    patch["claims"]["speedup"]["quality"] = None
    patch["claims"]["speedup"]["measured"] = {"arm": "ours", "metric": None}
    assert judged("comparison", "W0806", "speedup", patch).outcome is Outcome.PASS
