"""Cases: what the rules may read of each claim. Results of one folder that stand alone have a case each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ...rules.case import Case, Study
from ...rules.completion.complete import completed
from ...rules.completion.file_values import with_values_of_files
from ...rules.completion.links import linked
from ...rules.cosmetic_options import found, without
from ...schemas.manifest import Predicate
from ...schemas.submission import Submission
from .evidence import Evidence
from .settings import Settings

NOTHING = Case(Submission(dlaudit="submission/1", title="judged elsewhere", claims={}))
"""No case, where another process has it."""


def case_of(submission: Submission, evidence: Evidence, settings: Settings) -> Case:
    """Return the case of a whole document, its claims linked to what they are about and completed by their words."""
    studies = {name: _without(cited.study, settings.cosmetic) for name, cited in evidence.studies.items()}
    stated = Case(
        with_values_of_files(without(submission, settings.cosmetic), evidence.results),
        studies,
        settings.profile,
        settings.thresholds,
        submission.publication.date if submission.publication is not None else None,
        settings.nonce or None,
        evidence.waivers_beside,
        traces=evidence.traces,
        tables=evidence.tables,
        published=evidence.published,
        results=evidence.results,
        cosmetic=settings.cosmetic,
        code=settings.code,
    )
    return completed(linked(stated))


def _without(study: Study, cosmetic: frozenset[str]) -> Study:
    return replace(study, record=without(study.record, cosmetic)) if study.record is not None else study


def cosmetic_note(submission: Submission, evidence: Evidence, cosmetic: frozenset[str]) -> tuple[str, ...]:
    """Return what the verdict says of free options that count for nothing, where there are any."""
    records = [cited.study.record for cited in evidence.studies.values() if cited.study.record is not None]
    documents: list[Submission | Predicate] = [submission, *records]
    names = sorted({name for document in documents for name in found(document, cosmetic)})
    return (f"cosmetic by the configuration, and ignored: {', '.join(names)}",) if names else ()


def cases_of(whole: Case, claims: Iterable[str], alone: Mapping[str, tuple[str, ...]]) -> dict[str, Case]:
    """Return the case of each claim: the whole document's, or its own with the whole one's beside it.

    Args:
        whole: the case of the document.
        claims: ids of the claims to judge.
        alone: arms by the claim that they alone stand behind.
    """
    return {name: _own(whole, name, alone[name]) if name in alone else whole for name in claims}


def _own(whole: Case, claim: str, arms: Iterable[str]) -> Case:
    submission = whole.submission
    own = replace(
        submission,
        claims={claim: submission.claims[claim]},
        arms={arm: submission.arms[arm] for arm in arms if arm in submission.arms},
    )
    return replace(whole, submission=own, whole=whole, cache={})
