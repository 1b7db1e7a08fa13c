"""The verdict of a claim, through lint: each line of the table in audit/verdict.py, and what it must not do."""

import copy
import json

import pytest
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.report import Verdict
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.required import PROFILES
from dlaudit.schemas.source import parse


def report(value, folder, **settings):
    source = parse(json.dumps(value).encode(), "submission.json")
    return lint(Document(source, "submission", folder), Settings(**settings)).report


def claim(value, folder, name, **settings):
    return next(item for item in report(value, folder, **settings).claims if item.id == name)


MIXED = {
    "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
    "arms": {"fused": {"options": {"precision": {"compute": "e4m3"}}}},
}


def test_a_refuted_claim_fails(tmp_path):
    found = claim(merge_patch(base("training-pair"), MIXED), tmp_path, "speedup")
    assert found.verdict is Verdict.FAIL
    assert found.why == "option set mismatch (W0801)"
    assert found.findings[0].code == "W0801"
    assert found.findings[0].decides
    assert found.ways["W08"] == "violation"


def test_missing_required_evidence_is_insufficient_and_no_accusation(tmp_path):
    timed_only = {
        "quality": None,
        "trials": {f"s{index}": None for index in range(1, 6)},
        "plan": {"trials": 5, "started": 5, "seeds": [1, 2, 3, 4, 5]},
    }
    arms = {"fused": timed_only, "plain": timed_only}
    value = merge_patch(base("training-pair"), {"arms": arms, "claims": {"speedup": {"quality": None}}})
    found = claim(value, tmp_path, "speedup")
    assert found.verdict is Verdict.INSUFFICIENT_EVIDENCE
    assert "quality on a test split" in found.coverage.settle
    assert {finding.outcome for finding in found.findings if finding.decides} == {"not-shown"}


def test_a_caveat_leaves_a_pass_with_caveats(tmp_path):
    few = {"arms": {"a": {"trials": None, "performance": {"rate": {"n": {"unit": "iteration", "completed": 20}}}}}}
    found = claim(merge_patch(base("rate"), few), tmp_path, "rate")
    assert found.verdict is Verdict.PASS_WITH_CAVEATS
    assert found.why == "too few repetitions (M04)"


def test_a_throughput_claim_without_accuracy_gets_one_note(tmp_path):
    value = base("rate")
    twice = merge_patch(value, {"claims": {"again": value["claims"]["rate"]}})
    found = report(twice, tmp_path)
    assert found.notes == ("throughput only: says nothing about convergence",)
    assert not any(finding.code == "W0201" for finding in found.all_findings)


@pytest.mark.parametrize("name", ["training-pair", "rate"])
def test_honest_bases_never_fail_under_any_profile(name, tmp_path):
    for profile in PROFILES:
        assert report(base(name), tmp_path, profile=profile).verdict is not Verdict.FAIL


def test_a_stricter_profile_never_judges_milder(tmp_path):
    for name in ("training-pair", "rate"):
        verdicts = [report(base(name), tmp_path, profile=profile).verdict for profile in PROFILES]
        assert verdicts == sorted(verdicts)


def test_declared_numbers_are_too_little_for_a_gate(tmp_path):
    value = merge_patch(base("rate"), {"arms": {"a": {"trials": None}}})
    assert claim(value, tmp_path, "rate").tier == "T1"
    found = claim(value, tmp_path, "rate", profile="gate")
    assert found.verdict is Verdict.INSUFFICIENT_EVIDENCE


def test_a_cited_manifest_that_is_not_there_refutes_nothing_and_passes_nothing(tmp_path):
    value = merge_patch(
        base("rate"),
        {
            "manifests": {"study": {"path": "study/manifest.json", "sha256": "0" * 64}},
            "claims": {"rate": {"measured": {"manifest": "study", "arm": "a", "metric": "rate"}}},
        },
    )
    found = report(value, tmp_path)
    assert found.studies[0].signature == "unread"
    assert found.verdict is Verdict.INSUFFICIENT_EVIDENCE


def test_the_document_has_the_verdict_of_its_worst_claim(tmp_path):
    found = report(merge_patch(base("training-pair"), MIXED), tmp_path)
    assert found.verdict is max(item.verdict for item in found.claims) is Verdict.FAIL


def test_fingerprints_do_not_move_with_lines(tmp_path):
    value = merge_patch(base("training-pair"), MIXED)
    moved = {"title": value["title"], **copy.deepcopy(value)}
    one, two = (report(item, tmp_path).all_findings for item in (value, moved))
    assert [finding.fingerprint for finding in one] == [finding.fingerprint for finding in two]


def test_a_crashing_rule_is_a_finding_and_not_a_lost_report(tmp_path, monkeypatch):
    from dlaudit.audit.lint import lint as lint_module
    from dlaudit.rules.book import book
    from dlaudit.rules.registry import rule

    @rule("M99", "always-crashes", applies="any", origin="test")
    def always_crashes(claim, case, settings):
        """A rule with a defect.

        ## What it does
        Divides by zero.

        ## Why it misleads
        It does not.

        ## Branches
        - none

        ## Flagged
        On `rate`.

        ## Accepted
        On `rate`.

        ## How to fix
        Report the defect.

        ## References
        None.
        """
        yield 1 / 0

    monkeypatch.setattr(lint_module, "rules_in_force", lambda plugins: (*book(), always_crashes))
    found = claim(base("rate"), tmp_path, "rate")
    assert found.verdict is Verdict.INSUFFICIENT_EVIDENCE
    assert [finding.outcome for finding in found.findings if finding.code == "M99"] == ["error"]
