"""Whether a text holds some words or numbers, and whether it says anything besides."""

from decimal import Decimal

import pytest
from dlaudit.rules.language.reading import read


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("ViT-B/16 is 2x faster", "vit-b/16", True),
        ("our fused kernel wins", "Fused  kernel", True),
        ("defused kernels", "fused kernel", False),
        ("the plain run", "plain", True),
        ("the plain run", "", False),
        ("", "plain", False),
    ],
)
def test_words_in_their_order(text, words, found):
    assert read(text).says(words) is found


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("24 tuning trials against 12", "12", True),
        ("twelve trials", "12", True),
        ("0.50 of them", "0.5", True),
        ("12.5 hours", "12", False),
        ("1,200 steps", "1200", True),
        ("a crop of 224x224", "224", True),
        ("on an A100", "100", False),
    ],
)
def test_numbers_that_are_printed(text, value, found):
    assert read(text).prints(Decimal(value)) is found


@pytest.mark.parametrize(
    ("text", "only"),
    [("none", True), (" Not used. ", True), ("not used in training", False), ("", False), ("on", False)],
)
def test_a_field_that_says_one_thing(text, only):
    assert read(text).is_only("not_in_use") is only


def test_clauses_are_told_apart():
    reading = read("It takes 3 s without loading, while evaluation is inside.")
    without, evaluation = (next(iter(reading.mentions(name))) for name in ("left_outside", "evaluation"))
    assert reading.clause(without.span) != reading.clause(evaluation.span)
    assert [number.low for number in reading.numbers()] == [3]
