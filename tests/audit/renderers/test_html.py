"""The HTML report: complete, deterministic, self-contained, and the same page whatever a document says."""

import base64
import hashlib
import json
import os
import re
from copy import deepcopy
from itertools import count, pairwise
from pathlib import Path

import html5lib
import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import Linted, lint
from dlaudit.audit.lint.report import WAYS
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.charts import Strip, samples_chart, thinned
from dlaudit.audit.renderers.html import render, sentence
from dlaudit.audit.report import ClaimReport, Coverage, Finding, Location, Report, StudyReport, Verdict, Waived
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse, read
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import FOLDER, validate
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

EXAMPLE = FOLDER.parent / "examples" / "submission.yaml"
CLAIM = {"quantity": "rate", "form": "absolute", "scope": "step", "mode": "training", "compares": "none"}
TEXT = "plain words"


def linted(value, **settings):
    return of_source(parse(json.dumps(value).encode(), "submission.json"), **settings)


def of_source(source, **settings):
    return lint(Document(source, "submission", Path()), Settings(**settings))


def broken():
    """A submission that pairs the speed of one option set with the quality of another."""
    mixed = {
        "claims": {"speedup": {"value": "9.9", "quality": {"arm": "plain", "quality": "loss"}}},
        "arms": {"fused": {"options": {"precision": {"compute": "e4m3"}}}},
    }
    return merge_patch(base("training-pair"), mixed)


def words(page):
    """Return the text of a page that a reader sees, spaces collapsed."""
    root = html5lib.parse(page, namespaceHTMLElements=False)
    return " ".join(" ".join(root.find("body").itertext()).split())


def structure(page):
    """Return the tags of a page with the names of their attributes, in order."""
    root = html5lib.parse(page, namespaceHTMLElements=False)
    return [(str(node.tag), sorted(map(str, node.attrib))) for node in root.iter() if isinstance(node.tag, str)]


def small(text=TEXT, texts=None):
    """A report that holds `text`, or the next of `texts`, in every field that can come from a document."""

    def said():
        return next(texts) if texts is not None else text

    location = Location("submission.json", 3, 5, "/claims/a/" + said(), "    " + said())
    waived = Waived("w1", "accepted_risk", said(), said(), "2027-01-01")
    shared = {"claim": "a", "name": "option-set-mismatch", "tier": "T2", "location": location}
    violation = Finding(
        **shared,
        fingerprint="0" * 16,
        code="W0801",
        outcome="violation",
        effect="refutes",
        confidence="C3",
        branch="a",
        message=said(),
        claimed=said(),
        recomputed=said(),
        related=((location, said()),),
        also=("F01",),
        decides=True,
        next_step=said(),
    )
    missing = Finding(
        **shared,
        fingerprint="1" * 16,
        code="M04",
        outcome="not-shown",
        effect="",
        confidence="",
        branch="",
        message=said(),
        claimed=None,
        recomputed=None,
        item="number of repetitions",
        provide=f"throughput:\n  warmup: {said()}\n",
        waived=waived,
    )
    folded = Finding(
        **{**shared, "claim": None, "name": "report-incomplete"},
        fingerprint="2" * 16,
        code="R00",
        outcome="not-shown",
        effect="",
        confidence="",
        branch="",
        message=said(),
        claimed=None,
        recomputed=None,
        members=(("M13", said()), ("M15", said())),
    )
    claim = ClaimReport(
        id="a",
        statement="1 " + said(),
        value="1 " + said(),
        verdict=Verdict.FAIL,
        why="option set mismatch (W0801)",
        judged_as="judged as step throughput",
        tier="T2",
        findings=(violation, missing),
        coverage=Coverage(("W0801",), ("M04",), 7, ("number of repetitions",)),
        ways=dict(zip(WAYS, ["violation", "not-shown", "pass", "error", ""] * 3, strict=False)),
        notes=(said(),),
    )
    report = Report(
        file="submission.json",
        sha256="ab" * 32,
        title=said(),
        coverage="excerpt",
        profile="reviewer",
        tool="0.0.0",
        verdict=Verdict.FAIL,
        claims=(claim,),
        findings=(folded,),
        studies=(StudyReport("study", "unlisted", (said(),), 2, False),),
        notes=(said(),),
    )
    arm = {
        "label": said(),
        "options": {"model": said(), "optimizer": said(), "extra": {said() + "x": said()}},
        "software": {"framework": said(), "libraries": {said() + "x": said()}},
        "environment": {
            "host": said(),
            "controls": {"affinity": {"requested": said(), "verified": "contradicted", "evidence": said()}},
        },
        "quality": {"loss": {"metric": said(), "value": "1", "unit": said()}},
        "trials": {"t1": {"kind": "throughput", "outcome": "failed", "reason": said()}},
    }
    value = {
        "dlaudit": "submission/1",
        "title": said(),
        "publication": {"authors": said(), "where": said()},
        "claims": {"a": {**CLAIM, "statement": said()}},
        "disclosures": [{"topic": "timing", "quote": said()}],
        "arms": {"one": arm, "two": {"options": {"model": said() + "y"}}},
    }
    return Linted(report, Case(to_model(value, Submission)))


class Page(SingleFileSnapshotExtension):
    file_extension = "html"
    _write_mode = WriteMode.TEXT


def test_a_small_report_looks_as_it_did(snapshot):
    page = re.sub(r"<style>.*?</style>", "<style></style>", render((small(),)), flags=re.DOTALL)
    assert re.sub(r"sha256-[^']+", "sha256-", page) == snapshot(extension_class=Page)


def test_the_same_input_gives_the_same_bytes():
    one, two = (render((of_source(read(EXAMPLE)),)) for _ in range(2))
    assert one == two
    assert "<svg" in one


def test_every_claim_finding_and_way_is_there():
    item = linted(broken())
    seen = words(render((item,)))
    assert item.report.all_findings
    for claim in item.report.claims:
        assert claim.statement in seen
        assert claim.verdict.words in seen
        assert claim.judged_as.removeprefix("judged as ") in seen
    for finding in item.report.all_findings:
        assert f"finding {finding.fingerprint}" in seen
        assert finding.message[1:].rstrip(".") in seen
        assert all(message in seen for _, message in finding.members)
    for title in ("Ignore accuracy when scaling up", "Weak against strong scaling", "Select carefully how to compare"):
        assert title in seen


def test_the_verdict_comes_first_and_in_words():
    item = linted(broken())
    assert words(render((item,))).startswith("✗ FAIL " + item.report.title)


def test_options_that_differ_are_marked_and_only_those():
    root = html5lib.parse(render((linted(broken()),)), namespaceHTMLElements=False)
    rows = {row.find("th").text.strip() for row in root.iter("tr") if row.get("class") == "differs"}
    assert "precision compute" in rows
    assert "model" not in rows


def test_what_was_observed_stands_beside_what_was_declared():
    value = merge_patch(broken(), {"arms": {"fused": {"observed": {"precision": {"compute": "bf16"}}}}})
    assert "e4m3; observed bf16" in words(render((linted(value),)))


def test_parts_without_data_are_left_out():
    value = {"dlaudit": "submission/1", "title": "A post", "claims": {"a": {**CLAIM, "statement": "Fast."}}}
    page = render((linted(value),))
    seen = words(page)
    assert "<svg" not in page
    for heading in ("Evidence Stated", "Option sets", "Cited studies", "Controls", "says of itself"):
        assert heading not in seen


def test_several_documents_stand_in_one_page_with_unique_identifiers():
    page = render((linted(broken()), of_source(read(EXAMPLE))))
    root = html5lib.parse(page, namespaceHTMLElements=False)
    ids = [node.get("id") for node in root.iter() if node.get("id") is not None]
    assert len(ids) == len(set(ids))
    targets = {node.get("href").removeprefix("#") for node in root.iter() if node.get("href") is not None}
    targets |= set(re.findall(r"url\(#([^)]+)\)", page))
    assert targets <= set(ids)
    assert words(page).startswith("2 documents judged")


def test_headings_descend_one_at_a_time_and_tables_have_headers():
    root = html5lib.parse(render((linted(broken()),)), namespaceHTMLElements=False)
    levels = [int(node.tag[1]) for node in root.iter() if re.fullmatch("h[1-6]", str(node.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    for table in root.iter("table"):
        assert all(head.get("scope") == "col" for head in table.find("thead").iter("th"))
        assert all(row.find("th") is not None for row in table.find("tbody").iter("tr"))
    for drawing in (node for node in root.iter("div") if node.get("role") == "img"):
        assert drawing.get("aria-labelledby")


def test_an_invalid_document_shows_every_problem_and_no_verdict():
    source = parse(b'{"dlaudit": "submission/1", "claims": {"a": {"frm": 1}}}', "x.json")
    problems = validate("submission", source.value)
    seen = words(render((of_source(source),)))
    assert seen.startswith("– NO VERDICT")
    assert all(problem.what[1:] in seen for problem in problems)


def test_nothing_runs_and_nothing_is_loaded():
    page = render((small("<script src=//x.example>'\" onload=1 javascript:alert(1)"), linted(broken())))
    root = html5lib.parse(page, namespaceHTMLElements=False)
    for node in root.iter():
        name = str(node.tag).rpartition("}")[2]
        assert name not in {"script", "iframe", "object", "embed", "img", "link", "form", "base", "foreignObject"}
        for attribute, value in node.attrib.items():
            assert not str(attribute).lower().startswith("on")
            assert attribute not in {"src", "style", "srcset", "action"}
            assert attribute != "href" or value.startswith("#")
            assert "http" not in value.lower() or attribute == "http-equiv"
    style = root.find("head/style").text
    assert "url(" not in style
    assert "@import" not in style
    policy = root.find("head/meta[@http-equiv]").get("content")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    allowed = f"style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    assert policy == f"default-src 'none'; {allowed}"


def test_control_and_direction_characters_are_shown():
    page = render((small("a\x1b[31m\u202eb\u2066\x00\ud800"),))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "\\x1b[31m\\u202eb\\u2066\\x00\\ud800" in page


@pytest.mark.skipif("DLAUDIT_CONFORMANCE" not in os.environ, reason="DLAUDIT_CONFORMANCE is not set")
def test_naughty_strings_never_change_the_structure():
    path = Path(os.environ["DLAUDIT_CONFORMANCE"]) / "naughty-strings" / "blns.json"
    strings = [text for text in json.loads(path.read_bytes()) if text.strip()]
    numbers = count()
    expected = structure(render((small(texts=(f"words {number}" for number in numbers)),)))
    per_page = next(numbers)
    assert per_page > 30
    for start in range(0, len(strings), per_page // 2):
        turn = [strings[(start + index) % len(strings)] for index in range(per_page)]
        assert structure(render((small(texts=iter(turn)),))) == expected


HOSTILE = "</text></svg><b>\"'&<x onload=1>$\\frac{$"


def test_charts_hold_no_markup_from_a_document():
    value = deepcopy(base("training-pair"))
    evaluations = [{"split": "test", "samples": 1, "metrics": {HOSTILE: 1.0}}]
    value["arms"]["fused"]["trials"]["s1"]["evaluations"] = evaluations
    value["arms"]["fused"]["target"] = None
    value["arms"]["fused"] = {key: item for key, item in value["arms"]["fused"].items() if item is not None}
    value["arms"]["fused"]["label"] = HOSTILE
    page = render((linted(value),))
    assert "<b>" not in page
    assert "<x" not in page
    assert html5lib.parse(page) is not None


def test_a_chart_draws_at_most_two_thousand_points_a_trial():
    values = tuple(float(number % 977) for number in range(50_000))
    drawn = thinned(values, 2_000)
    assert len(drawn) == 2_000
    assert (drawn[0], drawn[-1]) == (min(values), max(values))
    svg = samples_chart((Strip("a", "t1", values), Strip("a", "t2", (1.0,))), "step time (s)", "k")
    assert 2_001 <= svg.count("h0") <= 2_001 + 2
    assert "t2" in svg


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("non-finite loss", "Non-finite loss"),
        ("results/a/result_0.txt and another", "results/a/result_0.txt and another"),
        ("mAP is not stated", "mAP is not stated"),
        ("2.18 is stated", "2.18 is stated"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_a_name_begins_it(text, shown):
    assert sentence(text) == shown


def test_each_benchmark_has_a_chart_of_its_own():
    value = deepcopy(base("suite-training"))
    value["claims"]["bert"] = deepcopy(value["claims"]["retinanet"])
    value["claims"]["bert"]["measured"]["arm"] = "bert"
    value["claims"]["bert"]["suite_result"]["benchmark"] = "bert"
    value["arms"]["bert"] = deepcopy(value["arms"]["retinanet"])
    titles = re.findall(r"Quality of (\w+) along training: mAP", render((linted(value),)))
    assert titles == ["retinanet", "bert"]


@pytest.mark.parametrize("values", [[0.0] * 5, [1e-9], [1e30, -1e30, 1e-30], [1e308, 1.0, 1e-308]])
def test_odd_values_are_drawn_or_left_out(values):
    run_ = {"kind": "convergence", "outcome": "completed"}
    points = [{"split": "test", "samples": abs(value), "metrics": {"loss": value}} for value in values]
    arm = {
        "trials": {
            "t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": values}},
            "s1": {**run_, "evaluations": points},
            "s2": {**run_, "evaluations": [{"split": "test", "samples": 0, "metrics": {"loss": 1.0}}]},
        }
    }
    item = small()
    value = {"dlaudit": "submission/1", "title": "x", "claims": {"a": {**CLAIM, "statement": "x"}}, "arms": {"a": arm}}
    page = render((Linted(item.report, Case(to_model(value, Submission))),))
    assert "<svg" in page
    assert not re.search(r'="[^"]*\b(nan|inf)\b', page)


def test_report_writes_beside_its_input_and_ends_well_whatever_the_verdict(tmp_path, capsys):
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(broken()))
    assert run(["report", str(path)]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert words(page).startswith("✗ FAIL")
    assert "submission.json: FAIL" in capsys.readouterr().out
    assert str(tmp_path) not in page
    (tmp_path / "report.html").unlink()
    assert run(["report", str(tmp_path), "--out", str(tmp_path / "other.html")]) == 0
    assert (tmp_path / "other.html").read_text(encoding="utf-8") == page


def test_report_on_an_invalid_document_writes_it_and_ends_with_2(tmp_path):
    path = tmp_path / "submission.json"
    path.write_text('{"dlaudit": "submission/1"}')
    assert run(["report", str(path)]) == 2
    assert "NO VERDICT" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_report_on_nothing_says_so(tmp_path, capsys):
    assert run(["report", str(tmp_path)]) == 3
    assert "nothing to assess" in capsys.readouterr().err
    assert not (tmp_path / "report.html").exists()


def test_lint_writes_the_same_page(tmp_path):
    path, page = tmp_path / "submission.json", tmp_path / "page.html"
    path.write_text(json.dumps(broken()))
    assert run(["lint", str(path), "--format", f"html:{page}"]) == 1
    assert run(["report", str(path)]) == 0
    assert page.read_bytes() == (tmp_path / "report.html").read_bytes()
