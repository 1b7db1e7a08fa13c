"""Cases whose claims and arms are completed by words, and the same cases as they would be without a reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ...schemas.submission import Claim, Submission
from ..caching import fact
from ..case import Case
from .absent_fields import Words, reads_of, words_about
from .arms import OF_ARMS, arm_reads, with_reads, without_read
from .contradicted_fields import Contradiction, contradictions
from .reads import Read


def completed(case: Case) -> Case:
    """Return the case with claims and arms completed by what words say of them; itself where that has been done."""
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
    of_arms = arm_reads(case.submission)
    submission = (
        replace(case.submission, claims=claims, **_arms(case.submission, of_arms))
        if reads or of_arms
        else case.submission
    )
    reads |= {submission.arms[name].at: found for name, found in of_arms.items()}
    return replace(case, submission=submission, reads=reads, cache={})


def _arms(submission: Submission, found: Mapping[str, tuple[Read, ...]]) -> dict[str, Any]:
    """Return the arms of a submission with what words give to them, and its systems with those they name."""
    systems = dict(submission.systems)
    given = {name: with_reads(submission.arms[name], name, reads, systems) for name, reads in found.items()}
    return {"arms": submission.arms | given, "systems": systems}


def words_of(claim: Claim, submission: Submission) -> Words:
    """Return the texts about a claim, with the caption of its table."""
    return words_about(claim, submission.tables.get(claim.row.table) if claim.row is not None else None)


@fact
def without(case: Case, field: str) -> Case:
    """Return a completed case without what words gave to one field of its claims or arms."""
    reads = case.reads or {}
    if field in OF_ARMS:
        return _without_of_arms(case, field)
    claims = {
        name: replace(claim, **{field: None}) if any(item.field == field for item in reads.get(claim.at, ())) else claim
        for name, claim in case.submission.claims.items()
    }
    left = {at: tuple(item for item in found if item.field != field) for at, found in reads.items()}
    return replace(case, submission=replace(case.submission, claims=claims), reads=left, cache={})


def _without_of_arms(case: Case, field: str) -> Case:
    reads = case.reads or {}
    arms = {
        name: without_read(arm, field) if any(item.field == field for item in reads.get(arm.at, ())) else arm
        for name, arm in case.submission.arms.items()
    }
    return replace(case, submission=replace(case.submission, arms=arms), cache={})


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
