"""What headings, captions and cells of tables are taken for, and what they are not taken for."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.handed import handed
from dlaudit.audit.importers.table_grids import grids
from dlaudit.audit.importers.table_roles import guess
from dlaudit.audit.lint.foreign import of_file
from dlaudit.schemas.validation import validate


def table(*rows, title="## Results"):
    head, *body = rows
    return f"{title}\n\n" + "\n".join((head, "|" + "---|" * (head.count("|") - 1), *body)) + "\n"


def read(text):
    draft = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def claims(draft):
    return list(draft.value["claims"].values())


def role(heading, *cells):
    rows = [f"| m{i} | {cell} |" for i, cell in enumerate(cells)]
    (grid,) = grids(handed("t.md", table(f"| Model | {heading} |", *rows).encode()))
    return guess(grid, 1)


@pytest.mark.parametrize("heading", ["ap_fixed\\<16,8\\> (Ours)", "ap_uint", "AP latency", "AP count"])
def test_ap_inside_another_name_is_no_average_precision(heading):
    assert role(heading, "29", "31").role != "accuracy"


@pytest.mark.parametrize(
    "heading", ["AP", "box AP", "AP50", "ap_50", "AP val2017", "AP (mask)", "AP small", "mAPval 0.5:0.95", "mAP50-95"]
)
def test_ap_as_a_word_is_average_precision(heading):
    assert role(heading, "29.1", "31.4").role == "accuracy"


def test_a_quality_of_more_than_all_is_a_wrong_guess_and_named():
    draft = read(table("| Model | F1 | Latency (ms) |", "| a | 3698000 | 3 |", "| b | 420 | 4 |"))
    assert [claim["value"] for claim in claims(draft)] == ["3", "4"]
    assert any("F1" in text and "left out" in text for text in draft.unused)
