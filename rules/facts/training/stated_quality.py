"""The quality value that a claim stands beside, and the arm that reached it."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.evidence import Quality, Target
from ....schemas.submission import Claim, Table
from ...caching import fact
from ...case import Case, Side
from ...tables.names import plain
from ...words import target_of
from ..comparison.pairing import has_value


class StatedQuality(Struct, frozen=True):
    """A declared quality value and its arm."""

    side: Side
    quality: Quality


class Printed(Struct, frozen=True):
    """A quality that a document prints, whichever of its models it is of: as words, with its place."""

    words: str
    at: str


@fact
def printed_quality(case: Case) -> Printed | None:
    """Return the first quality of a document that is not known to be one of training data: an arm's, else a table's."""
    for side in case.sides():
        for quality in side.arm.quality.values():
            if quality.split != "train" and has_value(quality):
                return Printed(f"{quality.metric} {quality.value or ''}".rstrip(), quality.at)
    return next((found for table in case.submission.tables.values() if (found := _column(table)) is not None), None)


def _column(table: Table) -> Printed | None:
    """Return a table's first column of qualities that holds a value."""
    for key, column in table.columns.items():
        if column.quantity == "accuracy" and any(key in row.values for row in table.rows.values()):
            return Printed(f"the quality of column `{key}`", table.place("columns", key))
    return None


def stated_quality(claim: Claim, case: Case) -> StatedQuality | None:
    """Return the quality that a claim names, else the one of its metric, else its arm's only one; else None."""
    side = quality_side(claim, case)
    if side is None:
        return None
    quality = case.quality(claim.quality)
    if quality is None:
        quality = of_metric(side, metric_of(claim, case))
    return StatedQuality(side, quality) if quality is not None else None


def quality_side(claim: Claim, case: Case) -> Side | None:
    """Return the arm whose quality a claim is about."""
    return case.side(claim.quality) or case.subject(claim)


def metric_of(claim: Claim, case: Case) -> str | None:
    """Return the name of a claim's quality metric: its own, else that of its target."""
    target = target_of(claim, case)
    return claim.metric or (target.metric if isinstance(target, Target) else None)


def of_metric(side: Side, metric: str | None) -> Quality | None:
    """Return an arm's quality of a metric; its only one where no metric is asked for."""
    given = side.arm.quality
    if metric is None:
        return next(iter(given.values())) if len(given) == 1 else None
    exact = [item for key, item in given.items() if same_metric(item.metric, metric) or same_metric(key, metric)]
    return exact[0] if len(exact) == 1 else None


def same_metric(left: str, right: str) -> bool:
    """Whether two names are one metric's: "Top-1 accuracy" and "top1 accuracy"."""
    return plain(left) == plain(right)
