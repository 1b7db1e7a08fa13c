"""What holds for the arms of a table by what stands around it: its caption, and the setup of its section or document.

A condition is given to the arms of a table only where none of them states it, and none of their labels names another
thing of its kind: what varies in a table is said by its rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.reading import Reading, read
from ..documents.blocks import Block, Place, Written
from ..drafting import ArmDraft, Drafting
from ..tables.devices import is_of_host
from .arms import origin, put_condition
from .context import Surroundings
from .facts import Fact
from .sentences import sentences_of
from .table_notes import give_sides, notes_of

CONDITIONS = frozenset({"devices", "device", "framework", "model", "dataset", "global_batch",
                        "input_length"})  # fmt: skip
ON_A_DEVICE = frozenset({"devices", "device"})
OF_QUALITY = frozenset({"model", "dataset"})
"""Conditions that hold for arms of qualities alone: on which machine those were taken tells nothing of them."""
KINDS = {"model": "model", "dataset": "dataset", "device": "device", "precision": "format", "framework": "framework"}
"""Kinds of names that a label may hold."""
NEAR = 26
"""Characters behind a count in which it may say what it counts: "50 iterations of warm-up", "5 fresh processes"."""


class Repeated(Struct, frozen=True):
    """How often numbers were taken: counts with the words that state them."""

    iterations: int | None = None
    warmup: int | None = None
    processes: int | None = None
    seeds: int | None = None
    synchronised: bool = False


def give_conditions_alone(draft: Drafting, file: str, document: Written) -> None:
    """Give the arms of tables what a document says that tells nothing in sentences."""
    sentences = tuple(sentences_of(document))
    give_conditions(draft, file, document, Surroundings(document, sentences, [False] * len(sentences)))


def give_conditions(draft: Drafting, file: str, document: Written, around: Surroundings) -> None:
    """Give the arms of each table the conditions that the text around it states."""
    lines = _arms_by_line(draft)
    for index, block in enumerate(document.blocks):
        if block.kind != "table":
            continue
        held = dict.fromkeys(
            arm for row in block.cells for cell in row for arm in lines.get(cell.place.line, ()) if arm in draft.arms
        )
        arms = [draft.arm(name) for name in held]
        if arms:
            notes = [document.blocks[at] for at in notes_of(document, index, around)]
            texts = [document.blocks[at].text for at in _captions(document, index)]
            texts += [note.text for note in notes]
            facts = around.holding_for_table(index, texts)
            headings = [cell.text for cell in block.cells[0]]
            _give(arms, file, facts, headings)
            give_sides(arms, file, [(block.text, block.place()) for block in notes])
            repeated = _repeated([*texts, *around.setup_of_table(index)])
            _give_repetitions(arms, file, repeated, block.cells[0][0].place)


def _arms_by_line(draft: Drafting) -> Mapping[int, list[str]]:
    """Return the arms of tables by the lines of their numbers."""
    found: dict[int, list[str]] = {}
    for key, claim in draft.claims.items():
        where = draft.origins.get(f"/claims/{key}/value")
        arm = claim.get("measured", {}).get("arm")
        if where is not None and arm is not None:
            found.setdefault(where.line, []).append(arm)
    return found


def _captions(document: Written, index: int) -> Iterator[int]:
    """Yield the captions of a table: those that stand beside it."""
    yield from (
        at for at in (index - 1, index + 1) if 0 <= at < len(document.blocks) and _is_caption(document.blocks[at])
    )


def _is_caption(block: Block) -> bool:
    return block.kind == "caption"


def _give(arms: Sequence[ArmDraft], file: str, facts: Mapping[str, Fact], headings: Sequence[str]) -> None:
    named = {kind for arm in arms for kind in KINDS.values() if read(_label(arm)).names(kind)}
    if any(read(heading).names("device") for heading in headings):
        named.add("device")
    if any(read(heading).names("framework") or read(heading).names("library") for heading in headings):
        named.add("framework")
    # rows or columns of so many GPUs each: what the setup counts is the most of them
    counted = any(read(text).counts("devices") for text in (*headings, *map(_label, arms)))
    known = {
        name: fact
        for name, fact in facts.items()
        if name in CONDITIONS
        and fact.value is not None
        and KINDS.get(name) not in named
        and not (counted and name == "devices")
        and not any(_states(arm, name) for arm in arms)
    }
    for arm in arms:
        held = {name: fact for name, fact in known.items() if name not in ON_A_DEVICE or not is_of_host(_label(arm))}
        for name, fact in held.items():
            if arm.performance or name in OF_QUALITY:
                put_condition(arm, name, fact.value, origin(file, fact.place), held)


def _label(arm: ArmDraft) -> str:
    return arm.fields.get("label") or ""


def _states(arm: ArmDraft, name: str) -> bool:
    """Whether an arm says something of a condition itself."""
    fields: Any = arm.fields
    options = fields.get("options", {})
    return {
        "devices": fields.get("devices") is not None or options.get("devices") is not None,
        "device": fields.get("system") is not None,
        "precision": options.get("precision", {}).get("compute") is not None,
        "framework": fields.get("software", {}).get("framework") is not None,
        "global_batch": any("batch" in each for each in (*options, *map(str.casefold, options.get("extra", {})))),
    }.get(name, options.get(name) is not None)


def _repeated(texts: Sequence[str]) -> Repeated:
    """Return how often numbers were taken, as the nearest text says each; nothing where it says several."""
    found: dict[str, int] = {}
    for text in texts:
        reading = read(text)
        said: dict[str, set[int]] = {}
        for name, value in _counts(reading):
            said.setdefault(name, set()).add(value)
        for name, values in said.items():
            if name not in found and len(values) == 1:
                found[name] = values.pop()
    synchronised = any(_is_synchronised(read(text)) for text in texts)
    return Repeated(**found, synchronised=synchronised)


def _is_synchronised(reading: Reading) -> bool:
    """Whether a text says that the devices had finished where the clock was read: before and after what is timed."""
    words = {token.low for token in reading.tokens}
    return (
        bool(words & lexicon.word_set("synchronised"))
        and bool(words & lexicon.word_set("ends_of_timing"))
        and bool(words & lexicon.word_set("says_measured"))
    )


def _counts(reading: Reading) -> Iterator[tuple[str, int]]:
    for count in reading.counts():
        if count.value != count.high or count.value != int(count.value) or not 0 < count.value < 10**9:
            continue
        behind = reading.source[count.end : count.end + NEAR].casefold()
        before = reading.within(max(0, count.start - NEAR), count.start)
        if count.of == "steps" and "warm" in behind:
            yield "warmup", int(count.value)
        elif count.of == "steps":
            timed = (
                bool(before)
                and before[-1].low in lexicon.word_set("before_timed_iterations")
                and any(each.low in lexicon.word_set("says_measured") for each in reading.tokens)
            )
            yield from [("iterations", int(count.value))] if timed else []
        elif count.of == "seeds":
            yield "seeds", int(count.value)
        elif behind.split()[:1] == ["processes"] or behind.split()[1:2] == ["processes"]:
            yield "processes", int(count.value)


def _give_repetitions(arms: Sequence[ArmDraft], file: str, repeated: Repeated, place: Place) -> None:
    where = origin(file, place)
    for arm in arms:
        for name, number in arm.performance.items():
            if repeated.iterations is not None and "n" not in number:
                arm.metric(name).put(where, n={"unit": "iteration", "completed": repeated.iterations})
            if repeated.processes is not None and "trials" not in number:
                arm.metric(name).put(where, trials=repeated.processes)
        for name, quality in arm.quality.items():
            if repeated.seeds is not None and "n" not in quality:
                arm.add_quality(name, where, n={"unit": "training_run", "completed": repeated.seeds})
        if arm.performance and "measurement" not in arm.fields:
            if repeated.warmup is not None:
                arm.measurement(where, warmup={"discarded": repeated.warmup, "unit": "iteration"})
            if repeated.synchronised:
                arm.measurement(where, synchronisation="final_sync_only")
