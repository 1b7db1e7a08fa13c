"""What the accuracy record of an inference result says of the metrics that its round limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal

from msgspec import Struct

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim
from ...case import Case
from ...language.printed import span
from ...tables import mlperf
from ...tables.datasets import plain
from .inference import accuracy_runs

_NUMBER = Pattern(r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]{1,3})?\Z", re.IGNORECASE)


class Recorded(Struct, frozen=True):
    """A metric as recorded.

    Attributes:
        text: as printed.
        low, high: its interval, in the unit of the limits.
        at: where it stands.
    """

    text: str
    low: Decimal
    high: Decimal
    at: str


def recorded(claim: Claim, case: Case, metric: str, limit: float) -> Recorded | None:
    """Return what the accuracy runs record of a metric, in the unit of its limit; None where none records it.

    A share and the same in percent are told apart by their size.
    """
    wanted = {plain(name) for name in (metric, *mlperf.inference().metric_names.get(metric, ()))}
    for at, name, text in _metrics(claim, case):
        if plain(name) in wanted and _NUMBER.match(text.strip()):
            interval = span(text.strip())
            scale = _scale(interval.high, limit)
            return Recorded(text, interval.low * scale, interval.high * scale, at)
    return None


def _scale(value: Decimal, limit: float) -> Decimal:
    wanted = Decimal(repr(limit))
    if value > 0 and wanted > 0 and wanted <= 1 and value / wanted > 20:
        return Decimal("0.01")
    return Decimal(100) if value > 0 and wanted > 1 and value <= 1 and wanted / value > 20 else Decimal(1)


def _metrics(claim: Claim, case: Case) -> Iterator[tuple[str, str, str]]:
    for run in accuracy_runs(claim, case):
        record = run.run.record
        if record is not None:
            for name, text in record.metrics.items():
                yield record.place("metrics", name), name, text


def below(found: Recorded, limit: float) -> bool:
    """Whether a metric lies below its limit, both at five significant figures."""
    return rounded(found.high) < rounded(Decimal(repr(limit)))


def above(found: Recorded, limit: float) -> bool:
    """Whether a metric lies above its limit, both at five significant figures."""
    return rounded(found.low) > rounded(Decimal(repr(limit)))


def rounded(value: Decimal) -> Decimal:
    """Return a number at the significant figures at which the suite compares, half to even."""
    if value == 0:
        return value
    return value.quantize(
        Decimal(1).scaleb(value.adjusted() - mlperf.inference().significant_figures + 1), rounding=ROUND_HALF_EVEN
    )
