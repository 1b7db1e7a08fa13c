"""What the words of a text say of the conditions of a measurement: devices, model, data, precision, batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

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
REPEATED = ("seeds", "runs", "trials", "repetitions")
LARGEST = 10**12


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
            yield Found(fact, name.text, name.start, name.end)
    for name in reading.names("device"):
        yield Found("processor" if name.host else "device", name.text, name.start, name.end)
    for name in reading.names("system"):
        yield Found("system", name.text, name.start, name.end)
    for name, text in zip([n for n in reading.all_names if n.kind == "format"], reading.formats(), strict=False):
        yield Found("precision", text, name.start, name.end)
    for concept, mode in MODES:
        for item in reading.mentions(concept)[:1]:
            yield Found("mode", mode, item.start, item.end)


def _counts(reading: Reading) -> Iterable[Found]:
    for count in reading.counts():
        fact = COUNTED.get(count.of) or ("repetitions" if count.of in REPEATED else None)
        whole = count.value == count.high == int(count.value) and 0 < count.value < LARGEST
        if fact is not None and whole and count.qualifier is None:
            yield Found(fact, int(count.value), count.start, count.end)


def _fleet(reading: Reading) -> Iterable[Found]:
    fleet = reading.devices()
    if fleet is None or not 0 < fleet.devices < LARGEST:
        return
    yield Found("devices", fleet.devices, fleet.start, fleet.end)
    if fleet.nodes is not None and fleet.nodes > 0 and fleet.devices % fleet.nodes == 0:
        yield Found("nodes", fleet.nodes, fleet.start, fleet.end)
