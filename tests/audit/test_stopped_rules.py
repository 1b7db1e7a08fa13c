"""A rule that stops cannot help the accused: the claim is open at best, and the program says that it failed."""

import json

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules import registry
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.documentation import merge_patch
from msgspec.structs import replace

MIXED = {
    "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
    "arms": {"fused": {"options": {"attention": "window 128"}}},
}


@pytest.fixture
def stop(monkeypatch):
    """Return a function that makes rules stop."""
    load = registry.Entry.load
    stopped = set()

    def loaded(self):
        rule = load(self)
        if self.code not in stopped:
            return rule

        def broken(*_):
            raise OverflowError("cannot convert float infinity to integer")

        part = "check" if rule.check is not None else "check_document"
        return replace(rule, **{part: broken})

    monkeypatch.setattr(registry.Entry, "load", loaded)
    return stopped.update


@pytest.fixture
def claim(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claim.json").write_text(json.dumps(base("rate")))
    (tmp_path / "mixed.json").write_text(json.dumps(merge_patch(base("training-pair"), MIXED)))
    return "claim.json"


def verdicts(capsys, *arguments):
    capsys.readouterr()
    code = run(["lint", "--format", "json", *arguments])
    return code, [each["verdict"] for each in json.loads(capsys.readouterr().out)["documents"]]


@pytest.mark.parametrize("code", ["F28", "F29", "W0304", "W0901"])
def test_a_rule_that_could_refute_or_undermine_leaves_the_claim_open(claim, code, stop, capsys):
    assert by_code(code).effect > 1
    assert verdicts(capsys, claim) == (0, ["PASS"])
    stop([code])
    assert verdicts(capsys, claim) == (70, ["INSUFFICIENT EVIDENCE"])
    assert verdicts(capsys, claim, "--fail-on", "never") == (70, ["INSUFFICIENT EVIDENCE"])
    assert verdicts(capsys, claim, "mixed.json") == (1, ["INSUFFICIENT EVIDENCE", "FAIL"])


def test_one_that_could_only_add_a_caveat_does_that(claim, stop, capsys):
    stop(["M04"])
    assert verdicts(capsys, claim) == (0, ["PASS WITH CAVEATS"])


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github", "markdown", "html"])
def test_every_format_says_so(claim, form, stop, capsys):
    stop(["F28"])
    assert run(["lint", "--format", form, claim]) == 70
    out = capsys.readouterr().out
    assert "F28" in out
    assert "OverflowError" in out
    assert "INSUFFICIENT EVIDENCE" in out


def test_no_waiver_and_no_baseline_hides_it(claim, stop, capsys):
    stop(["F28"])
    assert run(["lint", "--format", "json:known.json", claim]) == 70
    assert verdicts(capsys, claim, "--baseline", "known.json")[0] == 70
    assert run(["lint", "--baseline", "known.json", claim]) == 70
    out = capsys.readouterr().out
    assert out.startswith("undecided: a rule stopped  ")
    assert "new: F28 " in out
