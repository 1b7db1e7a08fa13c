"""JUnit XML: what maps to what, and that it parses whatever a document says."""

import json
import re
from xml.etree import ElementTree

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.renderers.junit import render
from msgspec.structs import replace


def cases(text):
    return {case.get("name"): case for case in ElementTree.fromstring(text).iter("testcase")}


def test_snapshot(small, snapshot):
    assert render((small(),)) == snapshot


def test_snapshot_under_a_baseline(small_under_a_baseline, snapshot):
    assert render((small_under_a_baseline(),)) == snapshot


def test_verdicts_map_to_outcomes(small):
    root = ElementTree.fromstring(render((small(), small(path="other.json"))))
    assert [suite.get("name") for suite in root] == ["results/submission.yaml", "other.json"]
    found = {case.get("name"): case for case in root[0].iter("testcase")}
    assert found["speedup"].find("failure").get("type") == "FAIL"
    assert found["rate"].find("error").get("type") == "INSUFFICIENT EVIDENCE"
    assert {child.tag for child in found["time"]} == {"system-out"}
    assert {child.tag for child in found["(document)"]} == {"system-out"}
    counts = ("tests", "failures", "errors", "skipped")
    assert [root[0].get(name) for name in counts] == ["4", "1", "1", "0"]
    assert [root.get(name) for name in counts] == ["8", "2", "2", "0"]


@pytest.mark.parametrize(("outcome", "kind"), [("violation", "failure"), ("not-shown", "error")])
def test_a_finding_about_the_document_that_decides(small, outcome, kind):
    item = small()
    decisive = replace(item.report.findings[0], outcome=outcome, decides=True)
    item = replace(item, report=replace(item.report, findings=(decisive,)))
    assert cases(render((item,)))["(document)"].find(kind) is not None


def test_invalid_and_empty_documents(tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_text('{"dlaudit": "submission/1", "title": 1, "claims": {}}')
    assert run(["lint", "--format", "junit", str(path)]) == 2
    case = cases(capsys.readouterr().out)["(document)"]
    assert case.find("error").get("type") == "document-invalid"
    assert "bad.json:1:38: D01" in case.find("error").text


def test_no_claims_is_skipped(small):
    item = small()
    empty = replace(item, report=replace(item.report, verdict=None, claims=(), findings=()))
    assert cases(render((empty,)))["(document)"].find("skipped") is not None


def test_hostile_text_parses_and_is_shown(small, hostile):
    tags = [element.tag for element in ElementTree.fromstring(render((small(),))).iter()]
    for text in hostile:
        root = ElementTree.fromstring(render((small(text),)).encode())
        assert [element.tag for element in root.iter()] == tags
        everything = "".join(root.itertext())
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe\uffff]", everything)
        if text.isascii() and text.isprintable():
            assert f"message {text}" in everything


def test_nothing_of_clocks_and_hosts(small):
    text = render((small(),))
    assert not re.search(r"\b(time|timestamp|hostname)=", text)
    assert json.dumps(text) == json.dumps(render((small(),)))
