"""What speaks against an offer, and what weakens it, in words: contradictions first, then what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...schemas.tender import TenderMetric
from ..lint.lint import Linted
from ..renderers.counts import is_caveat
from ..report import ClaimReport, Finding, Verdict
from .digits import digits
from .figures import Figure

MOST_NAMED = 6
NONCE = "I04"


def refuted(linted: Sequence[Linted]) -> tuple[ClaimReport, ...]:
    """Return every claim that its evidence contradicts, whether the tender asks for its number or not."""
    return tuple(report for item in linted for report in item.report.claims if report.verdict is Verdict.FAIL)


def contradictions(reports: Sequence[ClaimReport], linted: Sequence[Linted]) -> Iterator[str]:
    """Yield what contradicts a hand-in as a whole, then what contradicts its claims.

    Args:
        reports: claims that count.
        linted: everything that was handed in.
    """
    of_all = [found for item in linted for found in item.report.findings]
    yield from dict.fromkeys(_words(found) for found in of_all if _decides(found) and found.outcome == "violation")
    counted = {id(report) for report in reports}
    refuting = [
        (report, _words(found))
        for report in refuted(linted)
        for found in report.findings
        if _decides(found) and found.outcome == "violation"
    ]
    said = dict.fromkeys(words for report, words in refuting if id(report) in counted)
    yield from said
    for report, words in refuting:
        if words not in said:
            yield f"{words}, in the further claim “{report.statement}”"


def lacking(reports: Sequence[ClaimReport], linted: Sequence[Linted]) -> tuple[str, ...]:
    """Return the required evidence that the claims that count, and what was handed in as a whole, do not show."""
    findings = [found for item in linted for found in item.report.findings]
    findings += [found for report in reports for found in report.findings]
    missing = (found for found in findings if _decides(found) and found.outcome != "violation")
    return tuple(dict.fromkeys(found.item or found.message for found in missing))


def not_shown(missing: Sequence[str]) -> Iterator[str]:
    """Yield one line of what is missing; all of it stands under what is unproven."""
    if missing:
        more = f" and {len(missing) - MOST_NAMED} more, all under unproven" if len(missing) > MOST_NAMED else ""
        yield f"not shown, and asked for in procurement: {'; '.join(missing[:MOST_NAMED])}{more}"


def caveats(reports: Sequence[ClaimReport]) -> tuple[str, ...]:
    """Return what weakens the claims that count without contradicting them; each kind once for each study."""
    found = [finding for report in reports for finding in report.findings if finding.waived is None]
    by_kind = {
        (finding.code, finding.location.file): finding.message for finding in reversed(found) if is_caveat(finding)
    }
    return tuple(dict.fromkeys(reversed(by_kind.values())))


def of_figure(label: str, metric: TenderMetric, figure: Figure) -> Iterator[str]:
    """Yield what speaks against a number by itself."""
    if figure.open.limit == "missed":
        limits = [f"at least {metric.least}" if metric.least else "", f"at most {metric.most}" if metric.most else ""]
        asked = " and ".join(filter(None, limits))
        value, low, high = digits(metric, figure)
        between = f" ({low} to {high})" if low else ""
        yield f"{label}: {value} {metric.unit}{between}, where {asked} is asked for"
    if not figure.claim and figure.verdict > Verdict.PASS_WITH_CAVEATS and not figure.not_comparable:
        yield f"{label}: {figure.why}"


def left_open(label: str, figure: Figure) -> Iterator[str]:
    """Yield what keeps a number that stands from being signed: a limit within its interval, or one that is too wide."""
    if figure.stands:
        yield from (f"{label}: {words}" for words in (figure.open.untold, figure.open.wide) if words)


def widely_kept(label: str, figure: Figure) -> Iterator[str]:
    """Yield that a number is known less well than the tender accepts of one without a limit."""
    if figure.stands and figure.open.kept_wide:
        yield f"{label}: {figure.open.kept_wide}"


def unreadable(item: Linted) -> str:
    """Say why a document cannot be read: where, what, and what to do."""
    first = item.report.findings[0]
    at, todo = first.location, first.next_step
    pointer = f" ({at.pointer})" if at.pointer else ""
    return f"{at.file}:{at.line}:{at.column}{pointer}: {first.message}{f'; {todo}' if todo else ''}"


def broken(linted: Sequence[Linted]) -> Iterator[str]:
    """Yield what of a hand-in could not be read, and what of its studies does not hold."""
    for item in linted:
        if item.report.verdict is None and item.report.findings:
            yield unreadable(item)
        yield from (problem for study in item.report.studies for problem in study.problems[:2])


def of_document(item: Linted) -> Verdict:
    """Return the verdict of what concerns a document as a whole."""
    decide = [found for found in item.report.findings if _decides(found)]
    if any(found.outcome == "violation" for found in decide):
        return Verdict.FAIL
    return Verdict.INSUFFICIENT_EVIDENCE if decide or item.report.verdict is None else Verdict.PASS


def _decides(finding: Finding) -> bool:
    return finding.decides and finding.waived is None


def _words(finding: Finding) -> str:
    if finding.code == NONCE and finding.claimed is not None:
        return f"measured for another call, or before this one: its study carries the nonce {finding.claimed}"
    return finding.message
