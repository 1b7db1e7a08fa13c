"""F57, row-cells-contradict: A row of a table whose cells do not fit each other as those of its other rows do."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer
from support.documents import of_document

PASS = Outcome.PASS
TIME, RATE = {"quantity": "time", "unit": "ms"}, {"quantity": "rate", "unit": "images/s"}


def table(columns, rows, **row):
    """A table of its own, of cells in the order of its columns."""
    values = {f"q{at}": {"values": dict(zip(columns, cells, strict=False)), **row} for at, cells in enumerate(rows)}
    return {"tables": {"nodes": None, "own": {"columns": columns, "rows": values}}, "claims": None, "arms": None}


def judge(columns, rows, **row):
    patch = table(columns, rows, **row)
    patch["claims"] = {"efficiency": None, "speedup": {"row": None, "label": None}}
    del patch["arms"]
    return answer(of_document("F57", "strong-scaling", patch))


FITTING = [["74.52", "3435.3"], ["226.51", "1130.2"], ["400.20", "639.7"]]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["421.66", "6437.82"], ("a", UNDERMINES)),
        (["421.66", "700.1"], ("a", UNDERMINES)),
        (["421.66", "607.1"], PASS),
        (["421.66", "625"], PASS),  # neither fits nor contradicts
        (["421.66"], PASS),
    ],
)
@pytest.mark.parametrize(
    "options", [{"global_batch": 256}, {"micro_batch": 32}, {"extra": {"batch size": "32"}}], ids=["all", "one", "open"]
)
def test_a_rate_is_the_batch_over_its_time(row, expected, options):
    columns = {"ms-step": TIME, "img-s": RATE}
    assert judge(columns, [*FITTING, row], devices=8, options=options) == expected


def test_a_relation_that_few_rows_show_is_none():
    columns = {"latency": TIME, "img-s": RATE}
    rows = [["74.52", "3435.3"], ["226.51", "1130.2"], ["400.20", "5000"], ["421.66", "6437.82"]]
    assert judge(columns, rows, devices=8, options={"global_batch": 256}) == PASS


PHASES = {"total": TIME, "forward": TIME, "backward": TIME}
SUMS = [["254", "82", "171"], ["230", "72", "157"], ["1178", "304", "874"]]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["1265", "418", "877"], ("b", UNDERMINES)),
        (["1290", "418", "877"], PASS),  # neither fits nor contradicts
        (["1165", "418", "877"], ("b", UNDERMINES)),
        (["2590", "418", "877"], ("b", UNDERMINES)),
        (["1295", "418", "877"], PASS),
    ],
)
def test_phases_add_up_to_their_total(row, expected):
    assert judge(PHASES, [*SUMS, row]) == expected


def test_times_that_never_add_up_are_no_phases():
    rows = [["90", "30", "40"], ["100", "35", "40"], ["1178", "304", "874"], ["700", "300", "300"]]
    assert judge(PHASES, rows) == PASS


def test_phases_that_overlap_in_each_row_are_no_flaw():
    rows = [["90", "60", "50"], ["100", "70", "60"], ["117", "80", "70"], ["70", "50", "40"]]
    assert judge(PHASES, rows) == PASS
