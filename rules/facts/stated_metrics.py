"""The performance numbers that a claim puts before its reader: its own, its base's, and what its sentence prints."""

from __future__ import annotations

from collections.abc import Mapping

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..pattern import Pattern
from .caching import fact

_NUMBER = Pattern(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")


def stated_metrics(claim: Claim, case: Case) -> tuple[tuple[Side, Metric], ...]:
    """Return the metrics that a claim states, each with its arm, its own first.

    Beside the measured one and that of the base, a number of another arm counts where it has the same name and its
    printed digits stand in the claim's sentence: "a Muon step takes 0.2711 s, an AdamW step 0.2620 s".
    """
    own, base = case.metric(claim.measured), case.metric(claim.base)
    sides = case.side(claim.measured), case.side(claim.base)
    found = [(side, metric) for side, metric in zip(sides, (own, base), strict=True) if side and metric]
    name = claim.measured.metric if claim.measured is not None else None
    if name is not None:
        printed = _by_value(case)
        for number in dict.fromkeys(_NUMBER.findall(claim.statement)):
            found += printed.get((name, number), ())
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
