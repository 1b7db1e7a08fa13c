"""From weighed results to findings with places, and to the completeness finding of the document."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from ...rules.documentation import sections
from ...rules.outcome import NotShown, Outcome, Related, Violation
from ...rules.registry import Listed
from ...schemas.settings import Waiver
from ..report import Finding, Report, Spot, Verdict
from ..verdict import Weighed
from ..waivers import EXPIRED, UNUSED, Waiving

Locate = Callable[[str], Spot]


def finding(weighed: Weighed, rule: Listed, locate: Locate) -> Finding | None:
    """Return the finding of a result, or None where it has none of its own (a pass, a fold, a note)."""
    result, branch = weighed.result, weighed.result.branch
    if result.outcome is Outcome.ERROR:
        return _finding(weighed, rule, locate, message=f"the rule stopped: {result.reason}", at=_claim_at(result.claim))
    if isinstance(branch, Violation):
        return _finding(weighed, rule, locate, message=branch.message, at=branch.at)
    if isinstance(branch, NotShown) and not weighed.folded and not weighed.noted:
        return _finding(weighed, rule, locate, message=branch.message, at=branch.at)
    if result.outcome is Outcome.PASS and weighed.verdict is Verdict.INSUFFICIENT_EVIDENCE:
        return _finding(weighed, rule, locate, message=weighed.why, at=_claim_at(result.claim))
    return None


def _claim_at(claim: str | None) -> str:
    return f"/claims/{claim}" if claim is not None else ""


def _finding(weighed: Weighed, rule: Listed, locate: Locate, *, message: str, at: str) -> Finding:
    result, branch = weighed.result, weighed.result.branch
    violation = branch if isinstance(branch, Violation) else None
    missing = branch if isinstance(branch, NotShown) else None
    related: tuple[Related, ...] = branch.related if branch is not None else ()
    letter = violation.branch if violation is not None else ""
    outcome = Outcome.NOT_SHOWN if result.outcome is Outcome.PASS else result.outcome
    return Finding(
        fingerprint=fingerprint(result.code, result.claim, letter or outcome.value, at),
        code=result.code,
        name=rule.name,
        claim=result.claim,
        outcome=outcome.value,
        effect=violation.effect.word if violation is not None else "",
        confidence=violation.confidence.name if violation is not None else "",
        tier=result.tier.name,
        branch=letter,
        message=message,
        claimed=violation.claimed if violation is not None else None,
        recomputed=violation.recomputed if violation is not None else None,
        spot=locate(at),
        related=tuple((locate(item.at), item.note) for item in related),
        also=result.also,
        decides=weighed.verdict >= Verdict.INSUFFICIENT_EVIDENCE,
        item=weighed.item,
        next_step=_next_step(rule),
        provide=missing.provide if missing is not None else "",
        waived=weighed.waived,
    )


def fingerprint(code: str, claim: str | None, branch: str, at: str) -> str:
    """Return the stable name of a finding: 16 hexadecimal digits over what it is about, not where its line stands."""
    return hashlib.sha256("\0".join((code, claim or "", branch, at)).encode()).hexdigest()[:16]


def _next_step(rule: Listed) -> str:
    """Return the first paragraph of what a rule says about mending its flaw."""
    return _first_paragraph(rule.load().doc)


@cache
def _first_paragraph(doc: str) -> str:
    return " ".join(sections(doc)["How to fix"].split("\n\n")[0].split())


def completeness(folded: Iterable[Weighed], rule: Listed, locate: Locate) -> Finding | None:
    """Return the finding R00 over everything that is not shown and decides nothing, or None where all is shown."""
    missing: dict[str, dict[tuple[str, str], str]] = {}
    for weighed in folded:
        branch = weighed.result.branch
        if isinstance(branch, NotShown):
            missing.setdefault(weighed.result.code, {}).setdefault((branch.at, branch.message), branch.message)
    members = {code: _with_count(tuple(found.values())) for code, found in missing.items()}
    if not members:
        return None
    return Finding(
        fingerprint=fingerprint(rule.code, None, Outcome.NOT_SHOWN.value, ""),
        code=rule.code,
        name=rule.name,
        claim=None,
        outcome=Outcome.NOT_SHOWN.value,
        effect="",
        confidence="",
        tier="T0",
        branch="",
        message=f"{len(members)} further items are not stated; none of them decides a claim under this profile",
        claimed=None,
        recomputed=None,
        spot=locate(""),
        next_step=_next_step(rule),
        members=tuple(sorted(members.items())),
    )


def _with_count(messages: tuple[str, ...]) -> str:
    """Return the first message, and at how many more places the same rule misses something."""
    more = len(messages) - 1
    return messages[0] if not more else f"{messages[0]} (and {more} more place{'s' if more > 1 else ''})"


def waiver_findings(
    waivers: Waiving, weighed: Iterable[Weighed], rules: Mapping[str, Listed], locate: Locate
) -> Iterator[Finding]:
    """Yield a finding for every waiver of this document that has expired, and for every one that matched nothing."""
    for name, waiver in waivers.expired.items():
        message = f"the waiver {name} of {waiver.rule} ended on {waiver.expires} and counts for nothing"
        yield _of_waiver(rules[EXPIRED], message, waiver.place("expires"), locate)
    for name, waiver in waivers.unused(weighed).items():
        if waiver.rule in waivers.mandatory:
            message = f"the waiver {name} silences nothing: the configuration makes {waiver.rule} mandatory"
            yield _of_waiver(rules[UNUSED], message, waiver.at, locate, "Mend the finding, and delete the waiver.")
        else:
            message = f"the waiver {name} of {waiver.rule} matches no finding"
            yield _of_waiver(rules[UNUSED], message, waiver.at, locate)


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


def _of_waiver(rule: Listed, message: str, at: str, locate: Locate, next_step: str = "") -> Finding:
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
        spot=locate(at),
        next_step=next_step or _next_step(rule),
    )
