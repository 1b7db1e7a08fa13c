"""Waive: what the gate's owner accepts no longer decides; waivers that count for nothing are findings themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from ...rules.case import Case
from ...rules.outcome import Outcome
from ...rules.registry import Listed
from ...schemas.digest import sha256_hex
from ...schemas.settings import Waiver
from ...schemas.source import Source
from ..report import Finding, Report
from ..verdict import Assessment
from ..waivers import EXPIRED, NONE, UNUSED, Waiving, behind, waiving
from .findings import fingerprint, next_step_of
from .judge import Answer, Answers
from .locations import Locate
from .settings import Settings


def waivers_on(source: Source, case: Case, settings: Settings) -> Waiving:
    """Return the waivers that concern a document, as it is now and as what it was taken from is now."""
    if settings.waivers is None:
        return NONE
    digest, waivers = sha256_hex(source.data), settings.waivers.waivers
    return waiving(waivers, digest, settings.today, settings.mandatory, source.name, behind(case))


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
        message = f"the waiver {name} of {waiver.rule} ended on {waiver.expires} and no longer applies"
        yield _finding(rules[EXPIRED], message, waiver.place("expires"), locate)
    for name, waiver in waivers.unused(assessments).items():
        if waiver.rule in waivers.mandatory:
            message = f"the waiver {name} has no effect: the configuration makes {waiver.rule} mandatory"
            yield _finding(rules[UNUSED], message, waiver.at, locate, "Correct what was found, and delete the waiver.")
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


def outdated_notes(waivers: Waiving, report: Report, case: Case) -> tuple[str, ...]:
    """Return a sentence for every waiver that was written for the document, or what is behind it, before a change."""
    return tuple(_outdated(name, waiver, report, case) for name, waiver in waivers.outdated.items())


def _outdated(name: str, waiver: Waiver, report: Report, case: Case) -> str:
    there = [item for item in report.all_findings if (item.code, item.claim) == (waiver.rule, waiver.claim)]
    changed, then, now = report.file, waiver.document, report.sha256
    if then == now:
        changed, then, now = _changed(waiver, case)
    what = f"the waiver {name} of {waiver.rule} no longer applies: {changed} changed since it was waived"
    digests = f"SHA-256 {then[:8]} then, {now[:8]} now"
    if not there:
        return f"{what} ({digests}); the finding is gone, delete the waiver"
    return f"{what} ({digests}); look again, and renew it with `dlaudit waive {there[0].fingerprint[:8]}`, or mend it"


def _changed(waiver: Waiver, case: Case) -> tuple[str, str, str]:
    """Return which file behind a document is another than was waived, with its digests then and now."""
    is_now = behind(case).read_by(waiver.rule)
    names = dict.fromkeys((*waiver.results, *is_now.results))
    pairs = [(name, waiver.results.get(name), is_now.results.get(name)) for name in names]
    pairs.insert(0, (case.published.name if case.published is not None else "its source", waiver.source, is_now.source))
    name, then, now = next(pair for pair in pairs if pair[1] != pair[2])
    return name, then or "none", now or "none"
