"""The fact `device.labels`."""

import pytest
from dlaudit.rules.facts.device.labels import Touched, too_high


@pytest.mark.parametrize(
    ("names", "found", "least"),
    [
        (("bf16",), ("bf16", "fp32"), None),
        (("fp32",), ("bf16", "fp32"), "bf16"),
        (("bf16",), ("bf16", "e4m3"), "e4m3"),
        (("bf16", "e4m3"), ("bf16", "e4m3"), None),
        (("bf16", "fp8"), ("bf16", "e4m3"), None),
        (("fp16",), ("bf16",), None),  # incomparable: another rule's
        (("fp32",), ("fp16", "bf16"), "bf16"),
        (("fp32", "fp16"), ("fp16", "bf16"), "bf16"),
        (("fp8",), ("e4m3", "bf16"), None),
        (("tf32",), ("fp32",), None),
        (("fp64",), ("fp32",), "fp32"),
    ],
)
def test_a_label_is_held_against_every_lowest_format(names, found, least):
    result = too_high(names, tuple(Touched(name, "") for name in found))
    assert (result.name if result is not None else None) == least
