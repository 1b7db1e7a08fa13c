"""Baselines: the findings of earlier verdicts, matched one for one, so that a gate reacts to news only.

A finding that decides now and did not then is new. What a waiver accepts is neither known nor new: no baseline takes it
in, so that it is new when the waiver ends or is void, and fails as it would have without the waiver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ..schemas.validation import load
from .lint.lint import Linted
from .renderers.counts import counted
from .renderers.severity import level
from .report import Against, Finding, Report

MOST_NAMED = 12
STOPPED = "error"
"""Outcome of a rule that stopped, and of a document that is not valid: neither is known at any time."""
Known = Counter[tuple[str, str, bool]]
"""Findings, counted by (file, fingerprint, whether it decides)."""


def read_baseline(path: Path) -> Known:
    """Return the findings of a verdict document, but for those that a waiver accepted.

    Raises:
        UserError: it cannot be read, or is no verdict document.
    """
    verdict: Any = load(path, "verdict").value
    return Counter(
        (document["file"], finding["fingerprint"], finding["decides"])
        for document in verdict["documents"]
        for part in (document, *document["claims"].values())
        for finding in part["findings"]
        if finding["waived"] is None and finding["outcome"] != STOPPED
    )


def known_of(linted: Iterable[Linted]) -> Known:
    """Return what a baseline written of these reports holds, as it is read back."""
    return Counter((report.file, finding.fingerprint, finding.decides) for report, finding in _taken_in(linted))


def taken_in_words(linted: Iterable[Linted]) -> Iterator[str]:
    """Yield what a baseline written of these reports holds, by name what fails today, and what it leaves out."""
    linted = tuple(linted)
    found = _taken_in(linted)
    yield f"takes in {counted(len(found), 'finding')}"
    failing = [(report, item) for report, item in found if item.decides and item.outcome == "violation"]
    if failing:
        named = "; ".join(
            f"{item.code} {item.name} of {item.claim or 'the document'}, {item.location.within(report.file)}"
            for report, item in failing[:MOST_NAMED]
        )
        more = f"; and {len(failing) - MOST_NAMED:,} more" if len(failing) > MOST_NAMED else ""
        fail = "fails" if len(failing) == 1 else "fail"
        yield f"takes in {counted(len(failing), 'finding')} that {fail} today: {named}{more}"
    waived = sum(item.waived is not None for each in linted for item in each.report.all_findings)
    if waived:
        yield f"leaves out {counted(waived, 'finding')} that {'a waiver accepts' if waived == 1 else 'waivers accept'}"


def _taken_in(linted: Iterable[Linted]) -> tuple[tuple[Report, Finding], ...]:
    reports = [item.report for item in linted]
    pairs = ((report, finding) for report in reports for finding in report.all_findings)
    return tuple(pair for pair in pairs if pair[1].waived is None and pair[1].outcome != STOPPED)


def against(linted: Iterable[Linted], known: Known, fail_at: int) -> list[Linted]:
    """Return the reports with every finding marked as known or new; each known one is used up once.

    Args:
        linted: the judged documents; one without a verdict stays as it is.
        known: what the baseline holds.
        fail_at: the verdict to fail on.
    """
    left = known.copy()
    return [
        replace(item, report=_marked(item.report, left, fail_at)) if item.report.verdict is not None else item
        for item in linted
    ]


def _marked(report: Report, left: Known, fail_at: int) -> Report:
    def marked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
        return tuple(
            replace(each, known=each.waived is not None or _used_up(report.file, each, left)) for each in findings
        )

    claims = tuple(replace(claim, findings=marked(claim.findings)) for claim in report.claims)
    told = replace(report, claims=claims, findings=marked(report.findings))
    new = [each for each in told.all_findings if not each.known]
    held = sum(bool(each.known) and each.waived is None for each in told.all_findings)
    fails = any(level(each, fail_at) == "error" for each in new)
    return replace(told, against=Against(len(new), held, fails))


def _used_up(file: str, finding: Finding, left: Known) -> bool:
    """Take a finding from those that are left; whether it was there. One that decides needs one that did."""
    for decided in (True,) if finding.decides else (False, True):
        key = file, finding.fingerprint, decided
        if left[key] > 0:
            left[key] -= 1
            return True
    return False
