"""F21, flops-contradict-sample-rate: FLOP/s that are not the samples per second times the operations of a sample."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def operations(count, arm=None, **claim):
    return {"claims": {"flops": claim}, "arms": {"a": {"operations": {"flop_per_sample": count}, **(arm or {})}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (operations(9.008e9), PASS),
        (operations(9.008e9 * 2048), PASS),  # of a whole sequence
        (operations(7.8e9), ("a", REFUTES)),
        (operations(3.003e9), NOT_APPLICABLE),  # of the forward pass alone
        (operations(6.756e9), ("a", REFUTES)),
        (operations(6.756e9, {"options": {"activation_checkpointing": True}}), NOT_APPLICABLE),  # recomputation
        (operations(9.008e9, value="150", unit="TFLOP/s/GPU"), PASS),
        (operations(9.008e9, value="300", unit="TFLOP/s/GPU"), ("a", REFUTES)),
        (operations(9.008e9, {"performance": {"rate": {"unit": "steps/s"}}}), NOT_APPLICABLE),
    ],
)
def test_flops_are_rate_times_operations(judged, patch, expected):
    assert answer(judged("training-flops", "F21", "flops", patch)) == expected
