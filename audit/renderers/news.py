"""What is told under a baseline: how the document stands, what is new, and the known findings in a line a rule."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ..report import Against, ClaimReport, Finding, Report, Verdict
from .counts import counted


class KnownOf(Struct, frozen=True):
    """Known findings of one rule.

    Attributes:
        first: one of them.
        claims: ids of the claims; none where they are about the document.
    """

    first: Finding
    claims: tuple[str, ...]


def headline(report: Report, found: Against) -> str:
    """Return how a document stands against the baseline: "fails: 3 new findings"."""
    new = counted(found.new, "new finding")
    if found.fails:
        return f"fails: {new}"
    if is_stopped(report):
        return "undecided: a rule stopped"
    return f"passes: {new}, none that fails" if found.new else "passes: nothing new"


def standing(report: Report, found: Against) -> Verdict | None:
    """Return the verdict whose sign and colour say how a document stands against the baseline; None for undecided."""
    return Verdict.FAIL if found.fails else None if is_stopped(report) else Verdict.PASS


def is_stopped(report: Report) -> bool:
    """Whether a rule stopped that could have decided."""
    return any(finding.outcome == "error" and finding.decides for finding in report.all_findings)


def known_words(report: Report, found: Against) -> str:
    """Return what else was found, in counts: known to the baseline, waived, and the verdict of all of it."""
    waived = sum(finding.waived is not None for finding in report.all_findings)
    parts = [counted(found.known, "known finding"), *([f"{waived:,} waived"] if waived else [])]
    verdict = report.verdict if report.verdict is not None else Verdict.PASS
    return f"{', '.join(parts)}; without the baseline the verdict is {verdict.words}"


def has_news(claim: ClaimReport) -> bool:
    """Whether a claim has a finding that is new; without a baseline none is."""
    return any(finding.known is False for finding in claim.findings)


def fresh(report: Report) -> Report:
    """Return a report of what is new alone: the findings, and the claims that have some."""
    claims = tuple(replace(claim, findings=_new(claim.findings)) for claim in report.claims)
    return replace(report, claims=tuple(claim for claim in claims if claim.findings), findings=_new(report.findings))


def _new(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if not finding.known)


def known(report: Report) -> Iterator[KnownOf]:
    """Yield what is known or waived, a rule at a time, what decides first."""
    found: dict[object, list[Finding]] = {}
    for item in sorted(report.all_findings, key=lambda item: not item.decides):
        if item.known:
            found.setdefault((item.code, item.outcome, item.waived is not None), []).append(item)
    for items in found.values():
        claims = (item.claim for item in items if item.claim is not None)
        yield KnownOf(items[0], tuple(dict.fromkeys(claims)))
