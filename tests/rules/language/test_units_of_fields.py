"""Units that stand alone in a field or a column, and nouns that belong to a unit."""

from decimal import Decimal

import pytest
from dlaudit.rules.facts.quantities.per_second import operations_per_second, seconds, work_per_second
from dlaudit.rules.language.reading import read
from dlaudit.rules.language.units import counted_per, unit_of


@pytest.mark.parametrize(
    ("unit", "whole"),
    [("tokens/s per accelerator", "tokens/s"), ("TFLOP/s (per GPU)", "TFLOP/s"), ("img/s for each GPU", "img/s")],
)
def test_what_a_unit_is_counted_per(unit, whole):
    assert unit_of(unit).per == "device"
    assert counted_per(unit, "device") == whole
    assert counted_per(whole, "device") is None


@pytest.mark.parametrize(
    ("unit", "word", "factor"),
    [("kimages/min", "images", Decimal(1000) / 60), ("tok/s", "tokens", 1), ("output tokens per second", "tokens", 1)],
)
def test_work_per_second(unit, word, factor):
    found = work_per_second(unit)
    assert (found.word, found.factor, found.per_device) == (word, factor, False)


@pytest.mark.parametrize("unit", ["batches/s", "ms/token", "tokens/s/user", "GB/s", "", None])
def test_other_units_are_no_work_per_second(unit):
    assert work_per_second(unit) is None
    assert operations_per_second(unit) is None


def test_times():
    assert [seconds(unit) for unit in ("µs", "minutes", "std", "month")] == [Decimal("1e-6"), 60, None, None]


def test_hours_of_devices_count_no_devices():
    assert read("It took 300 GPU-hours on 16 A100 GPUs.").counts("devices")[0].value == 16
    assert read("trained with a context of 4096").counts("sequence_length")[0].value == 4096
    assert not read("in the context of 3 workloads").counts("sequence_length")


@pytest.mark.parametrize(
    ("unit", "plain"),
    [
        ("peta-operations/s", "POPS"),
        ("tera operations per second", "TOPS"),
        ("exa-FLOP/s", "EFLOP/s"),
        ("EFLOPS-eq", "EFLOPS"),
        ("img·s⁻¹", "img/s"),
        ("images s^-1", "images/s"),
        ("tokens/s (effective)", "tokens/s"),
        ("samples·s^{-1} (eff.)", "samples/s"),
    ],
)
def test_other_spellings_of_a_unit(unit, plain):
    found, wanted = unit_of(unit), unit_of(plain)
    assert found is not None
    assert wanted is not None
    assert (found.name, found.scale, found.per) == (wanted.name, wanted.scale, wanted.per)
