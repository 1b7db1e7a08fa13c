"""Findings: from assessed results to findings with locations, and to the completeness finding of the document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache

from ...rules.documentation import sections
from ...rules.outcome import NotShown, Outcome, Related, Violation
from ...rules.registry import Listed
from ..report import Finding, Verdict
from ..verdict import Assessment
from .locations import Locate


def finding(assessment: Assessment, rule: Listed, locate: Locate) -> Finding | None:
    """Return the finding of a result, or None where it has none of its own (a pass, a fold, a note)."""
    result, branch = assessment.result, assessment.result.branch
    if result.outcome is Outcome.ERROR:
        return _finding(
            assessment, rule, locate, message=f"the rule stopped: {result.reason}", at=_claim_at(result.claim)
        )
    if isinstance(branch, Violation):
        return _finding(assessment, rule, locate, message=branch.message, at=branch.at)
    if isinstance(branch, NotShown) and not assessment.folded and not assessment.noted:
        return _finding(assessment, rule, locate, message=branch.message, at=branch.at)
    if result.outcome is Outcome.PASS and assessment.verdict is Verdict.INSUFFICIENT_EVIDENCE:
        return _finding(assessment, rule, locate, message=assessment.why, at=_claim_at(result.claim))
    return None


def _claim_at(claim: str | None) -> str:
    return f"/claims/{claim}" if claim is not None else ""


def _finding(assessment: Assessment, rule: Listed, locate: Locate, *, message: str, at: str) -> Finding:
    result, branch = assessment.result, assessment.result.branch
    violation = branch if isinstance(branch, Violation) else None
    missing = branch if isinstance(branch, NotShown) else None
    related: tuple[Related, ...] = branch.related if branch is not None else ()
    first = next((item for item in related if item.instead), None)
    if first is not None:
        related = (Related(at, first.instead), *(item for item in related if item is not first))
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
        location=locate(first.at if first is not None else at),
        related=tuple((locate(item.at), item.note) for item in related),
        also=result.also,
        decides=assessment.verdict >= Verdict.INSUFFICIENT_EVIDENCE,
        item=assessment.item,
        next_step=next_step_of(rule),
        provide=missing.provide if missing is not None else "",
        waived=assessment.waived,
    )


def fingerprint(code: str, claim: str | None, branch: str, at: str) -> str:
    """Return the stable name of a finding: 16 hexadecimal digits over what it is about, not where its line stands."""
    return hashlib.sha256("\0".join((code, claim or "", branch, at)).encode()).hexdigest()[:16]


def next_step_of(rule: Listed) -> str:
    """Return the first paragraph of what a rule says about mending its flaw."""
    return _first_paragraph(rule.load().doc)


@cache
def _first_paragraph(doc: str) -> str:
    return " ".join(sections(doc)["How to fix"].split("\n\n")[0].split())


def completeness(folded: Iterable[Assessment], rule: Listed, locate: Locate) -> Finding | None:
    """Return the finding R00 over everything that is not shown and decides nothing, or None where all is shown."""
    missing: dict[str, dict[tuple[str, str], str]] = {}
    for assessment in folded:
        branch = assessment.result.branch
        if isinstance(branch, NotShown):
            missing.setdefault(assessment.result.code, {}).setdefault((branch.at, branch.message), branch.message)
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
        location=locate(""),
        next_step=next_step_of(rule),
        members=tuple(sorted(members.items())),
    )


def _with_count(messages: tuple[str, ...]) -> str:
    """Return the first message, and at how many more places the same rule misses something."""
    more = len(messages) - 1
    return messages[0] if not more else f"{messages[0]} (and {more} more place{'s' if more > 1 else ''})"
