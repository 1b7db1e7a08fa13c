"""One small report for every renderer: a claim that is refuted, one that lacks evidence, a waived finding, a fold."""

from collections import Counter

import pytest
from dlaudit.audit.baseline import against
from dlaudit.audit.lint.lint import Linted
from dlaudit.audit.report import ClaimReport, Coverage, Finding, Location, Report, Verdict, Waived
from dlaudit.rules.case import Case
from dlaudit.schemas.submission import Submission

SHA = "4f" * 32


def finding(code, name, text, number, **fields):
    """A finding that holds `text` wherever a document could have put it."""
    location = Location(f"results/{text}", number, 5, f"/claims/{text}", f"    {text}")
    given = {
        "fingerprint": f"{number:016x}",
        "code": code,
        "name": name,
        "claim": "speedup",
        "outcome": "violation",
        "effect": "refutes",
        "confidence": "C3",
        "tier": "T2",
        "branch": "a",
        "message": f"message {text}",
        "claimed": None,
        "recomputed": None,
        "location": location,
        "next_step": "Give both values under one option set.",
    }
    return Finding(**{**given, **fields})


def small_report(text="words", path="results/submission.yaml"):
    """A judged document with `text` in every field that can come from a document."""
    waived = Waived("short", "accepted_risk", f"justification {text}", f"approver {text}", "2027-03-31")
    place = Location("results/study/manifest.json", 7, 3, "/predicate/arms/a", "")
    refuted = finding(
        *("W0801", "option-set-mismatch", text, 9),
        claimed=f"claimed {text}",
        recomputed=f"recomputed {text}",
        related=((place, f"note {text}"),),
        also=("S13",),
        decides=True,
    )
    few = finding("M04", "too-few-repetitions", text, 10, effect="caveat", waived=waived)
    nothing = {"outcome": "not-shown", "effect": "", "confidence": "", "tier": "T0", "branch": ""}
    missing = finding(
        *("W0201", "test-metric-absent", text, 14),
        **nothing,
        claim="rate",
        decides=True,
        item="quality on a test split",
        provide="convergence:\n  seeds: [1, 2]\n",
    )
    folded = finding(
        *("R00", "report-incomplete", text, 1), **nothing, claim=None, members=(("R01", f"member {text}"),)
    )
    coverage = Coverage(("W0801", "M04", "S13"), ("W0201",), 7, ("quality on a test split",))
    claims = (
        ClaimReport(
            *("speedup", f"statement {text}", f"3.2 {text}", Verdict.FAIL, f"W0801 refutes {text}", "judged as time"),
            *("T2", (refuted, few), coverage),
        ),
        ClaimReport(
            *("rate", f"statement {text}", "", Verdict.INSUFFICIENT_EVIDENCE, "not shown: quality", "judged as rate"),
            *("T1", (missing,), Coverage(("M04",), ("W0201",), 9)),
        ),
        ClaimReport("time", "A sentence.", "12 s", Verdict.PASS, "", "judged as time", "T2", (), coverage),
    )
    report = Report(
        path.rpartition("/")[2], SHA, f"title {text}", "full", "reviewer", "0.1.0", Verdict.FAIL, claims, (folded,)
    )
    return Linted(report, Case(Submission(dlaudit="submission/1", title="t", claims={})), path=path)


@pytest.fixture
def small():
    return small_report


def small_report_under_a_baseline(text="words", fail_at=2):
    """The same where all but what is missing is known."""
    item = small_report(text)
    known = Counter((item.report.file, found.fingerprint, found.decides) for found in item.report.all_findings)
    for found in item.report.all_findings:
        if found.code == "W0201":
            del known[(item.report.file, found.fingerprint, True)]
    return against([item], known, fail_at)[0]


@pytest.fixture
def small_under_a_baseline():
    return small_report_under_a_baseline


HOSTILE = (
    "",
    " ",
    "`",
    "``` ` ``",
    "a|b",
    "\\",
    "\\|",
    "`|`",
    "<script>alert(1)</script>",
    "</details></summary><img src=x onerror=alert(1)>",
    "<!-- ",
    "-->",
    "]]><a/>",
    "&lt;&#x40;&amp;",
    "@octocat #1 GH-1 owner/repo#1 https://example.org www.example.org a@example.org",
    "[text](https://example.org)",
    "![image](https://example.org/x.png)",
    "[text]: https://example.org",
    "{0} {{1}} ${{ secrets.TOKEN }}",
    "::error::injected",
    "%0A::error::injected",
    "a,line=1::b",
    "a\n::set-output name=x::y",
    "a\r\n\r\n# b\n\n---\n- c",
    "\x00\x01\x07\x1b[2J\x7f\x85",
    "\u202e\u2066\u200b\ufeff\ufffe\uffff",
    "\ud800",
    "\U000e0041\U0001f600",
    "    indented",
    "x" * 500,
)


@pytest.fixture
def hostile():
    """Strings that try to leave their place, and the public list of naughty strings where this machine has it."""
    import json
    import os
    from pathlib import Path

    folder = os.environ.get("DLAUDIT_CONFORMANCE")
    more = json.loads((Path(folder) / "naughty-strings" / "blns.json").read_bytes()) if folder else []
    return (*HOSTILE, *more)
