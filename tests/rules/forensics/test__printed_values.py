"""`forensics._printed_values`."""

from decimal import Decimal

import pytest
from dlaudit.rules.forensics._sentence_numbers import numbers_of
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "unit", "values"),
    [
        ("1.43x", "x", 1),
        ("8x A100 at 224 x 224", "x", 0),
        ("1.43 times as fast, at 2.0x the batch", "x", 2),
        ("three times faster", "x", 0),
        ("2 h 5 min", "s", 1),
        ("2.5 h", "s", 1),
        ("5 images per second per GPU", "images/s", 0),
        ("NaN images/s and 1e999 images/s", "images/s", 0),
        ("", "x", 0),
        ("12 %", None, 0),
    ],
)
def test_numbers_are_read_with_their_unit(text, unit, values):
    assert len(numbers_of(text, unit)) == values


@pytest.mark.parametrize(
    ("text", "low"),
    [
        ("Top-1 error: -3.0%", "-3.05"),
        ("a change of −3.0 %", "-3.05"),
        ("(-3.0%)", "-3.05"),
        ("2-3.0 %", "1.5"),  # a range
        ("resnet-3.0 %", None),
        ("from 5 - 3.0 %", "2.95"),
    ],
)
def test_a_sign_before_a_number_may_be_its_own(text, low):
    assert min((value.low for value in numbers_of(text, "%")), default=None) == (Decimal(low) if low else None)


@given(st.text(max_size=200), st.sampled_from(["x", "%", "s", "images/s", "TFLOP/s", "apples"]))
def test_any_sentence_can_be_read(text, unit):
    for value in numbers_of(text, unit):
        assert value.low <= value.high
