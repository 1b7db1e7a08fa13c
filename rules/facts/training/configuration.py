"""The size of a configuration: devices, parallel sizes, layers and parameters, as claimed and as run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal

from ....schemas.options import Options
from ....schemas.submission import Claim, Row
from ...caching import remembered_of_parts
from ...case import Side
from ...language.lexicon import table
from ...language.phrases import Count
from ...language.printed import Span, span
from ...language.reading import Reading, read
from ...language.units import items
from ..document.words import words_of
from ..quantities.given import given

PARALLEL = ("data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
LAYERS = ("layers", "num_layers", "n_layers")
SMALLER = Decimal("0.8")
FACTORS = frozenset("KMBT")
IMAGE = 3
"""Dimensions that an image has at least: channels, height and width."""


def of_run(side: Side) -> dict[str, Span]:
    """Return the size of what an arm ran: seen sizes before declared ones."""
    devices = {"devices": _count(side.devices)} if side.devices is not None else {}
    return _of_options(side.arm.options) | devices | seen(side)


def seen(side: Side) -> dict[str, Span]:
    """Return the size that was seen in an arm's runs, beside the declared one."""
    return _of_options(side.arm.observed)


def declared(side: Side) -> dict[str, Span]:
    """Return the size of the configuration that an arm declares."""
    found = _of_options(side.arm.options)
    return found | ({"devices": _count(side.arm.devices)} if side.arm.devices is not None else {})


def of_row(row: Row) -> dict[str, Span]:
    """Return the size of the configuration that a row states."""
    found = _of_options(row.options)
    if row.devices is not None:
        found["devices"] = _count(row.devices)
    if row.parameters is not None:
        found["parameters"] = given(row.parameters)
    return found


def of_statement(claim: Claim) -> dict[str, Span]:
    """Return the sizes that the sentence of an absolute number names; nothing where it names several or a base.

    "1,024 H100 GPUs" and "1024 H100" count; "8 nodes of 8 GPUs", "from 8 to 64 GPUs", GPU-hours and the number of a
    name ("ResNet-50 V100", "50 FP32") do not. Of a model count the parameters ("the 70B decoder") and the length of a
    sequence ("a context of 4096").
    """
    reading = read(claim.statement)
    if claim.form != "absolute" or reading.has("several_sizes", affirmed=False) or reading.counts("nodes"):
        return {}
    kinds = {"devices": "devices", "parameters": "parameters", "input_length": "sequence_length"}
    counts = {key: [item for item in reading.counts(kind) if not _is_article(item)] for key, kind in kinds.items()}
    found = {key: {item.interval for item in named} for key, named in counts.items()}
    return {key: sizes.pop() for key, sizes in found.items() if len(sizes) == 1}


def _is_article(count: Count) -> bool:
    """Whether a count is "one" or "a single": it names a kind of device more than a size."""
    return count.worded and count.value == 1


def part_of_model(side: Side) -> tuple[int, int] | None:
    """Return how many layers of how many an arm ran, where the name of its model says so: "6 of its 24 blocks"."""
    reading = read((side.arm.options.model if side.arm.options is not None else None) or "")
    for part in reading.mentions("part_of_layers"):
        numbers = [int(token.value) for token in reading.within(*part.span) if token.value is not None]
        if len(numbers) == 2:
            return numbers[0], numbers[1]
    return None


def cut_images(side: Side) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the shape of an arm's images and the one that it states as the model's own, where its are surely smaller.

    Only images: a sequence shorter than the longest that a model can take is no cut one.
    """
    ran = side.arm.options.input_shape if side.arm.options is not None else None
    native = side.arm.native_input.shape if side.arm.native_input is not None else None
    if not ran or not native or len(ran) != len(native) or len(ran) < IMAGE:
        return None
    less = all(one <= other for one, other in zip(ran, native, strict=True))
    return (tuple(ran), tuple(native)) if less and math.prod(ran) < SMALLER * math.prod(native) else None


def names_devices(claim: Claim, count: int) -> bool:
    """Whether the words of a claim name a device count."""
    return any(_names(reading, count) for reading in words_of(claim))


def names_count(words: str, count: int) -> bool:
    """Whether words name a count, with or without separators of thousands."""
    return _names(read(words), count)


def _names(reading: Reading, count: int) -> bool:
    return any(token.value == count and not token.fixed for token in reading.tokens)


def names_a_size(claim: Claim) -> bool:
    """Whether a claim tells the size that it is about: in words of its own, or by its row of a table."""
    words = words_of(claim)
    told = words.has("size_of_a_system", affirmed=False) or any(reading.counts("parameters") for reading in words)
    return told or (claim.row is not None and claim.row.row is not None)


def smaller(run: Mapping[str, Span], claimed: Mapping[str, Span], model: bool) -> dict[str, tuple[Span, Span]]:
    """Return the sizes that are surely smaller in a run than in what is claimed, as (run, claimed).

    A parallel size counts only where the run forced it to 1; parameters below 0.8, for names are rounded.

    Args:
        run: sizes of the run.
        claimed: sizes of the claimed configuration.
        model: whether layers and parameters count.
    """
    found = {}
    for key in run.keys() & claimed.keys():
        left, right = run[key], claimed[key]
        if key in PARALLEL:
            less = left.high == 1 < right.low
        elif key == "parameters":
            less = model and left.high < SMALLER * right.low
        else:
            less = left.high < right.low and (model or key not in {"layers", "input_length"})
        if less:
            found[key] = (left, right)
    return found


def _of_options(options: Options | None) -> dict[str, Span]:
    return dict(_sizes(options)) if options is not None else {}


@remembered_of_parts(256)
def _sizes(options: Options) -> dict[str, Span]:
    sizes = {key: getattr(options, key) for key in (*PARALLEL, "devices", "input_length")}
    found = {key: _count(size) for key, size in sizes.items() if size is not None}
    layers = [options.extra[key] for key in LAYERS if key in options.extra]
    if len(layers) == 1 and isinstance(layers[0], int | float) and not isinstance(layers[0], bool):
        found["layers"] = given(layers[0], most="0")
    named = set(_sizes_named(options.model or ""))
    return found | ({"parameters": named.pop()} if len(named) == 1 else {})


def _sizes_named(model: str) -> Iterator[Span]:
    """Yield the numbers of parameters that a model is named by: "Llama-3-8B", "GPT (1.3B)", not "300B tokens"."""
    tokens, factors = read(model).tokens, table("numbers")["suffixes"]
    for at, token in enumerate(tokens[:-1]):
        suffix, after = tokens[at + 1], tokens[at + 2 : at + 3]
        glued = after and not after[0].gap and after[0].text.isalnum()
        if token.value is None or suffix.text not in FACTORS or glued or (after and after[0].low in items()):
            continue
        yield span(token.text).times(Decimal(factors[suffix.text]))


def _count(value: int) -> Span:
    return Span(Decimal(value), Decimal(value))
