"""Numbers per device that a claim derives from a number of the whole system."""

from __future__ import annotations

from decimal import Decimal

from ....schemas.submission import Claim
from ...case import Case
from ...language.printed import Span, span
from ...language.reading import read
from ...language.tokens import NUMBER
from ...language.units import counted_per
from ..document.words import words_of
from .per_second import EACH, times_over

_ENDS = frozenset(".;:")


def without_device(unit: str | None) -> str | None:
    """Return a unit without its "per device": tokens/s of "tokens/s per accelerator"; None where it has none."""
    return counted_per(unit or "", "device")


def is_each(claim: Claim) -> bool:
    """Whether the claim's own number is that of one device: by its unit, or by the words right behind the number."""
    if without_device(claim.unit) is not None:
        return True
    reading, value = read(claim.statement), Decimal(claim.value) if claim.value is not None else None
    at = next((at for at, token in enumerate(reading.tokens) if value is not None and token.value == value), None)
    if at is None:
        return False
    start, rest = reading.tokens[at].start, reading.tokens[at + 1 :]
    if any(item.per in EACH and item.start <= start < item.end for item in reading.quantities()):
        return True
    end = next((token.start for token in rest if token.kind == NUMBER or token.text in _ENDS), len(claim.statement))
    return any(start < item.start < end for item in reading.mentions("each_device"))


def is_explained(claim: Claim) -> bool:
    """Whether a derived number is said to be worked out from the one it stands on: divided, summed, per device."""
    words = words_of(claim).and_((claim.place("explanation"), claim.explanation))
    return claim.basis == "derived" and words.has("worked_out", affirmed=False)


def devices_of(claim: Claim, case: Case) -> int | None:
    """Return the devices of a claim's result; None where they are not stated, or two counts are."""
    side = case.subject(claim)
    stated = claim.suite_result.devices if claim.suite_result is not None else None
    counts = {count for count in (stated, side.devices if side is not None else None) if count is not None}
    return counts.pop() if len(counts) == 1 else None


def whole_and_each(claim: Claim, case: Case) -> tuple[Span, Span, int] | None:
    """Return the number of the whole system, the claim's number per device in the same unit, and the devices.

    None where the claim is no absolute number per device, or stands on none of the whole system.
    """
    metric, devices = case.metric(claim.measured), devices_of(claim, case)
    if metric is None or metric.value is None or claim.value is None or devices is None or claim.form != "absolute":
        return None
    if claim.range is not None or metric.quantity != claim.quantity or not is_each(claim):
        return None
    if without_device(metric.unit) is not None:
        return None
    scale = times_over(without_device(claim.unit) or claim.unit, metric.unit)
    if scale is None:
        return None
    each = span(claim.value, claim.qualifier, claim.digits).times(scale)
    return span(metric.value, digits=metric.digits), each, devices
