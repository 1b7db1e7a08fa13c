"""The report as workflow commands of GitHub Actions: an annotation for each document, then one for each cause.

It stands at the line of the first claim. What fails the gate is an error, what asks or warns a warning, what is worth
knowing a notice, and so is a waived finding; what is not shown and not required shares one notice. GitHub shows ten
annotations of a kind for each step and no more, so verdicts come first, then what decides. Under a baseline only what
is new is annotated; the annotation of the document counts the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ..lint.lint import Linted
from ..report import Finding, Location, Report, Verdict
from ..terminal import safe
from .alike import Cause, by_cause
from .counts import counted
from .news import fresh, headline, known_words, standing
from .places import relative
from .reasons import named, weight, worsening
from .severity import INVALID, level

MOST_LEFT_OUT = 20
MOST_NAMED = 12
STANDINGS = {Verdict.FAIL: "error", None: "warning", Verdict.PASS: "notice"}
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(linted: Iterable[Linted], fail_at: int = 2) -> str:
    """Return one workflow command a line.

    Args:
        linted: the judged documents.
        fail_at: the verdict to fail on.
    """
    linted = tuple(linted)
    lines = [_document(item, fail_at) for item in linted]
    linted = tuple(item if item.report.against is None else replace(item, report=fresh(item.report)) for item in linted)
    causes = [(item.report, cause) for item in linted for cause in by_cause(item.report)]
    causes.sort(key=lambda pair: not pair[1].first.decides)
    lines += [_note(item, note) for item in linted for note in item.report.notes]
    lines += [_left_out(item) for item in linted if item.report.left_out]
    lines += [_annotation(report, cause, fail_at) for report, cause in causes if not cause.first.is_minor]
    lines += [_minor(item) for item in linted if any(finding.is_minor for finding in item.report.all_findings)]
    return "".join(line + "\n" for line in lines)


def _document(item: Linted, fail_at: int) -> str:
    report, start = item.report, Location(item.path, 1, 1, "")
    if report.against is not None:
        kind = STANDINGS[standing(report, report.against)]
        found = known_words(report, report.against)
        return _command(kind, start, f"dlaudit: {headline(report, report.against)}", [found])
    verdict = report.verdict.words if report.verdict is not None else "NO VERDICT"
    worse = worsening(report)
    lines = [f"{worse.code}: {worse.message}"] if worse is not None else []
    lines += [f"{claim.id}: {claim.verdict.words}" + (f": {claim.why}" if claim.why else "") for claim in report.claims]
    if report.verdict is None or report.verdict >= fail_at:
        kind = "error"
    else:
        kind = "warning" if report.verdict >= Verdict.INSUFFICIENT_EVIDENCE else "notice"
    return _command(kind, start, f"dlaudit: {verdict}", lines or [_nothing(report)])


def _note(item: Linted, note: str) -> str:
    return _command("notice", Location(item.path, 1, 1, ""), "dlaudit", [note])


def _left_out(item: Linted) -> str:
    found = item.report.left_out
    lines = [f"not judged: {counted(len(found), 'file')}"]
    lines += [f"{relative(each.shown)}: {each.reason}" for each in found[:MOST_LEFT_OUT]]
    lines += [f"and {len(found) - MOST_LEFT_OUT:,} more"] if len(found) > MOST_LEFT_OUT else []
    return _command("warning", Location(item.path, 1, 1, ""), "dlaudit", lines)


def _minor(item: Linted) -> str:
    """Return one notice on all that is not shown and not required."""
    minor = (finding for finding in item.report.all_findings if finding.is_minor)
    topics = ", ".join(dict.fromkeys(f"{finding.code} {named(finding)}" for finding in minor))
    return _command("notice", Location(item.path, 1, 1, ""), "dlaudit", [f"not shown, but not required here: {topics}"])


def _nothing(report: Report) -> str:
    return "not a valid document" if report.findings else "the document makes no claim"


def _annotation(report: Report, cause: Cause, fail_at: int) -> str:
    finding = cause.first
    lines = {claim.id: claim.location for claim in report.claims}
    place = lines.get(finding.claim or "") or finding.location
    told = list(_lines(finding))
    if str(place) != str(finding.location):
        told.append(f"at {finding.location.within(relative(finding.location.file))}")
    if len(cause.claims) > 1:
        told.append(
            f"the same of {', '.join(cause.claims[1:MOST_NAMED])}{' and more' * (len(cause.claims) > MOST_NAMED)}"
        )
    return _command(_kind(finding, fail_at), place, f"{finding.code} {named(finding)}", told)


def _kind(finding: Finding, fail_at: int) -> str:
    found = level(finding, fail_at)
    if found == "none":
        return "warning"
    return _COMMANDS[found]


def _lines(finding: Finding) -> Iterator[str]:
    about = f"claim {finding.claim}: " if finding.claim is not None else ""
    yield f"{about}{finding.message} [{finding.fingerprint[:8]}]"
    if finding.code != INVALID:
        yield weight(finding)
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
