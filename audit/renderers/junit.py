"""The report as JUnit XML: a test suite for each document, a test case for each claim.

FAIL is a failure; INSUFFICIENT EVIDENCE is an error (the claim could not be tested); PASS WITH CAVEATS and PASS are
passed. Findings about the document as a whole stand in a case named `(document)`, which no claim can be called; a
document that is not valid is one case in error, and one without claims is one case that was skipped. All findings are
told in the case's output. Under a baseline a case fails by what is new alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..lint.lint import Linted
from ..report import ClaimReport, Finding, Report, Verdict
from ..terminal import safe
from .counts import counted
from .places import as_said, relative
from .reasons import named
from .severity import INVALID, grade

_NO_CHARACTER = re.compile("[\ufffe\uffff]")  # XML 1.0 has no way to write these two
MOST_LEFT_OUT = 100
_OUTCOME = {Verdict.FAIL: "failure", Verdict.INSUFFICIENT_EVIDENCE: "error"}


def render(linted: Iterable[Linted]) -> str:
    """Return the reports of one or several documents as one XML document."""
    suites = Element("testsuites", name="dlaudit")
    for item in linted:
        suites.append(_suite(item))
    _count(suites, list(suites.iter("testcase")))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _suite(item: Linted) -> Element:
    report, path = item.report, _clean(relative(item.path))
    suite = Element("testsuite", name=path, file=path)
    properties = SubElement(suite, "properties")
    verdict = report.verdict.words if report.verdict is not None else "NO VERDICT"
    values = {"verdict": verdict, "profile": report.profile, "sha256": report.sha256, "tool": f"dlaudit {report.tool}"}
    for name, value in values.items():
        SubElement(properties, "property", name=name, value=_clean(value))
    for note in report.notes:
        SubElement(properties, "property", name="note", value=_clean(note))
    suite.extend(_cases(report, path))
    suite.extend(_left_out(report, path))
    _count(suite, list(suite.iter("testcase")))
    return suite


def _cases(report: Report, path: str) -> Iterator[Element]:
    for claim in report.claims:
        yield _claim(claim, path)
    if report.findings or not report.claims:
        yield _document(report, path)


def _left_out(report: Report, path: str) -> Iterator[Element]:
    for each in report.left_out[:MOST_LEFT_OUT]:
        case = Element("testcase", classname=path, name=_clean(f"(not judged) {relative(each.shown)}"))
        SubElement(case, "skipped", message=_clean(each.reason))
        yield case
    if len(report.left_out) > MOST_LEFT_OUT:
        more = f"{len(report.left_out) - MOST_LEFT_OUT:,} more files"
        case = Element("testcase", classname=path, name=f"(not judged) {more}")
        SubElement(case, "skipped", message=more)
        yield case


def _claim(claim: ClaimReport, path: str) -> Element:
    case = Element("testcase", classname=path, name=_clean(claim.id))
    decisive = [item for item in claim.findings if item.decides and not item.known]
    if claim.verdict in _OUTCOME and decisive:
        is_all_new = all(item.known is None for item in decisive)
        verdict, why = (claim.verdict, claim.why) if is_all_new else (_leaves(decisive), decisive[0].message)
        _ended(case, _OUTCOME[verdict], verdict.words, _clean(f"{verdict.words}: {why}"), decisive)
    without = "without the baseline: " if any(item.known is not None for item in claim.findings) else ""
    why = f": {claim.why}" if claim.why else ""
    head = [f"{without}{claim.verdict.words}{why}", as_said(claim, claim.statement)]
    coverage = claim.coverage
    head += [claim.judged_as, f"{len(coverage.decided)} rules decided, {len(coverage.not_shown)} not shown"]
    _output(case, head, claim.findings)
    return case


def _document(report: Report, path: str) -> Element:
    case = Element("testcase", classname=path, name="(document)")
    invalid = [finding for finding in report.findings if finding.code == INVALID]
    decisive = [finding for finding in report.findings if finding.decides and not finding.known]
    if invalid:
        _ended(case, "error", "document-invalid", f"not a valid document: {counted(len(invalid), 'problem')}", invalid)
    elif decisive:
        verdict = _leaves(decisive)
        _ended(case, _OUTCOME[verdict], verdict.words, _clean(decisive[0].message), decisive)
    elif not report.claims:
        SubElement(case, "skipped", message="the document makes no claim")
    _output(case, [], report.findings)
    return case


def _leaves(decisive: Iterable[Finding]) -> Verdict:
    """Return the verdict that findings which decide leave."""
    proved = any(finding.outcome == "violation" for finding in decisive)
    return Verdict.FAIL if proved else Verdict.INSUFFICIENT_EVIDENCE


def _ended(case: Element, kind: str, name: str, message: str, findings: Iterable[Finding]) -> None:
    element = SubElement(case, kind, type=name, message=message)
    element.text = "\n".join(_clean(line) for finding in findings for line in _lines(finding))


def _output(case: Element, head: Iterable[str], findings: Iterable[Finding]) -> None:
    lines = [*head, *(line for finding in findings for line in _lines(finding))]
    if lines:
        SubElement(case, "system-out").text = "\n".join(_clean(line) for line in lines)


def _lines(finding: Finding) -> Iterator[str]:
    location = finding.location
    where = location.within(relative(location.file))
    new = "new: " if finding.known is False else ""
    yield f"{where}: {new}{finding.code} {named(finding)} ({grade(finding)}) [{finding.fingerprint[:8]}]"
    yield f"  {finding.message}"
    if finding.claimed is not None:
        yield f"  claimed {finding.claimed}"
    if finding.recomputed is not None:
        yield f"  recomputed {finding.recomputed}"
    yield from (f"  see {other.within(relative(other.file))}: {note}" for other, note in finding.related)
    yield from (f"  {code}: {message}" for code, message in finding.members)
    if finding.waived is not None:
        waived = finding.waived
        yield f"  waived by {waived.approver} until {waived.expires}: {waived.justification}"
    if finding.next_step:
        yield f"  next: {finding.next_step}"


def _clean(text: str) -> str:
    """Return text that XML can hold and that shows every character."""
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", safe(text))


def _count(element: Element, cases: list[Element]) -> None:
    kinds = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    element.set("tests", str(len(cases)))
    for name, kind in kinds:
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))
