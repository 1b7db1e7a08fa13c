"""What a tender asks for of a study: claims that count in its acceptance test, and recorded numbers nobody claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...schemas.evidence import Arm, Quality
from ...schemas.submission import Claim, MetricRef, QualityRef
from ...schemas.tender import TenderMetric
from ..tender.tender import Issued, nearest
from .original import Original

STUDY = "study"


@dataclass(frozen=True, slots=True)
class Counted:
    """The claims that are answered."""

    claims: Mapping[str, Claim]
    deciding: frozenset[str]
    """Ids of those that decide; all of them without a tender."""
    margins: Mapping[str, float] = field(default_factory=dict)
    """Margins of single ones, by id."""


def counted(original: Original, issued: Issued | None) -> Counted:
    """Return what is answered: the claims of a study, and what the tender asks for and the study records.

    Args:
        original: the study.
        issued: the tender whose acceptance test this is.
    """
    claims = dict(original.claims)
    if issued is None:
        return Counted(claims, frozenset(claims))
    workload = nearest(issued, original.spec_bytes, original.record.study.spec)[0]
    deciding: set[str] = set()
    margins: dict[str, float] = {}
    for name, metric in issued.content.metrics.items():
        side = original.subject.arms.get(metric.arm) if metric.workload == workload else None
        if side is None:
            continue
        same = [key for key, claim in claims.items() if _is_of(claim, metric)]
        if not same and (recorded := _recorded(metric, side.arm)) is not None:
            same = [name if name not in claims else f"tender-{name}"]
            claims[same[0]] = recorded
        deciding |= set(same)
        margins |= dict.fromkeys(same, issued.content.margin_of(metric))
    return Counted(claims, frozenset(deciding or claims), margins)


def _is_of(claim: Claim, metric: TenderMetric) -> bool:
    """Whether a claim states a number that a tender asks for."""
    if claim.form != "absolute" or claim.value is None:
        return False
    if metric.quality is not None:
        found = claim.quality if claim.quantity == "accuracy" else None
        return found is not None and (found.arm, found.quality) == (metric.arm, metric.quality)
    return claim.measured is not None and (claim.measured.arm, claim.measured.metric) == (metric.arm, metric.metric)


def _recorded(metric: TenderMetric, arm: Arm) -> Claim | None:
    """Return the number of a record as a claim of it."""
    name = metric.quality or metric.metric or ""
    number = arm.quality.get(name) if metric.quality is not None else arm.performance.get(name)
    if number is None or number.value is None:
        return None
    quality, unit = isinstance(number, Quality), number.unit or ""
    return Claim(
        statement=f"{metric.label or name}: {number.value} {unit or metric.unit}",
        value=number.value,
        unit=unit,
        quantity="accuracy" if isinstance(number, Quality) else number.quantity,
        form="absolute",
        scope="unspecified" if isinstance(number, Quality) else number.scope or "unspecified",
        mode="unspecified",
        compares="none",
        measured=None if quality else MetricRef(manifest=STUDY, arm=metric.arm, metric=name),
        quality=QualityRef(manifest=STUDY, arm=metric.arm, quality=name) if quality else None,
    )
