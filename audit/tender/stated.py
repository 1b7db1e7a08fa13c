"""Numbers that a hand-in states without a study behind them, in a leaflet or a table: by name, or by what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...rules.facts.quantities.per_second import times_over
from ...rules.facts.training.final_quality import is_percent
from ...schemas.evidence import Metric, Quality
from ...schemas.tender import TenderMetric
from ..lint.lint import Linted
from .numbers import PARTS


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as somebody printed it."""

    value: float
    """In the tender's unit."""
    words: str
    """The number, and where it stands."""


def stated(metric: TenderMetric, linted: Sequence[Linted]) -> Stated | None:
    """Return the number of a tender as arms of no study state it, one of its own name before one of its meaning."""
    found = [each for item in linted for each in _of_document(metric, item)]
    return min(found, key=lambda each: each[0])[1] if found else None


def _of_document(metric: TenderMetric, item: Linted) -> Iterator[tuple[bool, Stated]]:
    """Yield the numbers of a document that may be meant, each with whether it has another name."""
    wanted = metric.quality or metric.metric or ""
    for arm, shown in item.case.submission.arms.items():
        held = shown.quality.items() if metric.quality is not None else shown.performance.items()
        for name, number in held:
            times = _share(metric, number) if isinstance(number, Quality) else _times(metric, name, number)
            if number.value is None or times is None:
                continue
            is_other = name.casefold() != wanted
            unit = f" {number.unit}" if number.unit else ""
            words = f"stated as {number.value}{unit} in {_place(item, arm, name, number.at)}, without evidence"
            yield is_other, Stated(float(number.value) * times, words)


def _share(metric: TenderMetric, quality: Quality) -> float | None:
    """Return by what a quality is multiplied to stand in the tender's unit; None where it is another one."""
    if quality.metric.casefold() != metric.quality:
        return None
    if metric.unit == "share":
        return 0.01 if is_percent(quality.unit) else 1.0
    return 1.0 if quality.unit in (None, metric.unit) else None


def _times(metric: TenderMetric, name: str, number: Metric) -> float | None:
    """Return by what a performance number is multiplied to stand in the tender's unit; None where it is another one."""
    wanted = metric.metric or ""
    part, _, tail = wanted.rpartition("_p")
    if name != wanted and part in PARTS:
        percentiles = number.summary.percentiles if number.summary is not None else {}
        if not name.casefold().startswith(part) or not (tail in percentiles or name.endswith(f"p{tail}")):
            return None
    elif name != wanted and number.quantity != "rate":
        return None
    times = times_over(number.unit, metric.unit)
    return float(times) if times is not None else None


def _place(item: Linted, arm: str, name: str, pointer: str) -> str:
    """Return where a number stands: the line of a claim of it, or its key."""
    claims = item.case.submission.claims
    for report in item.report.claims:
        claim = claims.get(report.id)
        named = {
            (claim.measured.arm, claim.measured.metric) if claim and claim.measured else None,
            (claim.quality.arm, claim.quality.quality) if claim and claim.quality else None,
        }
        if (arm, name) in named and report.location is not None:
            return f"{Path(item.path).name} line {report.location.line}"
    return f"{Path(item.path).name} ({pointer})"
