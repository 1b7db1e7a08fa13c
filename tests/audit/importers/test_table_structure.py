"""How tables stand in a document: HTML, blocks of code, comments, headings of two levels, metrics as rows, captions."""

import json
import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.importers.documents.html_tables import MOST_CELLS, html_tables
from dlaudit.audit.importers.documents.marks import plain
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.importers.tables.in_documents import grids
from dlaudit.audit.importers.tables.shapes import shaped
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.bases import base
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate
from support import pace


def read(name, text):
    draft = of_file(name, text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def strong(tmp_path, text, name="report.md"):
    (tmp_path / name).write_text(text)
    (found,) = read_documents([str(tmp_path / name)])
    return {
        finding.code
        for finding in lint(found, Settings()).report.all_findings
        if finding.outcome == "violation" and str(finding.effect) != "caveat"
    }


def headings(text):
    return [[cell.text for cell in shaped(grid).header] for grid in grids(open_report("a.md", text.encode()))]


def values(draft):
    return [claim["value"] for claim in draft.value["claims"].values()]


def piped(*rows):
    """A pipe table from its rows, without the pipes around them."""
    rule = "|".join("---" for _ in rows[0].split("|"))
    return "".join(f"| {row} |\n" for row in (rows[0], rule, *rows[1:]))


RATES = "| net | images/s |\n|---|---|\n| a | {} |\n"


class TestMarkdown:
    def test_a_table_in_a_comment_is_not_read(self):
        for opened in ("<!--\n{}-->\n", "<!-- old:\n\n{}\n-->", "text\n\n  <!--\n{}", "<!-- a --> <!--\n{}-->"):
            draft = read("a.md", RATES.format("10.5") + "\n" + opened.format(RATES.format("99.5")))
            assert values(draft) == ["10.5"]

    @pytest.mark.parametrize(
        "hidden",
        [
            "<!--\n| net | images/s |\n|---|---|\n| a | 99.5 |\n-->\n",
            "<!-- | net | images/s | -->\n|---|---|\n| a | 99.5 |\n",
            "<!-- | net | images/s |\n|---|---| -->\n| a | 99.5 |\n",
            "<table>\n<!-- <tr><th>net</th><th>images/s</th></tr> -->\n<tr><td>a</td><td>99.5</td></tr></table>\n",
            "[//]: # (| net | images/s |)\n|---|---|\n| a | 99.5 |\n",
            "<!--",
        ],
    )
    def test_a_table_in_a_comment_is_named(self, hidden, tmp_path):
        hidden += RATES.format("99.5") if hidden == "<!--" else ""
        draft = read("a.md", f"{RATES.format('10.5')}\n{hidden}")
        assert any(re.search("in a comment in line [56]: no reader sees it", text) for text in draft.unused)
        with pytest.raises(UserError, match=r"in a comment in line [34]: no reader sees it"):
            of_file("a.md", f"text\n\n{hidden}".encode(), Path())
        (tmp_path / "a.md").write_text(f"text\n\n{hidden}")
        (tmp_path / "claim.json").write_text(json.dumps(base("rate")))
        first, *_ = read_documents([str(tmp_path)])
        assert [row.path for row in first.left_out if "in a comment in line" in row.reason] == ["a.md"]

    def test_a_comment_without_a_table_is_not_named(self):
        text = f"<!-- a | b -->\n[a|b]: https://example.org/a|b\n\n{RATES.format('<!-- was 9 -->10.5')}"
        assert not read("a.md", f"```html\n<!-- | a | b | -->\n```\n{text}").unused

    def test_many_comments_are_counted_in_time_that_grows_with_them(self):
        text = RATES.format("10.5") + "\n" + "<!-- | a | b | -->\n\n" * 50_000
        start = time.process_time()
        assert any("49995 further tables" in each for each in read("a.md", text).unused)
        assert time.process_time() - start < pace.seconds(5)

    def test_a_comment_hides_no_table_behind_it(self):
        draft = read("a.md", "<!-- toc -->\nsee `a <!-- b` there\n\n" + RATES.format("<!-- was 9 -->10.5"))
        assert values(draft) == ["10.5"]
        (claim,) = draft.value["claims"]
        assert draft.origins[f"/claims/{claim}/value"].column == 21

    def test_a_sign_of_a_comment_in_code_hides_nothing(self):
        assert values(read("a.md", "```html\n<!-- begin\n```\n\n" + RATES.format("10.5"))) == ["10.5"]

    @pytest.mark.parametrize("fence", ["```", "~~~text", "```console", "````\n```"])
    def test_a_table_that_a_tool_printed_into_a_block_of_code_is_read(self, fence):
        end = fence[:4] if fence.startswith("````") else fence[:3]
        text = f"# Run\n\n{fence}\n# a note of the tool\n{RATES.format('10.5')}{end}\n\n{RATES.format('11.5')}"
        draft = read("a.md", text)
        assert values(draft) == ["10.5", "11.5"]
        assert all(claim["statement"].startswith("Run: ") for claim in draft.value["claims"].values())

    def test_code_that_is_markdown_shows_how_to_write_a_table(self):
        example = f"```markdown\n{RATES.format('99.5')}```\n"
        assert values(read("a.md", example + "\n" + RATES.format("10.5"))) == ["10.5"]
        assert values(read("a.md", example)) == ["99.5"]
        assert values(read("a.md", "| GPUs | batch |\n|---|---|\n| 8 | 256 |\n\n" + example)) == ["99.5"]

    @pytest.mark.parametrize(
        ("cell", "shown"),
        [
            ("Speed<br>CPU", "Speed CPU"),
            ("mAP<sup>val<br/>50-95", "mAP val 50-95"),
            ("ResNet-50 ![badge](https://example.org/b.svg)", "ResNet-50"),
            ("[![x](a.png)](b) net", "net"),
            ("~~9.1~~ 10.5", "10.5"),
            ("<del>9.1</del> 10.5", "10.5"),
            ("76.1\\*", "76.1"),
            ("a\\_b &amp; 2&times;", "a_b & 2×"),
            ("&lt;5", "<5"),
            ("~14 hours, ~15 hours", "~14 hours, ~15 hours"),
        ],
    )
    def test_a_cell_is_what_a_reader_sees(self, cell, shown):
        assert plain(cell) == shown

    def test_rows_may_begin_without_a_pipe(self):
        draft = read("a.md", "| net | images/s |\n|---|---|\na | 10.5\nb | 11.5 |\n")
        assert values(draft) == ["10.5", "11.5"]


HTML = """# Speed

<table class="x">
 <thead>
  <tr><th rowspan="2">Model</th><th colspan="2">Throughput (samples/s)</th><th rowspan=2>Speedup</th></tr>
  <tr><th>Baseline</th><th>Ours</th></tr>
 </thead>
 <tbody>
  <tr><td>A</td><td>4.0</td><td><b>9.6</b></td><td>{}</td></tr>
  <tr><td>B</td><td>OOM</td><td>3.7</td><td>-</td></tr>
 </tbody>
</table>
"""


class TestHtml:
    def test_headings_of_two_levels_become_one(self):
        assert headings(HTML) == [
            ["Model", "Throughput (samples/s) - Baseline", "Throughput (samples/s) - Ours", "Speedup"]
        ]

    def test_a_right_speed_up_is_not_refuted_and_cells_keep_their_places(self, tmp_path):
        assert strong(tmp_path, HTML.format("2.4x")) == set()
        draft = read("a.md", HTML.format("2.4x"))
        ours = next(key for key, claim in draft.value["claims"].items() if claim["value"] == "9.6")
        where = draft.origins[f"/claims/{ours}/value"]
        assert HTML.split("\n")[where.line - 1][where.column - 1 :].startswith("<td><b>9.6")

    def test_sloppy_tables_are_read(self):
        text = "<TABLE><tr><th>net<th>images/s<tr><td>a<td>10.5<tr><td>b<td>11.5</TABLE>"
        assert values(read("a.html", text + "\n")) == ["10.5", "11.5"]

    def test_without_headings_the_first_row_is_one(self):
        text = "<table><tr><td>net</td><td>images/s</td></tr>\n<tr><td>a</td><td>1.5</td></tr></table>\n"
        assert values(read("a.md", text)) == ["1.5"]

    def test_a_row_across_the_table_is_its_caption(self):
        text = (
            "<table><tr><th colspan=2>On A100, FP16</th></tr><tr><th>net</th><th>images/s</th></tr>"
            "<tr><td>a</td><td>1.5</td></tr></table>\n"
        )
        draft = read("a.md", text)
        assert [arm["options"]["precision"]["compute"] for arm in draft.value["arms"].values()] == ["fp16"]

    def test_a_caption_may_span_more_columns_than_there_are(self):
        text = (
            "<table><tr><th colspan=3>On A100, FP16</th></tr><tr><th>net</th><th>images/s</th></tr>"
            "<tr><td>a</td><td>1.5</td></tr></table>\n"
        )
        assert values(read("a.md", text)) == ["1.5"]

    def test_a_table_in_a_cell_stands_by_itself(self):
        inner = "<table><tr><th>net</th><th>images/s</th></tr><tr><td>a</td><td>1.5</td></tr></table>"
        assert values(read("a.md", f"<table>\n<tr><td>{inner}</td><td>{inner}</td></tr></table>\n")) == ["1.5", "1.5"]

    def test_a_pipe_table_in_a_layout_of_html_is_read(self):
        text = f"<table><tr><td>\n\n{RATES.format('10.5')}\n</td></tr></table>\n"
        assert values(read("a.md", text)) == ["10.5"]

    def test_a_table_in_a_comment_or_in_code_is_not_read(self):
        hidden = "<!--\n" + HTML.format("2.4x") + "-->\n```html\n" + HTML.format("2.4x") + "```\n"
        assert values(read("a.md", hidden + RATES.format("10.5"))) == ["10.5"]

    @pytest.mark.parametrize(
        "hostile",
        [
            "<table><tr><th colspan=1000000000>a<th rowspan=99999999999>b</tr>" + "<tr><td>1</tr>" * 5000 + "</table>",
            "<table><tr>" + "<td rowspan=500>" * 500 + "</tr>" + "<tr><td>" * 20_000,
            "<table><tr><td>" * 20_000,
            "<table>" * 20_000 + "</table>" * 20_000,
            "<table><tr><td>" + "<!" * 100_000,
            "<" * 200_000,
            "<table>" + "<td a='>" * 30_000 + '<td b=">' * 30_000,
            "<table>" + "<td " * 100_000,
            "<table><td>" + "&" * 200_000,
            "<table>\n" * 20_000,
            "<!--\n" * 20_000,
            "<!-- x -->" * 100_000,
            "<!--" * 200_000,
            "a <!-- b" * 100_000,
            "| a " * 400 + "|\n" + "|---" * 400 + "|\n" + "|1\n" * 100_000,
            ("<table>" + "<tr><th colspan=500>a" + "<tr><td>1" * 20 + "</table>\n") * 1_000,
            "```\n~~~\n" * 20_000,
        ],
    )
    def test_hostile_tables_take_no_long_time(self, hostile):
        began = time.process_time()
        html_tables(hostile)
        found = grids(open_report("a.md", hostile.encode()))
        assert all(len(grid.header) <= 500 for grid in found)
        assert sum(len(grid.header) * len(grid.rows) for grid in found) <= MOST_CELLS
        assert time.process_time() - began < pace.seconds(5)


TWO = piped(
    "| FP32 | | FP16 | |",
    "**Batch** | **tok/s** | **mem** | **tok/s** | **mem** | **{}**",
    "1 | 92 | 15.1 | 138 | 8.9 | {}",
    "8 | 690 | 22.3 | 1,104 | 16.0 | 1.60x",
    "32 | 2,210 | 46.9 | 3,978 | 40.7 | 1.80x",
    "64 | 2,300 | 49.9 | 4,140 | 40.7 | 1.80x",
)


class TestTwoLevels:
    def test_an_empty_heading_continues_the_one_at_its_left(self):
        expected = ["Batch", "FP32 - tok/s", "FP32 - mem", "FP16 - tok/s", "FP16 - mem"]
        assert headings(TWO.format("speedup", "1.50x"))[0][:5] == expected

    def test_a_speed_up_behind_the_groups_belongs_to_none(self, tmp_path):
        assert headings(TWO.format("speedup", "1.50x"))[0][-1] == "speedup"
        assert strong(tmp_path, TWO.format("speedup", "1.50x")) == set()
        assert strong(tmp_path, TWO.format("speedup", "2.50x")) == {"F04"}

    def test_repeated_headings_are_groups_and_groups_are_arms(self):
        text = piped(
            "Model | A100 | A100 | H100 | H100",
            "| img/s | latency (ms) | img/s | latency (ms)",
            "net | 10.5 | 95.2 | 20.5 | 48.8",
        )
        draft = read("a.md", text)
        expected = ["Model", "A100 - img/s", "A100 - latency (ms)", "H100 - img/s", "H100 - latency (ms)"]
        assert headings(text) == [expected]
        assert sorted(draft.value["arms"]) == ["t1-r1-a100", "t1-r1-h100"]

    def test_options_under_a_group_are_those_of_the_group(self):
        text = piped(
            "Model | Training | | Inference | ",
            " | img/s | batch size | latency (ms) | batch size",
            "A | 1000 | 256 | 4.1 | 1",
        )
        arms = read("a.md", text).value["arms"]
        assert {key: arm["options"]["global_batch"] for key, arm in arms.items()} == {
            "t1-r1-training": 256,
            "t1-r1-inference": 1,
        }

    @pytest.mark.parametrize(
        "text",
        [
            # a row of numbers, a row with a gap, a table of texts
            "| | FP16 | |\n|---|---|---|\n| a | 10.5 | 11.5 |\n| b | 10.5 | 11.5 |\n",
            "| | FP16 | |\n|---|---|---|\n| a | x | |\n| b | 10.5 | 11.5 |\n",
            "| | FP16 | |\n|---|---|---|\n| a | OOM | OOM |\n| b | 10.5 | 11.5 |\n",
            "| feature | ours | |\n|---|---|---|\n| a | yes | no |\n| b | yes | no |\n",
        ],
    )
    def test_another_first_row_is_no_heading(self, text):
        (grid,) = grids(open_report("a.md", text.encode()))
        assert shaped(grid) == grid


TURNED = piped(
    "Metric | Ours | PyTorch | TGI 2.0",
    "Throughput (req/s) ↑ | 15.8 | 14.9 | 11.2",
    "TTFT p50 (ms) | 48 | 61 | 120",
    "GPU memory (GB) | 72 | 72 | 70",
)


class TestTurned:
    def test_metrics_as_rows_are_turned(self):
        assert headings(TURNED) == [["", "Throughput (req/s) ↑", "TTFT p50 (ms)", "GPU memory (GB)"]]
        draft = read("a.md", TURNED)
        assert [arm["label"].split(",")[0] for arm in draft.value["arms"].values()] == ["Ours", "PyTorch", "TGI 2.0"]
        assert {"15.8", "14.9", "11.2"} < set(values(draft))
        claim = next(key for key, claim in draft.value["claims"].items() if claim["value"] == "11.2")
        where = draft.origins[f"/claims/{claim}/value"]
        assert (where.line, TURNED.split("\n")[2][where.column - 1 :][:4]) == (3, "11.2")

    def test_a_scale_as_heading_is_turned(self, tmp_path):
        text = piped(
            "GPUs | 1 | 2 | 4",
            "Throughput (img/s) | 100.0 | 190.0 | {}",
            "Strong scaling | 1.0 | 1.9 | 3.6",
        )
        assert headings(text) == [["GPUs", "Throughput (img/s)", "Strong scaling"]]
        assert strong(tmp_path, text.format("360.0")) == set()
        assert strong(tmp_path, text.format("260.0")) == {"F04"}

    def test_precisions_as_headings_are_options(self):
        text = piped(
            "Quantity | FP16 | INT8",
            "Latency (ms) | 4.5 | 2.5",
            "Top-1 accuracy (%) | 76.1 | 75.9",
        )
        precisions = [arm["options"]["precision"]["compute"] for arm in read("a.md", text).value["arms"].values()]
        assert precisions == ["fp16", "int8"]

    @pytest.mark.parametrize(
        "header",
        ["mean | std | p99", "min | median | max", "Ours | Target | Note", "img/s | loss | x", "a | b | FP32 loss"],
    )
    def test_a_table_of_statistics_or_quantities_is_not_turned(self, header):
        text = piped(
            f"Metric | {header}",
            "Throughput (img/s) | 10 | 20 | 2",
            "Latency (ms) | 4 | 2 | 2",
        )
        (grid,) = grids(open_report("a.md", text.encode()))
        assert shaped(grid) == grid

    def test_of_metrics_two_that_are_measured_suffice(self):
        text = piped(
            "Metric | Ours | vLLM",
            "Time taken | 3.25 s | 7.5 s",
            "Memory used | 5.5 GB | 3.5 GB",
            "Prompt | short | short",
            "Sampling | greedy | greedy",
            "Tokens | 50 | 50",
        )
        assert {"3.25", "7.5"} <= set(values(read("a.md", text)))

    @pytest.mark.parametrize("head", ["Improvement", "Δ", "Ratio", "Gain (x)", "vs. before"])
    def test_a_column_that_compares_is_left_out_and_named(self, head):
        text = piped(
            f"Metric | Before | After | {head}", "Throughput (img/s) | 10.5 | 20.5 | 9.5", "Latency (ms) | 4 | 2 | 2"
        )
        draft = read("a.md", text)
        assert values(draft) == ["10.5", "4", "20.5", "2"]
        assert any(said.startswith(f"{head} (line 1): compares columns") for said in draft.unused)

    def test_a_column_of_units_joins_the_headings(self):
        text = piped("Metric | Unit | Ours | Theirs", "Throughput | img/s | 10.5 | 20.5", "Latency (p50) | ms | 4 | 2")
        assert headings(text) == [["", "Throughput (img/s)", "Latency (p50)"]]
        assert {claim["unit"] for claim in read("a.md", text).value["claims"].values()} == {"images/s"}

    @pytest.mark.parametrize("corner", ["Hyperparameter", "Setting", "Option", "Feature"])
    def test_settings_are_no_measured_numbers(self, corner):
        text = piped(f"{corner} | Value", "Batch size | 64", "Epochs | 90", "Time limit (h) | 24")
        (grid,) = grids(open_report("a.md", text.encode()))
        assert shaped(grid) == grid

    def test_rows_of_models_are_not_turned(self):
        text = "| Model | left | right |\n|---|---|---|\n| ResNet-50 | 10.5 | 20.5 |\n| BERT | 4.5 | 2.5 |\n"
        (grid,) = grids(open_report("a.md", text.encode()))
        assert shaped(grid) == grid


class TestCaption:
    @pytest.mark.parametrize(
        ("caption", "quantity", "unit"),
        [
            ("Training step time in milliseconds (lower is better)", "time", "ms"),
            ("Latency (ms) of one request", "latency", "ms"),
            ("All numbers are images/s.", "rate", "images/s"),
            ("Tokens per second, higher is better", "rate", "tokens/s"),
        ],
    )
    def test_a_unit_that_only_the_caption_states_holds_for_the_columns(self, caption, quantity, unit):
        text = f"# Results\n\n{caption}\n\n" + piped(
            "Seq. len. | PyTorch | xFormers | Ours | Gain",
            "1K | 4.2 | 3.0 | 2.5 | 1.2x",
            "4K | 31.8 | 14.4 | 9.0 | 1.6x",
        )
        claims = [claim for claim in read("a.md", text).value["claims"].values() if claim["form"] == "absolute"]
        assert len(claims) == 6
        assert {(claim["quantity"], claim["unit"]) for claim in claims} == {(quantity, unit)}

    def test_what_a_document_says_of_all_its_numbers_holds_for_tables_that_say_nothing(self):
        table = piped("Lengths | B200<br/>TP1 (FP8) | 2 GPUs<br/>TP2 (FP8)", "128/128 | 25,342 | 19,954")
        text = f"The reported metric is `Output Throughput (tokens/sec)`.\n\n## Net\n\nOn racks\n\n{table}"
        claims = read("a.md", text).value["claims"].values()
        assert {(claim["value"], claim["unit"]) for claim in claims} == {("25342", "tokens/s"), ("19954", "tokens/s")}
        assert len({claim["measured"]["arm"] for claim in claims}) == 2

    @pytest.mark.parametrize(
        "caption", ["Latency (ms) and throughput (img/s)", "Speed relative to PyTorch", "Time and memory", "Results"]
    )
    def test_a_caption_of_two_quantities_or_of_none_is_not_read(self, caption):
        with pytest.raises(UserError, match="measured number"):
            read("a.md", f"# Results\n\n{caption}\n\n| net | A | B |\n|---|---|---|\n| a | 4.2 | 3.1 |\n")

    def test_options_are_no_measured_numbers(self):
        text = "# Latency (ms)\n\n" + piped(
            "net | hidden | heads | layers | Ours | Theirs",
            "a | 1000 | 12 | 24 | 4.2 | 5.5",
        )
        assert values(read("a.md", text)) == ["4.2", "5.5"]

    @pytest.mark.parametrize(
        ("title", "heading", "scope"),
        [
            ("Training cost", "Time (days)", "training_run"),
            ("Fine-tuning on 8 GPUs", "Time (h)", "training_run"),
            ("Records", "Training time (min)", "training_run"),
            ("Training to 75 % in the least time", "Record time (min)", "training_run"),
            ("Training to 75 % in the least time", "Time (min)", "training_run"),
            ("Training", "Time per epoch (min)", "epoch"),
            ("Training", "Step time (min)", "step"),
            ("Training", "Time (min)", "not_stated"),
            ("Transcription of 12 hours, inference", "Time (h)", "not_stated"),
            ("Training", "Time (s)", "not_stated"),
        ],
    )
    def test_hours_and_days_of_a_training_are_those_of_the_run(self, title, heading, scope):
        text = f"# {title}\n\n| net | {heading} | images/s |\n|---|---|---|\n| a | 2.5 | 10.5 |\n"
        found = [claim["scope"] for claim in read("a.md", text).value["claims"].values() if claim["value"] == "2.5"]
        assert found == [scope]

    def test_hours_of_all_devices_are_no_time(self):
        text = "# Training\n\n| net | GPU time (h) | images/s |\n|---|---|---|\n| a | 2.5 | 10.5 |\n"
        assert values(read("a.md", text)) == ["10.5"]

    def test_quantisation_after_training_is_no_training_and_the_sentence_rules_over_the_title(self):
        table = "| net | latency per image (ms) |\n|---|---|\n| a | 4.5 |\n\n"
        sentences = ("Baseline (FP32):", "INT8, faster than FP32:", "Both, FP32 and INT8:")
        text = "# INT8 post-training quantization\n\n" + "".join(f"{words}\n\n{table}" for words in sentences)
        draft = read("a.md", text)
        assert not {claim["mode"] for claim in draft.value["claims"].values()} & {"training"}
        kept = [arm.get("options", {}).get("precision") for arm in draft.value["arms"].values()]
        assert kept == [{"compute": "fp32"}, {"compute": "int8"}, None]


class TestUnread:
    def test_cells_that_cannot_be_read_are_named_where_nothing_else_is_there(self):
        with pytest.raises(UserError, match=r"no cell of them is read: 'n/k' \(line 3\)"):
            read("a.md", "| net | images/s |\n|---|---|\n| a | n/k |\n")

    def test_a_sign_that_is_no_number_is_named(self):
        draft = read("a.md", "| net | images/s | speedup |\n|---|---|---|\n| a | 10.5 | ∞ |\n| b | OOM | - |\n")
        assert "'∞' (line 3): not read as a number" in draft.unused

    def test_a_column_of_which_nothing_is_claimed_is_named(self):
        draft = read(
            "a.md",
            piped(
                "net | images/s | Strong scaling",
                "a | 10.5 | 1.0",
                "b | 20.5 | 1.9",
            ),
        )
        assert any(text.startswith("Strong scaling (line 1): read as scaling") for text in draft.unused)

    @pytest.mark.parametrize("name", ["a.md", "a.txt"])
    def test_a_document_without_a_table_says_what_to_write(self, name):
        with pytest.raises(UserError, match="kind that dlaudit reads; write the claimed numbers as a table"):
            read(name, "# Fast\n\nOur method is fast.\n")


CURVE = "run,gpu,epochs,val_acc\na,V100,{},0.7612\nb,A100,{},0.7608\nc,H100,{},0.7615\n"


class TestCurves:
    @pytest.mark.parametrize("epochs", [("90", "90", "90"), ("90", "100", "120"), ("90", "30", "60")])
    def test_a_table_of_whole_runs_is_no_curve(self, epochs):
        draft = read("a.csv", CURVE.format(*epochs))
        assert values(draft) == ["0.7612", "0.7608", "0.7615"]

    @pytest.mark.parametrize(
        "text", ["epochs,acc\n90,0.76\n90,0.77\n", "epochs,lr,acc\n90,1,0.7\n30,2,0.8\n60,3,0.8\n"]
    )
    def test_progress_that_does_not_grow_is_none(self, text):
        assert "trials" not in next(iter(read("a.csv", text).value["arms"].values()))

    def test_a_run_that_was_taken_up_again_is_one(self):
        draft = read("a.csv", "step,val_loss\n0,3.5\n10,2.5\n20,2.0\n30,1.9\n20,2.0\n30,1.8\n40,1.5\n")
        assert values(draft) == ["1.5"]

    def test_runs_below_each_other_are_refused_with_the_line(self):
        with pytest.raises(UserError, match=r"a\.csv:6.*'step' begins again here"):
            read("a.csv", "step,val_loss\n" + "0,3.5\n10,2.5\n20,2.0\n30,1.9\n" * 2)

    def test_one_row_of_a_step_is_a_curve_and_one_of_epochs_is_none(self):
        assert "trials" in read("a.csv", "epoch,val_loss\n9,1.5\n").value["arms"]["run"]
        assert "run" not in read("a.csv", "epochs,val_loss\n9,1.5\n").value["arms"]


class TestFrom:
    def test_lint_reads_with_the_importer_that_it_is_told(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("a.csv").write_text("step,val_loss\n0,3.5\n10,2.5\n")
        runner = CliRunner()
        common = ["lint", "--no-config", "--fail-on", "never"]
        assert "val_loss 2.5 at step 10" in runner.invoke(cli, [*common, "a.csv"]).stdout
        as_table = runner.invoke(cli, [*common, "--from", "table", "a.csv"])
        assert "table a.csv" in as_table.stdout
        assert runner.invoke(cli, [*common, "--jobs", "2", "--from", "table", "a.csv"]).stdout == as_table.stdout
        assert "table a.csv" in runner.invoke(cli, [*common, "--from", "table", "."]).stdout

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("serving", "not a report that the importer serving reads; leave out --from"),
            ("tabel", "no importer 'tabel'"),
        ],
    )
    def test_another_importer_refuses_in_one_line(self, tmp_path, name, said):
        (tmp_path / "a.csv").write_text("step,val_loss\n0,3.5\n10,2.5\n")
        result = CliRunner().invoke(cli, ["lint", "--no-config", "--from", name, str(tmp_path / "a.csv")])
        assert result.exit_code != 0
        assert said in str(result.exception or result.output)
