"""The fact `quantities.per_second`."""

from decimal import Decimal

import pytest
from dlaudit.rules.facts.quantities.per_second import operations_per_second, says_each, seconds, work_per_second


@pytest.mark.parametrize(
    ("unit", "word", "factor", "per_device"),
    [
        ("TFLOP/s", "flop", "1E12", False),
        ("TFLOPS", "flop", "1E12", False),
        ("tflops", "flop", "1E12", False),
        ("PFLOP/s/GPU", "flop", "1E15", True),
        ("GFLOP/s per device", "flop", "1E9", True),
        ("FLOP/s", "flop", "1", False),
        ("TOPS", "op", "1E12", False),
        ("EFLOP/sec", "flop", "1E18", False),
    ],
)
def test_units_of_operations(unit, word, factor, per_device):
    found = operations_per_second(unit)
    assert (found.word, found.factor, found.per_device) == (word, Decimal(factor), per_device)


@pytest.mark.parametrize("unit", ["", None, "images/s", "FLOP/min", "tokens", "%", "x"])
def test_what_is_no_unit_of_operations(unit):
    assert operations_per_second(unit) is None


def test_units_of_work_and_time():
    assert work_per_second("images/s").factor == 1
    assert work_per_second("ktokens/s/GPU").factor == 1000
    assert work_per_second("samples per minute").factor == Decimal(1) / 60
    assert work_per_second("GB/s") is None
    assert work_per_second("keys/s") is None
    assert seconds("ms") == Decimal("0.001")
    assert seconds("hours") == 3600
    assert seconds("furlongs") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Each device achieves 598 TFLOP/s.", True),
        ("598 TFLOP/s per GPU", True),
        ("598 TFLOP/s/GPU", True),
        ("64 devices achieve 38 PFLOP/s.", False),
        ("each of the runs", False),
    ],
)
def test_words_that_make_a_number_that_of_one_device(text, expected):
    assert says_each(text) is expected
