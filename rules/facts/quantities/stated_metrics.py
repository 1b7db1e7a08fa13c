"""The performance numbers that a claim puts before its reader: its own, its base's, and what its sentence prints."""

from __future__ import annotations

from collections.abc import Mapping

from ....schemas.evidence import Metric
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...language.reading import read

FEWEST_DIGITS = 3
"""Digits from which on a number in a sentence is told from a count, a year or a concurrency."""


def stated_metrics(claim: Claim, case: Case) -> tuple[tuple[Side, Metric], ...]:
    """Return the metrics that a claim states, each with its arm, its own first.

    Beside the measured one and that of the base, a number of another arm counts where it has the same name and its
    printed digits stand in the claim's sentence: "a Muon step takes 0.2711 s, an AdamW step 0.2620 s"; and another
    number of the claim's own arms where its digits do, three at least: "2106 tokens/s at a p99 of 0.195 s".
    """
    own, base = case.metric(claim.measured), case.metric(claim.base)
    sides = case.side(claim.measured), case.side(claim.base)
    found = [(side, metric) for side, metric in zip(sides, (own, base), strict=True) if side and metric]
    numbers = tuple(
        dict.fromkeys(token.text.replace(",", "") for token in read(claim.statement).tokens if token.counts)
    )
    name = claim.measured.metric if claim.measured is not None else None
    if name is not None:
        printed = _by_value(case)
        for number in numbers:
            found += printed.get((name, number), ())
    told = {number for number in numbers if len(number.replace(".", "").lstrip("0")) >= FEWEST_DIGITS}
    for side in (case.subject(claim), case.base(claim)) if told else ():
        if side is not None:
            found += [(side, metric) for metric in side.arm.performance.values() if metric.value in told]
    unique = {metric.at: (side, metric) for side, metric in reversed(found)}
    return tuple(reversed(unique.values()))


@fact
def _by_value(case: Case) -> Mapping[tuple[str, str], list[tuple[Side, Metric]]]:
    found: dict[tuple[str, str], list[tuple[Side, Metric]]] = {}
    for side in case.sides():
        for name, metric in side.arm.performance.items():
            if metric.value is not None:
                found.setdefault((name, metric.value), []).append((side, metric))
    return found
