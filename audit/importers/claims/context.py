"""What holds for a sentence by what stands around it: setup sentences, captions, headings, the title.

The nearest text that states a condition decides; where it states several values, none is known, and nothing farther
away is asked. A sentence is about the setup where it says on or with what was measured, and prints no performance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....rules.language.reading import Reading, read
from ..documents.blocks import Block, Written
from .facts import Fact, Found, found_in
from .sentences import Sentence
from .statements import Statement

Stated = Mapping[str, tuple[Found, ...]]
FLOWING = frozenset({"title", "heading", "caption", "footnote"})
"""Blocks that speak of all that stands below or beside them."""
FEWEST_OF_SUBJECT, MORE_OF_SUBJECT = 3, 4
"""Sentences that speak of what a document is about, and how many times as many as of the other."""
MOST_AROUND = 60
"""Setup sentences of a section that are looked at for each claim."""


class Surroundings:
    """What every part of a document says of the conditions of what it measures."""

    def __init__(self, written: Written, sentences: Sequence[Sentence], numbered: Sequence[bool]) -> None:
        """Read the conditions that a document states.

        Args:
            written: the document.
            sentences: its sentences.
            numbered: of each, whether it states a performance.
        """
        self.written = written
        self._of_block: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            self._of_block.setdefault(sentence.block, []).append(sentence)
        self._setup: dict[int, list[tuple[Sentence, Stated]]] = {}
        self._subject = list(_subject(sentences, written))
        for sentence, states in zip(sentences, numbered, strict=True):
            block = written.blocks[sentence.block]
            if not states and block.kind not in {"title", "heading"} and _is_setup(sentence, block, written):
                self._setup.setdefault(block.section, []).append((sentence, _but(found_in(sentence.reading), "mode")))

    def holding(self, sentence: Sentence, statements: Sequence[Statement], own: Statement) -> dict[str, Fact]:
        """Return the conditions that hold for a number: those of its sentence, else of the nearest text around it."""
        facts: dict[str, Fact] = {}
        for text, stated in self._around(sentence, statements, own):
            for name, values in stated.items():
                first = values[0]
                if name == "mode" and len(values) > 1:
                    continue
                place = self.written.blocks[text.block].place(text.start + first.start)
                value = first.value if len(values) == 1 else None
                facts.setdefault(name, Fact(value, place, text.text, text is sentence))
        return facts

    def _around(
        self, sentence: Sentence, statements: Sequence[Statement], own: Statement
    ) -> Iterator[tuple[Sentence, Stated]]:
        """Yield texts with what they state, the nearest first."""
        reading = sentence.reading
        apart = [item.base for item in statements if item.base is not None]
        whole = found_in(reading, apart)
        yield sentence, _in_clause(reading, whole, statements, own)
        yield sentence, whole
        blocks = self.written.blocks
        block = blocks[sentence.block]
        for other in reversed(self._of_block[sentence.block]):
            if other.start < sentence.start:
                yield other, _only(found_in(other.reading), "mode")
        if block.kind == "item":
            yield from self._above(sentence.block, block)
        section = block.section
        while True:
            setups = sorted(self._setup.get(section, ()), key=lambda item: abs(item[0].block - sentence.block))
            yield from setups[:MOST_AROUND]
            if section < 0:
                yield from self._subject
                return
            title = blocks[section]
            yield Sentence(title.text, section, 0, title.place()), found_in(read(title.text, "heading"))
            section = title.section

    def _above(self, index: int, block: Block) -> Iterator[tuple[Sentence, Stated]]:
        """Yield the items that an item of a list belongs to, and the sentence that leads to its list."""
        level = block.level
        for at in range(index - 1, max(-1, index - MOST_AROUND), -1):
            above = self.written.blocks[at]
            if above.kind == "item" and above.level >= level:
                continue
            if above.kind not in {"item", "paragraph"}:
                return
            yield Sentence(above.text, at, 0, above.place()), found_in(read(above.text))
            if above.kind == "paragraph":
                return
            level = above.level


def _in_clause(reading: Reading, whole: Stated, statements: Sequence[Statement], own: Statement) -> Stated:
    """Return the conditions of a number's own clause, where each number of the sentence has another in its clause."""
    found: dict[str, tuple[Found, ...]] = {}
    clauses = {reading.clause((item.start, item.end)) for item in statements}
    for name, values in whole.items():
        by_clause = {reading.clause((item.start, item.end)): item for item in values}
        if len(values) == len(by_clause) > 1 and clauses == set(by_clause):
            found[name] = (by_clause[reading.clause((own.start, own.end))],)
    return found


def _only(stated: Stated, name: str) -> Stated:
    return {name: stated[name]} if name in stated else {}


def _but(stated: Stated, name: str) -> Stated:
    return {key: values for key, values in stated.items() if key != name}


def _subject(sentences: Sequence[Sentence], written: Written) -> Iterator[tuple[Sentence, Stated]]:
    """Yield what a document is about, training or inference.

    It says so in its first section, and speaks of one far more than of the other.
    """
    first = next((at for at, block in enumerate(written.blocks) if block.kind in {"title", "heading"}), -1)
    said: dict[object, list[tuple[Sentence, Stated]]] = {}
    for sentence in sentences:
        modes = found_in(sentence.reading).get("mode", ())
        if len(modes) == 1:
            said.setdefault(modes[0].value, []).append((sentence, {"mode": modes}))
    ranked = sorted(said.values(), key=len, reverse=True)
    others = len(ranked[1]) if len(ranked) > 1 else 0
    if not ranked or len(ranked[0]) < max(FEWEST_OF_SUBJECT, MORE_OF_SUBJECT * others):
        return
    opening = {-1, first}
    yield from (
        item for item in ranked[0][:1] if item[0].block == first or written.blocks[item[0].block].section in opening
    )


def _is_setup(sentence: Sentence, block: Block, written: Written) -> bool:
    if sentence.reading.has("claims.setup"):
        return True
    title = written.blocks[block.section] if block.section >= 0 else None
    return title is not None and read(title.text, "heading").has("claims.setup_heading")
