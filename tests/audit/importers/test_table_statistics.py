"""Tables of statistics of one quantity: one number with its summary, and no claim of its sum or scatter."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate


def read(text):
    draft = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def claims(draft):
    return {claim["statement"]: claim["value"] for claim in draft.value["claims"].values()}


ROWS = """# prefill
## latency

| metric | value | unit |
|---|---|---|
| count | 10 | - |
| total | 1.316 | s |
| mean | 0.1316 | s |
| p50 | 0.1315 | s |
| p90 | 0.1317 | s |
| stdev | 0.0001 | s |
| stdev_ | 0.08 | % |

## throughput

| metric | value | unit |
|---|---|---|
| throughput | 7.60 | samples/s |
"""
SUMMARY = {"mean": "0.1316", "sd": "0.0001", "percentiles": {"50": "0.1315", "90": "0.1317"}}


def test_rows_of_statistics_are_one_number():
    draft = read(ROWS)
    assert sorted(claims(draft).values()) == ["0.1316", "7.60"]
    latency, rate = (next(iter(arm["performance"].values())) for arm in draft.value["arms"].values())
    assert latency["summary"] == SUMMARY
    assert latency["n"] == {"unit": "iteration", "completed": 10}
    assert (latency["quantity"], latency["statistic"]) == ("latency", "mean")
    assert rate["unit"] == "samples/s"
    assert "total (s): beside the mean" in draft.unused


def test_columns_of_statistics_are_one_number_a_row():
    head = "| phase | n | mean (ms) | median (ms) | std (ms) | total (ms) |\n|---|---|---|---|---|---|\n"
    draft = read(
        f"# latency\n\n{head}| encode | 20 | 3.5 | 3.4 | 0.2 | 70 |\n| decode | 30 | 8.5 | 8.4 | 0.3 | 255 |\n"
    )
    assert claims(draft) == {"latency, encode: mean: 3.5 ms": "3.5", "latency, decode: mean: 8.5 ms": "8.5"}
    first = next(iter(draft.value["arms"].values()))["performance"]["latency"]
    assert first["summary"] == {"mean": "3.5", "median": "3.4", "sd": "0.2"}


@pytest.mark.parametrize(
    ("head", "row", "values"),
    [
        ("| GPU | mean (ms) | p50 (ms) | p90 (ms) | std (ms) |", "| A100 | 3.5 | 3.4 | 3.9 | 0.2 |", ["3.5"]),
        ("| model | mean (ms) | p99 (ms) | images/s |", "| net | 3.5 | 3.9 | 280 |", ["3.5", "280"]),
    ],
)
def test_other_tables_with_a_mean_keep_their_options(head, row, values):
    draft = read(f"# t\n\n{head}\n{'|---' * (head.count('|') - 1)}|\n{row}\n")
    assert set(values) <= set(claims(draft).values())
    (arm,) = draft.value["arms"].values()
    assert "system" in arm or "model" in arm["options"]
