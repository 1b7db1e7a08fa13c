"""Times that a label tells what they are of, in items of lists and headings: "Matrix products: 3870 ms (24.3 %)".

Of labels that begin alike, one whose number has no unit has that of the one before: "Step 4: tiled: 9.36 (no gain)".
"""

from __future__ import annotations

from msgspec.structs import replace

from ....rules.language.reading import Reading, read
from ....schemas.pattern import Pattern
from ..documents.blocks import Block, Written
from .statements import Statement

MOST_WORDS = 10
"""Words of a label."""
SHORT = frozenset({"ns", "us", "ms", "s", "min"})
"""Units of times that a label may be enough for; hours are often those of recordings."""
IN_HEADINGS = frozenset({"ms", "us", "ns", "s"})
"""Units of the times that a heading gives; longer ones are often those of reading it or of a lesson."""
_LABEL = Pattern(
    r"((?:[^:\n]{2,80}:\s?){0,2}[^:\n]{2,80})(?::| [-–—])[ *]{0,4}"
    r"(?:[0-9]{1,3}(?:\.[0-9]{1,3})? ?% ?(?:\([a-z]{2,8}\) ?)?, ?)?(?:[~≈<>]|([a-z]{4,13}))? ?"
)
"""A label, with the share or the bound before its number."""
_CLOSES = Pattern(r"[ *]{0,4}(?:$|[(,;\[→.])")
"""Signs that may stand behind the number of a label."""
_IN_BRACKETS = Pattern(r"\([~≈<>]? ?$")
_BARE = Pattern(r"([^:\n]{2,80}(?::\s?[^:\n]{2,80})?): ?([0-9]{1,9}\.[0-9]{1,9})(?: ?\(|\s{0,9}$)")


def is_listed(written: Written, block: Block) -> bool:
    """Whether a block is an item of a list or a heading, and its section is none of settings."""
    if block.kind not in {"item", "heading"}:
        return False
    title = written.blocks[block.section] if block.section >= 0 else None
    return title is None or not read(title.text, "heading").has("claims.setup_heading")


def is_labelled(reading: Reading, item: Statement, kind: str) -> bool:
    """Whether a label stands before a time, or an item of a list closes with it in brackets."""
    source, before = reading.source, reading.source[: item.start]
    units = IN_HEADINGS if kind == "heading" else SHORT
    if item.unit not in units or reading.has("claims.no_label", affirmed=False):
        return False
    label = _LABEL.fullmatch(before)
    if label is not None:
        named = len(label[1].split()) <= MOST_WORDS and any(sign.isalpha() for sign in label[1])
        bound = label[2] is None or read(label[2]).has("claims.before_labelled")
        return named and bound and _is_closed(reading, item.end)
    alone = sum(quantity.dimension == "time" for quantity in reading.quantities()) == 1
    closed = kind == "item" and source[item.end :].rstrip(" .") == ")"
    return alone and closed and _IN_BRACKETS.search(before[-4:]) is not None and len(before.split()) > 1


def _is_closed(reading: Reading, end: int) -> bool:
    """Whether what is said of a labelled number ends behind it, or a word follows that says how it was taken."""
    if _CLOSES.match(reading.source, end) is not None:
        return True
    behind = next((token for token in reading.tokens if token.start >= end and token.low != "*"), None)
    return behind is not None and any(each.start == behind.start for each in reading.mentions("claims.closes_label"))


def carried(reading: Reading, last: tuple[Reading, Statement] | None) -> Statement | None:
    """Return the number of a label without a unit, in that of the label before, which begins with the same word.

    Args:
        reading: the item or the heading.
        last: the last labelled time of its kind of block, with what it stands in.
    """
    found = _BARE.match(reading.source)
    if last is None or found is None or _first(reading) != _first(last[0]):
        return None
    start, end = found.span(2)
    return replace(last[1], start=start, end=end, low=found[2], value=found[2], qualifier=None)


def _first(reading: Reading) -> str:
    return reading.tokens[0].low if reading.tokens else ""
