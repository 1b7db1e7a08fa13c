"""P03, roofline-exceeded."""

from decimal import Decimal

import pytest
from dlaudit.rules.bounds.roofline_exceeded import ridge, roof
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer, outcome_and_effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def test_the_ridge_point_of_an_a100():
    """312 TFLOP/s and 2 TB/s: below 156 operations per byte memory is the limit."""
    peak, bandwidth = Decimal("312e12"), Decimal("2e12")
    assert ridge(peak, bandwidth) == 156
    assert roof(peak, bandwidth, Decimal(200)) == peak
    assert roof(peak, bandwidth, Decimal(1)) == bandwidth


def kernel(moved, cached=None, system=None, **claim):
    operations = {"bytes_moved": moved, "cached": cached}
    return {"claims": {"gemm": claim}, "systems": {"node": system or {}}, "arms": {"n8192": {"operations": operations}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (kernel(2.0e10, False), VIOLATION, REFUTES),  # 55 operations per byte
        (kernel(8.0e9, False), PASS, None),  # 137: 280 TFLOP/s
        (kernel(8.6e9, False), PASS, None),  # at 2039e9 bytes/s within 2 %
        (kernel(9.01e9, False), VIOLATION, REFUTES),
        (kernel(2.0e10), VIOLATION, REFUTES),  # no cache holds 20 GB
        (kernel(4.0e8), NOT_APPLICABLE, None),
        (kernel(2.0e10, True), NOT_APPLICABLE, None),
        (kernel(1.0e9, False), PASS, None),  # right of the ridge
        (kernel(2.0e10, False, {"memory_bytes_per_s": 8e12}), PASS, None),
        (kernel(2.0e10, False, {"device": "Z9"}), NOT_APPLICABLE, None),
        (kernel(2.0e10, False, {"device": "Z9", "memory_bytes_per_s": 2e12}), VIOLATION, REFUTES),
        (kernel(2.0e10, False, {"device": "WSE-3"}), NOT_APPLICABLE, None),
        (
            kernel(6.0e11, False, {"device": "H20", "device_memory_gib": None, "design_power_w": None}),
            VIOLATION,
            UNDERMINES,
        ),
        (kernel(2.0e10, False, unit="TFLOP/s/GPU"), VIOLATION, REFUTES),
        (kernel(2.0e10, False, qualifier="up_to"), PASS, None),
    ],
)
def test_roofline(judged, patch, outcome, strength):
    for system in (patch["systems"]["node"],):
        if "device" in system:
            system.update(device_variant=None, design_power_w=None, device_memory_gib=None)
    assert outcome_and_effect(judged("kernel", "P03", "gemm", patch)) == (outcome, strength)


def of_rate(bytes_moved, cached=False, device=None, metric=None):
    system = {"device": device, "device_memory_gib": None, "design_power_w": None} if device else {}
    system |= {"device_variant": None} if device else {}
    arm = {"operations": {"counted": "model", "bytes_moved": bytes_moved, "cached": cached}}
    return {"systems": {"node": system}, "arms": {"a": arm | ({"performance": {"rate": metric}} if metric else {})}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (of_rate(2.0e9), ("a", REFUTES)),  # 2500 images/s of 2 GB each
        (of_rate(5.0e8), PASS),
        (of_rate(2.0e9, cached=True), NOT_APPLICABLE),
        (of_rate(2.0e9, device="Z9"), NOT_APPLICABLE),
        (of_rate(None), NOT_APPLICABLE),
        (of_rate(2.0e9, device="H20"), ("b", UNDERMINES)),  # a published bandwidth that the table does not vouch for
        (of_rate(2.0e9, metric={"unit": "tokens/s"}), NOT_APPLICABLE),
    ],
)
def test_the_bytes_of_a_sample_bound_a_rate(judged, patch, expected):
    assert answer(judged("rate", "P03", "rate", patch)) == expected


@pytest.mark.parametrize(
    ("value", "cached", "words", "expected"),
    [
        ("2870", None, "The embedding lookup with Zipf indices reaches an effective 2870 GB/s.", NOT_APPLICABLE),
        ("2870", None, "The lookup reaches 2870 GB/s.", ("c", CAVEAT)),
        ("2870", False, "The lookup reaches an effective 2870 GB/s.", ("a", REFUTES)),
        ("2870", True, "The lookup reaches 2870 GB/s.", NOT_APPLICABLE),
        ("1870", False, "The lookup reaches 1870 GB/s.", PASS),
        ("1870", None, "The lookup reaches 1870 GB/s.", PASS),
    ],
)
def test_bytes_that_are_read_again_may_come_from_a_cache(judged, value, cached, words, expected):
    claim = {"value": value, "unit": "GB/s", "quantity": "rate", "work": "bytes", "statement": words}
    claim |= {"measured": {"arm": "n8192", "metric": "bw"}}
    metric = {"quantity": "rate", "value": value, "unit": "GB/s", "statistic": "median"}
    arm = {"operations": {"bytes_moved": 4294967296, "cached": cached}, "performance": {"bw": metric}}
    patch = {"claims": {"gemm": claim}, "arms": {"n8192": arm}}
    assert answer(judged("kernel", "P03", "gemm", patch)) == expected
