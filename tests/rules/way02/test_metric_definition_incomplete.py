"""W0204, metric-definition-incomplete: A quality value without what it takes to compute it again."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def inputs(evaluation, training, **claim):
    quality = {"evaluation_input": evaluation, "training_input": training}
    return {"claims": {"accuracy": claim}, "arms": {"trained": {"quality": {"accuracy": quality}}}}


@pytest.mark.parametrize(
    ("evaluation", "training", "outcome"),
    [
        ("288 x 288", "224 x 224", VIOLATION),
        ("224x224", "224 x 224", PASS),
        ("224", "224 x 224", PASS),
        ("center crop 224 of 256", "random crop 224", PASS),
        ("center crop 224 of 256", "random crop 176 to 224", PASS),
        ("3 x 288 x 288", "3 x 224 x 224", VIOLATION),
        ("center crop", "random crop", PASS),
        (None, "224", NOT_APPLICABLE),
        ("224", None, NOT_APPLICABLE),
    ],
)
def test_other_inputs_at_evaluation(judged, evaluation, training, outcome):
    assert judged("accuracy", "W0204", "accuracy", inputs(evaluation, training)).outcome is outcome


def test_inputs_that_are_said_are_no_flaw(judged):
    patch = inputs("288 x 288", "224 x 224", statement="94.50 % after 288 epochs.")
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is VIOLATION
    patch = inputs("288 x 288", "224 x 224", statement="94.50 % at 288 px.")
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is PASS
    patch = inputs("288 x 288", "224 x 224")
    patch["disclosures"] = [{"topic": "evaluation_options_differ", "quote": "Evaluated at a larger size."}]
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is PASS


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        ({"arms": {"trained": {"quality": None}}}, "number of examples of the quality is"),
        ({"arms": {"trained": {"quality": None}}, "disclosures": None}, "number of examples and checkpoint of"),
        (
            {
                "arms": {"trained": {"quality": {"accuracy": {"checkpoint": None, "selection": None}}}},
                "disclosures": None,
            },
            "checkpoint of the quality is",
        ),
    ],
)
def test_an_open_definition_is_not_shown(judged, patch, words):
    result = judged("accuracy", "W0204", "accuracy", patch)
    assert (result.outcome, words in result.branch.message) == (NOT_SHOWN, True)


def test_an_inference_arm_names_its_checkpoint_by_its_weights(judged):
    patch = {
        "claims": {"accuracy": {"mode": "inference"}},
        "arms": {"trained": {"options": {"weights": "sha256:9f31"}}},
        "disclosures": None,
    }
    patch["arms"]["trained"]["quality"] = {"accuracy": {"checkpoint": None, "selection": None}}
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is PASS


@pytest.mark.parametrize(
    ("quality", "words", "outcome"),
    [
        ({}, "", NOT_SHOWN),
        ({"harness": "lm-evaluation-harness 0.4.5"}, "", NOT_APPLICABLE),
        ({"prompts": "5 shots"}, "", NOT_APPLICABLE),
        ({}, " (5-shot)", NOT_APPLICABLE),
    ],
)
def test_a_benchmark_in_words_needs_the_words(judged, quality, words, outcome):
    stated = {"metric": "MMLU accuracy", "harness": None, "prompts": None, "evaluation_input": None} | quality
    patch = {"claims": {"accuracy": {"statement": f"MMLU is 94.50 %{words}."}}}
    patch["arms"] = {"trained": {"quality": {"accuracy": stated}}}
    result = judged("accuracy", "W0204", "accuracy", patch)
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert "harness or prompts" in result.branch.message
