"""P11, quantised-quality-missing: The speed of a model in 8 bits or less, without what the bits cost."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def quantised(quality, **arms):
    options = {"quantisation": "int8 weights", "precision": {"weights": "int8"}, "model": "LM 8B"}
    return {"arms": {"server": {"options": options, "quality": quality}, **arms}}


MMLU = {"metric": "MMLU", "value": "65.1", "unit": "%", "split": "test"}


@pytest.mark.parametrize(
    ("patch", "outcome", "item"),
    [
        (quantised(None), NOT_SHOWN, "quality of the quantised model"),
        (quantised({"mmlu": {"metric": "MMLU"}}), NOT_SHOWN, "quality of the quantised model"),
        (quantised({"mmlu": MMLU}), NOT_SHOWN, ""),
        (quantised({"mmlu": {**MMLU, "reference": "65.4"}}), PASS, None),
        (quantised({"mmlu": MMLU}, full={"options": {"model": "LM 8B"}, "quality": {"m": MMLU}}), PASS, None),
        (quantised({"mmlu": MMLU}, full={"options": {"model": "LM 70B"}, "quality": {"m": MMLU}}), NOT_SHOWN, ""),
    ],
)
def test_quality_of_a_quantised_model(judged, patch, outcome, item):
    result = judged("serving", "P11", "rate", patch)
    assert result.outcome is outcome, result
    assert getattr(result.branch, "item", None) == item


@pytest.mark.parametrize(
    ("fractions", "compute", "known", "outcome"),
    [
        ({"bf16": 0.2, "e4m3": 0.8}, "bf16", None, NOT_SHOWN),
        ({"bf16": 0.95, "e4m3": 0.05}, "bf16", None, NOT_APPLICABLE),  # one layer
        ({}, "e4m3", None, NOT_SHOWN),
        ({"bf16": 1.0}, "bf16", None, NOT_APPLICABLE),
        ({"e4m3": 0.8}, "bf16", {"quality": {"loss": {"metric": "loss", "value": "2.71", "split": "held_out"}}}, PASS),
        ({"e4m3": 0.8}, "bf16", {"trials": {"s": {"kind": "convergence", "outcome": "completed",
                                                  "final": {"loss": "2.7"}}}}, PASS),
    ],
)  # fmt: skip
def test_a_training_in_8_bits_shows_what_it_reached(judged, fractions, compute, known, outcome):
    shares = {"fractions": {"bf16": None, "fp32": None, **fractions}, "counters": None}
    arm = {"quality": None, "target": None, "options": {"precision": {"compute": compute}}, "operations": shares}
    patch = {"arms": {"a": {**arm, "trials": None, **(known or {})}}}
    result = judged("training-flops", "P11", "flops", patch)
    assert result.outcome is outcome, result
