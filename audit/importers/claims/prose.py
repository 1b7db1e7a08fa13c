"""Claims in the prose of a written document, drafted into a submission, with what was left aside and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.language.reading import Reading
from ..documents.blocks import Written
from ..draft import identifier
from ..drafting import Drafting
from ..records import MOST_CLAIMS, is_full
from .arms import SentenceArms, origin
from .asides import UNTOLD, aside_block, aside_number, aside_sentence
from .cells import Cells, cells_of, link_of
from .context import Surroundings
from .facts import Fact
from .meaning import compares_of, mode_of, scope_of
from .sentences import Sentence, sentences_of
from .statements import Statement, statements_of

if TYPE_CHECKING:
    from ..fields import ClaimFields

MOST_QUOTED = 80
MACHINE = frozenset({"rate", "flops", "mfu"})
WORK = {"tokens": "tokens", "requests": "requests", "samples": "samples", "images": "samples", "sequences": "samples"}


class Stated(Struct, frozen=True):
    """A sentence with the numbers that are claims, and those that are not, each with the reason."""

    sentence: Sentence
    claims: tuple[Statement, ...]
    aside: tuple[tuple[Statement, str], ...]

    @property
    def reading(self) -> Reading:
        """What its words say."""
        return self.sentence.reading


def stated_in(written: Written) -> tuple[Stated, ...]:
    """Return the sentences of a document with the performance numbers that they state."""
    reasons = {index: aside_block(written, block) for index, block in enumerate(written.blocks)}
    found = []
    for sentence in sentences_of(written):
        reading = sentence.reading
        reason = reasons[sentence.block] or aside_sentence(reading)
        told = [(item, reason or aside_number(reading, item)) for item in statements_of(reading)]
        claims = tuple(item for item, why in told if not why)
        found.append(Stated(sentence, claims, tuple((item, why) for item, why in told if why)))
    return tuple(found)


def draft_prose(draft: Drafting, file: str, written: Written) -> None:
    """Draft the claims of a document's prose, beside those of its tables."""
    every = stated_in(written)
    around = Surroundings(written, [each.sentence for each in every], [bool(each.claims) for each in every])
    cells = cells_of(draft, written)
    for each in every:
        _draft_sentence(draft, file, each, around, cells)
        draft.unused.extend(_left(each))


def _left(stated: Stated) -> Iterator[str]:
    """Yield what to say of the numbers of a sentence that are no claims, and of those that were not read."""
    sentence, reading = stated.sentence, stated.reading
    where = f"line {sentence.place.line}"
    for item, why in stated.aside:
        if why not in UNTOLD:
            yield f"{_words(sentence, item)}: {why}"
    if not stated.claims and not stated.aside and reading.has("claims.a_speed"):
        for start, end in reading.unbound()[:1]:
            yield f"{sentence.text[start:end][:MOST_QUOTED]!r} ({where}): not read in {sentence.text[:MOST_QUOTED]!r}"


def _words(sentence: Sentence, item: Statement) -> str:
    """Return a number of a sentence as printed, with its line."""
    return f"{sentence.text[item.start : item.end][:MOST_QUOTED]!r} (line {sentence.place.line})"


def _draft_sentence(draft: Drafting, file: str, stated: Stated, around: Surroundings, cells: Cells) -> None:
    sentence = stated.sentence
    name = f"line-{sentence.place.line}"
    arms = SentenceArms(draft, file, name)
    group = identifier(name, draft.claims) if len(stated.claims) > 1 else None
    for item in stated.claims:
        if is_full(draft):
            draft.unused.append(
                f"sentences from line {sentence.place.line} on: a submission holds {MOST_CLAIMS:,} claims"
            )
            return
        facts = around.holding(sentence, stated.claims, item)
        claim = _claim(stated, item, facts)
        where = origin(file, around.written.blocks[sentence.block].place(sentence.start + item.start))
        link = link_of(draft, cells, stated.reading, sentence.place.line, item, facts)
        if link.why:
            draft.unused.append(f"{_words(sentence, item)}: {link.why}")
        claim |= link.fields or arms.hold(item, claim["scope"], facts, where)
        if claim["mode"] == "none" and link.mode:
            claim["mode"] = link.mode
        key = identifier(name, draft.claims)
        draft.put_claim(key, {**claim, "group": group}, origin(file, sentence.place), where)


def _claim(stated: Stated, item: Statement, facts: Mapping[str, Fact]) -> ClaimFields:
    """Return what a number is a claim of."""
    reading, mode = stated.reading, mode_of(item, facts)
    compares, other = compares_of(reading, item)
    claim: ClaimFields = {
        "statement": stated.sentence.text, "value": item.value, "unit": item.unit or None, "qualifier": item.qualifier,
        "quantity": item.quantity, "form": item.form, "scope": scope_of(reading, item, mode), "mode": mode,
        "compares": compares, "metric": item.metric,
    }  # fmt: skip
    if item.low != item.value:
        claim["range"] = {"low": item.low, "high": item.value, "where": "same_place"}
    if compares == "other_system":
        claim["comparator"] = {"name": other}
    elif other:
        claim["base"] = {"definition": other}
    if item.form == "absolute" and item.quantity in MACHINE:
        claim["purpose"] = "hardware_throughput"
    if item.form == "absolute" and item.quantity == "rate":
        claim["work"] = WORK.get(item.unit.partition("/")[0])
    return claim
