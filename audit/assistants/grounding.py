"""Whether what an assistant hands in stands in the document that it names: sentences, quotations, names and numbers.

A number is grounded where the document prints it, as digits, with a factor (34.08M), as a duration (33 hr 13 min) or
as a word; the number of a claim, where its own sentence does. What is a choice of the schema, or words of whoever
wrote the submission (a title, a label, the definition of a base), is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any

from msgspec import Struct

from ...rules.facts.document.quotations import Squeezed, quoted, squeezed
from ...rules.language.reading import read
from ...schemas.model import escape
from ..importers.claims.statements import statements_of

QUOTED = frozenset({"statement", "quote", "superlative", "subset"})
"""Fields that hold words of the document."""
NAMES = frozenset({"device", "model", "dataset", "host_processor"})
"""Fields that hold a name that the document gives a thing."""
OWN = frozenset({"printed_at", "digits", "sha256", "nonce", "folder", "manifests", "source", "publication"})
"""Fields that say nothing of what the document reports."""
_DIGITS = re.compile(r"(?<![\w.])[-+]?[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")
_WORD_BEHIND = re.compile(r"\s?([A-Za-z]+|%)")
_POWERS = {"k": 3, "K": 3, "M": 6, "B": 9, "G": 9, "T": 12, "%": -2}
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
TIMES = frozenset({"d", "day", "h", "hr", "hour", "m", "min", "minute", "s", "sec", "second"})
"""Units of a time, without the ending of a plural."""
MOST_MISSING = 20
MOST_DEPTH = 40


class Missing(Struct, frozen=True):
    """Something that does not stand in the document: where the submission says it, and what it says."""

    pointer: str
    what: str


class Document(Struct, frozen=True, eq=False, dict=True):
    """A document in which things are looked for, as it is written and as a reader sees it."""

    name: str
    texts: tuple[str, ...]

    @cached_property
    def squeezed(self) -> tuple[Squeezed, ...]:
        """Its texts without white space and marks of format."""
        return tuple(map(squeezed, self.texts))

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """The numbers that it prints."""
        return frozenset(number for text in self.texts for number in numbers_in(text))

    def holds(self, words: str) -> bool:
        """Whether words stand in it."""
        return quoted(self.squeezed, words) is not None


def ungrounded(value: Mapping[str, Any], document: Document) -> tuple[Missing, ...]:
    """Return what of a submission does not stand in a document, up to a limit."""
    found: list[Missing] = []
    for missing in _missing(value, "", document, MOST_DEPTH):
        found.append(missing)
        if len(found) >= MOST_MISSING:
            break
    return tuple(found)


def _missing(value: Mapping[str, Any], at: str, document: Document, depth: int) -> Iterator[Missing]:
    together = value.get("put_together") is True
    for key, part in value.items():
        here = f"{at}/{escape(str(key))}"
        if key in OWN or depth == 0:
            continue
        if isinstance(part, Mapping):
            yield from _missing(part, here, document, depth - 1)
        elif isinstance(part, list):
            yield from _missing({str(n): each for n, each in enumerate(part)}, here, document, depth - 1)
        elif isinstance(part, str) and key in QUOTED:
            yield from _words(part, here, document, together and key == "statement")
        elif isinstance(part, str) and key in NAMES and not document.holds(part):
            yield Missing(here, f"{part!r} does not stand in {document.name}")
        elif (number := _number(part, key)) is not None:
            yield from _value(number, part, here, value, document)


def _words(words: str, at: str, document: Document, together: bool) -> Iterator[Missing]:
    parts = (part.strip(":,") for part in words.split()) if together else (words,)
    for part in parts:
        if part and part != document.name and not document.holds(part):
            yield Missing(at, f"{part!r} does not stand in {document.name}")


def _value(
    number: Decimal, printed: object, at: str, beside: Mapping[str, Any], document: Document
) -> Iterator[Missing]:
    """Look for a number: that of a claim in its sentence, any other in the document."""
    sentence = beside.get("statement")
    if not isinstance(sentence, str) or not at.endswith("/value"):
        if number not in document.numbers:
            yield Missing(at, f"the number {printed} does not stand in {document.name}")
    elif number not in numbers_in(sentence):
        yield Missing(at, f"the number {printed} does not stand in the claim's statement")


def _number(part: object, key: str) -> Decimal | None:
    """Return the number that a field holds; None where it holds words, a choice or a name."""
    if isinstance(part, bool) or not isinstance(part, int | float | str) or key in {"dlaudit", "definition", "label"}:
        return None
    if isinstance(part, str) and not re.fullmatch(r"-?[0-9.]+(?:[eE][-+]?[0-9]{1,3})?", part):
        return None
    try:
        return Decimal(str(part)).normalize()
    except InvalidOperation:
        return None


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return the numbers that a text prints: digits, with factors, durations in each of their units, and words."""
    found: set[Decimal] = set()
    last, total = -1, Decimal(0)
    for match in _DIGITS.finditer(text):
        number = Decimal(match[0].replace(",", "").rstrip("."))
        found.add(number)
        behind = _WORD_BEHIND.match(text, match.end())
        word = behind[1] if behind is not None else ""
        if word in _POWERS:
            found.add(number.scaleb(_POWERS[word]))
        if behind is not None and (word in TIMES or word.removesuffix("s") in TIMES):
            goes_on = last >= 0 and text[last : match.start()].strip(" ,and") == ""
            total = number * _SECONDS[word[0]] + (total if goes_on else 0)
            last = behind.end()
            found |= {total / each for each in _SECONDS.values()}
        else:
            last, total = -1, Decimal(0)
    return frozenset(number.normalize() for number in (*found, *_worded(text)))


def _worded(text: str) -> Iterator[Decimal]:
    """Yield the numbers that words say: "three runs", "twice as fast", "halves"."""
    for paragraph in re.split(r"\n[ \t]*\n", text):
        for start, end in read(paragraph).sentences():
            reading = read(paragraph[start:end])
            yield from (each for number in reading.numbers((0, end - start)) for each in (number.low, number.high))
            for item in statements_of(reading):
                yield from (Decimal(item.low), Decimal(item.value))
