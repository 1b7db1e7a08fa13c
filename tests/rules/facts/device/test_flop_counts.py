"""The fact `device.flop_counts`."""

import pytest


@pytest.mark.parametrize(
    ("left", "right", "differs"),
    [
        ("m·n·k, a multiply-add is one operation", "2·m·n·k, multiply-add = 2", True),
        ("6 per parameter; multiply-add = 2", "6 per parameter, plus 6 x layers x width", True),
        ("6 per parameter", "8 per parameter, recomputed", True),
        ("6 per parameter", "6N per token", False),
    ],
)
def test_counting_rules_in_words(left, right, differs):
    from dlaudit.rules.facts.device.flop_counts import count_of, differ

    assert differ(count_of(left), count_of(right)) is differs
