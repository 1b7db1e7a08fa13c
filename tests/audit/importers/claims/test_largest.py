""" "Up to 4.6x" is held against the largest ratio that the tables of its document give of the same two sides."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings

TABLE = """
| Network | Plain loop (images/s) | Fused loop (images/s) |
|---|---|---|
| net-a | 1000 | 3800 |
| net-b | 1200 | 3000 |
| net-c | 1100 | 2200 |
"""
PICTURE = "\n![rates](rates.png)\n"
BADGE = "\n![build](https://img.shields.io/badge/build-passing.svg)\n"


def judged(text):
    return lint(of_file("post.md", text.encode(), Path()), Settings())


def contradictions(text):
    found = (item for claim in judged(text).report.claims for item in claim.findings)
    return [item.message for item in found if item.code == "F04" and item.outcome == "violation"]


@pytest.mark.parametrize("number", ["4.6x", "3.5x", "2.9x"])
@pytest.mark.parametrize("where", ["# {}\n", "# Loops\n\n{}.\n", "# Loops\n\n{}, as we show below.\n"])
def test_a_headline_that_is_not_the_largest_ratio_of_the_table_contradicts_it(number, where):
    text = where.format(f"The fused loop trains up to {number} faster than the plain loop") + TABLE
    (message,) = contradictions(text)
    assert message.startswith(f"up to {number[:-1]} is stated; the largest ratio of its two sides, 3800 against 1000 ")


@pytest.mark.parametrize("words", ["up to 3.8x", "as much as 3.8x", "up to 2.5x", "over 3.5x", "up to 4x", "4.6x"])
def test_a_headline_that_a_ratio_of_the_table_gives_or_that_is_no_largest_one_is_not_held_against_it(words):
    assert not contradictions(f"# The fused loop trains {words} faster than the plain loop\n{TABLE}")


def test_by_over_is_more_than_the_table_gives():
    (message,) = contradictions(f"# The fused loop trains over 4.1x faster than the plain loop\n{TABLE}")
    assert "4.1 is stated" in message


@pytest.mark.parametrize(
    "more",
    [
        PICTURE,
        "\nFigure 2 shows all networks.\n",
        "\n| Network | Fused on eight cards (images/s) |\n|---|---|\n| net-a | 31000 |\n",
    ],
)
def test_results_that_may_stand_elsewhere_make_it_a_question(more):
    text = f"# The fused loop trains up to 4.6x faster than the plain loop\n{TABLE}{more}"
    assert not contradictions(text)
    assert [each for each in judged(text).unread if "largest ratio of the same two in the tables is 3.8" in each]


def test_a_badge_is_no_picture_of_results():
    assert contradictions(f"# The fused loop trains up to 4.6x faster than the plain loop\n{BADGE}{TABLE}")


def test_a_sentence_that_names_its_table_is_held_against_it_whatever_else_there_is():
    text = (
        "# Loops\n\nThe fused loop trains up to 4.6x faster than the plain loop (Table 1).\n"
        f"{PICTURE}\nTable 1: Training rates on one L40S.\n{TABLE}"
    )
    assert contradictions(text)


@pytest.mark.parametrize("side", ["the interpreted loop", "release 1.2"])
def test_a_base_that_the_table_does_not_have_is_held_against_nothing(side):
    assert not contradictions(f"# The fused loop trains up to 4.6x faster than {side}\n{TABLE}")


def test_rows_of_two_devices_are_compared_where_all_else_is_alike():
    text = (
        "# Two cards\n\nThe H200 is up to 2.6x faster than the L40S.\n\n"
        "| Device | Network | Throughput (images/s) |\n|---|---|---|\n"
        "| L40S | net-a | 1000 |\n| L40S | net-b | 900 |\n| H200 | net-a | 1900 |\n| H200 | net-b | 1300 |\n"
    )
    (message,) = contradictions(text)
    assert "1900 against 1000 images/s" in message


RELEASES = """
| Release | Throughput (tokens/s) |
|---|---|
| 2.0 | 21400 |
| 2.1 | 38900 |
| 2.2 | 57200 |
"""


def test_a_release_is_told_from_the_next_by_its_number():
    said = "# Kestrel 2.2 trains up to 3.1x faster than release 2.0 (Table 1)\n\nTable 1: Rates on one L40S.\n"
    (message,) = contradictions(said + RELEASES)
    assert "57200 against 21400 tokens/s" in message


def test_the_slower_side_of_a_table_is_no_gain_to_hold_a_headline_against():
    assert not contradictions(
        "# Kestrel 2.0 trains up to 3.1x faster than release 2.2 (Table 1)\n\nTable 1: Rates.\n" + RELEASES
    )
