"""Ratios that are no quotient of two printed numbers: averages and extremes of many, and those with an interval."""

from __future__ import annotations

import re

from ....rules.facts.quantities.numbers import Span, span
from ....rules.facts.quantities.ratios import read_ratio
from ....schemas.pattern import Pattern
from .cells import Number
from .grids import Grid
from .words import in_english

_MEAN = (
    r"(?:avg\.?|averaged?|mean|median|geo\.?[- ]?mean|gmean|typical|peak|best|worst|max(?:imum)?|min(?:imum)?|up to)"
)
_HEADING = Pattern(rf"\b{_MEAN}(?![a-z])|\bgeometric\b|\bharmonic\b")
_RATIO = r"(?:speed-?\s?ups?|ratios?|accelerations?)"
_OTHER_MEAN = Pattern(r"\b(?:geometric|harmonic)[- ](?:means?|averages?)|\bgeo\.?[- ]?means?\b|\bgmean\b")
_OF_RATIOS = Pattern(
    rf"\b{_MEAN} (?:(?:of|over|the|all|per[- ][a-z]+|individual|relative|observed) ){{0,4}}{_RATIO}\b"
    rf"|\b{_RATIO}(?: values?| numbers?)? (?:is|are|was|were) "
    rf"(?:(?:an?|the|all|reported as|computed as|taken as) ){{0,3}}(?:{_MEAN}|aggregated)"
    r"(?! (?:from|with|using|latenc|times?|throughput|runtime|over (?:the )?(?:runs|iterations)))"
    rf"|\bper[- ][a-z]+ {_RATIO}\b|\b{_RATIO}[^.;]{{0,40}} per[- ][a-z]+ (?:median|mean|average|ratio)"
)
_INTERVAL = Pattern(r"\bci\b|\bc\.i\.|\bconfidence\b|\binterval\b|\bcredible\b|\bbootstrap|\biqr\b|\brange\b")
MEANS = frozenset(
    {"avg", "average", "averaged", "mean", "median", "geomean", "geo", "geometric", "harmonic", "gmean", "typical"}
    | {"peak", "best", "worst", "max", "maximum", "min", "minimum"}
)
_NUMBER = Pattern(r"(?:(?<![0-9)%x×.])-)?(?<![0-9.])[0-9]+(?:\.[0-9]+)?")


def aggregated(heading: str, words: str) -> bool:
    """Whether a column of ratios holds an average or an extreme of several ratios, as its heading or the text says.

    Args:
        heading: of the column.
        words: what stands above and below the table.
    """
    if _HEADING.search(in_english(heading)):
        return True
    for sentence in re.split(r"(?<=[a-z0-9)])[.;](?:\s|$)|\n", words.casefold()):
        if re.search(_RATIO, sentence) and (_OTHER_MEAN.search(sentence) or _OF_RATIOS.search(sentence)):
            return True
    return False


def interval_of(grid: Grid, row: int, told: Number) -> Span | None:
    """Return the interval that a row prints for its ratio in columns of their own; None where none holds it."""
    ends: list[Span] = []
    for cell, head in zip(grid.rows[row], grid.header, strict=True):
        if _INTERVAL.search(head.text.casefold()):
            ends.extend(span(found) for found in _NUMBER.findall(cell.text.replace("−", "-"))[:4])
    if len(ends) < 2:
        return None
    found = Span(min(end.low for end in ends), max(end.high for end in ends))
    return found if found.meets(span(told.printed)) else None


def allows(interval: Span, gained: Span, percent: bool, down: bool, change: bool) -> bool:
    """Whether an interval of a ratio holds what two numbers give."""
    return any(reading.meets(gained) for reading in read_ratio(interval, percent, down, change))
