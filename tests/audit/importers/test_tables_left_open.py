"""Tables that say less than a reader may guess: what their numbers cover, and on how many devices."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file


def read(text):
    return of_file("a.md", text.encode(), Path()).draft.value


@pytest.mark.parametrize(
    ("heading", "scope"),
    [("Elapsed (s)", "not_stated"), ("Load time (s)", "not_stated"), ("Step time (ms)", "step"),
     ("ms/iteration", "step"), ("Epoch time (s)", "epoch"), ("images/s", "not_stated")],
)  # fmt: skip
def test_a_number_covers_what_its_heading_says(heading, scope):
    found = read(f"| Net | {heading} |\n|---|---|\n| a | 12.5 |\n| b | 13.5 |\n")
    assert {claim["scope"] for claim in found["claims"].values()} == {scope}


@pytest.mark.parametrize(
    "table",
    [
        "| Net | 1 GPU | 2 GPUs |\n|---|---|---|\n| a | 12 h | 7 h |\n| b | 15 h | 9 h |\n",
        "| Setup | Epoch time (s) |\n|---|---|\n| 1 GPU | 19.5 |\n| 4 GPUs | 42.5 |\n",
    ],
)
def test_devices_that_vary_are_not_those_of_the_setup(table):
    found = read(f"# Training\n\nAll trainings ran on 8 V100 GPUs. Training times:\n\n{table}")
    assert found["arms"]
    assert 8 not in {arm.get("devices") for arm in found["arms"].values()}


@pytest.mark.parametrize(("heading", "compares"), [("Speedup", "not_stated"), ("Speedup over BERT", "own_variants")])
def test_a_speedup_over_what_is_not_said_compares_nothing_known(heading, compares):
    found = read(f"| Net | {heading} |\n|---|---|\n| a | 2.5x |\n| b | 5.5x |\n")
    assert {claim["compares"] for claim in found["claims"].values()} == {compares}


@pytest.mark.parametrize("unit", ["Numbers are in ms.", "Inferenz, Zahlen (ms)"])
def test_a_text_above_a_table_says_the_unit_of_its_numbers(unit):
    rows = "| net | torch CPU | ORT CPU |\n|---|---|---|\n| a | 130.5 | 48.5 |\n| b | 126.5 | 43.5 |\n"
    found = read(f"# Nets\n\n{unit}\n\n{rows}")
    assert {(claim["quantity"], claim["unit"]) for claim in found["claims"].values()} == {("time", "ms")}


@pytest.mark.parametrize("row", ["| WER (avg) | 3.25% | 3.5% |", "| Latency | 12 ms | 15 ms |"])
def test_one_row_of_metrics_with_units_is_enough(row):
    found = read(f"| Metric | ours | theirs |\n|---|---|---|\n{row}\n| Notes | fused | plain |\n")
    assert len(found["claims"]) == 2


def test_a_real_time_factor_names_no_row():
    text = "| 音频时长 | 0.6B | RTF |\n|---|---|---|\n| 1.0s | 0.112s | 0.112 ok |\n| 2.0s | 0.793s | 0.396 ok |\n"
    found = read(text)
    assert [claim["value"] for claim in found["claims"].values()] == ["0.112", "0.793"]
    assert all("RTF" not in arm["label"] for arm in found["arms"].values())
