"""P07, precision-label-too-high."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import outcome_and_effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE
NO_WORDS = {"statement": "It sustains 1.20 PFLOP/s."}


def run(compute="bf16", fractions=None, counters=None, claim=None, **arm):
    operations = {"fractions": fractions, "counters": counters, "method": None}
    options = {"precision": {"compute": compute}}
    patch = {"arms": {"a": {"label": None, "options": options, "operations": operations, **arm}}}
    return {**patch, "claims": {"flops": {**NO_WORDS, **(claim or {})}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (run(fractions={"bf16": 0.6, "e4m3": 0.4}), VIOLATION),
        (run(fractions={"bf16": 0.995, "e4m3": 0.005}), PASS),  # softmax, normalisation
        (run(counters={"bf16": 0.9, "int8": 0.1}), PASS),  # addresses
        (run(fractions={"bf16": 0.95, "int8": 0.05}), PASS),  # addresses, too
        (run(fractions={"bf16": 0.3, "int8": 0.7}), VIOLATION),
        (run(fractions={"bf16": 0.3, "int8": 0.7}, claim={"statement": "1.2 PFLOP/s in INT8"}), PASS),
        (run(fractions={"bf16": 0.3, "int8": 0.7}, claim={"statement": "1.2 PFLOP/s, mixed"}), VIOLATION),
        (run(counters={"bf16": 0.6, "e4m3": 0.4}), VIOLATION),
        (run(observed={"precision": {"compute": "fp16"}}), PASS),
        (run("fp32", observed={"precision": {"compute": "bf16"}}), VIOLATION),
        (run("fp32", fractions={"tf32": 1.0}), VIOLATION),
        (run("mixed", fractions={"bf16": 0.6, "e4m3": 0.4}), NOT_APPLICABLE),
        (run("bf16"), NOT_APPLICABLE),
        (run(None, {"bf16": 1.0}), NOT_APPLICABLE),
        (run(None, {"bf16": 1.0}, claim={"statement": "1.2 PFLOP/s in FP32"}), VIOLATION),
        (run(None, {"bf16": 1.0}, claim={"statement": "2x over FP32", "compares": "own_variants"}), NOT_APPLICABLE),
    ],
)
def test_labels(judged, patch, outcome):
    result = judged("training-flops", "P07", "flops", patch)
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result
