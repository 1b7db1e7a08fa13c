"""Numbers of a sentence that say what it was before: "20 s => 0.2 s", "from 100 ms to 26 ms", "instead of 12 GB"."""

from __future__ import annotations

from ....rules.language import lexicon
from ....rules.language.reading import Reading
from ....rules.language.tokens import NUMBER
from .statements import Statement

ARROWS = frozenset({"->", "-->", "=>", "→"})
NEAR, FARTHEST = 24, 64
"""Characters before and behind a number that are looked at."""
MOST_BEHIND = 3
"""Tokens between "to", or an arrow, and the number behind it."""


def is_before(reading: Reading, item: Statement) -> bool:
    """Whether a number is what something was before it got what the sentence says next, or said already."""
    if any(each.start < item.end and item.start < each.end for each in reading.mentions("claims.before")):
        return True
    behind = reading.within(item.end, item.end + FARTHEST)
    numbers = [at for at, token in enumerate(behind) if token.kind == NUMBER]
    if not numbers:
        return False
    if behind[0].low in ARROWS:
        return numbers[0] <= MOST_BEHIND
    before = [token.low for token in reading.within(max(0, item.start - NEAR), item.start)]
    while before and before[-1] in lexicon.word_set("hedges_of_a_number"):
        before.pop()
    until = next((at for at, token in enumerate(behind) if token.low == "to"), None)
    went = until is not None and any(0 < at - until <= MOST_BEHIND for at in numbers)
    return went and before[-1:] == ["from"] and reading.has("claims.changes")


def led(reading: Reading, item: Statement) -> tuple[int, int]:
    """Return the place of a number; behind an arrow from before what it was: "memory: 61 GB -> 12 GB"."""
    before = reading.within(max(0, item.start - NEAR), item.start)
    arrow = bool(before) and before[-1].low in ARROWS
    return (before[0].start, item.end) if arrow else (item.start, item.end)
