"""The page of questions: short, neutral, and safe to paste whatever a document says."""

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.renderers.questions import render, render_markdown
from dlaudit.rules.book import entries
from markdown_it import MarkdownIt
from msgspec.structs import replace

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")


def tokens(text):
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


@pytest.fixture
def lint(tmp_path, monkeypatch):
    """Return a function that lints text as a user does, and returns the questions."""
    monkeypatch.chdir(tmp_path)

    def questions(text, name="claim.yaml"):
        (tmp_path / name).write_text(text)
        arguments = ["lint", name, "--fail-on", "never", "--format", "questions", "--format", "questions:q.md"]
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        return done.output, (tmp_path / "q.md").read_text()

    return questions


CLAIM = """\
    value: "1.8"
    unit: x
    quantity: rate
    form: ratio
    scope: step
    purpose: method_speedup
    mode: training
    compares: own_variants
"""
ONE = f"""\
dlaudit: submission/1
title: "FP8 training"
claims:
  speedup:
    statement: "With FP8 we train 1.8x faster."
{CLAIM}"""


def test_a_sentence_alone_is_asked_about_and_not_accused(lint):
    text, markdown = lint(ONE)
    assert "1 claim, 0 violations, 0 caveats," in text
    assert "“With FP8 we train 1.8x faster.”" in text
    assert "1. What is the quality of this model on a test or validation split?" in text
    assert "How often was each number measured" in text
    assert "`With FP8 we train 1.8x faster.`" in markdown
    for rule in entries():
        assert rule.name not in text
        assert f" {rule.code}" not in text


def test_a_page_has_forty_lines_and_eight_questions_at_most(lint):
    text, _ = lint(ONE)
    assert len(text.splitlines()) <= 40
    assert text.count("Would settle") <= 8
    assert "9. " not in text


def test_claims_of_one_cause_are_asked_once(lint):
    two = ONE + '  other:\n    statement: "With FP8 we train 1.8x faster, too."\n' + CLAIM
    text, _ = lint(two)
    assert text.count("How often was each number measured") == 1
    assert "all 2 claims" in text


TABLE = """\
## Training performance: Example Box (8x A100 80GB)

| GPUs | Throughput - TF32 | Throughput - mixed precision | Throughput speedup (TF32 to mixed precision) |
|------|-------------------|------------------------------|----------------------------------------------|
| 1    | 1000.5 img/s      | 3201.6 img/s                 | {}                                         |
| 8    | 7804.0 img/s      | 24972.8 img/s                | 3.20                                         |
"""


def test_what_holds_comes_before_a_contradiction(lint):
    text, _ = lint(TABLE.format("2.20"), "results.md")
    held, _, questions = text.partition("Questions\n")
    assert "3.20 x: the ratio follows from the two numbers it relates" in held
    assert questions.startswith("1. Which holds: the ratio, or the two numbers it relates?")
    assert "(results.md:5)" in questions
    assert "2.20 is stated; its own numbers give 3.1" in questions
    assert "1 violation, 0 caveats" in held


def test_a_ratio_that_holds_is_not_asked_about(lint):
    text, _ = lint(TABLE.format("3.20"), "results.md")
    assert "Which holds: the ratio" not in text
    assert "0 violations" in text


def test_an_invalid_document_is_not_asked_about(lint):
    text, markdown = lint(ONE.replace("quantity: rate", "quantity: speed"))
    assert "not a valid document yet" in text
    assert "not a valid document yet" in markdown


def test_snapshot(small, snapshot, monkeypatch):
    monkeypatch.setenv("COLUMNS", "108")
    assert render((small(),)) == snapshot
    assert render_markdown((small(),)) == snapshot


def test_what_a_waiver_accepts_is_not_asked(small):
    assert "How often was each number" not in render((small(),))


def test_a_rule_without_a_question_of_its_own_is_asked_by_its_message(small):
    item = small()
    claim = item.report.claims[1]
    own = replace(claim.findings[0], code="X01", message="the colour is not stated", item="colour")
    report = replace(item.report, claims=(replace(claim, findings=(own,)),))
    assert "What can you say about this: the colour is not stated?" in render((replace(item, report=report),))


def test_hostile_text_makes_no_markdown(small, hostile):
    for text in hostile:
        out = render_markdown((small(text),))
        out.encode()
        kinds = {token.type for token in tokens(out)}
        assert not {"link_open", "image", "html_block", "html_inline", "table_open"} & kinds, repr(text)
        assert sum(token.type == "heading_open" for token in tokens(out)) == 1
        render((small(text),)).encode()
