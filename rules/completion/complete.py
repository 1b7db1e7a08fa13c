"""Cases whose claims are completed by their words, and the same cases as they would be without a reading."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...schemas.submission import Claim, Submission
from ..caching import fact
from ..case import Case
from .absent_fields import Words, reads_of, words_about
from .contradicted_fields import Contradiction, contradictions
from .reads import Read


def completed(case: Case) -> Case:
    """Return the case with each claim completed by what its words say; itself where that has been done."""
    return case if case.reads is not None else _completed(case)


@fact
def _completed(case: Case) -> Case:
    reads: dict[str, tuple[Read, ...]] = {}
    claims: dict[str, Claim] = {}
    for name, claim in case.submission.claims.items():
        found = reads_of(claim, words_of(claim, case.submission))
        claims[name] = replace(claim, **{item.field: item.value for item in found}) if found else claim
        if found:
            reads[claim.at] = found
    submission = replace(case.submission, claims=claims) if reads else case.submission
    return replace(case, submission=submission, reads=reads, cache={})


def words_of(claim: Claim, submission: Submission) -> Words:
    """Return the texts about a claim, with the caption of its table."""
    return words_about(claim, submission.tables.get(claim.row.table) if claim.row is not None else None)


@fact
def without(case: Case, field: str) -> Case:
    """Return a completed case without what words gave to one field of its claims."""
    reads = case.reads or {}
    claims = {
        name: replace(claim, **{field: None}) if any(item.field == field for item in reads.get(claim.at, ())) else claim
        for name, claim in case.submission.claims.items()
    }
    left = {at: tuple(item for item in found if item.field != field) for at, found in reads.items()}
    return replace(case, submission=replace(case.submission, claims=claims), reads=left, cache={})


@fact
def contradicted(case: Case, claim: Claim) -> tuple[Contradiction, ...]:
    """Return the fields of a claim that its words contradict."""
    return contradictions(claim, words_of(claim, case.submission), case)


@fact
def as_worded(case: Case) -> Case:
    """Return a case in which claims whose words contradict what they are taken for are what their words say."""
    claims = {name: worded(case, claim) for name, claim in case.submission.claims.items()}
    return replace(case, submission=replace(case.submission, claims=claims), cache={})


@fact
def worded(case: Case, claim: Claim) -> Claim:
    """Return a claim as its words say what it is; itself where its fields say the same."""
    given = {field: item.value for field, item in taken_otherwise(case, claim).items()}
    return replace(claim, **given) if given else claim


def taken_otherwise(case: Case, claim: Claim) -> Mapping[str, Read]:
    """Return by field what a claim is by its words, where they contradict what it is taken for."""
    return {item.read.field: item.read for item in contradicted(case, claim) if item.taken_for}
