"""Rows of ratios below the rows that they relate, and factors with their sign before them."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.tables.cells import number
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.validation import validate

PLAIN = """# Serving

| Build | Throughput (tokens/s) | Latency (ms) |
|---|---|---|
| eager | 412.5 | 31.2 |
| graphs | 1031.2 | 15.7 |
| {name} | {first} | {second} |
"""
GROUPED = """# Serving

| Model | Batch | Throughput (tokens/s) | First token (ms) |
|---|---|---|---|
| **Card B** |
| m7 | 32 | 9,120 | 88 |
| m7 | 1 | 170 | 6.8 |
| **Card A** |
| m7 | 32 | 3,040 | 352 |
| m7 | 1 | 100 | 13.6 |
| **Speedup** |
| m7 | 32 | **3.0x** | **4.0x** |
| m7 | 1 | **2.6x** | 2.0x |
"""
ACROSS = """# Serving

| Metric | Card A | Card B | Speedup |
|---|---|---|---|
| Throughput (tokens/s) | 3040 | 9120 | {first} |
| Latency (ms) | 352 | 88 | {second} |
"""


def draft(text):
    found = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", found.value)
    return found


def ratios(text):
    """The ratios with the labels of the arms of both sides."""
    found = draft(text).value
    arms, claims = found["arms"], [claim for claim in found["claims"].values() if claim["form"] == "ratio"]
    label = [(claim, arms[claim["measured"]["arm"]]["label"], arms[claim["base"]["arm"]]["label"]) for claim in claims]
    return [(claim["value"], claim["quantity"], one, other) for claim, one, other in label]


def refuted(tmp_path, text):
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / "a.md")])
    report = lint(found, Settings()).report
    return {(item.code, claim.value) for claim in report.claims for item in claim.findings if item.effect == "refutes"}


@pytest.mark.parametrize("name", ["Speedup", "Ratio", "graphs/eager"])
@pytest.mark.parametrize(("first", "second"), [("2.5x", "1.99x"), ("x2.5", "×1.99"), ("× 2.5", "1.99 ×")])
def test_a_row_of_ratios_is_of_the_two_rows_above_it(tmp_path, name, first, second):
    text = PLAIN.format(name=name, first=first, second=second)
    assert ratios(text) == [
        ("2.5", "rate", "Build graphs", "Build eager"),
        ("1.99", "latency", "Build graphs", "Build eager"),
    ]
    assert not refuted(tmp_path, text)


def test_a_ratio_that_its_rows_do_not_give_is_refuted(tmp_path):
    assert {("F04", "3.5 x")} <= refuted(tmp_path, PLAIN.format(name="Speedup", first="x3.5", second="x1.99"))
    assert refuted(tmp_path, GROUPED) == {("F04", "2.6 x")}


def test_a_group_of_ratios_relates_the_rows_of_the_same_options():
    assert [(value, one.split(",")[0], other.split(",")[0]) for value, _, one, other in ratios(GROUPED)] == [
        (value, "Card B", "Card A") for value in ("3.0", "4.0", "2.6", "2.0")
    ]


@pytest.mark.parametrize(("first", "second"), [("3.0x", "4.0x"), ("x3.00", "x4.00"), ("3.0", "4.0")])
def test_a_column_of_ratios_beside_the_two_that_it_relates_is_such_a_row(first, second):
    text = ACROSS.format(first=first, second=second)
    assert ratios(text) == [("3.0" if first != "x3.00" else "3.00", "rate", "Card B", "Card A"),
                            ("4.0" if first != "x3.00" else "4.00", "latency", "Card B", "Card A")]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("| eager | 400 | 32.5 |\n| graphs | 1000 | 13.5 |\n| both | 1500 | 11.5 |\n| Speedup | 9.5x | 7.5x |", False),
        ("| eager | 400 | 32.5 |\n| graphs | 1000 | 13 |\n| both | 1700 | 9.5 |\n| Speedup | 2.5x | 2.5x |", True),
        ("| eager | 400 | 32.5 |\n| graphs | 300 | 13.5 |\n| Speedup | 9.5x | 7.5x |", False),
        ("| eager | 400 | 32.5 |\n| graphs | 1000 | 13.5 |\n| Change | +150 % | -58 % |", False),
    ],
)
def test_where_it_is_not_clear_which_rows_are_related_nothing_is_compared(rows, told):
    text = f"# Runs\n\n| Build | Throughput (tokens/s) | Latency (ms) |\n|---|---|---|\n{rows}\n"
    assert [value for value, *_ in ratios(text)] == (["2.5", "2.5"] if told else [])
    assert any("a row of ratios; not compared" in said for said in draft(text).unused) is not told
    assert not any("not read as a number" in said for said in draft(text).unused)


def test_a_row_of_ratios_has_no_number_with_the_unit_of_its_neighbours():
    for text in (PLAIN.format(name="Speedup", first="2.5", second="1.99"), GROUPED):
        found = draft(text).value
        assert all(claim["unit"] == "x" or float(claim["value"]) > 5 for claim in found["claims"].values())


@pytest.mark.parametrize(
    ("cell", "value"), [("x3.04", "3.04"), ("×2.21", "2.21"), ("× 4", "4"), ("2.4x", "2.4"), ("x86", None), ("x", None)]
)
def test_a_factor_has_its_sign_on_either_side(cell, value):
    found = number(cell)
    assert (found and (found.printed, found.unit.replace("×", "x"))) == (value and (value, "x"))
