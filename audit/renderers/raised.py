"""What a report raises with authors, by cause, and its summary in counts: the same in every format."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...rules.questions import Cause, causes
from ..report import ClaimReport, Finding, Report
from .counts import counted, is_caveat

KINDS = {"violation": "violation", "caveat": "caveat", "open": "open question"}
"""The gravest first, with what each is called in counts."""


class Raised(Struct, frozen=True):
    """A finding, or an item that one names beside others, as authors are asked about it.

    Attributes:
        cause: what it is about.
        kind: violation, caveat, or open where nothing is shown.
        code: its rule.
        seen: what the evidence says.
        finding: None for an item that a finding only names.
        claim: None where it is about the document.
    """

    cause: Cause
    kind: str
    code: str
    seen: str
    finding: Finding | None = None
    claim: ClaimReport | None = None


def raised(report: Report) -> Iterator[Raised]:
    """Yield what is to be asked, the claims in their order; what a waiver accepts is not."""
    for claim in report.claims:
        for finding in claim.findings:
            if finding.waived is None and finding.outcome != "error":
                yield Raised(_cause(finding), _kind(finding), finding.code, finding.message, finding, claim)
    for code, message in (member for finding in report.findings for member in finding.members):
        if code in causes():
            yield Raised(causes()[code], "open", code, message)
    for finding in report.findings:
        if finding.outcome == "violation" and finding.waived is None and finding.code in causes():
            yield Raised(causes()[finding.code], _kind(finding), finding.code, finding.message, finding)


def _kind(finding: Finding) -> str:
    return "open" if finding.outcome != "violation" else "caveat" if is_caveat(finding) else "violation"


def _cause(finding: Finding) -> Cause:
    """Return what a finding is about; of a rule that questions.json does not know, by the finding's own words."""
    known = causes().get(finding.code)
    if known is not None:
        return known
    topic = finding.item or finding.code
    return Cause(topic, f"What can you say about this: {finding.message}?", "", finding.next_step)


def tally(report: Report) -> tuple[str, ...]:
    """Return what was found in counts, each cause once by the gravest that is seen of it; errors and waivers apart."""
    kinds: dict[str, set[str]] = {}
    for each in raised(report):
        kinds.setdefault(each.cause.topic, set()).add(each.kind)
    for finding in report.findings:
        if finding.outcome == "violation" and finding.waived is None and finding.code not in causes():
            kinds.setdefault(finding.code, set()).add(_kind(finding))
    gravest = [next(kind for kind in KINDS if kind in found) for found in kinds.values()]
    stopped = sum(finding.outcome == "error" for finding in report.all_findings)
    waived = sum(finding.waived is not None for finding in report.all_findings)
    return (
        *(counted(gravest.count(kind), words) for kind, words in KINDS.items()),
        *([f"{counted(stopped, 'check')} stopped with an error"] if stopped else []),
        *([f"{waived:,} waived"] if waived else []),
    )
