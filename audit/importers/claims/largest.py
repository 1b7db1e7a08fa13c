"""The two cells behind "up to 4.6x": those of the largest ratio that the document's tables give of the same two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.reading import Reading, read
from ..documents.blocks import Block, Written
from ..documents.captions import label
from ..drafting import Drafting
from ..report_file import ReportFile
from .facts import Fact
from .pairs import SPEED, Number, numbers_of_arm, quotient, states

if TYPE_CHECKING:
    from ..fields import ClaimFields

OPEN = frozenset({"up_to", "over", "at_least"})
MOST_NUMBERS = 800
PLAIN = frozenset({"markdown", "html", "text", "rst", "latex"})
"""Forms whose text tells where a picture stands."""
PICTURES = ("![", "<img", "<picture", "<svg", "<canvas", "includegraphics", ".. image::", ".. figure::")
BADGES = ("badge", "shields.io")
MADE_BY = "line-"
"""What the names of the arms of sentences begin with."""


class Pair(Struct, frozen=True):
    """Two numbers of one table that differ in what is compared alone.

    Attributes:
        new: the number of the subject.
        old: that of what it is compared with.
        side: the words of the subject's label that the base's does not have.
        table: index of the table's block in the document.
    """

    new: Number
    old: Number
    side: str
    table: int

    @property
    def ratio(self) -> Decimal:
        """How many times as fast the subject is."""
        return quotient(self.new, self.old)


class Largest(Struct, frozen=True):
    """What the tables say of a number that is the largest of several.

    Attributes:
        fields: those of its claim that link it to the two cells; nothing where its table is not clear.
        why: what is to be asked, where that is so.
    """

    fields: ClaimFields
    why: str = ""


NONE = Largest(cast("ClaimFields", {}))


def largest_in_tables(
    draft: Drafting,
    file: ReportFile,
    document: Written,
    claim: ClaimFields,
    reading: Reading,
    facts: Mapping[str, Fact],
) -> Largest:
    """Return the cells of the largest ratio of the two sides that a sentence compares.

    They are the claim's where its sentence names their table, or this is the only one, gives several such ratios, and
    no figure could show a larger one.
    """
    base = (claim.get("base") or {}).get("definition") or (claim.get("comparator") or {}).get("name") or ""
    is_largest = claim.get("qualifier") in OPEN and "range" not in claim and claim.get("unit") == "x"
    if not is_largest or claim["quantity"] not in SPEED or not base:
        return NONE
    pairs = [pair for pair in _pairs(draft, document, base) if _is_of(pair, claim, draft, facts)]
    pairs = _of_subject(pairs, reading)
    if not pairs:
        return NONE
    tables = {pair.table for pair in pairs}
    named = _named(document, reading)
    if named is not None:
        pairs = [pair for pair in pairs if pair.table == named]
    best = max(pairs, key=lambda pair: pair.ratio, default=None)
    if (
        best is None
        or best.ratio <= 1
        or (any(states(claim, pair.ratio) for pair in pairs) and not states(claim, best.ratio))
    ):
        return NONE
    if named is not None or (len(pairs) > 1 and len(tables) == 1 and not _shows_more(file, document, tables)):
        return Largest(_links(claim, best))
    why = f"the largest ratio of the same two in the tables is {best.ratio:.3g}; which results is this one of?"
    return Largest(NONE.fields, "" if states(claim, best.ratio) else why)


def _links(claim: ClaimFields, pair: Pair) -> ClaimFields:
    base = {**(claim.get("base") or {}), "arm": pair.old.arm, "metric": pair.old.metric}
    fields = {"measured": {"arm": pair.new.arm, "metric": pair.new.metric}, "base": base}
    return cast("ClaimFields", fields)


def _pairs(draft: Drafting, document: Written, base: str) -> Iterator[Pair]:
    """Yield the numbers of one table whose labels, columns among them, differ in one part: that of the base."""
    arms = [arm for arm in draft.arms if not arm.startswith(MADE_BY)]
    numbers = [number for arm in arms for number in numbers_of_arm(draft, arm) if number.quantity in SPEED]
    if len(numbers) > MOST_NUMBERS:
        return
    parts, tables = {number: _parts(number) for number in numbers}, _tables(draft, document, numbers)
    alike: dict[tuple[str, ...], list[Number]] = {}
    for number in numbers:
        for at in range(len(parts[number])):
            alike.setdefault(_without(parts[number], at), []).append(number)
    for old in numbers:
        bases = [at for at, part in enumerate(parts[old]) if _is_base(base, part)]
        for at in bases if len(bases) == 1 else ():
            for new in alike[_without(parts[old], at)]:
                differs = parts[new][at] != parts[old][at] and (new.quantity, new.unit) == (old.quantity, old.unit)
                if differs and tables[new] == tables[old] >= 0:
                    yield Pair(new, old, _own_words(parts[new][at], parts[old][at]), tables[new])


def _parts(number: Number) -> tuple[str, ...]:
    """Return what tells a number from others: the parts of its row's label, and its column."""
    return (*(part.strip() for part in number.label.split(",")), number.metric.replace("-", " "))


def _without(parts: tuple[str, ...], at: int) -> tuple[str, ...]:
    return (*parts[:at], "", *parts[at + 1 :])


def _tables(draft: Drafting, document: Written, numbers: Sequence[Number]) -> Mapping[Number, int]:
    """Return the table that each number stands in, by its block; -1 where that is not known."""
    blocks = enumerate(document.blocks)
    of_line = {cell.place.line: index for index, block in blocks for row in block.cells for cell in row}
    places = {each: draft.origins.get(f"/arms/{each.arm}/performance/{each.metric}/value") for each in numbers}
    return {each: of_line.get(at.line, -1) if at is not None else -1 for each, at in places.items()}


def _is_base(base: str, part: str) -> bool:
    """Whether a part of a label is what words compare with: all its words are among theirs."""
    words = _words(part)
    return bool(words) and set(words) <= set(_words(base))


def _own_words(part: str, other: str) -> str:
    own = [word for word in _words(part) if word not in _words(other)]
    return " ".join(own) or part


def _words(text: str) -> list[str]:
    return [token.low for token in read(text).tokens if any(map(str.isalnum, token.text))]


def _is_of(pair: Pair, claim: ClaimFields, draft: Drafting, facts: Mapping[str, Fact]) -> bool:
    """Whether a pair may be what a claim is of: its quantity, and the model that its sentence names."""
    own = facts.get("model")
    model = draft.arms[pair.new.arm].get("options", {}).get("model")
    alike = own is None or not own.own or model is None or str(own.value).casefold() in str(model).casefold()
    return alike and (pair.new.quantity == claim["quantity"] or claim["quantity"] == "time")


def _of_subject(pairs: Sequence[Pair], reading: Reading) -> list[Pair]:
    """Return the pairs of the side that a sentence names, else of the only one; nothing of several quantities."""
    said = [pair for pair in pairs if reading.says(pair.side)]
    kept = said or list(pairs)
    sides, kinds = {pair.side for pair in kept}, {(pair.new.quantity, pair.new.metric) for pair in kept}
    return kept if len(sides) == len(kinds) == 1 else []


def _named(document: Written, reading: Reading) -> int | None:
    """Return the table whose caption has the number that a sentence names."""
    names = {label(item.text) for item in reading.mentions("claims.table_number")} - {""}
    for index, block in enumerate(document.blocks):
        if block.kind == "caption" and label(block.text) in names:
            beside = (index + 1, index - 1)
            return next((at for at in beside if 0 <= at < len(document.blocks) and document.blocks[at].cells), None)
    return None


def _shows_more(file: ReportFile, document: Written, tables: set[int]) -> bool:
    """Whether a document may have results elsewhere: in another table, in a picture, or in a figure that it names."""
    if document.form not in PLAIN or any(map(_is_picture, file.lines)):
        return True
    return any(
        index not in tables and _has_numbers(block) if block.kind == "table" else _tells_of_more(block)
        for index, block in enumerate(document.blocks)
    )


def _tells_of_more(block: Block) -> bool:
    return any(token.low in lexicon.word_set("shown_elsewhere") for token in read(block.text).tokens)


def _is_picture(line: str) -> bool:
    """Whether a line shows a picture that is no badge."""
    return any(sign in line for sign in PICTURES) and not any(word in line for word in BADGES)


def _has_numbers(block: Block) -> bool:
    return any(cell.text[:1].isdigit() for row in block.cells[1:] for cell in row[1:])
