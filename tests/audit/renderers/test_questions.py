"""The page of questions: short, neutral, and safe to paste whatever a document says."""

import re

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli, run
from dlaudit.audit.renderers.questions import render, render_markdown
from dlaudit.audit.report import Location
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
    monkeypatch.setenv("COLUMNS", "108")

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


def test_where_nothing_holds_the_page_says_what_was_read_and_why_it_was_not_checked(lint):
    alone = (
        ONE.replace('value: "1.8"', 'value: "512"').replace("unit: x", "unit: images/s").replace("1.8x", "512 images/s")
    )
    for page in lint(alone.replace("form: ratio", "form: absolute").replace("own_variants", "none")):
        assert "What holds" not in page
        assert "1 claim was read. None of its numbers could be checked: the document gives nothing" in page


def test_more_questions_than_are_asked_are_said_to_be_so(lint):
    for page in lint(ONE):
        asked = len(re.findall(r"^\d\. ", page, re.MULTILINE))
        assert f"; the {asked} that weigh most are asked below" in " ".join(page.split())


def test_a_page_has_forty_lines_and_eight_questions_at_most(lint):
    text, _ = lint(ONE)
    assert len(text.splitlines()) <= 40  # on a page of 108 columns
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
    assert questions.startswith("1. Which is right: the ratio, or the two numbers it relates?")
    assert "(results.md:5)" in questions
    assert "2.20 is stated; its own numbers give 3.1" in questions
    assert "1 violation, 0 caveats" in held


def test_a_ratio_that_holds_is_not_asked_about(lint):
    text, _ = lint(TABLE.format("3.20"), "results.md")
    assert "Which is right: the ratio" not in text
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


def test_a_sentence_is_cited_by_its_own_line_and_not_by_that_of_what_a_finding_is_about(small):
    item = small()
    claims = tuple(replace(claim, location=Location("post.md", 7, 1, "")) for claim in item.report.claims)
    imported = replace(item, imported=True, report=replace(item.report, claims=claims))
    for page in (render((imported,)), render_markdown((imported,))):
        assert set(re.findall(r"post\.md:\d+", page)) == {"post.md:7"}
        assert "results/words" not in page


@pytest.mark.parametrize(
    ("more", "code"),
    [((), 0), (("--format", "text"), 1), (("--fail-on", "insufficient"), 1)],
    ids=["alone", "beside a report", "as a gate"],
)
def test_questions_alone_fail_nothing_unless_asked_to(tmp_path, monkeypatch, more, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claim.yaml").write_text(ONE)
    arguments = ["lint", "claim.yaml", "--format", "questions", *more]
    assert run(arguments) == code


def test_text_markdown_and_html_tell_the_same_counts_and_questions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "post.md").write_text(TABLE.format("2.20") + "\nOn one A100 we train 1.8x faster than before.\n")
    forms = ("text:r.txt", "markdown:r.md", "html:r.html", "questions:q.txt", "questions:q.md")
    arguments = [part for form in forms for part in ("--format", form)]
    CliRunner().invoke(cli, ["lint", "post.md", *arguments], catch_exceptions=False)
    told = {name: (tmp_path / name).read_text() for name in ("r.txt", "r.md", "r.html", "q.txt", "q.md")}
    counts = {
        name: re.search(r"\d+ violations?[,;] \d+ caveats?[,;] \d+ open questions?", text)
        for name, text in told.items()
    }
    assert len({match[0].replace(";", ",") for match in counts.values()}) == 1
    asked = {
        len(re.findall(r"^\d+\. ", told["q.txt"], re.MULTILINE)),
        len(re.findall(r"^\d+\. ", told["q.md"], re.MULTILINE)),
        told["r.html"].partition('class="asked"')[2].partition("</ol>")[0].count("<li>"),
    }
    assert len(asked) == 1


def test_what_was_seen_and_not_judged_stands_on_the_page(lint):
    for page in lint(TABLE.format("3.20") + "\n| Model | Block |\n|---|---|\n| A | 2 MB |\n", "results.md"):
        assert "Seen and not judged: " in page
