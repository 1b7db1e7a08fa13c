"""Words put together from a table are shown with their cell; other claims of a question by their lines."""

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.renderers.asked import Question
from dlaudit.audit.renderers.questions import others

TEXT = """# Serving m7

The new build is more than 2x faster.

| Build | Throughput (tokens/s) |
|---|---|
| eager | 412.5 |
| graphs | 1031.2 |
| both | 1331.2 |
"""
SUBMISSION = """\
dlaudit: submission/1
title: Serving m7
claims:
  cell: {statement: 'Serving m7: eager: 412.5', put_together: true, printed_at: {line: 7}, value: "412.5",
         unit: tokens/s, quantity: rate, form: absolute, scope: step, mode: inference, compares: none}
"""


def lint(tmp_path, form, name="a.md", text=TEXT):
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = CliRunner().invoke(cli, ["lint", str(tmp_path / name), *(["--format", form] if form else [])]).output
    return " ".join(found.split())


@pytest.mark.parametrize("form", ["", "junit"])
def test_a_cell_has_its_line_and_no_quotation_marks(tmp_path, form):
    page = lint(tmp_path, form)
    assert "Table, line 7: Serving m7: Build eager" in page or "Table, line 8: Serving m7: Build graphs" in page
    assert "“Serving m7: " not in page
    assert "“The new build is more than 2x faster.”" in page


def test_a_question_shows_the_cell_and_a_sentence_in_marks(tmp_path):
    rows = "| eager | 412.5 |\n| graphs | 1031.2 |\n| Speedup | 9.9x |\n"
    page = lint(tmp_path, "questions", text=TEXT.partition("| eager")[0] + rows)
    assert "Table, line 9: Serving m7: Build Speedup: Throughput (tokens/s): 9.9x (a.md:9)" in page
    assert "“The new build is more than 2x faster.” (a.md:3)" in page


def test_a_cell_of_a_submission_has_them_too(tmp_path):
    assert "Table, line 7: Serving m7: eager: 412.5" in lint(tmp_path, "", "a.yaml", SUBMISSION)


def test_the_page_of_html_shows_the_cell_outside_of_marks(tmp_path):
    page = lint(tmp_path, "html")
    assert '<p class="cell"><span class="quiet">Table, line 7:</span> Serving m7: Build eager' in page
    assert "<blockquote>The new build is more than 2x faster.</blockquote>" in page
    assert "not checked: no claim of this kind" in page


@pytest.mark.parametrize(
    ("count", "lines", "words"),
    [
        (1, (), ""),
        (2, (9,), ", and 1 further claim (line 9)"),
        (4, (8, 9), ", and 3 further claims (lines 8, 9)"),
        (13, tuple(range(7, 16)), ", and 12 further claims (lines 7, 8, 9, 10, 11, 12 and 3 more)"),
        (3, (), ", and 2 further claims"),
    ],
)
def test_further_claims_have_their_lines_and_at_most_six(count, lines, words):
    assert others(Question(None, "open", False, (None,) * count, (), "", lines)) == words


@pytest.mark.parametrize("words", ["more than 2x", "beyond 2x", "over 2x"])
def test_the_words_that_bound_a_number_are_quoted_as_they_stand(tmp_path, words):
    page = lint(tmp_path, "", text=f"# m7\n\nThe change can increase max throughput {words} of FP16 H100.\n")
    assert f'"{words.removesuffix(" 2x")}" is printed, and no range' in page
