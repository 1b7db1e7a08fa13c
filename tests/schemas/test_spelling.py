"""What a message says to write for a value that was written as it was printed."""

import pytest
from dlaudit.schemas.spelling import day, name, number


@pytest.mark.parametrize(
    ("printed", "spelled"),
    [
        ("1,200", '"1200"'),
        ("34.08M", '"34.08e6"'),
        ("1.2k", '"1.2e3"'),
        ("2.1x", '"2.1" with `unit: "x"`'),
        ("47 %", '"47" with `unit: "%"`'),
        ("~2", '"2" with `qualifier: about`'),
        ("> 3 x", '"3" with `qualifier: over` with `unit: "x"`'),
        ("up to 1,000", '"1000" with `qualifier: up_to`'),
        ("33 hr 13 min", '"1993" with `unit: min`'),
        ("8 hr 41 min 5 s", '"31265" with `unit: s`'),
        ("1:23:45", '"5025" with `unit: s`'),
        ("4 hours", '"4" with `unit: h`'),
        ("77.02 ± 0.04", '"77.02", and "0.04" under `plus_minus` of the number in its arm'),
        ("007", '"7"'),
        ("three", ""),
        ("", ""),
        ("9" * 500, ""),
    ],
)
def test_a_number(printed, spelled):
    assert number(printed) == spelled


def test_a_range():
    spelled = number("3-5x")
    assert '`range: {low: "3", high: "5", where: same_place}`' in spelled
    assert '`unit: "x"`' in spelled
    assert 'low: "47", high: "48"' in number("47-48 %")


@pytest.mark.parametrize(
    ("printed", "spelled"),
    [
        ("2024-05", '"2024-05-31", the last day of the month, where no day is printed'),
        ("2024-2", '"2024-02-29", the last day of the month, where no day is printed'),
        ("2024/5/3", '"2024-05-03"'),
        ("May", ""),
        ("0000-01", '"0000-01-31", the last day of the month, where no day is printed'),
    ],
)
def test_a_day(printed, spelled):
    assert day(printed) == spelled


def test_a_name():
    assert name("GPT 3 (175B)") == "'GPT-3-175B'"
    assert name("%") == ""
