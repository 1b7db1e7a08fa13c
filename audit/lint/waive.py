"""Waive: what the gate's owner accepts no longer decides; waivers that count for nothing are findings themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from ...rules.outcome import Outcome
from ...rules.registry import Listed
from ...schemas.digest import sha256_hex
from ...schemas.settings import Waiver
from ...schemas.source import Source
from ..report import Finding, Report
from ..verdict import Assessment
from ..waivers import EXPIRED, NONE, UNUSED, Waiving, waiving
from .findings import fingerprint, next_step_of
from .judge import Answer, Answers
from .locations import Locate
from .settings import Settings


def waivers_on(source: Source, settings: Settings) -> Waiving:
    """Return the waivers that concern a document."""
    if settings.waivers is None:
        return NONE
    return waiving(settings.waivers.waivers, sha256_hex(source.data), settings.today, settings.mandatory, source.name)


def waive(answers: Answers, waivers: Waiving) -> Answers:
    """Return the answers as waivers leave them."""
    claims = {name: _waived(answer, waivers, name) for name, answer in answers.claims.items()}
    return Answers(_waived(answers.document, waivers, None), claims)


def _waived(answer: Answer, waivers: Waiving, claim: str | None) -> Answer:
    return replace(answer, assessments=tuple(waivers.applied(each, claim) for each in answer.assessments))


def waiver_findings(
    waivers: Waiving, assessments: Iterable[Assessment], rules: Mapping[str, Listed], locate: Locate
) -> Iterator[Finding]:
    """Yield a finding for every waiver of this document that has expired, and for every one that matched nothing."""
    for name, waiver in waivers.expired.items():
        message = f"the waiver {name} of {waiver.rule} ended on {waiver.expires} and counts for nothing"
        yield _finding(rules[EXPIRED], message, waiver.place("expires"), locate)
    for name, waiver in waivers.unused(assessments).items():
        if waiver.rule in waivers.mandatory:
            message = f"the waiver {name} silences nothing: the configuration makes {waiver.rule} mandatory"
            yield _finding(rules[UNUSED], message, waiver.at, locate, "Mend the finding, and delete the waiver.")
        else:
            message = f"the waiver {name} of {waiver.rule} matches no finding"
            yield _finding(rules[UNUSED], message, waiver.at, locate)


def _finding(rule: Listed, message: str, at: str, locate: Locate, next_step: str = "") -> Finding:
    return Finding(
        fingerprint=fingerprint(rule.code, None, "", at),
        code=rule.code,
        name=rule.name,
        claim=None,
        outcome=Outcome.VIOLATION.value,
        effect="caveat",
        confidence="C3",
        tier="T1",
        branch="a",
        message=message,
        claimed=None,
        recomputed=None,
        location=locate(at),
        next_step=next_step or next_step_of(rule),
    )


def outdated_notes(waivers: Waiving, report: Report) -> tuple[str, ...]:
    """Return a sentence for every waiver that was written for the document before it changed."""
    return tuple(_outdated(name, waiver, report) for name, waiver in waivers.outdated.items())


def _outdated(name: str, waiver: Waiver, report: Report) -> str:
    there = [item for item in report.all_findings if (item.code, item.claim) == (waiver.rule, waiver.claim)]
    what = f"the waiver {name} of {waiver.rule} counts for nothing: {report.file} changed since it was waived"
    digests = f"SHA-256 {waiver.document[:8]} then, {report.sha256[:8]} now"
    if not there:
        return f"{what} ({digests}); the finding is gone, delete the waiver"
    return f"{what} ({digests}); look again, and renew it with `dlaudit waive {there[0].fingerprint[:8]}`, or mend it"
