"""Columns of a quality: levels of it are claimed and judged, differences of it are neither."""

import pytest
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.importers.tables.in_documents import grids
from dlaudit.audit.importers.tables.roles import guess
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings


def table(*rows, title="Results"):
    head, *body = rows
    return "\n".join([f"# {title}", "", head, "|" + "---|" * (head.count("|") - 1), *body]) + "\n"


def report(tmp_path, text, name="report.md"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / name)])
    return lint(found, Settings()).report


def found(report, code):
    return [item for item in report.all_findings if item.code == code and item.outcome == "violation"]


@pytest.mark.parametrize(
    "heading",
    ["Δ top-1", "top1_diff", "Acc. change", "Accuracy drop (%)", "Accuracy loss", "F1 vs baseline", "Error reduction",
     "Relative accuracy", "Accuracy retention", "BLEU gain", "mAP degradation", "Perplexity increase"],
)  # fmt: skip
def test_a_difference_of_a_quality_is_no_level_of_it(tmp_path, heading):
    text = table(f"| Model | Top-1 (%) | {heading} |", "| A | 76.1 | 0.4 |", "| B | 76.3 | 100.2 |")
    lint = report(tmp_path, text)
    assert [claim.id for claim in lint.claims] == ["t1-r1-top-1", "t1-r2-top-1"]
    assert not found(lint, "F11")


@pytest.mark.parametrize("cells", [("+0.31", "-0.12"), ("0.00", "−0.12%"), ("+1", "2")])
def test_a_signed_number_of_a_quality_is_a_difference(cells):
    first, second = cells
    (grid,) = grids(open_report("t.md", table("| Model | Top-1 |", f"| A | {first} |", f"| B | {second} |").encode()))
    assert guess(grid, 1).role == "difference"


@pytest.mark.parametrize("heading", ["Top-1 (%)", "Change detection F1", "Linear regression error", "Val loss"])
def test_a_level_stays_one(heading):
    (grid,) = grids(open_report("t.md", table(f"| Model | {heading} |", "| A | 76.1 |", "| B | 74.0 |").encode()))
    assert guess(grid, 1).role == "accuracy"


def test_a_level_above_all_is_still_refuted(tmp_path):
    lint = report(tmp_path, table("| Model | Accuracy (%) | img/s |", "| A | 103.1 | 800 |", title="Inference"))
    assert len(found(lint, "F11")) == 1


def roles(*rows):
    (grid,) = grids(open_report("a.md", table(*rows).encode()))
    return [guess(grid, index) for index in range(len(grid.header))]


@pytest.mark.parametrize(("cells", "role"), [(("0.8335", "0.8412"), "accuracy"), (("FP16", "INT8"), "precision")])
def test_the_cells_tell_which_precision_a_heading_means(cells, role):
    rows = [f"| net | {cell} | 12.5 |" for cell in cells]
    assert [each.role for each in roles("| Model | Precision | Latency (ms) |", *rows)] == ["model", role, "latency"]


@pytest.mark.parametrize("heading", ["Recall", "dev EM", "IoU", "Test IoU"])
def test_the_name_of_a_metric_heads_a_quality_and_no_option(heading):
    assert roles(f"| Model | {heading} | Latency (ms) |", "| net | 0.71 | 12.5 |")[1].role == "accuracy"


@pytest.mark.parametrize(
    ("heading", "role", "unit", "statistic"),
    [
        ("latency ms (mean)", "latency", "ms", "mean"),
        ("img_s(avg)", "rate", "images/s", "mean"),
        ("tok_s", "rate", "tokens/s", None),
        ("step_s", "time", "s", None),
        ("train time (min)", "time", "min", None),
    ],
)
def test_a_unit_is_read_before_a_statistic_in_brackets_and_behind_an_underscore(heading, role, unit, statistic):
    (_, found) = roles(f"| Model | {heading} |", "| net | 12.5 |")
    assert (found.role, found.unit, found.statistic) == (role, unit, statistic)
