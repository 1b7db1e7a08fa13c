"""What headings and captions state of the numbers below them: units, powers of ten, and whether they are a quality."""

import pytest
from dlaudit.rules.language.columns import captioned, is_quality, other_rate, power_in, units_of


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("TPS/GPU", ["tokens/s"]),
        ("FTL(min)(s)", ["min", "s"]),
        ("lat msec", ["s"]),
        ("time per image (ms/image)", ["s"]),
        ("step / ms", ["s"]),
        ("GPU(s)", []),
        ("hidden h", []),
        ("Q4_K_S", []),
        ("A100-40GB", []),
        ("held for 60 s", []),
    ],
)
def test_the_units_of_a_heading(heading, names):
    assert [unit.name for unit in units_of(heading)[1]] == names


def test_a_caption_states_the_unit_of_what_it_names():
    assert [unit.name for unit in captioned("Latency in milliseconds, four cards", "caption.latency")] == ["s"]
    assert not captioned("Latency and throughput on four cards", "caption.latency")
    assert other_rate("speed (games/s)") == "games"


def test_thousands_stand_in_brackets():
    assert [power_in(text) for text in ("tok/s (x1000)", "(10^6 steps/s)", "time (1000 steps)")] == [3, 6, 0]


@pytest.mark.parametrize(
    ("heading", "quality"), [("f1", True), ("1F1B", False), ("ap_fixed", False), ("AP (val)", True), ("GPQA", True)]
)
def test_a_heading_names_a_quality(heading, quality):
    assert is_quality(heading.lower().replace("_", " ")) is quality
