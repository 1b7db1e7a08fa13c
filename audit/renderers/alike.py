"""Claims of which the same is to be said: a report with hundreds of rows is read by kinds, the worst first."""

from __future__ import annotations

from collections.abc import Iterable

from ..report import ClaimReport

MANY = 30
"""From more claims than these on they are shown by kinds."""


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
