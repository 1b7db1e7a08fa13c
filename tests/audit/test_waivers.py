"""Waivers, baselines and configuration: what the gate's owner may set, and what it can never hide."""

import json
import re

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

MIXED = {
    "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
    "arms": {"fused": {"options": {"attention": "window 128"}}},
}
FEW = {"arms": {"a": {"trials": None, "performance": {"rate": {"n": {"unit": "iteration", "completed": 20}}}}}}
TERMS = ["--reason", "accepted_risk", "--justification", "known", "--approver", "A. Owner"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "mixed.json").write_text(json.dumps(merge_patch(base("training-pair"), MIXED)))
    (tmp_path / "claims" / "few.json").write_text(json.dumps(merge_patch(base("rate"), FEW)))
    return tmp_path


def findings(capsys, *arguments):
    code = run(["lint", "--format", "json", *arguments])
    document = json.loads(capsys.readouterr().out)["documents"][0]
    parts = [document, *document["claims"].values()]
    return code, document["verdict"], [finding for part in parts for finding in part["findings"]]


def waive(capsys, path, code, expires="2999-12-31"):
    _, _, found = findings(capsys, path)
    fingerprint = next(finding["fingerprint"] for finding in found if finding["code"] == code)
    assert run(["waive", fingerprint, path, *TERMS, "--expires", expires]) == 0
    capsys.readouterr()


def test_a_waived_finding_stays_visible_and_decides_no_more(capsys):
    waive(capsys, "claims/mixed.json", "W0801")
    code, verdict, found = findings(capsys, "--waivers", "waivers.json", "claims/mixed.json")
    assert (code, verdict) == (0, "PASS WITH CAVEATS")
    waived = next(finding for finding in found if finding["code"] == "W0801")
    assert waived["waived"]["approver"] == "A. Owner"
    assert not waived["decides"]


def test_the_comment_says_in_the_row_of_a_claim_until_when_what_is_waived(capsys):
    waive(capsys, "claims/mixed.json", "W0801", expires="2999-11-30")
    run(["lint", "--format", "markdown", "--waivers", "waivers.json", "claims/mixed.json"])
    (row,) = [line for line in capsys.readouterr().out.split("\n") if line.startswith("| `speedup`")]
    assert "<code>W0801</code> waived until `2999-11-30`" in row


def test_a_waiver_holds_for_one_document_only(capsys, here):
    waive(capsys, "claims/mixed.json", "W0801")
    document = json.loads((here / "claims/mixed.json").read_text())
    (here / "claims/mixed.json").write_text(json.dumps({**document, "title": "another edition"}))
    code, verdict, _ = findings(capsys, "--waivers", "waivers.json", "claims/mixed.json")
    assert (code, verdict) == (1, "FAIL")


def test_an_expired_waiver_counts_for_nothing_and_is_a_finding(capsys):
    waive(capsys, "claims/mixed.json", "W0801", expires="2001-01-01")
    code, verdict, found = findings(capsys, "--waivers", "waivers.json", "claims/mixed.json")
    assert (code, verdict) == (1, "FAIL")
    assert "D02" in {finding["code"] for finding in found}


def test_an_unused_waiver_is_a_finding(capsys, here):
    waive(capsys, "claims/few.json", "M04")
    waivers = json.loads((here / "waivers.json").read_text())
    for waiver in waivers["waivers"].values():
        waiver["rule"] = "W0601"
    (here / "waivers.json").write_text(json.dumps(waivers))
    _, _, found = findings(capsys, "--waivers", "waivers.json", "claims/few.json")
    assert "D03" in {finding["code"] for finding in found}


def test_no_waiver_silences_a_mandatory_rule(capsys, here):
    waive(capsys, "claims/mixed.json", "W0801")
    (here / "dlaudit.toml").write_text('waivers = "waivers.json"\nmandatory = ["W0801"]\n')
    code, verdict, found = findings(capsys, "claims/mixed.json")
    assert (code, verdict) == (1, "FAIL")
    (said,) = (finding for finding in found if finding["code"] == "D03")
    assert "W0801 mandatory" in said["message"]


def test_a_mandatory_rule_is_not_waived_in_the_first_place(capsys, here):
    _, _, found = findings(capsys, "claims/mixed.json")
    fingerprint = next(finding["fingerprint"] for finding in found if finding["code"] == "W0801")
    (here / "dlaudit.toml").write_text('mandatory = ["W0801"]\n')
    assert run(["waive", fingerprint, "claims/mixed.json", *TERMS, "--expires", "2999-12-31"]) == 2
    assert "W0801 is mandatory" in capsys.readouterr().err
    assert not (here / "waivers.json").exists()


def test_the_first_waiver_makes_the_file_that_the_configuration_names(capsys, here):
    _, _, found = findings(capsys, "claims/few.json")
    fingerprint = next(finding["fingerprint"] for finding in found if finding["code"] == "M04")
    (here / "dlaudit.toml").write_text('waivers = "accepted.json"\n')
    assert run(["lint", "claims/few.json"]) == 2
    assert "`dlaudit waive` makes it" in capsys.readouterr().err
    assert run(["waive", fingerprint, "claims/few.json", *TERMS, "--expires", "2999-12-31"]) == 0
    assert capsys.readouterr().out == f"added M04-{fingerprint[:8]} to accepted.json; in force here\n"
    _, _, found = findings(capsys, "claims/few.json")
    assert next(finding for finding in found if finding["code"] == "M04")["waived"]


def test_a_day_that_is_none_is_refused_by_waive_and_by_lint(capsys, here):
    _, _, found = findings(capsys, "claims/few.json")
    fingerprint = next(finding["fingerprint"] for finding in found if finding["code"] == "M04")
    assert run(["waive", fingerprint, "claims/few.json", *TERMS, "--expires", "2099-02-31"]) == 2
    assert "there is no day '2099-02-31'" in capsys.readouterr().err
    waive(capsys, "claims/few.json", "M04")
    text = (here / "waivers.json").read_text().replace("2999-12-31", "2099-02-31")
    (here / "waivers.json").write_text(text)
    assert run(["lint", "--waivers", "waivers.json", "claims/few.json"]) == 2
    assert "waivers.json:11:15 (/waivers/M04-" in capsys.readouterr().err


def test_a_waiver_that_ended_and_one_that_replaces_another_are_said(capsys):
    _, _, found = findings(capsys, "claims/few.json")
    fingerprint = next(finding["fingerprint"] for finding in found if finding["code"] == "M04")
    assert run(["waive", fingerprint, "claims/few.json", *TERMS, "--expires", "2001-01-01"]) == 0
    assert "no longer applies" in capsys.readouterr().err
    assert run(["waive", fingerprint, "claims/few.json", *TERMS, "--expires", "2999-12-31"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"replaced M04-{fingerprint[:8]} (by A. Owner until 2001-01-01, accepted risk) in")
    assert said.err == ""


def test_the_same_finding_of_two_documents_has_two_waivers(capsys, here):
    (here / "claims/more.json").write_text(
        (here / "claims/few.json").read_text().replace('"title": "', '"title": "More ', 1)
    )
    for name in ("claims/few.json", "claims/more.json"):
        waive(capsys, name, "M04")
    assert len(json.loads((here / "waivers.json").read_text())["waivers"]) == 2
    for name in ("claims/few.json", "claims/more.json"):
        _, _, found = findings(capsys, "--waivers", "waivers.json", name)
        assert next(finding for finding in found if finding["code"] == "M04")["waived"]


def test_the_waiver_of_a_document_that_changed_says_so_and_how_to_renew_it(capsys, here):
    waive(capsys, "claims/few.json", "M04")
    document = json.loads((here / "claims/few.json").read_text())
    (here / "claims/few.json").write_text(json.dumps({**document, "title": "another edition"}))
    assert run(["lint", "--waivers", "waivers.json", "claims/few.json"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "no longer applies: few.json changed since it was waived" in said
    waive(capsys, "claims/few.json", "M04")
    assert run(["lint", "--waivers", "waivers.json", "claims/few.json", "claims/mixed.json"]) == 1
    assert "changed since" not in capsys.readouterr().out


def test_a_waiver_inside_a_submission_counts_for_nothing(here):
    document = json.loads((here / "claims/mixed.json").read_text())
    (here / "claims/mixed.json").write_text(json.dumps({**document, "waivers": {"x": {"rule": "W0801"}}}))
    assert run(["lint", "claims/mixed.json"]) == 2


def test_a_baseline_silences_each_known_finding_once(capsys, here):
    assert run(["lint", "--format", "json:known.json", "claims/mixed.json"]) == 1
    assert run(["lint", "--baseline", "known.json", "claims/mixed.json"]) == 0
    document = json.loads((here / "claims/mixed.json").read_text())
    document["claims"]["again"] = document["claims"]["speedup"]
    (here / "claims/mixed.json").write_text(json.dumps(document))
    assert run(["lint", "--baseline", "known.json", "claims/mixed.json"]) == 1


def test_the_configuration_sets_thresholds_and_says_so(capsys, here):
    assert run(["lint", "--fail-on", "caveats", "claims/few.json"]) == 1
    (here / "dlaudit.toml").write_text("[rules.M04]\niterations = 15\n")
    capsys.readouterr()
    _, _, found = findings(capsys, "claims/few.json")
    assert "M04" not in {finding["code"] for finding in found}
    assert run(["lint", "--show-settings"]) == 0
    out = capsys.readouterr().out
    assert f"rules.M04.iterations  15  ({here / 'dlaudit.toml'})" in out


def test_pyproject_holds_a_configuration_too(capsys, here):
    (here / "pyproject.toml").write_text('[tool.dlaudit]\nprofile = "gate"\n')
    assert run(["lint", "--show-settings"]) == 0
    assert "gate" in capsys.readouterr().out
    assert run(["lint", "--show-settings", "--no-config"]) == 0
    assert "gate" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("profile = 'strict'", "not one of"),
        ("profil = 'gate'", "did you mean"),
        ("[rules.M04]\niteration = 3", "did you mean 'iterations'"),
        ("[rules.M98]\nx = 3", "there is no rule M98"),
        ("profile = ", "not TOML"),
    ],
)
def test_a_bad_configuration_is_one_clear_line(capsys, here, text, said):
    (here / "dlaudit.toml").write_text(text)
    assert run(["lint", "claims/few.json"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "dlaudit.toml" in err


def test_documents_in_several_processes_give_the_same_verdicts(capsys, here):
    text = (here / "claims/few.json").read_text()
    for index in range(6):
        (here / "claims" / f"copy{index}.json").write_text(text)
    (here / "claims/mixed.json").unlink()
    assert run(["lint", "--format", "json", "claims"]) == 0
    alone = capsys.readouterr().out
    assert run(["lint", "--format", "json", "--jobs", "2", "claims"]) == 0
    assert capsys.readouterr().out == alone


def test_procurement_wants_waivers_signed_by_a_reviewer(capsys, here, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(here / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "state"))
    for command in (
        ["keygen", "--no-passphrase", "--out", "keys"],
        ["trust", "init", "trust.json"],
    ):
        assert run(command) == 0
    private, public = (str(next((here / "keys").glob(f"*.{kind}"))) for kind in ("key", "pub"))
    assert run(["trust", "add", "trust.json", public, "--owner", "R. Reviewer", "--role", "reviewer"]) == 0
    capsys.readouterr()
    waive(capsys, "claims/mixed.json", "W0801")
    strict = ["lint", "--profile", "procurement", "--waivers", "waivers.json", "claims/mixed.json"]
    assert run(strict) == 2
    assert run([*strict, "--trust", "trust.json"]) == 2
    _, _, found = findings(capsys, "claims/mixed.json", "--fail-on", "never")
    fingerprint = next(finding["fingerprint"] for finding in found if finding["code"] == "W0801")
    again = ["waive", fingerprint, "claims/mixed.json", *TERMS, "--expires", "2999-12-31", "--sign", private]
    assert run(again) == 0
    capsys.readouterr()
    arguments = ["--profile", "procurement", "--trust", "trust.json", "--waivers", "waivers.json", "claims/mixed.json"]
    _, _, found = findings(capsys, *arguments)
    assert next(finding for finding in found if finding["code"] == "W0801")["waived"]
    envelope = (here / "waivers.json").read_text()
    (here / "waivers.json").write_text(envelope.replace('"sig":"', '"sig":"AA', 1).replace('"sig": "', '"sig": "AA', 1))
    assert run([*strict, "--trust", "trust.json"]) in {2, 5}


def test_a_finding_is_named_by_its_code_and_where_several_have_it_by_its_claim(capsys):
    assert run(["waive", "m04", "claims/few.json", *TERMS, "--expires", "2999-12-31"]) == 0
    assert capsys.readouterr().out.startswith("added M04-")
    both = ["waive", "W0801", "claims/mixed.json", *TERMS, "--expires", "2999-12-31"]
    assert run([*both, "--claim", "nobody"]) == 2
    assert "no finding of claim 'nobody'" in capsys.readouterr().err
    assert run([*both, "--claim", "speedup"]) == 0


def test_a_run_against_a_baseline_says_so_first(capsys):
    assert run(["lint", "--format", "json:known.json", "claims/mixed.json"]) == 1
    assert run(["lint", "--baseline", "known.json", "claims/mixed.json"]) == 0
    assert capsys.readouterr().out.startswith("passes: nothing new  ")
    assert run(["lint", "--baseline", "known.json", "claims/mixed.json", "claims/few.json"]) == 0
    assert re.search("^passes: [0-9]+ new findings?, none that fails  ", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["lnt"], "lint"),
        (["lint", "--profile", "reviwer", "x"], "reviewer"),
        (["lint", "--format", "jsn", "x"], "json"),
    ],
)
def test_a_mistyped_word_is_asked_about(typed, meant, capsys):
    assert run(typed) == 2
    assert f"id you mean {meant}?" in capsys.readouterr().err


def test_dev_stdout_is_the_standard_output(capsys):
    assert run(["lint", "--format", "json:/dev/stdout", "claims/few.json"]) == 0
    assert json.loads(capsys.readouterr().out)["dlaudit"] == "verdict/1"


@pytest.mark.parametrize(
    ("asked", "coloured"), [([], False), (["--color", "always"], True), (["--color", "never"], False)]
)
def test_colours_are_asked_for(asked, coloured, capsys):
    run(["lint", *asked, "claims/few.json"])
    assert ("\x1b[" in capsys.readouterr().out) is coloured


def test_a_shell_completes_commands(capsys, monkeypatch):
    monkeypatch.setenv("_DLAUDIT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "dlaudit wai")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run([]) == 0
    assert capsys.readouterr().out == "plain,waive\n"


README = "Training is **2.1x** faster than the baseline.\n"


def test_a_waiver_of_what_the_source_says_ends_when_the_source_changes(capsys, here):
    document = merge_patch(base("rate"), {"source": {"file": "README.md"}})
    (here / "claims/rate.json").write_text(json.dumps(document))
    (here / "claims/README.md").write_text(README)
    waive(capsys, "claims/rate.json", "D04")
    _, _, found = findings(capsys, "--waivers", "waivers.json", "claims/rate.json")
    assert next(finding for finding in found if finding["code"] == "D04")["waived"]
    (here / "claims/README.md").write_text(README.replace("2.1x", "9.9x"))
    code, verdict, found = findings(capsys, "--waivers", "waivers.json", "claims/rate.json")
    assert (code, verdict) == (1, "FAIL")
    assert run(["lint", "--waivers", "waivers.json", "claims/rate.json"]) == 1
    assert "no longer applies: README.md changed since it was waived" in " ".join(capsys.readouterr().out.split())
    waive(capsys, "claims/rate.json", "D04")
    assert run(["lint", "--waivers", "waivers.json", "claims/rate.json"]) == 0


def test_a_waiver_of_what_the_source_says_names_the_source(capsys, here):
    document = merge_patch(base("rate"), {"source": {"file": "README.md"}})
    (here / "claims/rate.json").write_text(json.dumps(document))
    (here / "claims/README.md").write_text(README)
    waive(capsys, "claims/rate.json", "D04")
    text = (here / "waivers.json").read_text()
    (here / "waivers.json").write_text(re.sub(r' *"source": "[0-9a-f]{64}",\n', "", text))
    assert text != (here / "waivers.json").read_text()
    assert run(["lint", "--waivers", "waivers.json", "claims/rate.json"]) == 1


def test_a_waiver_of_another_rule_holds_while_the_source_changes(capsys, here):
    statement = base("rate")["claims"]["rate"]["statement"]
    (here / "claims/few.json").write_text(json.dumps(merge_patch(base("rate"), {**FEW, "source": {"file": "R.md"}})))
    (here / "claims/R.md").write_text(f"{statement}\n")
    waive(capsys, "claims/few.json", "M04")
    (here / "claims/R.md").write_text(f"{statement}\n\nMore.\n")
    _, _, found = findings(capsys, "--waivers", "waivers.json", "claims/few.json")
    assert next(finding for finding in found if finding["code"] == "M04")["waived"]


def test_a_configuration_beside_what_is_judged_is_named(capsys, here, monkeypatch):
    monkeypatch.chdir(here / "claims")
    (here / "claims/dlaudit.toml").write_text('waivers = "accepted.json"\n')
    terms = [*TERMS, "--expires", "2999-12-31", "--config", "dlaudit.toml"]
    assert run(["waive", "M04", "few.json", *terms]) == 0
    assert "to accepted.json; in force here" in capsys.readouterr().out
