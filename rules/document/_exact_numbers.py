"""A claim's number beside what its evidence rounds to, and beside its sentence: for whoever asks for no leeway."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.each_device import is_explained
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.per_second import times_over
from ..facts.quantities.performance import more_is_better
from ..language.printed import short, span
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Related, Violation

BOUNDED = frozenset({"over", "at_least", "less_than", "about", "nearly"})
"""Qualifiers of numbers that are no rounded ones."""


def inexact(claim: Claim, case: Case) -> Iterator[Violation]:
    """Yield what keeps a claim's number from being its evidence's, rounded, as its sentence prints it."""
    if claim.value is None or claim.put_together or claim.range is not None:
        return
    value, at = Decimal(claim.value), claim.place("value")
    printed = {end for item in read(claim.statement).numbers() for end in (item.low, item.high)}
    if value not in printed:
        yield Violation("f", UNDERMINES, C3, f"{claim.value} does not stand in the claim's sentence", at, claim.value)
    found = _given(claim, case) if claim.qualifier not in BOUNDED and not is_explained(claim) else ()
    metric = case.metric(claim.measured)
    own = metric.digits if metric is not None and claim.form == "absolute" else None
    if found and not any(_rounds_to(given, claim.value, claim.digits or own) for given in found):
        words = short(found[0])
        zeros = _of_zeros(claim.value, found)
        message = f"{claim.value} is stated, and what its evidence gives, {words}, does not round to it{zeros}"
        related = (Related(metric.place("value"), "the evidence"),) if metric is not None else ()
        yield Violation("f", UNDERMINES, C3, message, at, claim.value, words, related)


def _rounds_to(given: Decimal, printed: str, digits: int | None) -> bool:
    """Whether a number is a printed one at the digits that count of that; a half rounds either way."""
    allowed = span(printed, digits=digits)
    return allowed.low <= given <= allowed.high


def _of_zeros(printed: str, found: tuple[Decimal, ...]) -> str:
    """Return what to state where a number holds once the zeros at its end do not count: 2140 of 2138.68."""
    digits = len(Decimal(printed).normalize().as_tuple().digits)
    holds = any(_rounds_to(given, printed, digits) for given in found)
    return f": if the zeros at its end do not count, state `digits: {digits}`" if holds else ""


def _given(claim: Claim, case: Case) -> tuple[Decimal, ...]:
    """Return what the numbers behind a claim give, as the claim may print it; nothing where one of them is missing."""
    metric, base = case.metric(claim.measured), case.metric(claim.base)
    if metric is None or metric.value is None:
        return ()
    new = Decimal(metric.value)
    if claim.form == "absolute":
        factor = times_over(metric.unit, claim.unit) if metric.quantity == claim.quantity else None
        return (new * factor,) if factor is not None else ()
    ways = more_is_better(metric.quantity, metric.unit)
    scale = times_over(base.unit, metric.unit) if base is not None else None
    if claim.form != "ratio" or base is None or base.value is None or scale is None or ways is None:
        return ()
    old = Decimal(base.value) * scale
    if new <= 0 or old <= 0:
        return ()
    gain = new / old if ways else old / new
    percent = ((gain - 1) * 100, (1 - 1 / gain) * 100, 100 / gain, 100 * gain)
    return percent if claim.unit in PERCENT else (gain, 1 / gain)
