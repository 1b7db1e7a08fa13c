"""One printed number: exact value, rounding of the printed digits, qualifier, spread and unit."""

from decimal import Decimal

import pytest
from dlaudit.rules.language.cells import compound, printed


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("1,200", "1199.5", "1200.5", None),
        ("1 200", "1199.5", "1200.5", None),
        ("1.200.000", "1199999.5", "1200000.5", None),
        ("1.2k", "1150", "1250", None),
        ("10^3", "1000", "1000", None),
        ("2^16", "65536", "65536", None),
        ("1.1e18", "1.05e18", "1.15e18", None),
        ("3-5", "2.5", "5.5", None),
        ("69–72", "68.5", "72.5", None),
        ("77.02 ± 0.04", "77.015", "77.025", None),
        ("12,5", "12.45", "12.55", None),
        ("1’000", "999.5", "1000.5", None),
        ("-0.5", "-0.55", "-0.45", None),
        ("3.12 ms", "0.003115", "0.003125", "s"),
        ("47-48 %", "46.5", "48.5", "%"),
        ("1.3x", "1.25", "1.35", "x"),
        ("$132", "131.5", "132.5", "USD"),
        ("**76.1**", "76.05", "76.15", None),
        ("76.1*", "76.05", "76.15", None),
        ("5e-4", "0.00045", "0.00055", None),
        ("8 hr 41 min", "520.5", "521.5", "min"),
        ("7h24", "443.5", "444.5", "min"),
    ],
)
def test_the_printed_digits_give_an_interval(text, low, high, unit):
    found = printed(text)
    assert found is not None
    assert (found.rounding.low, found.rounding.high, found.unit) == (Decimal(low), Decimal(high), unit)


@pytest.mark.parametrize(
    "text", ["", "-", "n/a", "abc", "OOM", "3.12 ms / 706 TFLOPS", "8.2× slower", "A100", "v1.2.3", "12 of 16"]
)
def test_what_is_not_one_number_is_none(text):
    assert printed(text) is None


def test_a_qualifier_opens_a_side():
    assert printed(">=4").interval.high == Decimal("Infinity")
    assert printed("<0.01").interval.low == Decimal("-Infinity")
    assert printed("~2").qualifier == "about"
    assert printed("10x+").qualifier == "at_least"


def test_what_stands_aside_is_kept():
    assert printed("8.6 (+299 %)").aside == "+299 %"
    assert printed("4.1 hours ($132)").unit == "h"


def test_words_are_numbers():
    third = printed("two thirds").low
    assert abs(third - Decimal(2) / 3) < Decimal("1e-20")


def test_a_duration_in_parts_is_one_quantity():
    assert compound("1:23:45").value == 5025
    assert compound("3 and 4") is None
