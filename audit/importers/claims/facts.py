"""What the words of a text say of the conditions of a measurement: devices, model, data, precision, batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.names import Name
from ....rules.language.phrases import Count
from ....rules.language.reading import Reading
from ..documents.blocks import Place

Value = str | int
NAMED = {"model": "model", "dataset": "dataset", "framework": "framework"}
"""Facts that are a name of a kind."""
COUNTED = {"batch_size": "batch", "sequence_length": "input_length", "tensor_parallel": "tensor_parallel",
           "pipeline_parallel": "pipeline_parallel", "data_parallel": "data_parallel"}  # fmt: skip
"""Facts that are a count of a class."""
MODES = (
    ("caption.training", "training"),
    ("claims.training", "training"),
    ("caption.inference", "inference"),
    ("claims.inference", "inference"),
)
"""Concepts of the words that tell training from inference."""
ON_THE_HOST = "on the host"
"""Fact that no accelerator took part; its value is that of `claims.on_the_host`."""
COVERED = "covered"
"""Fact that what is measured is that of one request."""
REPEATED = ("seeds", "runs", "trials", "repetitions")
LARGEST = 10**12
INTEGER = ("int", "uint", "nf")
"""What the formats begin with that weights are quantised to, while sums are kept in others."""
FARTHEST_LIMIT = 24
"""Characters before a length in which it is called the longest."""
NEAR = 16
"""Characters before a batch size in which it is called the global one."""


class Fact(Struct, frozen=True):
    """A condition that a text states.

    Attributes:
        value: what it is; None where the text states several.
        place: where it stands.
        quote: the words that state it.
        own: whether it stands in the sentence itself.
    """

    value: Value | None
    place: Place
    quote: str
    own: bool


class Found(Struct, frozen=True):
    """A condition as a text states it: its name, its value, and where it stands in the text."""

    name: str
    value: Value
    start: int
    end: int


def found_in(reading: Reading, without: Iterable[tuple[int, int]] = ()) -> Mapping[str, tuple[Found, ...]]:
    """Return the conditions that a text states, each with the values that differ.

    Args:
        reading: the text.
        without: parts of it that are about something else, such as what is compared with.
    """
    apart = tuple(without)
    found: dict[str, list[Found]] = {}
    for item in (*_names(reading), *_counts(reading), *_fleet(reading)):
        if item.name != "mode" and any(a <= item.start < b for a, b in apart):
            continue
        kept = found.setdefault(item.name, [])
        if all(_plain(item.value) != _plain(other.value) for other in kept):
            kept.append(item)
    return {name: tuple(items) for name, items in found.items()}


def _plain(value: Value) -> str:
    return "".join(c for c in str(value).casefold() if c.isalnum())


def _names(reading: Reading) -> Iterable[Found]:
    for kind, fact in NAMED.items():
        for name in reading.names(kind):
            if kind != "model" or not (_is_drive(reading, name) or _is_word_of_a_name(reading, name)):
                yield Found(fact, name.text, name.start, name.end)
    named = any(not name.host for name in reading.names("device"))
    if not named and not any(token.low in lexicon.word_set("accelerators") for token in reading.tokens):
        for item in reading.mentions("claims.on_the_host")[:1]:
            yield Found(ON_THE_HOST, "cpu", item.start, item.end)
    for item in reading.mentions("claims.of_a_request")[:1]:
        yield Found(COVERED, "request", item.start, item.end)
    for name in reading.names("device"):
        yield Found("processor" if name.host else "device", name.text, name.start, name.end)
    for name in reading.names("system"):
        yield Found("system", name.text, name.start, name.end)
    for name, text in zip([n for n in reading.all_names if n.kind == "format"], reading.formats(), strict=False):
        if not _is_of_optimizer(reading, name):
            stored = text.startswith(INTEGER) and reading.has("claims.stores_weights", affirmed=False)
            yield Found("quantisation" if stored else "precision", text, name.start, name.end)
    for concept, mode in MODES:
        for item in reading.mentions(concept)[:1]:
            yield Found("mode", mode, item.start, item.end)


def _is_drive(reading: Reading, name: Name) -> bool:
    before = reading.tokens.low(name.first - 1)
    return name.text.casefold() in lexicon.word_set("drives") and before in lexicon.word_set("before_a_drive")


def _is_word_of_a_name(reading: Reading, name: Name) -> bool:
    """Whether a model's name is one word of another's, as its capitals show: "Dual Path LSTM Network"."""
    before = reading.tokens[name.first - 1].text if name.first > 1 else ""
    return (
        reading.tokens.low(name.last) in lexicon.word_set("networks")
        and reading.tokens[name.last].text[0].isupper()
        and before.istitle()
    )


def _is_of_optimizer(reading: Reading, name: Name) -> bool:
    """Whether a format is that of an optimizer's state, which says nothing of the computation: "fp32 AdamW"."""
    return any(other.kind == "optimizer" and other.first == name.last for other in reading.all_names)


def _counts(reading: Reading) -> Iterable[Found]:
    for count in reading.counts():
        fact = COUNTED.get(count.of) or ("repetitions" if count.of in REPEATED else None)
        whole = count.value == count.high == int(count.value) and 0 < count.value < LARGEST
        if fact is not None and whole and count.qualifier is None:
            before = reading.within(max(0, count.start - NEAR), count.start)
            bounds = any(token.low in lexicon.word_set("bounds_of_place") for token in before)
            if bounds or (fact == "input_length" and _is_limit(reading, count)):
                continue
            around = reading.source[max(0, count.start - NEAR) : count.end].casefold()
            named = "global_batch" if fact == "batch" and "global" in around else fact
            yield Found(named, int(count.value), count.start, count.end)


def _is_limit(reading: Reading, count: Count) -> bool:
    """Whether a length is the longest that something takes: "max_model_len=8192"."""
    around = reading.within(max(0, count.start - FARTHEST_LIMIT), count.end)
    return any(token.low in lexicon.word_set("limits_of_length") for token in around)


def _fleet(reading: Reading) -> Iterable[Found]:
    fleet = reading.devices()
    if fleet is None or not 0 < fleet.devices < LARGEST:
        return
    yield Found("devices", fleet.devices, fleet.start, fleet.end)
    if fleet.nodes is not None and fleet.nodes > 0 and fleet.devices % fleet.nodes == 0:
        yield Found("nodes", fleet.nodes, fleet.start, fleet.end)
