"""What opens a report: the reason in plain words, and the value claimed beside what follows from the evidence."""

import pytest
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers import reasons
from dlaudit.audit.renderers.github import render as github
from dlaudit.audit.renderers.html import render
from dlaudit.audit.renderers.leading import leading
from dlaudit.audit.renderers.markdown import render as markdown
from dlaudit.audit.renderers.reasons import figures, in_words, reason, title
from dlaudit.audit.renderers.spots import named, says_something
from dlaudit.audit.renderers.text import render as text
from dlaudit.audit.report import Verdict
from dlaudit.schemas.source import read
from dlaudit.schemas.validation import FOLDER
from msgspec.structs import replace

EXAMPLES = FOLDER.parent.parent / "examples" / "fooling"


def judged(name):
    path = EXAMPLES / name / "submission.yaml"
    return lint(Document(read(path), "submission", path.parent), Settings())


def opening(name):
    item = judged(name)
    claim = item.report.claims[0]
    return reason(claim, item.report.profile), leading(claim, item.case)


def test_speed_and_quality_of_two_configurations_are_told_in_plain_words():
    said, shown = opening("way08")
    assert said.startswith("speed and quality come from different settings: FP8 (e4m3) against BF16 (compute)")
    assert shown.claimed == "58000 tokens/s with loss 2.41"
    assert shown.found.split("\n") == ["58000 tokens/s: loss not given", "loss 2.41: 36900 tokens/s"]
    assert "never measured together" in shown.svg


def test_a_claimed_percentage_stands_beside_the_percentage_that_the_rates_give():
    _, shown = opening("cautionary-tale")
    assert (shown.claimed, shown.found) == ("30 %", "3.85 %")
    assert shown.svg.count("<rect") == 2


def test_a_range_from_the_evidence_is_drawn_as_one():
    _, shown = opening("way11")
    assert (shown.claimed, shown.found) == ("12.9 x", "6.89 to 6.9 x")
    assert shown.svg.count("<rect") == 3


def test_what_is_absent_has_the_name_of_its_subject_and_no_flaw():
    item = judged("way02")
    missing = next(each for each in item.report.claims[0].findings if each.outcome == "not-shown" and each.decides)
    assert title(missing) == "quality on a test split"
    assert "test metric absent" not in render((item,)).partition("The rules named here")[0].partition("All checks")[0]


@pytest.mark.parametrize(
    ("pointer", "words"),
    [
        ("/claims/speedup/value", "claim speedup, value"),
        ("/arms/new/performance/rate/n", "arm new, performance, rate, n"),
        ("/tables/main/rows/r1/values/0", "table main, row r1, values, number 1"),
        ("", ""),
    ],
)
def test_places_are_told_by_claim_table_and_row(pointer, words):
    assert named(pointer) == words


@pytest.mark.parametrize(
    ("line", "says"), [('"base": {', False), ("{", False), ("base: |", False), ("kind: real", True), ("{a: 1}", True)]
)
def test_a_line_that_only_opens_an_object_is_not_quoted(line, says):
    assert says_something(line) is says


def test_figures_have_four_digits_and_whole_numbers_all():
    assert figures("1.03291 to 1.04568") == "1.033 to 1.046"
    assert figures("123456.789 tokens in 20 runs of v1.2345.6") == "123457 tokens in 20 runs of v1.2345.6"
    assert in_words("io-excluded") == "I/O excluded"


def test_what_the_document_fails_by_opens_the_report_of_a_claim_that_passes():
    item = judged("way08")
    (claim,) = item.report.claims
    (worst, *_) = (found for found in claim.findings if found.decides)
    passed = replace(claim, findings=(), verdict=Verdict.PASS)
    report = replace(item.report, claims=(passed,), findings=(worst, *item.report.findings), verdict=Verdict.FAIL)
    assert reasons.opening(report).startswith(worst.message)


def test_a_document_that_is_worse_than_its_claims_opens_with_what_makes_it_so():
    item = judged("cautionary-tale")
    (claim,) = item.report.claims
    decisive = next(each for each in claim.findings if each.decides)
    about = replace(decisive, claim=None, code="F28", message="one quantity has two values: 82 ms and 95 ms")
    passed = replace(claim, verdict=Verdict.PASS, why="", findings=())
    claims = (passed, replace(passed, id="second"))
    report = replace(item.report, claims=claims, findings=(about,), verdict=Verdict.FAIL)
    worse = replace(item, report=report)
    said = "ne quantity has two values: 82 ms and 95 ms"
    assert reasons.opening(report) == f"o{said}."
    assert f"\nO{said}.\n" in text(report, "claims.yaml")
    assert f"F28: o{said}" in github((worse,)).split("\n")[0]
    assert markdown((worse,)).index(said) < markdown((worse,)).index("2 claims")
    assert said in render((worse,)).partition("All checks")[0]
    fine = replace(report, findings=(), verdict=Verdict.PASS)
    assert reasons.opening(fine) == ""
