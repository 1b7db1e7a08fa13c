"""What stands at the very end of a text is read as in its middle; and which numbers a text prints."""

from decimal import Decimal

import pytest
from dlaudit.rules.language.reading import read


@pytest.mark.parametrize("text", ["The gap is 2 percentage points", "It grows by 40 per cent", "3 orders of magnitude"])
def test_a_unit_of_several_words_at_the_end(text):
    bare, ended = ([(q.value, q.unit, q.span) for q in read(words).quantities()] for words in (text, f"{text}."))
    assert bare == ended
    assert len(bare) == 1


def test_numbers_that_a_text_prints():
    text = read("ResNet-50 reaches 76.10 % after 1.2 million steps")
    assert [number.low for number in text.numbers()] == [Decimal("76.10"), Decimal(1200000)]
    assert text.prints(Decimal("76.1"))
    assert not text.prints(Decimal(50), Decimal(76))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1.231,5 Bilder/s", ["1231.5"]),
        ("12.345.678,9 Bilder/s", ["12345678.9"]),
        ("1,231.5 images/s", ["1231.5"]),
        ("between 1.250,1.500", ["1.250", "1.500"]),
        ("0.125,5", ["0.125", "5"]),
    ],
)
def test_points_may_group_digits_before_a_decimal_comma(text, values):
    assert [token.value for token in read(text).tokens if token.kind == "number"] == [Decimal(v) for v in values]
