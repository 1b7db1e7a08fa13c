"""The signed studies on which a claim stands."""

from __future__ import annotations

from collections.abc import Iterator

from ....schemas.submission import Base, Claim, MetricRef, QualityRef
from ...case import Case, Study


def references(claim: Claim) -> Iterator[MetricRef | QualityRef | Base]:
    """Yield the references of a claim that name an arm: its number, its base, the quality beside it."""
    for reference in (claim.measured, claim.base, claim.quality):
        if reference is not None and reference.arm is not None:
            yield reference


def cited(claim: Claim, case: Case) -> tuple[Study, ...]:
    """Return the studies that a claim cites, each once."""
    names = dict.fromkeys(reference.manifest for reference in references(claim) if reference.manifest is not None)
    return tuple(case.studies[name] for name in names if name in case.studies)


def named(study: str) -> str:
    """Return what a message calls a study by its id; a document with one study calls it `study`."""
    return "the study" if study == "study" else f"study {study}"
