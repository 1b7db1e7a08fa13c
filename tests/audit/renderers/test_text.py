"""The report as text: its width, what it says once, and that no line of it is a command to anybody."""

import json
import re
from pathlib import Path

import pytest
from click import unstyle
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.text import render
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.source import parse, read
from dlaudit.schemas.validation import FOLDER


def printed(name, patch=None, **settings):
    value = merge_patch(base(name), patch or {})
    source = parse(json.dumps(value, indent=1).encode(), "s.json")
    return render(lint(Document(source, "submission", Path()), Settings(**settings)).report)


@pytest.mark.parametrize("columns", [60, 90, 140])
def test_paragraphs_are_as_wide_as_the_environment_says(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    claim = {"statement": "One device trains 2500 images each second. " * 9}
    lines = printed("rate", {"claims": {"rate": claim}}).split("\n")
    quoted = [line for line in lines if "One device" in line or "each second." in line]
    assert columns - 12 < max(map(len, quoted)) <= columns


def test_words_of_a_document_are_no_commands(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    hostile = "::error file=x::y " * 20 + "##[error]z ##vso[task.complete result=Failed]"
    text = printed("rate", {"title": hostile, "claims": {"rate": {"statement": hostile}}})
    assert "error file=x" in text
    assert not any(line.lstrip().startswith("::") for line in text.split("\n"))
    assert "##[" not in text
    assert "##vso[" not in text


def test_what_holds_of_many_claims_is_said_once_and_named_again(tmp_path):
    rows = "".join(f"| net{number} | {number}.5 |\n" for number in range(1, 6))
    (tmp_path / "results.md").write_text(f"# Training\n\n| Model | images/s |\n|---|---|\n{rows}")
    (found,) = read_documents([str(tmp_path / "results.md")])
    report = lint(found, Settings()).report
    text = unstyle(render(report))
    advice = {finding.next_step for claim in report.claims for finding in claim.findings if finding.code == "M04"}
    assert len(advice) == 1
    assert " ".join(text.split()).count(advice.pop()) == 1
    assert text.count("M04 number of repetitions: ") == 5
    assert len(re.findall(r"M04 number of repetitions: not-shown, T0 \[\w{8}\]: as above", text)) == 4
    assert text.count("not shown, but not required here, as above: ") == 4
    assert all(text.count(f"results.md:{line}:") >= 1 for line in range(5, 10))


def test_a_contradiction_of_another_line_is_said_in_full(tmp_path):
    rows = "| 1 | 10.5 | 10.5 |\n| 2 | 50.0 | 10.5 |\n| 4 | 90.0 | 10.5 |\n"
    (tmp_path / "results.md").write_text(f"# Training\n\n| GPUs | images/s | images/s/GPU |\n|---|---|---|\n{rows}")
    (found,) = read_documents([str(tmp_path / "results.md")])
    report = lint(found, Settings()).report
    of_claims = [finding for claim in report.claims for finding in claim.findings if finding.code == "F20"]
    text = unstyle(render(report))
    assert len({finding.message for finding in of_claims}) == text.count("devices at 10.4") == 2
    assert text.count("F20 total-contradicts-per-device: ") == len(of_claims)
    assert text.count("next: Correct the total, the value per device or the count.") == 1


def test_what_lies_below_the_tier_of_the_profile_is_said_once_a_claim():
    text = printed("training-pair", profile="procurement")
    assert text.count(" only; the procurement profile needs T4: ") == 2
    assert text.count("W0801 option-set-mismatch") == 0
    assert "items are shown at T2" in text


def test_a_page_of_text_fits_on_forty_lines_and_verbose_holds_the_rest(monkeypatch):
    monkeypatch.setenv("COLUMNS", "108")
    path = FOLDER.parent.parent / "examples" / "fooling" / "cautionary-tale" / "submission.yaml"
    report = lint(Document(read(path), "submission", path.parent), Settings()).report
    short, full = (unstyle(render(report, brief=brief)) for brief in (True, False))
    assert len(short.splitlines()) <= 40
    assert all(len(line) <= 108 for line in short.splitlines())
    assert "T2 recomputed from raw numbers that nobody trusted has signed" in short
    for finding in report.all_findings:
        assert finding.code in short
        assert all(message.split()[0] in full for _, message in finding.members)
