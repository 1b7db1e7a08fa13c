"""What a sentence says that is no claim of its authors: why it is left aside, in words."""

from __future__ import annotations

from ....rules.language.answers import Mention
from ....rules.language.reading import Reading, read
from ..documents.blocks import Block, Written
from .statements import Statement

FAR = 16
"""Characters behind a time in which it may say what it is the time of."""
FEWEST_OF_QUALITY = 2
"""Characters of a quality without a unit: "Series 1 (Meteor Lake)" is none."""
NO_USE, NO_TIME = "a size that nothing is said to use", "a time that nothing is said to take"
UNTOLD = frozenset({NO_USE, NO_TIME, "a time of years"})
"""Reasons for numbers that nobody would take for a performance."""
NO_PERFORMANCE = {
    "quality": "compares a quality",
    "size": "compares a size",
    "utilisation": "compares a utilisation",
    "communication": "compares what is communicated",
    "work": "compares an amount of work",
}


def aside_block(written: Written, block: Block) -> str:
    """Return why nothing of a block is a claim; empty where it may hold some."""
    if block.kind == "quote":
        return "a quotation"
    for title in written.titles(block):
        if read(title.text, "heading").has("claims.others", affirmed=False):
            return f"stands under {title.text[:60]!r}"
    return ""


def aside_sentence(reading: Reading) -> str:
    """Return why no number of a sentence is a claim; empty where some may be."""
    if reading.source.rstrip(" )\"'*").endswith("?"):
        return "a question"
    if reading.attributions() or reading.has("claims.post", affirmed=False):
        return "reported of others"
    return ""


def aside_number(reading: Reading, item: Statement) -> str:
    """Return why a number is no claim; empty where it is one."""
    span = (item.start, item.end)
    if not item.quantity:
        return NO_PERFORMANCE.get(item.dimension, "compares what is no performance")
    if reading.negated(span):
        return "denied"
    if _near(reading, "claims.hypothetical", span):
        return "supposed, not measured"
    if reading.hedged(span) or _near(reading, "we_project", span):
        return "expected, not measured"
    if any(item.end <= span[0] for item in reading.mentions("claims.goal")):
        return "a goal"
    if item.quantity != "time" and _near(reading, "claims.requirement", span):
        return "a requirement"
    if item.form != "absolute":
        return ""
    return _aside_absolute(reading, item, span)


def _aside_absolute(reading: Reading, item: Statement, span: tuple[int, int]) -> str:
    if item.quantity == "accuracy" and (_over(reading, "claims.difference", span) or _is_at(reading, item)):
        return "a difference, or a setting, of a quality"
    if item.quantity == "accuracy" and not item.unit and len(item.value) < FEWEST_OF_QUALITY:
        return "too short a number of a quality"
    if item.dimension == "data" and not _over(reading, "claims.memory_used", span):
        return NO_USE
    if item.dimension == "time":
        why = _aside_time(reading, item, span)
        if why:
            return why
    if item.dimension == "rate" and _is_load(reading, item):
        return "a load"
    bounded = item.dimension in {"data_rate", "work_rate", "rate"} and _near(reading, "claims.limit", span)
    if bounded or item.dimension == "data_rate":
        return "" if _near(reading, "claims.achieved", span) and not bounded else "what hardware can do"
    return ""


def _aside_time(reading: Reading, item: Statement, span: tuple[int, int]) -> str:
    if _near(reading, "claims.no_run", span):
        return "the time of something else"
    if _near(reading, "claims.option", span):
        return "an option"
    if item.unit == "y":
        return "a time of years"
    if any(
        frame.form == "from_to" and frame.start < span[1] and span[0] < frame.end for frame in reading.comparisons()
    ):
        return ""
    behind = (span[0], span[1] + FAR)
    spent = _over(reading, "claims.spent", span) or _over(reading, "claims.step_time", behind)
    return "" if "/" in item.unit or spent else NO_TIME


def _is_load(reading: Reading, item: Statement) -> bool:
    """Whether requests are offered at a rate: "serving at 16 req/s"."""
    before = reading.within(max(0, item.start - FAR), item.start)
    return item.unit.startswith("requests/") and bool(before) and before[-1].low in {"at", "@"}


def _is_at(reading: Reading, item: Statement) -> bool:
    """Whether a number says at which size or threshold a quality is: "80.0 @ 50"."""
    return reading.source[: item.start].rstrip()[-1:] == "@"


def _near(reading: Reading, concept: str, span: tuple[int, int]) -> Mention | None:
    """Return the first mention of a concept in the clause of a place."""
    clause = reading.clause(span)
    return next((item for item in reading.mentions(concept) if reading.clause(item.span) == clause), None)


def _over(reading: Reading, concept: str, span: tuple[int, int]) -> bool:
    """Whether words of a concept stand around a place, its number among them."""
    return any(item.start < span[1] and span[0] < item.end for item in reading.mentions(concept))
