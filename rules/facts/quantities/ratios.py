"""Claimed ratios as gains: how much better the subject is than its base, under every reading that the words allow."""

from __future__ import annotations

from decimal import Decimal

from ....schemas.submission import Claim
from ...caching import remembered
from ...language.printed import INFINITY, Span, span
from ...language.quantity import Quantity
from ...language.reading import read
from .numbers import PERCENT

SHARES_FROM = 50
"""From here on a percentage may be a share of the base; a smaller one is a change."""
LEAST_NAME = 3
"""Characters of a name's word that tells one arm from another."""


def printed(claim: Claim) -> str:
    """Return a claimed ratio as a reader sees it: `30 %`, not `30` beside recomputed ratios of 1.04."""
    return f"{claim.value} %" if claim.unit in PERCENT else str(claim.value)


def readings(claim: Claim, more_is_better: bool, of_other: bool = False, reached: bool = False) -> tuple[Span, ...]:
    """Return the gains that a claimed ratio may mean, as intervals; empty without a value, or where it is no ratio.

    A gain is new / base where more is better and base / new where less is. "1.3x" may stand for either where less is
    better (1.3 times faster, or 1.3 times the time). "30 %" may be 30 % more, 30 % less, or 30 % of the base. Where
    more is better, the inverse is read only if the sentence speaks of less. Where the largest of several ratios is
    `reached`, "up to" leaves nothing open.
    """
    if claim.value is None or (claim.form == "rank" and claim.unit not in PERCENT | {"x"}):
        return ()
    down = not more_is_better or of_other or speaks_of_less(claim.statement)
    printed = span(claim.value, None if reached and claim.qualifier == "up_to" else claim.qualifier, claim.digits)
    found = read_ratio(printed, claim.unit in PERCENT, down, is_change(claim))
    share = _share_said(claim, printed)
    return found if share is None else (*found, share, *((inverse(share),) if down else ()))


def is_change(claim: Claim) -> bool:
    """Whether a claim prints its percentage as a change: with a plus sign, or beside a base that it prints as 0 %."""
    base = claim.base.definition if claim.base is not None else None
    if claim.unit in PERCENT and any(item.value == 0 for item in read(base or "").quantities("percent")):
        return True
    return any(claim.statement[item.start] == "+" for item in _shares_printed(claim))


def _shares_printed(claim: Claim) -> tuple[Quantity, ...]:
    """Return where a sentence prints the percentage that its claim states."""
    if claim.unit not in PERCENT or claim.value is None:
        return ()
    value = Decimal(claim.value)
    return tuple(item for item in read(claim.statement).quantities("percent") if item.value == value)


def _share_said(claim: Claim, printed: Span) -> Span | None:
    """Return "17 % of what it costs there" as a share, which small percentages are only where the words say so."""
    if printed.high >= SHARES_FROM:
        return None
    tokens, share = read(claim.statement).tokens, positive(printed)
    said = any(token.low == "of" for item in _shares_printed(claim) for token in tokens[item.last : item.last + 1])
    return Span(share.low / 100, share.high / 100) if said and share.high > 0 else None


def speaks_of_less(sentence: str) -> bool:
    """Whether a sentence says that something is less than another, or that the other side is more."""
    return any(read(sentence).has(concept, affirmed=False) for concept in ("less_than_base", "than_ours"))


@remembered(1024)
def of_the_other(sentence: str, own: str = "", other: str = "") -> bool:
    """Whether a sentence says how much more the other side is: "the published code is 14 % faster than ours".

    Or than the subject by its own name, of which some word is not in the name of the other.
    """
    reading = read(sentence)
    if reading.has("than_ours", affirmed=False):
        return True
    mine, theirs = (frozenset(map(_bare, name.split())) for name in (own, other))
    after = (sentence[item.end :].split(maxsplit=1) for item in reading.mentions("than"))
    return any(len(word) >= LEAST_NAME and word in mine - theirs for words in after for word in map(_bare, words[:1]))


def _bare(word: str) -> str:
    return word.casefold().strip(".,;:()")


def cell_readings(printed: Span, more_is_better: bool) -> tuple[Span, ...]:
    """Return the gains that a cell of a speed-up column may mean; 50 and more may be a percentage."""
    percent = _hundredth(positive(printed))
    return read_ratio(printed, False, not more_is_better) + (() if percent is None else (percent,))


def read_ratio(printed: Span, percent: bool, down: bool, change: bool = False) -> tuple[Span, ...]:
    """Return the gains that a printed ratio may mean.

    Args:
        printed: the number.
        percent: whether it is a percentage.
        down: whether it may be of less.
        change: whether a percentage is a change for sure, and no share of the base.
    """
    direct: list[Span | None] = [positive(printed)]
    if percent:
        share = None if change else _hundredth(positive(printed))
        direct = [_shifted(printed, 1), share, *([_shifted(printed, -1)] if down else [])]
    found = [reading for reading in direct if reading is not None]
    return (*found, *(inverse(reading) for reading in found if down))


def positive(interval: Span) -> Span:
    """Return the part of an interval that is not negative: a ratio of measured values is none."""
    return Span(max(interval.low, Decimal(0)), max(interval.high, Decimal(0)))


def inverse(interval: Span) -> Span:
    """Return 1 / interval, for an interval without negative numbers."""
    low, high = (INFINITY if end == 0 else 1 / end for end in (interval.high, interval.low))
    return Span(Decimal(0) if interval.high == INFINITY else low, high)


def _shifted(percent: Span, sign: int) -> Span | None:
    ends = sorted((1 + sign * percent.low / 100, 1 + sign * percent.high / 100))
    return Span(max(ends[0], Decimal(0)), ends[1]) if ends[1] > 0 else None


def _hundredth(percent: Span) -> Span | None:
    """Return "70 % of the base": not a reading of small percentages, which are changes."""
    return Span(percent.low / 100, percent.high / 100) if percent.high >= SHARES_FROM else None


def gain(new: Span, base: Span, more_is_better: bool) -> Span | None:
    """Return the gain of two measured intervals, or None where one reaches 0."""
    if new.low <= 0 or base.low <= 0:
        return None
    return new / base if more_is_better else base / new


def least(claim: Claim, more_is_better: bool) -> Decimal | None:
    """Return the smallest gain above 1 that a claimed ratio may mean, or None where no reading is a gain."""
    above = [reading.low for reading in readings(claim, more_is_better) if reading.low > 1]
    return min(above, default=None)
