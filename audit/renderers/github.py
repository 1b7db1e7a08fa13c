"""The report as workflow commands of GitHub Actions: an annotation for each document, then one for each finding.

A violation is an error, a warning or a notice, as its effect says. Something not shown is a warning where it decides a
claim, else a notice; a waived finding is a notice. GitHub shows ten annotations of a kind for each step and no more, so
verdicts come first, then what decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..lint.lint import Linted
from ..report import Finding, Location, Report, Verdict
from ..terminal import safe
from .counts import counted
from .places import relative
from .severity import grade, level

MOST_LEFT_OUT = 20
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_VERDICTS = {Verdict.FAIL: "error", Verdict.INSUFFICIENT_EVIDENCE: "warning", None: "error"}


def render(linted: Iterable[Linted]) -> str:
    """Return one workflow command a line."""
    linted = tuple(linted)
    findings = [(item, finding) for item in linted for finding in item.report.all_findings]
    findings.sort(key=lambda pair: not pair[1].decides)
    lines = [_document(item) for item in linted]
    lines += [_note(item, note) for item in linted for note in item.report.notes]
    lines += [_left_out(item) for item in linted if item.report.left_out]
    lines += [_annotation(finding) for _, finding in findings]
    return "".join(line + "\n" for line in lines)


def _document(item: Linted) -> str:
    report = item.report
    verdict = report.verdict.words if report.verdict is not None else "NO VERDICT"
    lines = [f"{claim.id}: {claim.verdict.words}" + (f": {claim.why}" if claim.why else "") for claim in report.claims]
    start = Location(item.path, 1, 1, "")
    return _command(_VERDICTS.get(report.verdict, "notice"), start, f"dlaudit: {verdict}", lines or [_nothing(report)])


def _note(item: Linted, note: str) -> str:
    return _command("notice", Location(item.path, 1, 1, ""), "dlaudit", [note])


def _left_out(item: Linted) -> str:
    found = item.report.left_out
    lines = [f"handed in, not judged: {counted(len(found), 'file')}"]
    lines += [f"{relative(each.shown)}: {each.reason}" for each in found[:MOST_LEFT_OUT]]
    lines += [f"and {len(found) - MOST_LEFT_OUT:,} more"] if len(found) > MOST_LEFT_OUT else []
    return _command("warning", Location(item.path, 1, 1, ""), "dlaudit", lines)


def _nothing(report: Report) -> str:
    return "not a valid document" if report.findings else "the document makes no claim"


def _annotation(finding: Finding) -> str:
    return _command(_kind(finding), finding.location, f"{finding.code} {finding.name}", _lines(finding))


def _kind(finding: Finding) -> str:
    if finding.waived is not None:
        return "notice"
    if level(finding) == "none":
        return "warning" if finding.decides or finding.outcome == "error" else "notice"
    return _COMMANDS[level(finding)]


def _lines(finding: Finding) -> Iterator[str]:
    about = f"claim {finding.claim}: " if finding.claim is not None else ""
    yield f"{about}{finding.message} ({grade(finding)})"
    values = (("claimed", finding.claimed), ("recomputed", finding.recomputed))
    yield from (f"{word} {value}" for word, value in values if value is not None)
    yield from (f"see {other.within(relative(other.file))}: {note}" for other, note in finding.related)
    yield from (f"{code}: {message}" for code, message in finding.members)
    if finding.waived is not None:
        yield f"waived by {finding.waived.approver} until {finding.waived.expires}: {finding.waived.justification}"
    if finding.next_step:
        yield f"next: {finding.next_step}"


def _command(kind: str, location: Location, title: str, lines: Iterable[str]) -> str:
    place = {"file": relative(location.file), "line": str(location.line), "col": str(location.column), "title": title}
    properties = ",".join(f"{name}={_property(value)}" for name, value in place.items())
    return f"::{kind} {properties}::{_data(chr(10).join(safe(line) for line in lines))}"


def _data(text: str) -> str:
    """Escape the message of a command as the runner reads it back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape the value of a command's property as the runner reads it back."""
    return _data(safe(text)).replace(":", "%3A").replace(",", "%2C")
