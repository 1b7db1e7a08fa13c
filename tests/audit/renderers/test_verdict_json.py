"""The JSON renderer and verdict.schema.json say the same: nothing more, nothing less."""

import json
from pathlib import Path

import pytest
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.json import render
from dlaudit.audit.report import ClaimReport, Finding, Location, Report, StudyReport, Waived
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.source import parse, read
from dlaudit.schemas.validation import FOLDER, schema, validate

EXAMPLES = FOLDER.parent / "examples"
BROKEN = {
    "claims": {"speedup": {"value": "9.9", "quality": {"arm": "plain", "quality": "loss"}}},
    "arms": {"fused": {"options": {"precision": {"compute": "e4m3"}}, "trials": None}},
}


def verdict_of(*linted):
    return json.loads(render(tuple(item.report for item in linted)))


@pytest.mark.parametrize("profile", ["reviewer", "gate", "publication", "procurement"])
def test_what_lint_says_of_the_example_and_of_a_broken_copy_is_valid(profile):
    source = read(EXAMPLES / "submission.yaml")
    broken = parse(json.dumps(merge_patch(base("training-pair"), BROKEN)).encode(), "broken.json")
    linted = [lint(Document(item, "submission", Path()), Settings(profile)) for item in (source, broken)]
    assert any(item.report.all_findings for item in linted)
    assert validate("verdict", verdict_of(*linted)) == ()


def test_an_invalid_document_has_a_valid_verdict_document():
    source = parse(b'{"dlaudit": "submission/1", "claims": {"a": {"frm": 1}}}', "x.json")
    value = verdict_of(lint(Document(source, "submission", Path()), Settings()))
    assert value["documents"][0]["verdict"] is None
    assert value["documents"][0]["findings"]
    assert validate("verdict", value) == ()


def described(kind):
    return set(schema("verdict")["$defs"][kind]["properties"])


def test_the_example_is_what_lint_writes():
    example = json.loads((EXAMPLES / "verdict.json").read_bytes())
    document = example["documents"][0]
    claim = next(iter(document["claims"].values()))
    assert validate("verdict", example) == ()
    assert set(document) == described("document")
    assert set(claim) == described("claim")
    assert set(claim["findings"][0]) == described("finding")


def test_every_field_of_a_report_has_a_place_in_the_schema():
    # how a finding stands against a baseline is the gate's answer, as the exit code is
    assert set(Finding.__struct_fields__) - {"claim", "location", "known"} == described("finding") - {"place"}
    assert set(ClaimReport.__struct_fields__) - {"id", "location", "cell"} == described("claim")
    assert set(Report.__struct_fields__) - {"tool", "left_out", "against"} == described("document")
    assert set(StudyReport.__struct_fields__) == described("study")
    assert set(Waived.__struct_fields__) == described("waived")
    assert set(Location.__struct_fields__) - {"text", "cut", "place", "lines"} == described("place")
