"""The fact `quantities.numbers`."""

import struct
from decimal import Decimal

import pytest
from dlaudit.rules.language.printed import Span, span
from hypothesis import given
from hypothesis import strategies as st


def single(value):
    """The number as binary32 holds it."""
    return struct.unpack("f", struct.pack("f", value))[0]


@given(st.integers(1, 50_000), st.data())
@pytest.mark.parametrize(
    "shown",
    [
        repr,
        lambda share: f"{share:.16g}",
        lambda share: repr(single(share)),
        lambda share: f"{single(share):.9g}",
        lambda share: f"{single(share):.8g}",
        lambda share: f"{100 * share!r}E-2",
    ],
    ids=["double", "16 digits", "single as double", "9 digits of single", "8 digits of single", "percent"],
)
def test_a_share_lies_in_what_its_printed_form_implies(shown, examples, data):
    right = data.draw(st.integers(0, examples))
    interval = span(shown(right / examples))
    assert interval.low * examples <= right <= interval.high * examples


@pytest.mark.parametrize(
    ("printed", "half"),
    [
        ("0.8235294", 5e-8),  # seven digits are fewer than any of these formats holds
        ("0.82352941176", 5e-12),  # more than binary32 holds, fewer than binary64
        ("123456789", 0.5),  # counts are whole
        ("1234567890123456789", 0.5),
        ("0.8235294117647058", 4e-16),
        ("1.5e-300", 5e-302),
        ("1.2345678901234567E-301", 5e-318),
    ],
)
def test_only_numbers_with_the_digits_of_such_a_format_are_widened(printed, half):
    interval = span(printed)
    assert float(interval.high - interval.low) / 2 == pytest.approx(half, rel=0.2)


def test_exponents_without_bound_have_no_binary_form():
    assert float(span("1.23456789012345678E+999").low) == float("inf")
    assert span("1E-999999").high > 0


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [("2", "1.5", "2.5"), ("2.0", "1.9", "2.1"), ("100", "95", "105"), ("-3", "-3.5", "-2.5")],
)
def test_about_a_number_lies_what_rounds_to_it_and_five_percent(printed, low, high):
    assert span(printed, "about") == Span(Decimal(low), Decimal(high))
