"""SARIF 2.1.0: valid under the official schema, complete, the same bytes for the same input, and inert."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema_rs
import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.sarif import document, render
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.schemas.source import parse
from dlaudit.schemas.validation import validate

SCHEMA = json.loads(Path(__file__).with_name("sarif-schema-2.1.0.json").read_bytes())
VALIDATOR = jsonschema_rs.Draft4Validator(SCHEMA, validate_formats=True)
BASES = [
    "training-pair",
    *sorted(p.name[:-5] for p in files("dlaudit.rules.bases").iterdir() if p.name.endswith(".yaml")),
]


def check(log):
    """Hold a log to the official schema, and to what the standard says in words only."""
    assert [f"{'/'.join(map(str, e.instance_path))}: {e.message}" for e in VALIDATOR.iter_errors(log)] == []
    (only,) = log["runs"]
    rules, artifacts = only["tool"]["driver"]["rules"], only["artifacts"]
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["kind"] == "fail" or result["level"] == "none"
        assert result["kind"] != "fail" or result["level"] in {"error", "warning", "note"}
        assert result["locations"], "GitHub refuses a whole log for one result without a place"
        for place in result["locations"] + result.get("relatedLocations", []):
            location = place["physicalLocation"]["artifactLocation"]
            assert artifacts[location["index"]]["location"]["uri"] == location["uri"]
            assert not location["uri"].startswith("/")
    return only


def judged(value, name):
    source = parse(json.dumps(value).encode(), name)
    problems = validate("submission", value)
    assert not problems
    return lint(Document(source, "submission", Path()), Settings())


@pytest.mark.slow
def test_every_base_and_every_example_of_a_rule_gives_a_valid_log():
    items = [judged({"dlaudit": "submission/1", "title": "nothing", "claims": {}}, "empty.json")]
    items += [judged(base(name), f"{name}.json") for name in BASES]
    for rule in book():
        found = example(sections(rule.doc)["Flagged"]) if rule.check or rule.check_document else None
        if found is not None:
            items.append(judged(merge_patch(base(found.base), found.patch), f"{rule.code}.json"))
    only = check(document(tuple(items), 1, book()))
    assert {result["level"] for result in only["results"]} >= {"error", "warning", "note"}
    assert len(only["artifacts"]) >= len(items)
    assert len({json.dumps(result, sort_keys=True) for result in only["results"]}) == len(only["results"])


@pytest.mark.parametrize("exit_code", [0, 1, 2, 3])
def test_a_small_report(small, exit_code, snapshot):
    log = json.loads(render((small(),), exit_code, book()))
    only = check(log)
    assert {result["level"] for result in only["results"]} == {"error", "note"}
    assert only["invocations"][0]["exitCode"] == exit_code
    only["tool"]["driver"]["rules"] = "every rule of the book"
    for result in only["results"]:
        result["ruleIndex"] = "place in the book"
    if exit_code == 1:
        assert json.dumps(log, indent=1) == snapshot


def test_a_small_report_under_a_baseline(small_under_a_baseline):
    only = check(document((small_under_a_baseline(),), 1, tuple(book())))
    found = {result["ruleId"]: (result["level"], result["baselineState"]) for result in only["results"]}
    assert found == {
        "W0801": ("note", "unchanged"),
        "M04": ("note", "unchanged"),
        "W0201": ("error", "new"),
        "R00": ("note", "unchanged"),
    }


def test_every_rule_is_told_and_those_with_a_result_with_their_help_once(small):
    only = check(document((small(),), 1, book()))
    told = only["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in told] == [rule.code for rule in book()]
    found = {result["ruleId"] for result in only["results"]}
    for rule, descriptor in zip(book(), told, strict=True):
        assert descriptor["shortDescription"]["text"] == sections(rule.doc)[""]
        assert ("help" in descriptor) is (rule.code in found)
        if rule.code in found:
            assert descriptor["help"]["text"].count(sections(rule.doc)["How to fix"]) == 1
            effect = rule.effect.word if rule.effect is not None else None
            levels = {"refutes": "error", "undermines": "warning", "caveat": "note", None: "none"}
            assert descriptor["defaultConfiguration"]["level"] == levels[effect]


def test_what_fails_the_gate_is_an_error_and_what_asks_is_a_warning():
    item = judged(merge_patch(base("training-pair"), {"claims": {"speedup": {"value": "9.9"}}}), "a.json")
    deciding = {finding.code for finding in item.report.all_findings if finding.decides}
    assert deciding
    for fail_at, expected in ((2, deciding), (4, set())):
        results = check(document((item,), 1, book(), fail_at))["results"]
        assert {result["ruleId"] for result in results if result["level"] == "error"} == expected


def test_one_cause_of_many_claims_is_one_result_at_the_first_claim(tmp_path):
    rows = "".join(f"| net{number} | {number}.5 |\n" for number in range(1, 9))
    (tmp_path / "results.md").write_text(f"# Training\n\n| Model | images/s |\n|---|---|\n{rows}")
    (found,) = read_documents([str(tmp_path / "results.md")])
    item = lint(found, Settings())
    results = check(document((item,), 1, book()))["results"]
    few = [result for result in results if result["ruleId"] == "M04"]
    assert len(few) == 1
    assert few[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert len(few[0]["properties"]["claims"]) == 7
    assert len(results) < len(item.report.all_findings) / 4


def test_a_usual_run_is_small():
    item = judged(merge_patch(base("training-pair"), {"claims": {"speedup": {"value": "9.9"}}}), "a.json")
    assert len(render((item,), 1, book()).encode()) < 200_000


def test_a_waived_finding_is_suppressed_and_no_other(small):
    results = check(document((small(),), 1, book()))["results"]
    suppressed = {result["ruleId"]: result["suppressions"] for result in results if result["suppressions"]}
    assert list(suppressed) == ["M04"]
    (only,) = suppressed["M04"]
    assert only["status"] == "accepted"
    assert only["justification"] == "justification words"
    assert only["properties"]["expires"] == "2027-03-31"


def test_an_invalid_document_and_a_rule_that_stopped(small):
    value = {"dlaudit": "submission/1", "title": "t", "claims": {"a": {"statement": 1}}}
    source = parse(json.dumps(value).encode(), "bad file.json")
    invalid = lint(Document(source, "submission", Path()), Settings())
    only = check(document((invalid,), 2, book()))
    assert {(result["ruleId"], result["kind"], result["level"]) for result in only["results"]} == {
        ("D01", "fail", "error")
    }
    assert only["artifacts"][0]["location"]["uri"] == "bad%20file.json"
    assert only["invocations"][0]["executionSuccessful"] is False

    from msgspec.structs import replace

    item = small()
    claim = item.report.claims[0]
    stopped = replace(claim.findings[0], outcome="error", effect="", confidence="")
    report = replace(item.report, claims=(replace(claim, findings=(stopped,)),))
    only = check(document((replace(item, report=report),), 1, book()))
    assert [n["associatedRule"]["id"] for n in only["invocations"][0]["toolExecutionNotifications"]] == ["W0801"]
    assert next(result for result in only["results"] if result["ruleId"] == "W0801")["kind"] == "review"


def test_hostile_text_stays_text(small, hostile):
    plain = [r["kind"] for r in check(document((small(),), 1, book()))["results"]]
    log = document(tuple(small(text, f"results/{number}.yaml") for number, text in enumerate(hostile)), 1, book())
    json.dumps(log, ensure_ascii=False).encode()
    only = check(log)
    assert [r["kind"] for r in only["results"]] == plain * len(hostile)
    for result in only["results"]:
        shown = result["message"]["text"]
        assert "](" not in shown
        assert shown.replace("{{", "").replace("}}", "").count("{") == 0
        assert "\x1b" not in shown


def test_the_command_writes_it_beside_other_formats(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.json").write_text(json.dumps(base("rate")))
    formats = [f"--format={form}:out.{form}" for form in ("sarif", "junit", "markdown", "html")]
    assert run(["lint", *formats, "--format", "github", str(tmp_path / "sub" / "a.json")]) == 0
    assert capsys.readouterr().out.startswith("::notice file=sub/a.json,")
    only = check(json.loads((tmp_path / "out.sarif").read_text()))
    assert only["artifacts"][0]["location"]["uri"] == "sub/a.json"
    assert str(tmp_path) not in (tmp_path / "out.sarif").read_text()
    assert all((tmp_path / f"out.{form}").stat().st_size for form in ("sarif", "junit", "markdown", "html"))
