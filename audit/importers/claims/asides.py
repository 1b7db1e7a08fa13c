"""What a sentence says that is no claim of its authors: why it is left aside, in words."""

from __future__ import annotations

from ....rules.language import lexicon
from ....rules.language.answers import Mention
from ....rules.language.numbers import SPREADS
from ....rules.language.reading import Reading, read
from ..documents.blocks import Block, Written
from .before import is_before, led
from .labelled import is_labelled
from .statements import Statement

FAR = 16
"""Characters behind a time in which it may say what it is the time of."""
FEWEST_OF_QUALITY = 2
"""Characters of a quality without a unit: "Series 1 (Meteor Lake)" is none."""
FEWEST_TOLD = 4
"""Words before a question in brackets that say something themselves."""
HARDWARE = "what hardware can do"
OF_OTHERS = ("claims.post", "claims.from_others")
FEW_WORDS = 3
"""Words between an opening bracket and a number that describes what stands before it."""
FEWEST_BETWEEN = 4
"""Tokens between "without" and a number that is none of what is done without."""
ARITHMETIC = frozenset({"÷", "*"})
NO_USE, NO_TIME = "a size that nothing is said to use", "a time that nothing is said to take"
BEFORE = "what it was before"
UNTOLD = frozenset({NO_USE, NO_TIME, "a time of years"})
"""Reasons for numbers that nobody would take for a performance."""
NO_PERFORMANCE = {
    "quality": "compares a quality",
    "size": "compares a size",
    "utilisation": "compares a utilisation",
    "communication": "compares what is communicated",
    "work": "compares an amount of work",
}
FARTHEST_SOURCE = 24
"""Characters between a number and the words that say that others announced it."""


def aside_block(written: Written, block: Block) -> str:
    """Return why nothing of a block is a claim; empty where it may hold some."""
    if block.kind == "quote":
        return "a quotation"
    for title in written.titles(block):
        heading = read(title.text, "heading")
        if heading.has("claims.expected_heading", affirmed=False):
            return f"expected, not measured: stands under {title.text[:60]!r}"
        if heading.has("claims.others", affirmed=False) and not heading.has("claims.results_heading"):
            return f"stands under {title.text[:60]!r}"
    return ""


def aside_sentence(reading: Reading) -> str:
    """Return why no number of a sentence is a claim; empty where some may be."""
    if _asked(reading.source):
        return "a question"
    if any(reading.attributions()) or any(reading.has(name, affirmed=False) for name in OF_OTHERS):
        return "reported of others"
    if reading.has("claims.an_estimate", affirmed=False):
        return "expected, not measured"
    return ""


def _asked(text: str) -> bool:
    """Whether a sentence is a question: one in brackets at its end asks for the reason of what it says."""
    bare = text.rstrip(" )\"'*")
    before, opened, inside = bare.rpartition("(")
    told = opened and ")" not in inside and len(before.split()) >= FEWEST_TOLD
    return bare.endswith("?") and not told


def aside_number(reading: Reading, item: Statement, of_tokens: bool, kind: str = "") -> str:
    """Return why a number is no claim; empty where it is one.

    Args:
        reading: its sentence.
        item: the number.
        of_tokens: whether the document speaks of tokens at all.
        kind: item or heading, where the sentence stands in one, and is none of the settings.
    """
    span = (item.start, item.end)
    if not of_tokens and "tps" in reading.source[slice(*span)].casefold():
        return "so many a second of what is not said"
    if not item.quantity:
        return NO_PERFORMANCE.get(item.dimension, "compares what is no performance")
    if reading.negated(span) and not _is_left_out_before(reading, item):
        return "denied"
    if _last_before(reading, item) in SPREADS:
        return "a spread"
    if _near(reading, "claims.hypothetical", span):
        return "supposed, not measured"
    if reading.hedged(span) or _near(reading, "we_project", span):
        return "expected, not measured"
    if any(item.end <= span[0] for item in reading.mentions("claims.goal")):
        return "a goal"
    if item.quantity == "accuracy" and _over(reading, "claims.to_a_quality", span):
        return "a goal"
    if item.quantity != "time" and _near(reading, "claims.requirement", span):
        return "a requirement"
    if any(bounds.end <= span[0] for bounds in reading.mentions("claims.bounds")):
        return "a setting"
    if _is_quoted(reading, span) or _over(reading, "claims.of_a_source", span):
        return "announced by others"
    if item.form != "absolute":
        return HARDWARE if _is_of_hardware(reading, item) else ""
    why = _aside_absolute(reading, item, span)
    return "" if why == NO_TIME and kind and is_labelled(reading, item, kind) else why


def _is_left_out_before(reading: Reading, item: Statement) -> bool:
    """Whether something is only done without: "a loop without fusion is 3x slower", not "without a 3x slowdown"."""
    denying = [mark for mark in reading.negations() if mark.end <= item.start and item.start < mark.clause_span[1]]
    words = {reading.source[mark.start : mark.end].casefold() for mark in denying}
    near = (len(reading.within(mark.end, item.start)) < FEWEST_BETWEEN for mark in denying)
    return words == {"without"} and not any(near)


def _is_quoted(reading: Reading, span: tuple[int, int]) -> bool:
    """Whether others announced a number: "the 1.8x that was announced by its maker", "in line with 1.8x"."""
    behind = any(0 <= each.start - span[1] <= FARTHEST_SOURCE for each in reading.mentions("claims.announced"))
    before = any(0 <= span[0] - each.end <= FARTHEST_SOURCE for each in reading.mentions("claims.agrees"))
    return behind or before


def _is_of_hardware(reading: Reading, item: Statement) -> bool:
    """Whether a comparison is one of what hardware can do, and not of what the authors measured with it."""
    if item.quantity == "memory" and _near(reading, "claims.memory_of_a_device", (item.start, item.end)):
        return _near(reading, "claims.memory_used", (item.start, item.end)) is None
    said = any(each.end <= item.start for each in reading.mentions("claims.of_hardware"))
    return said and not any(token.low in lexicon.word_set("first_person") for token in reading.tokens)


def _aside_absolute(reading: Reading, item: Statement, span: tuple[int, int]) -> str:
    if is_before(reading, item):
        return BEFORE
    if item.quantity == "accuracy" and (_over(reading, "claims.difference", span) or _is_at(reading, item)):
        return "a difference, or a setting, of a quality"
    if item.quantity == "accuracy" and not item.unit and len(item.value) < FEWEST_OF_QUALITY:
        return "too short a number of a quality"
    if (item.metric or "").casefold() == "score" and reading.has("claims.an_epoch"):
        return "a score of what is not said"
    if item.dimension == "data" and (
        not _over(reading, "claims.memory_used", led(reading, item))
        or _over(reading, "claims.installed", span)
        or reading.has("claims.memory_there", affirmed=False)
    ):
        return NO_USE
    if _first_behind(reading, item) in ARITHMETIC:
        return "a step of a calculation"
    if item.dimension == "time":
        why = _aside_time(reading, item, span)
        if why:
            return why
    if item.dimension == "work_rate" and (_is_of_device(reading, item) or _over(reading, "claims.rated", span)):
        return HARDWARE
    if item.dimension == "rate" and _is_load(reading, item):
        return "a load"
    bounded = item.dimension in {"data_rate", "work_rate", "rate"} and _near(reading, "claims.limit", span)
    if bounded or item.dimension == "data_rate":
        return "" if _near(reading, "claims.achieved", span) and not bounded else HARDWARE
    return ""


def _aside_time(reading: Reading, item: Statement, span: tuple[int, int]) -> str:
    if _near(reading, "claims.no_run", span) or reading.has("claims.of_downloads", affirmed=False):
        return "the time of something else"
    if _near(reading, "claims.option", span):
        return "an option"
    if _over(reading, "claims.setting", span):
        return "a setting"
    if item.unit == "y":
        return "a time of years"
    if any(0 <= word.start - item.end <= 1 for word in reading.mentions("claims.less_or_more")):
        return "a difference of times"
    if any(
        frame.form == "from_to" and frame.start < span[1] and span[0] < frame.end for frame in reading.comparisons()
    ):
        return ""
    behind = (span[0], span[1] + FAR)
    spent = _over(reading, "claims.spent", span) or _over(reading, "claims.dropped", span)
    spent = spent or _over(reading, "claims.step_time", behind)
    each = "/" in reading.source[slice(*span)]  # "training at 72 ms/step"
    return "" if "/" in item.unit or each or spent else NO_TIME


def _is_of_device(reading: Reading, item: Statement) -> bool:
    """Whether a number describes a device, in brackets right behind its name: "NVIDIA L20 (Ada, 119.5 TFLOPS)"."""
    before = reading.source[: item.start]
    opened = before.rfind("(")
    if opened < 0 or ")" in before[opened:] or before[opened:].count(" ") > FEW_WORDS:
        return False
    return any(name.end == len(before[:opened].rstrip()) for name in reading.all_names if name.kind == "device")


def _is_load(reading: Reading, item: Statement) -> bool:
    """Whether requests are offered at a rate: "serving at 16 req/s", "request rates from 1 to 64 QPS"."""
    if not item.unit.startswith(("requests/", "queries/")):
        return False
    span = (item.start, item.end)
    said = _near(reading, "claims.offered", span) is not None or _over(reading, "claims.saturated", span)
    return said or _last_before(reading, item) in {"at", "@"}


def _is_at(reading: Reading, item: Statement) -> bool:
    """Whether a number says at which size or threshold a quality is: "80.0 @ 50"."""
    return _last_before(reading, item) == "@"


def _last_before(reading: Reading, item: Statement) -> str:
    """Return the word or sign right before a number; empty where none stands near."""
    before = reading.within(max(0, item.start - FAR), item.start)
    return before[-1].low if before else ""


def _first_behind(reading: Reading, item: Statement) -> str:
    """Return the word or sign right behind a number; empty at the end."""
    behind = reading.within(item.end, len(reading.source))[:1]
    return behind[0].low if behind else ""


def _near(reading: Reading, concept: str, span: tuple[int, int]) -> Mention | None:
    """Return the first mention of a concept in the clause of a place."""
    clause = reading.clause(span)
    return next((item for item in reading.mentions(concept) if reading.clause(item.span) == clause), None)


def _over(reading: Reading, concept: str, span: tuple[int, int]) -> bool:
    """Whether words of a concept stand around a place, its number among them."""
    return any(item.start < span[1] and span[0] < item.end for item in reading.mentions(concept))
