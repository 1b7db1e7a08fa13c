"""Baselines through the command line: what is new fails and shows, what is known is counted, what is waived neither."""

import json
import re
from xml.etree import ElementTree

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

MIXED = {
    "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
    "arms": {"fused": {"options": {"attention": "window 128"}}},
}
TERMS = ["--reason", "accepted_risk", "--justification", "known", "--approver", "A. Owner"]
PATH = "claims/mixed.json"
AGAINST = ["lint", PATH, "--baseline", "known.json"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims").mkdir()
    write(tmp_path, merge_patch(base("training-pair"), MIXED))
    return tmp_path


def write(here, document):
    (here / PATH).write_text(json.dumps(document, indent=1))


def read(here):
    return json.loads((here / PATH).read_text())


def waive(capsys, expires="2999-12-31"):
    assert run(["waive", "W0801", PATH, "--claim", "speedup", *TERMS, "--expires", expires]) == 0
    capsys.readouterr()


def written(capsys, *options):
    """Write a baseline and return what is said of it."""
    assert run(["lint", PATH, "--write-baseline", "known.json", *options]) == 0
    return capsys.readouterr().err


def add_a_failing_claim(here):
    document = read(here)
    document["claims"]["again"] = document["claims"]["speedup"]
    write(here, document)


def test_a_baseline_that_is_written_names_what_it_takes_in_that_fails_today(capsys):
    said = written(capsys)
    assert re.search(r"^dlaudit: known\.json takes in [0-9]+ findings$", said, re.MULTILINE)
    assert "known.json takes in 1 finding that fails today: W0801 option-set-mismatch of speedup, mixed.json:" in said
    assert run(AGAINST) == 0


def test_a_baseline_without_a_failing_finding_speaks_of_none(capsys, here):
    write(here, base("training-pair"))
    assert "today" not in written(capsys)


def test_what_a_waiver_accepts_is_no_part_of_a_baseline_and_fails_when_the_waiver_ends(capsys):
    waive(capsys)
    said = written(capsys, "--waivers", "waivers.json")
    assert "known.json leaves out 1 finding that a waiver accepts" in said
    assert "today" not in said
    assert run([*AGAINST, "--waivers", "waivers.json"]) == 0
    capsys.readouterr()
    waive(capsys, expires="2001-01-01")
    assert run([*AGAINST, "--waivers", "waivers.json"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("fails: 2 new findings")
    assert "new: W0801 " in out
    assert "new: D02 " in out


def test_what_a_waiver_accepts_fails_when_the_waiver_is_void(capsys, here):
    waive(capsys)
    written(capsys, "--waivers", "waivers.json")
    write(here, {**read(here), "title": "another edition"})
    assert run([*AGAINST, "--waivers", "waivers.json"]) == 1
    assert capsys.readouterr().out.startswith("fails: 1 new finding  ")


def test_a_finding_waived_after_the_baseline_is_not_new(capsys, here):
    written(capsys)
    add_a_failing_claim(here)
    assert run(AGAINST) == 1
    assert run(["waive", "W0801", PATH, "--claim", "again", *TERMS, "--expires", "2999-12-31"]) == 0
    capsys.readouterr()
    assert run([*AGAINST, "--waivers", "waivers.json"]) == 0
    assert ", 1 waived; without the baseline the verdict is FAIL" in " ".join(capsys.readouterr().out.split())


def test_a_json_report_serves_as_a_baseline_and_holds_no_waived_finding(capsys):
    waive(capsys)
    run(["lint", PATH, "--waivers", "waivers.json", "--format", "json:known.json"])
    assert run([*AGAINST, "--waivers", "waivers.json"]) == 0
    assert run(AGAINST) == 1


def test_a_new_finding_that_would_not_fail_alone_does_not_fail(capsys, here):
    written(capsys)
    waive(capsys)
    (here / "waivers.json").write_text((here / "waivers.json").read_text().replace('"W0801"', '"W0601"'))
    assert run([*AGAINST, "--waivers", "waivers.json"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("passes: 1 new finding, none that fails  ")
    assert "new: D03 " in out
    assert run([*AGAINST, "--waivers", "waivers.json", "--fail-on", "caveats"]) == 1


def test_what_was_not_required_is_new_when_it_is(capsys, here):
    write(here, base("training-pair"))
    written(capsys)
    assert run([*AGAINST, "--profile", "procurement"]) == 1
    assert "new: " in capsys.readouterr().out


def test_a_known_finding_is_an_error_nowhere(capsys, here):
    written(capsys)
    formats = [item for form in ("sarif:s.json", "junit:j.xml", "markdown:m.md") for item in ("--format", form)]
    assert run([*AGAINST, *formats, "--format", "github"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.startswith("::notice ") for line in lines)
    results = json.loads((here / "s.json").read_text())["runs"][0]["results"]
    assert {(result["level"], result["baselineState"]) for result in results} == {("note", "unchanged")}
    suites = ElementTree.parse(here / "j.xml").getroot()
    assert (suites.get("failures"), suites.get("errors")) == ("0", "0")
    assert "## ✅ passes: nothing new\n" in (here / "m.md").read_text()


def test_what_is_new_is_an_error_everywhere(capsys, here):
    written(capsys)
    add_a_failing_claim(here)
    assert run([*AGAINST, "--format", "sarif:s.json", "--format", "junit:j.xml", "--format", "github"]) == 1
    errors = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::error ")]
    assert ["dlaudit%3A fails%3A" in line for line in errors] == [True, False]
    assert "title=W0801 " in errors[1]
    results = json.loads((here / "s.json").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results if result["level"] == "error"] == ["W0801"]
    assert {result["baselineState"] for result in results if result["level"] != "note"} == {"new"}
    failed = ElementTree.parse(here / "j.xml").findall(".//failure/..")
    assert [case.get("name") for case in failed] == ["again"]


def test_the_comment_on_a_table_of_two_rows_is_short(capsys, here):
    table = "| GPU | baseline, images/s | ours, images/s | speed-up |\n|---|---|---|---|\n"
    rows = "| A100 80GB | 212 | 371 | 1.75x |\n| H100 80GB | 398 | 740 | {}x |\n"
    (here / "README.md").write_text(table + rows.format("1.86"))
    assert run(["lint", "README.md", "--write-baseline", "known.json"]) == 0
    comments = []
    for number, code in (("1.86", 0), ("2.86", 1)):
        (here / "README.md").write_text(table + rows.format(number))
        capsys.readouterr()
        assert run(["lint", "README.md", "--baseline", "known.json", "--format", "markdown"]) == code
        comments.append(capsys.readouterr().out)
    assert [len(text.splitlines()) < 80 for text in comments] == [True, True]
    assert "new: <code>F04</code>" in comments[1]


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_the_heading_says_how_it_stands_and_new_comes_first(form, capsys, here):
    written(capsys)
    assert run([*AGAINST, "--format", form]) == 0
    assert "passes: nothing new" in capsys.readouterr().out.replace("Passes", "passes")
    add_a_failing_claim(here)
    assert run([*AGAINST, "--format", form]) == 1
    out = capsys.readouterr().out
    assert re.search("[Ff]ails: [0-9]+ new findings?", out)
    body = out.partition("</style>")[2] or out
    assert re.search("(?i)new: ", body).start() < re.search("(?i)known( or waived)?(: |, not shown)", body).start()


def test_the_known_ones_are_listed_on_request(capsys):
    written(capsys)
    run([*AGAINST, "--verbose"])
    assert re.search(r"^known:\n  W0801 option-set-mismatch: speedup$", capsys.readouterr().out, re.MULTILINE)


def test_an_invalid_document_is_not_counted_against_a_baseline(capsys, here):
    written(capsys)
    write(here, {**read(here), "claims": {"speedup": {"frm": 1}}})
    run(["lint", PATH, "--format", "json:broken.json"])
    for known in ("known.json", "broken.json"):
        for form in ("text", "markdown", "github", "html"):
            assert run(["lint", PATH, "--baseline", known, "--format", form]) == 2
            out = capsys.readouterr().out
            assert "NO VERDICT" in out
            assert "new finding" not in out
            assert "nothing new" not in out


def test_no_baseline_is_written_of_an_invalid_document(capsys, here):
    write(here, {**read(here), "claims": {"speedup": {"frm": 1}}})
    assert run(["lint", PATH, "--write-baseline", "known.json"]) == 2
    assert "no baseline is written to known.json: a document is not valid" in capsys.readouterr().err
    assert not (here / "known.json").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--baseline", "known.json"], "leave one of the two out"),
        (["--claim", "speedup"], "leave --claim out"),
        (["--out", "rows.parquet"], "leave it out with --out"),
    ],
)
def test_what_a_written_baseline_does_not_go_with(more, said, capsys):
    assert run(["lint", PATH, "--write-baseline", "known.json", *more]) == 2
    assert said in capsys.readouterr().err


def test_a_baseline_is_not_written_over_what_is_judged(capsys, here):
    before = (here / PATH).read_text()
    assert run(["lint", PATH, "--write-baseline", PATH]) == 2
    assert (here / PATH).read_text() == before
