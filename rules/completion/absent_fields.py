"""What words give to fields that a claim leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Table
from ..language.answers import Mention
from ..language.questions import concepts_of
from ..language.reading import Reading, read
from .named_statistic import statistic_named
from .reads import Read

OPENED = "open."
"""Concepts of the words that leave a side of a number open."""
WORK = {
    "tokens": "tokens",
    "samples": "samples",
    "images": "samples",
    "examples": "samples",
    "sequences": "samples",
    "requests": "requests",
    "queries": "requests",
}
TIMES = frozenset({"rate", "time", "latency", "flops", "energy", "cost"})
LONGEST_QUOTE = 160


class Text(Struct, frozen=True):
    """A text about a claim, with its place."""

    at: str
    reading: Reading

    def quote(self, start: int, end: int) -> str:
        """Return some words of the text with those around them, up to a length."""
        source = self.reading.source
        if len(source) <= LONGEST_QUOTE:
            return source
        middle = (start + end) // 2
        begin = max(0, min(middle - LONGEST_QUOTE // 2, len(source) - LONGEST_QUOTE))
        return source[begin : begin + LONGEST_QUOTE]

    def gives(self, field: str, value: str, kind: str, start: int = 0, end: int = 0) -> Read:
        """Return what some of its words give to a field."""
        return Read(field, value, kind, self.at, self.quote(start, end))

    def affirms(self, concept: str, field: str, value: str) -> Read | None:
        """Return what the first words that affirm a concept give to a field; None where none do."""
        found = next((item for item in self.reading.mentions(concept) if not item.negated), None)
        return self.gives(field, value, field, *found.span) if found is not None else None


class Words(Struct, frozen=True):
    """The texts about a claim.

    Attributes:
        statement: its sentence.
        caption: that of its table; None where there is none.
        quotes: what is quoted beside it.
        labelled: whether its table states a kind of scaling.
    """

    statement: Text
    caption: Text | None = None
    quotes: tuple[Text, ...] = ()
    labelled: bool = False

    def __iter__(self) -> Iterator[Text]:
        yield self.statement
        yield from self.quotes
        if self.caption is not None:
            yield self.caption


def words_about(claim: Claim, table: Table | None = None) -> Words:
    """Return the texts about a claim and its table."""
    caption = table.caption if table is not None else None
    return Words(
        Text(claim.place("statement"), read(claim.statement)),
        Text(table.place("caption"), read(caption)) if table is not None and caption else None,
        tuple(Text(item.at, read(item.quote)) for item in claim.said),
        table is not None and table.label is not None,
    )


def reads_of(claim: Claim, words: Words) -> tuple[Read, ...]:
    """Return what words give to the fields that a claim leaves out; nothing of what they leave open."""
    found = (reader(claim, words) for field, reader in READERS.items() if getattr(claim, field) is None)
    return tuple(item for item in found if item is not None)


def qualifier(claim: Claim, words: Words) -> Read | None:
    """Return the word that leaves a side of the claim's number open, right in front of it in the sentence."""
    if claim.value is None:
        return None
    reading, value = words.statement.reading, Decimal(claim.value)
    own = next((item for item in reading.numbers() if value in {item.low, reading.tokens[item.first].value}), None)
    if own is None or own.qualifier is None:
        return None
    start = reading.tokens[own.first].start
    if own.qualifier == "about":
        return words.statement.gives("qualifier", "about", "quantity", start, start)
    before = [item for name in concepts_of(OPENED) for item in reading.mentions(name) if item.end <= start]
    nearest = max(before, key=lambda item: item.end, default=None)
    if nearest is None:
        return None
    return words.statement.gives("qualifier", nearest.concept.removeprefix(OPENED), "quantity", nearest.start, start)


def statistic(claim: Claim, words: Words) -> Read | None:
    """Return the statistic of an absolute number that its sentence or the caption of its table names."""
    if claim.form != "absolute" or claim.quantity not in TIMES:
        return None
    for text in (words.statement, words.caption):
        named = statistic_named(text.reading, claim) if text is not None else None
        if text is not None and named is not None:
            return text.gives("statistic", named, "statistic")
    return None


def superlative(claim: Claim, words: Words) -> Read | None:
    """Return the words by which a sentence calls its number the best of all."""
    text = words.statement
    said = (item for item in text.reading.mentions("best_of_all") if not item.negated)
    found = next((item for item in said if not (item.hedged and _hedged_by_others(text.reading, item))), None)
    if found is None or text.reading.attributions():
        return None
    return text.gives("superlative", found.text, "superlative", *found.span)


def _hedged_by_others(reading: Reading, item: Mention) -> bool:
    """Whether a hedge stands outside of a mention: a forecast that is called the fastest hedges nothing."""
    return any(not item.start <= hedge.start < item.end for hedge in reading.hedges())


def label(claim: Claim, words: Words) -> Read | None:
    """Return the one kind of scaling that a sentence, or else the caption of its table, names: strong or weak."""
    for text in words if not words.labelled else ():
        named = {word.kind: word for word in text.reading.scaling() if word.kind in {"strong", "weak"}}
        if len(named) == 1:
            ((kind, word),) = named.items()
            return None if word.negated else text.gives("label", kind, "scaling", word.start, word.end)
        if named:
            return None
    return None


def basis(claim: Claim, words: Words) -> Read | None:
    """Return that a sentence says that its own number was projected: it is the next one, but for counts of devices.

    "We project the keys to 64 dimensions" and "we simulate 96 atoms" are no forecasts where a number was measured.
    """
    text = words.statement
    verb = next((item for item in text.reading.mentions("we_project") if not item.negated), None)
    if verb is None or claim.value is None or claim.measured is not None:
        return None
    devices = {count.first for count in text.reading.counts("devices")}
    behind = text.reading.numbers((verb.end, len(text.reading.source)))
    first = next((number for number in behind if number.first not in devices), None)
    if first is None or Decimal(claim.value) not in {first.low, text.reading.tokens[first.first].value}:
        return None
    return text.gives("basis", "projected", "basis", *verb.span)


def purpose(claim: Claim, words: Words) -> Read | None:
    """Return that a time of training is one to an accuracy, as its sentence says."""
    if claim.mode != "training" or claim.quantity != "time" or claim.form != "absolute" or claim.suite is not None:
        return None
    return words.statement.affirms("until_accuracy", "purpose", "time_to_accuracy")


def work(claim: Claim, words: Words) -> Read | None:
    """Return what a rate counts, as its unit says."""
    if claim.unit is None or claim.quantity != "rate" or claim.form != "absolute":
        return None
    items = {WORK.get((item.unit or "").partition("/")[0]) for item in read(f"1 {claim.unit}").quantities("rate")}
    named = items.pop() if len(items) == 1 else None
    return Read("work", named, "quantity", claim.place("unit"), claim.unit) if named is not None else None


READERS: dict[str, Callable[[Claim, Words], Read | None]] = {
    "qualifier": qualifier,
    "statistic": statistic,
    "superlative": superlative,
    "label": label,
    "basis": basis,
    "purpose": purpose,
    "work": work,
}
"""How a field is read, by field."""
