"""The report as text: its width, what it says once, and that no line of it is a command to anybody."""

import json
from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import Settings, lint
from dlaudit.audit.renderers.text import render
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.source import parse


def printed(name, patch=None, **settings):
    value = merge_patch(base(name), patch or {})
    return render(lint(parse(json.dumps(value, indent=1).encode(), "s.json"), Path(), Settings(**settings)).report)


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


def test_what_lies_below_the_tier_of_the_profile_is_said_once_a_claim():
    text = printed("training-pair", profile="procurement")
    assert text.count("and profile procurement asks for T4: ") == 2
    assert text.count("W0801 option-set-mismatch") == 0
    assert "items are shown at T2" in text
