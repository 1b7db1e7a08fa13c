"""What holds for a sentence by what stands around it: setup sentences, captions, headings, the title.

The nearest text that states a condition decides; where it states several values, none is known, and nothing farther
away is asked. A sentence is about the setup where it says on or with what was measured, and prints no performance; not
where it says so of some rows of a table, or of what somebody else did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from msgspec.structs import replace

from ....rules.language import lexicon
from ....rules.language.reading import Reading, read
from ..documents.blocks import Block, Written
from .facts import ON_THE_HOST, Fact, Found, found_in
from .sentences import Sentence
from .statements import Statement

Stated = Mapping[str, tuple[Found, ...]]
FLOWING = frozenset({"title", "heading", "caption", "footnote"})
"""Blocks that speak of all that stands below or beside them."""
FEWEST_OF_SUBJECT, MORE_OF_SUBJECT = 3, 4
"""Sentences that speak of what a document is about, and how many times as many as of the other."""
HEADED = "claims.setup_heading"
OF_A_RUN = frozenset({"precision", "quantisation", "batch", "global_batch", "input_length"})
"""Conditions that belong to the run that they are stated of."""
OF_THE_WORK = frozenset(
    {"mode", "model", "dataset", "precision", "quantisation", "batch", "global_batch", "input_length"}
)
"""Conditions that belong to the training or the inference that they are stated of."""
PARALLEL = ("tensor_parallel", "pipeline_parallel", "data_parallel")
ON_A_MACHINE = frozenset({"device", "system", "processor"})
OF_A_SIDE = OF_A_RUN | ON_A_MACHINE | {"devices", *PARALLEL}
"""Conditions in which sides that are compared differ."""
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
        self.numbered = {item.block for item, states in zip(sentences, numbered, strict=True) if states}
        self._subject = list(_subject(sentences, written))
        for sentence, states in zip(sentences, numbered, strict=True):
            block = written.blocks[sentence.block]
            if not states and block.kind not in {"title", "heading"} and _is_setup(sentence, block, written):
                self._setup.setdefault(block.section, []).append((sentence, _but(found_in(sentence.reading), "mode")))

    def holding(self, sentence: Sentence, statements: Sequence[Statement], own: Statement) -> dict[str, Fact]:
        """Return the conditions that hold for a number: those of its sentence, else of the nearest text around it."""
        facts: dict[str, Fact] = {}
        if sentence.reading.has("claims.several_devices") and sentence.reading.devices() is None:
            facts["devices"] = Fact(None, sentence.place, sentence.text, True)
        for text, told in self._around(sentence, statements, own):
            stated = _for_the_same(told, facts)
            for name, values in stated.items():
                first = values[0]
                if name == "mode" and len(values) > 1 and text is not sentence:
                    continue
                place = self.written.blocks[text.block].place(text.start + first.start)
                known = len(values) == 1 and not (text is sentence and _is_contrasted(sentence.reading, first, own))
                facts.setdefault(name, Fact(first.value if known else None, place, text.text, text is sentence))
            _hide(facts, stated)
        return facts

    def holding_for_table(self, index: int, captions: Sequence[str]) -> dict[str, Fact]:
        """Return the conditions that hold for a table: those of its captions, else of the nearest text around it."""
        facts: dict[str, Fact] = {}
        place = self.written.blocks[index].place()
        beside = [(Sentence(text, index, 0, place), found_in(read(text))) for text in captions]
        here = self._of_section(index)
        for text, told in (*beside, *self._right_above(index), *self._outward(index)):
            stated = _for_the_same(_of_as_many(told, here), facts)
            for name, values in stated.items():
                value = values[0].value if len(values) == 1 else None
                facts.setdefault(name, Fact(value, text.place, text.text, False))
            _hide(facts, stated)
        return facts

    def _right_above(self, index: int) -> Iterator[tuple[Sentence, Stated]]:
        """Yield which machine the paragraph that leads to a table names: "the same on a Titan XP"."""
        if index > 0 and self.written.blocks[index - 1].kind == "paragraph":
            for sentence in reversed(self._of_block.get(index - 1, ())):
                told = found_in(sentence.reading)
                yield sentence, {name: values for name, values in told.items() if name in ON_A_MACHINE}

    def _of_section(self, index: int) -> Stated:
        """Return how many nodes the texts of a table's section count before it, and whether it measures a transfer."""
        blocks = self.written.blocks
        section = blocks[index].section
        texts = [text for at in range(max(section, 0), index) for text in self._of_block.get(at, ())]
        counts = (count for text in texts for count in text.reading.counts("nodes") if count.value == count.high)
        nodes = tuple(Found("nodes", int(count.value), count.start, count.end) for count in counts)
        moved = read(blocks[section].text, "heading").mentions("claims.of_a_transfer") if section >= 0 else ()
        return {"nodes": nodes, "transfer": tuple(Found("transfer", 1, each.start, each.end) for each in moved)}

    def setup_of_table(self, index: int) -> list[str]:
        """Return the setup sentences of a table's section and of the document, the nearest first."""
        kinds = [(text.text, self.written.blocks[text.block].kind) for text, _ in self._outward(index)]
        return list(dict.fromkeys(text for text, kind in kinds if kind not in FLOWING))

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
        for text, told in self._outward(sentence.block):
            if not _is_later_run(text, sentence):
                yield text, told
            elif block.kind == blocks[text.block].kind == "item":
                yield text, _apart(told)
            else:
                yield text, _of_others(told)

    def _outward(self, index: int) -> Iterator[tuple[Sentence, Stated]]:
        """Yield what the sections around a block state, the nearest first; the document's setup before its title."""
        blocks = self.written.blocks
        section = blocks[index].section
        while True:
            setups = sorted(self._setup.get(section, ()), key=lambda item: abs(item[0].block - index))
            yield from setups[:MOST_AROUND]
            if section < 0 or blocks[section].section < 0:
                yield from self._of_setup_sections(index)
            if section < 0:
                yield from self._subject
                return
            title = blocks[section]
            yield Sentence(title.text, section, 0, title.place()), _of_heading(read(title.text, "heading"))
            section = title.section

    def _of_setup_sections(self, index: int) -> Iterator[tuple[Sentence, Stated]]:
        """Yield what the only section of the document that is headed as its setup says as a whole.

        A condition of which it names several is not known from it.
        """
        headed = [at for at in self._setup if at >= 0 and read(self.written.blocks[at].text, "heading").has(HEADED)]
        if len(headed) != 1 or headed[0] == self.written.blocks[index].section:
            return
        merged: dict[str, list[Found]] = {}
        for _, stated in self._setup[headed[0]]:
            for name, values in stated.items():
                kept = merged.setdefault(name, [])
                kept += [each for each in values if all(each.value != other.value for other in kept)]
        several = len(merged.get("device", ())) > 1
        for sentence, stated in self._setup[headed[0]]:
            # how one device of several worked holds for no other
            yield sentence, {name: tuple(merged[name]) for name in stated if not several or name not in OF_A_RUN}

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


def _of_heading(reading: Reading) -> Stated:
    """Return what a heading states for all below it.

    "One card vs two (TP=2)" sets sides beside each other: from there on, how either was run is told as of several, for
    a number below may be of the other. What stands in a clause before, both sides share.
    """
    found, sides = found_in(reading), reading.mentions("claims.sides")
    if not sides:
        return found
    first = reading.clause((sides[0].start, sides[0].end))
    of_a_side = {
        name
        for name, values in found.items()
        if name in OF_A_SIDE and any(reading.clause((item.start, item.end)) >= first for item in values)
    }
    return {name: values * 2 if name in of_a_side else values for name, values in found.items()}


def _of_as_many(stated: Stated, here: Stated) -> Stated:
    """Return what a text states for a table: not the devices of more or fewer nodes than its own section counts.

    Nor is the model of the other measurements that of a transfer between devices.
    """
    counted = {item.value for item in here.get("nodes", ())}
    if counted and any(item.value not in counted for item in stated.get("nodes", ())):
        stated = {name: values for name, values in stated.items() if name not in {"nodes", "devices"}}
    return {name: v for name, v in stated.items() if name not in OF_THE_WORK} if here.get("transfer") else stated


def _for_the_same(stated: Stated, facts: Mapping[str, Fact]) -> Stated:
    """Return what a text states for a number: the model of a training is not that of an inference.

    Nor is one device that of several, which nearer words count, nor a count of them that its parallel sizes exceed.
    """
    modes, mode = stated.get("mode", ()), facts.get("mode")
    if len(modes) == 1 and mode is not None and mode.value not in {None, modes[0].value}:
        stated = {name: values for name, values in stated.items() if name not in OF_THE_WORK}
    counted, held = stated.get("devices", ()), facts.get("devices")
    sizes = (facts[name].value for name in PARALLEL if name in facts)
    ranks = prod(size for size in sizes if isinstance(size, int) and size > 0)
    if any(isinstance(item.value, int) and item.value % ranks for item in counted):
        stated = _but(stated, "devices")
    single = len(counted) == 1 and counted[0].value == 1
    return _but(stated, "device") if single and held is not None and held.value not in {1, None} else stated


def _is_later_run(text: Sentence, sentence: Sentence) -> bool:
    """Whether a text tells of one run, behind a sentence: how that was done holds for no earlier one."""
    behind = (text.block, text.start) > (sentence.block, sentence.start)
    return behind and lexicon.word_set("of_all").isdisjoint(token.low for token in text.reading.tokens)


def _of_others(stated: Stated) -> Stated:
    return {name: values for name, values in stated.items() if name not in OF_A_RUN}


def _apart(stated: Stated) -> Stated:
    """Return what an item of a list states for an earlier one, which may be about another model."""
    return {name: values for name, values in stated.items() if name not in OF_THE_WORK}


def _hide(facts: dict[str, Fact], stated: Stated) -> None:
    """Leave the device unknown that texts farther away name, where this one says that the work ran on processors."""
    told = facts.get(ON_THE_HOST) if ON_THE_HOST in stated else None
    if told is not None:
        for name in ("device", "devices"):
            facts.setdefault(name, replace(told, value=None))


def _is_contrasted(reading: Reading, found: Found, own: Statement) -> bool:
    """Whether a condition is stated behind "but", or before it, and the number at its other side."""
    first, last = sorted(((found.start, found.end), (own.start, own.end)))
    between = reading.within(first[1], last[0])
    asked = own.form == "absolute" and found.name in ON_A_MACHINE
    return asked and any(token.low in lexicon.word_set("contrasts") for token in between)


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
    reading = sentence.reading
    if reading.has("claims.no_setup", affirmed=False) or reading.has("claims.later", affirmed=False):
        return False
    if reading.has("claims.setup"):
        return True
    title = written.blocks[block.section] if block.section >= 0 else None
    return title is not None and read(title.text, "heading").has(HEADED)
