"""Shapes of tables: lists of numbers by name, units told twice or in brackets, and drawn rules below headings."""

from pathlib import Path

from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate


def read(text):
    found = of_file("a.md", text.encode(), Path()).draft.value
    assert not validate("submission", found)
    return found


def numbers(text):
    return {(claim["value"], claim["unit"]) for claim in read(text)["claims"].values() if claim.get("unit")}


def test_numbers_in_a_list_belong_to_the_names_of_their_heading():
    found = read("| net | fps(fp32/fp16/int8) |\n|---|---|\n| a | 111/231/431 |\n| b | 101/161/191 |\n")
    held = {
        claim["value"]: found["arms"][claim["measured"]["arm"]]["options"]["precision"]["compute"]
        for claim in found["claims"].values()
    }
    assert held == {"111": "fp32", "231": "fp16", "431": "int8", "101": "fp32", "161": "fp16", "191": "int8"}


def test_a_ratio_of_units_in_a_heading_is_no_list():
    assert numbers("| net | time (s/iter) |\n|---|---|\n| a | 0.31 |\n| b | 0.41 |\n") == {("0.31", "s"), ("0.41", "s")}


def test_a_unit_behind_number_and_spread_is_one_unit():
    found = numbers("| Model | Runtime (GPU) |\n|---|---|\n| a | 21.5 ms ± 6.5 ms |\n| b | 13.5 ms +/- 4.5 ms |\n")
    assert found == {("21.5", "ms"), ("13.5", "ms")}


def test_a_time_for_each_mini_batch_is_one():
    assert numbers("| Kind | Speed (sec/mini batch) |\n|---|---|\n| a | 0.165 |\n| b | 0.205 |\n") == {
        ("0.165", "s"),
        ("0.205", "s"),
    }


def test_a_unit_in_brackets_above_a_table_is_that_of_its_numbers():
    rows = "| model | torch CPU | torch GPU |\n|---|---|---|\n| a | 131.5 | 47.5 |\n| b | 127.5 | 43.5 |\n"
    assert numbers(f"# Board\n\n推論時間。数字は [ms]\n\n{rows}") == {
        ("131.5", "ms"), ("47.5", "ms"), ("127.5", "ms"), ("43.5", "ms")
    }  # fmt: skip


def test_a_drawn_rule_below_headings_is_no_row():
    table = (
        "```\nChip            ms/step   TFLOPS   Found by\n─────────────────────────────────\n"
        "A1              91        0.91     @one\nB2              64        1.45     @two\n```\n"
    )
    assert {value for value, _ in numbers(f"# Training\n\n{table}")} >= {"91", "64", "1.45"}


def test_a_quality_in_the_plural_heads_a_table():
    rows = "| net | ss | ms |\n|---|---|---|\n| a | 36.5 | 37.5 |\n| b | 32.5 | 33.5 |\n"
    found = read(f"# Nets\n\nmIOUs on ADE20K val set:\n\n{rows}")
    assert {claim["value"] for claim in found["claims"].values()} == {"36.5", "37.5", "32.5", "33.5"}


def test_the_title_of_a_document_stands_in_its_metadata():
    found = read('---\nlayout: post\ntitle: "A faster cache"\n---\n\n# Why\n\nOur cache is 7.5x faster.\n')
    assert found["title"] == "A faster cache"
