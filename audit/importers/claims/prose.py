"""Claims in the prose of a written document, drafted into a submission, with what was left aside and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.reading import Reading
from ..documents.blocks import Written
from ..draft import identifier
from ..drafting import Drafting
from ..records import MOST_CLAIMS, is_full
from ..report_file import ReportFile
from .arms import SentenceArms, origin
from .asides import BEFORE, UNTOLD, aside_block, aside_number, aside_sentence
from .cells import cells_of, link_of
from .context import Surroundings
from .facts import Fact
from .labelled import carried, is_listed
from .largest import largest_in_tables
from .meaning import compares_of, mode_of, scope_of, usual_scope
from .pairs import pair_in_sentence, pair_in_tables
from .sentences import Sentence, sentences_of
from .statements import Statement, statements_of
from .table_conditions import give_conditions
from .user_fields import corrected, guess_of

if TYPE_CHECKING:
    from ..fields import ClaimFields

MOST_QUOTED = 80
OF_QUALITY = frozenset({"model", "dataset", "precision", "quantisation", "input_length", "mode"})
"""Conditions of a quality that may stand elsewhere."""
OF_TOKENS = ("token", "llm", "language model")
OF_A_MODEL = frozenset({"model", "dataset", "mode"})
"""Conditions of work that a peak of a device is no part of."""
MACHINE = frozenset({"rate", "flops", "mfu"})
WORK = {"tokens": "tokens", "requests": "requests", "samples": "samples", "images": "samples", "sequences": "samples"}


class Stated(Struct, frozen=True):
    """A sentence with the numbers that are claims, and those that are not, each with the reason."""

    sentence: Sentence
    claims: tuple[Statement, ...]
    aside: tuple[tuple[Statement, str], ...]

    @property
    def before(self) -> tuple[Statement, ...]:
        """The numbers that its ratios may be relative to."""
        related = any(item.form == "ratio" for item in self.claims)
        return tuple(item for item, why in self.aside if why == BEFORE and related)

    @property
    def reading(self) -> Reading:
        """What its words say."""
        return self.sentence.reading


def stated_in(written: Written) -> tuple[Stated, ...]:
    """Return the sentences of a document with the performance numbers that they state."""
    reasons = {index: aside_block(written, block) for index, block in enumerate(written.blocks)}
    speaks = any(word in block.text.casefold() for block in written.blocks for word in OF_TOKENS)
    found = []
    last: dict[str, tuple[Reading, Statement]] = {}
    for sentence in sentences_of(written):
        reading, block = sentence.reading, written.blocks[sentence.block]
        reason = reasons[sentence.block] or aside_sentence(reading)
        kind = block.kind if is_listed(written, block) else ""
        told = [(item, reason or aside_number(reading, item, speaks, kind)) for item in statements_of(reading)]
        following = carried(reading, last.get(kind)) if kind and not reason else None
        if following is not None:
            told.insert(0, (following, ""))
        claims = tuple(item for item, why in told if not why)
        if claims and claims[0].dimension == "time" and claims[0].form == "absolute":
            last[kind] = (reading, claims[0])
        found.append(Stated(sentence, claims, tuple((item, why) for item, why in told if why)))
    return tuple(found)


class Drafted:
    """A draft to which the claims of a document's prose are put."""

    def __init__(self, draft: Drafting, file: ReportFile, document: Written) -> None:
        """Begin with the claims of its tables."""
        self.draft, self.file, self.document = draft, file, document
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
    give_conditions(draft, file.name, document, around)
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
    facts = [_of_kind(item, around.holding(sentence, stated.claims, item), stated) for item in stated.claims]
    links = [
        link_of(draft, drafted.cells, stated.reading, sentence.place.line, item, known)
        for item, known in zip(stated.claims, facts, strict=True)
    ]
    is_linked = any(link.fields for link in links)
    unsaid: list[str] = []
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
        scope = claim["scope"] or None
        if scope is None:
            claim["scope"] = usual_scope(item, claim["mode"])
            unsaid.append(key)
        # what stands beside the number of a cell was measured as that was: nothing else is known of it
        claim |= link.fields or arms.hold(item, scope, {} if is_linked else known, where)
        if claim["mode"] == "none" and link.mode:
            claim["mode"] = link.mode
        draft.guesses[key] = guess_of(claim)
        group = _group(keys, facts, known)
        draft.put_claim(key, {**claim, "group": group}, origin(file.name, sentence.place), where)
    told = {key: item for key, item in zip(keys, stated.claims, strict=True) if key in draft.claims}
    _relate(draft, stated, told, [_held(drafted, stated, item, arms, around) for item in stated.before])
    for key, item, known in zip(keys, stated.claims, facts, strict=True):
        if key in told and item.form == "ratio" and "metric" not in draft.claims[key].get("measured", {}):
            _link_largest(drafted, stated, key, item, known)
    for key in unsaid:
        _cover_as_measured(draft, key)


def _link_largest(drafted: Drafted, stated: Stated, key: str, item: Statement, facts: Mapping[str, Fact]) -> None:
    """Link a ratio that is the largest of several to the cells of the largest in the tables, or say that it is open."""
    claim = drafted.draft.claims[key]
    found = largest_in_tables(drafted.draft, drafted.file, drafted.document, claim, stated.reading, facts)
    drafted.draft.claims[key] |= found.fields
    if found.why:
        drafted.draft.unused.append(f"{_words(stated.sentence, item)}: {found.why}")


def _cover_as_measured(draft: Drafting, key: str) -> None:
    """Let a claim whose words do not say what its number covers cover what the number that it repeats does."""
    ref = draft.claims[key].get("measured") or {}
    number = draft.arm(str(ref.get("arm"))).performance.get(str(ref.get("metric")))
    scope = number.get("scope") if number is not None else None
    if scope is not None:
        draft.claims[key]["scope"] = scope


def _of_kind(item: Statement, facts: Mapping[str, Fact], stated: Stated) -> Mapping[str, Fact]:
    """Return the conditions that a number has.

    A quality depends on no machine, and a peak of operations on no model, but on those that its own sentence names.
    """
    if item.quantity == "flops" and stated.reading.has("claims.a_peak"):
        several = len(statements_of(stated.reading)) > 1
        kept = {name for name, fact in facts.items() if fact.own and not (several and name == "mode")}
        return {name: fact for name, fact in facts.items() if name in kept or name not in OF_A_MODEL}
    if item.quantity != "accuracy":
        return facts
    return {name: fact for name, fact in facts.items() if fact.own or name in OF_QUALITY}


def _held(drafted: Drafted, stated: Stated, item: Statement, arms: SentenceArms, around: Surroundings) -> ClaimFields:
    """Return where a number stands that is no claim, but what one of its sentence is relative to."""
    facts = around.holding(stated.sentence, stated.claims, item)
    where = origin(
        drafted.file.name, around.written.blocks[stated.sentence.block].place(stated.sentence.start + item.start)
    )
    return {"form": "absolute", **arms.hold(item, None, facts, where)}


def _relate(draft: Drafting, stated: Stated, told: Mapping[str, Statement], before: Sequence[ClaimFields]) -> None:
    """Link the numbers of a sentence with each other: a ratio with its two sides, a speed with the only quality."""
    claims = draft.claims
    for key, item in told.items():
        if item.form == "ratio" and "metric" not in claims[key].get("measured", {}):
            siblings = [*(claims[other] for other in told), *before]
            claims[key] |= pair_in_sentence(draft, claims[key], siblings) or pair_in_tables(draft, claims[key]) or {}
    qualities = [key for key, item in told.items() if item.quantity == "accuracy"]
    others = any(item.quantity == "accuracy" for item, _ in stated.aside)
    if len(qualities) != 1 or others:
        return
    quality = told[qualities[0]]
    for key, item in told.items():
        between = stated.reading.within(min(item.end, quality.end), max(item.start, quality.start))
        if key != qualities[0] and not any(token.low in lexicon.word_set("part_a_quality") for token in between):
            claims[key] |= {"quality": claims[qualities[0]]["quality"]}


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
    reading = stated.reading
    mode = mode_of(reading, item, facts)
    scope = scope_of(reading, item, mode, facts)
    mode = "training" if scope == "training_run" else mode
    compares, other = compares_of(reading, item)
    claim: ClaimFields = {
        "statement": stated.sentence.text, "value": item.value, "unit": item.unit or None, "qualifier": item.qualifier,
        "quantity": item.quantity, "form": item.form, "scope": scope, "mode": mode,
        "compares": compares, "metric": item.metric,
    }  # fmt: skip
    if item.low != item.value:
        claim |= {"range": {"low": item.low, "high": item.value, "where": "same_place"}}
        # "about 65-75" is no more about its upper end than "65-75" is it
        claim["qualifier"] = "up_to" if item.qualifier in {None, "about"} else item.qualifier
    if compares == "other_system":
        claim["comparator"] = {"name": other}
    elif other:
        claim["base"] = {"definition": other}
    if item.form == "absolute" and item.quantity in MACHINE:
        claim["purpose"] = "hardware_throughput"
    if item.form == "absolute" and item.quantity == "rate":
        claim["work"] = WORK.get(item.unit.partition("/")[0])
    return claim
