"""Claims in the prose of a written document, drafted into a submission, with what was left aside and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.language.reading import Reading
from ..documents.blocks import Written
from ..draft import identifier
from ..drafting import Drafting
from ..records import MOST_CLAIMS, is_full
from ..report_file import ReportFile
from .arms import SentenceArms, origin
from .asides import UNTOLD, aside_block, aside_number, aside_sentence
from .cells import cells_of, link_of
from .context import Surroundings
from .facts import Fact
from .meaning import compares_of, mode_of, scope_of
from .sentences import Sentence, sentences_of
from .statements import Statement, statements_of
from .user_fields import corrected, guess_of

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


class Drafted:
    """A draft to which the claims of a document's prose are put."""

    def __init__(self, draft: Drafting, file: ReportFile, document: Written) -> None:
        """Begin with the claims of its tables."""
        self.draft, self.file = draft, file
        self.cells = cells_of(draft, document)
        self.keys: dict[str, object] = dict.fromkeys(draft.claims)

    def key(self, name: str) -> str:
        """Return the name of another claim, which stays the same whatever a user says of others."""
        key = identifier(name, self.keys)
        self.keys[key] = None
        return key


def draft_prose(draft: Drafting, file: ReportFile, document: Written) -> frozenset[str]:
    """Draft the claims of a document's prose, beside those of its tables; return all their names."""
    every = stated_in(document)
    around = Surroundings(document, [each.sentence for each in every], [bool(each.claims) for each in every])
    drafted = Drafted(draft, file, document)
    for each in every:
        _draft_sentence(drafted, each, around)
        draft.unused.extend(_left(each))
    return frozenset(drafted.keys)


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


def _draft_sentence(drafted: Drafted, stated: Stated, around: Surroundings) -> None:
    draft, file, sentence = drafted.draft, drafted.file, stated.sentence
    name = f"line-{sentence.place.line}"
    arms = SentenceArms(draft, file.name, name)
    keys = [drafted.key(name) for _ in stated.claims]
    facts = [around.holding(sentence, stated.claims, item) for item in stated.claims]
    links = [
        link_of(draft, drafted.cells, stated.reading, sentence.place.line, item, known)
        for item, known in zip(stated.claims, facts, strict=True)
    ]
    is_linked = any(link.fields for link in links)
    for item, key, known, link in zip(stated.claims, keys, facts, links, strict=True):
        if is_full(draft):
            draft.unused.append(
                f"sentences from line {sentence.place.line} on: a submission holds {MOST_CLAIMS:,} claims"
            )
            return
        claim = corrected(key, _claim(stated, item, known), file.roles)
        if claim is None or link.why:
            draft.unused.append(f"{_words(sentence, item)}: {link.why or f'no claim, by {file.roles.name}'}")
        if claim is None:
            continue
        where = origin(file.name, around.written.blocks[sentence.block].place(sentence.start + item.start))
        # what stands beside the number of a cell was measured as that was: nothing else is known of it
        claim |= link.fields or arms.hold(item, claim["scope"], {} if is_linked else known, where)
        if claim["mode"] == "none" and link.mode:
            claim["mode"] = link.mode
        draft.guesses[key] = guess_of(claim)
        group = _group(keys, facts, known)
        draft.put_claim(key, {**claim, "group": group}, origin(file.name, sentence.place), where)


def _group(keys: Sequence[str], facts: Sequence[Mapping[str, Fact]], known: Mapping[str, Fact]) -> str | None:
    """Return the name of the numbers of a sentence that were measured under the same conditions; None of a single one.

    A sentence that tells its conditions apart joins nothing.
    """
    alike = [key for key, other in zip(keys, facts, strict=True) if _values(other) == _values(known)]
    return alike[0] if len(alike) > 1 else None


def _values(facts: Mapping[str, Fact]) -> Mapping[str, object]:
    return {name: fact.value for name, fact in facts.items()}


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
