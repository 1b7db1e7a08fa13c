"""How far two intervals lie apart, and how much that weighs: a small discrepancy that decides nothing is a caveat."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ....schemas.submission import Claim
from ...case import Case
from ...language.printed import INFINITY, Span, short, span
from ...outcome import CAVEAT, Effect

SMALL = Decimal("0.01")
USUAL_DIGITS, MOST_DIGITS = 6, 17
COARSER = 5
"""A headline decides only by its rounding: its interval is so many times as wide as that of the number behind it."""


def gap(claimed: Span, recomputed: Span) -> Decimal:
    """Return the distance between two intervals, as a share of the recomputed one; 0 where they meet."""
    if claimed.meets(recomputed):
        return Decimal(0)
    low, high = (claimed.high, recomputed.low) if claimed.high < recomputed.low else (recomputed.high, claimed.low)
    size = min(abs(recomputed.low), abs(recomputed.high))
    return (high - low) / size if size > 0 else INFINITY


def weighed(effect: Effect, distance: Decimal, decides: bool = False) -> Effect:
    """Return the effect of a contradiction between numbers: one of at most 1 % that changes no decision is a caveat."""
    return CAVEAT if distance <= SMALL and not decides else effect


def told_apart(claimed: Span, recomputed: Span) -> tuple[str, str]:
    """Return two numbers as a message prints them: six significant digits, and more where they would look the same.

    Of two intervals that do not meet the ends that face each other tell them apart.
    """
    ends = (claimed.high, recomputed.low) if claimed.high < recomputed.low else (claimed.low, recomputed.high)
    if claimed.meets(recomputed) or short(ends[0]) != short(ends[1]):
        return str(claimed), str(recomputed)
    pairs = ([f"{float(end):#.{digits}g}" for end in ends] for digits in range(USUAL_DIGITS + 1, MOST_DIGITS + 1))
    left, right = next((pair for pair in pairs if pair[0] != pair[1]), [str(end) for end in ends])
    return left, right


def separates(claimed: Span, recomputed: Span, thresholds: Iterable[Decimal]) -> bool:
    """Whether a threshold lies between what is claimed and what is recomputed: they lead to different decisions."""
    return any(
        claimed.low >= threshold > recomputed.high or recomputed.low >= threshold > claimed.high
        for threshold in thresholds
    )


def decides(claim: Claim, case: Case, claimed: Span, recomputed: Span, unit: str | None) -> bool:
    """Whether a number's discrepancy changes who wins, whether a target is met, or how the headline is rounded.

    Args:
        claim: the claim that stands on the number.
        case: its case.
        claimed: the number as stated.
        recomputed: what follows instead.
        unit: unit of both.
    """
    return separates(claimed, recomputed, _thresholds(claim, case, unit)) or _rounds(claim, claimed, recomputed, unit)


def _thresholds(claim: Claim, case: Case, unit: str | None) -> Iterable[Decimal]:
    """Yield what the number is held against: the other side's number in the same unit, and the claim's target."""
    base = case.metric(claim.base)
    if base is not None and base.value is not None and base.unit == unit:
        yield Decimal(base.value)
    if claim.base is not None and claim.base.value is not None and claim.base.unit == unit:
        yield Decimal(claim.base.value)
    if claim.quantity == "accuracy" and claim.target is not None:
        yield Decimal(claim.target.value)


def _rounds(claim: Claim, claimed: Span, recomputed: Span, unit: str | None) -> bool:
    """Whether the headline is the rounded number as stated, and not as recomputed."""
    if claim.form != "absolute" or claim.value is None or claim.unit != unit:
        return False
    headline = span(claim.value, claim.qualifier, claim.digits)
    coarser = headline.high - headline.low >= COARSER * (claimed.high - claimed.low)
    return coarser and headline.meets(claimed) and not headline.meets(recomputed)
