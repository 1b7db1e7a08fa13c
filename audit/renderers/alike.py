"""Claims of which the same is to be said: a report with hundreds of rows is read by kinds, the worst first."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from ..report import ClaimReport, Finding, Report

MANY = 30
"""From more claims than these on they are shown by kinds."""


_NAMES = re.compile(r"'[^']*'|\"[^\"]*\"|\S*[0-9_/.\\]\S*")
_EFFECTS = ("", "caveat", "undermines", "refutes")


class Cause(Struct, frozen=True):
    """Findings of one rule that say the same of several claims, in words that differ in names and numbers alone.

    Attributes:
        first: one of them.
        claims: ids of the claims, in the order of the document.
        all: every one of them, where they are kept.
    """

    first: Finding
    claims: tuple[str, ...]
    all: tuple[Finding, ...] = ()


def causes(claims: Iterable[ClaimReport]) -> tuple[Cause, ...]:
    """Return the findings of many claims by cause, the gravest first; nothing of a document with few claims."""
    claims = tuple(claims)
    found: dict[object, dict[str, Finding]] = {}
    for claim in claims if len(claims) > MANY else ():
        for item in claim.findings:
            found.setdefault(cause_of(item), {}).setdefault(claim.id, item)
    listed = [Cause(next(iter(items.values())), tuple(items)) for items in found.values()]
    return tuple(sorted(listed, key=_gravity))


def by_cause(report: Report) -> tuple[Cause, ...]:
    """Return every finding of a report by cause, those of the document first: one annotation each."""
    found: dict[object, list[Finding]] = {}
    for item in report.all_findings:
        found.setdefault((item.claim is None, *cause_of(item)), []).append(item)
    return tuple(
        Cause(items[0], tuple(dict.fromkeys(item.claim for item in items if item.claim is not None)), tuple(items))
        for items in found.values()
    )


def cause_of(finding: Finding) -> tuple[object, ...]:
    """Return what findings of one cause share: rule, branch, weight, news or not, words without names and numbers."""
    words = " ".join(_NAMES.sub("…", finding.message).split())
    is_waived, is_known = finding.waived is not None, bool(finding.known)
    return finding.code, finding.outcome, finding.effect, finding.branch, is_waived, is_known, words


def _gravity(cause: Cause) -> tuple[bool, bool, int, int]:
    item = cause.first
    return not item.decides, item.outcome != "violation", -_EFFECTS.index(item.effect), -len(cause.claims)


def worst_first(claims: Iterable[ClaimReport]) -> tuple[ClaimReport, ...]:
    """Return claims with the worst verdict first; those of one verdict keep the order of the document."""
    return tuple(sorted(claims, key=lambda claim: -claim.verdict))


def by_kind(claims: Iterable[ClaimReport]) -> tuple[tuple[ClaimReport, ...], ...]:
    """Return claims in groups that share verdict, what they were judged as, and all findings but their numbers.

    Of a document with few claims each is a group of its own. The worst verdict comes first; claims and groups of one
    verdict keep the order of the document.
    """
    claims = worst_first(claims)
    if len(claims) <= MANY:
        return tuple((claim,) for claim in claims)
    groups: dict[object, list[ClaimReport]] = {}
    for claim in claims:
        groups.setdefault(_kind(claim), []).append(claim)
    return tuple(tuple(group) for group in groups.values())


def _kind(claim: ClaimReport) -> object:
    found = sorted(
        (item.code, item.outcome, item.effect, item.branch, item.waived is not None) for item in claim.findings
    )
    violations = tuple(item for item in found if item[1] == "violation")
    # beside a violation, what is merely not shown makes no kind of its own
    return (
        (claim.verdict, claim.judged_as, violations) if violations else (claim.verdict, claim.judged_as, tuple(found))
    )
