"""Numbers per device that a claim derives from a number of the whole system."""

from __future__ import annotations

import re

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim
from ...case import Case
from ..suite.words import main_text
from .numbers import Span, span
from .per_second import times_over

_DEVICES = r"(?:devices?|gpus?|chips?|accelerators?|cards?|tpus?|npus?|xpus?|processors?)"
_UNIT = Pattern(rf"\s*(?:/|·|\bper\b|\(per|\bfor each\b)\s*{_DEVICES}\)?\s*\Z", re.IGNORECASE)
_BEHIND = Pattern(rf"[^.;:0-9]{{0,40}}?(?:/|\bper\b|\beach\b|\bevery\b)\s*{_DEVICES}\b", re.IGNORECASE)
_DERIVATION = Pattern(
    rf"\bdivid\w+|\bper[ -](?:{_DEVICES}|node|socket|watt|dollar|joule)\b|\bmultipl\w+|\btimes\b|\bsum(?:s|med)?\b"
    r"|\b(?:half|third|quarter|twice|share|fraction|minus|plus|difference|product|quotient)\b"
    r"|\b(?:normali[sz]ed|scaled|converted)\b|\b(?:computed|calculated|worked out) (?:from|by)\b",
    re.IGNORECASE,
)


def without_device(unit: str | None) -> str | None:
    """Return a unit without its "per device": tokens/s of "tokens/s per accelerator"; None where it has none."""
    found = _UNIT.search(unit or "")
    return (unit or "")[: found.start()].strip() if found is not None else None


def is_each(claim: Claim) -> bool:
    """Whether the claim's own number is that of one device: by its unit, or by the words right behind the number."""
    if without_device(claim.unit) is not None:
        return True
    if claim.value is None:
        return False
    at = claim.statement.replace(",", "").find(claim.value)
    return at >= 0 and _BEHIND.match(claim.statement.replace(",", ""), at + len(claim.value)) is not None


def is_explained(claim: Claim) -> bool:
    """Whether a derived number is said to be worked out from the one it stands on: divided, summed, per device."""
    return claim.basis == "derived" and _DERIVATION.search(main_text(claim)) is not None


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
    each = span(claim.value, claim.qualifier, claim.digits)
    return span(metric.value, digits=metric.digits), Span(each.low * scale, each.high * scale), devices
