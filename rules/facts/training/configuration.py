"""The size of a configuration: devices, parallel sizes, layers and parameters, as claimed and as run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal

from ....schemas.options import Options
from ....schemas.pattern import Pattern
from ....schemas.submission import Claim, Row
from ...caching import remembered
from ...case import Side
from ..quantities.given import given
from ..quantities.numbers import Span, span

PARALLEL = ("data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
LAYERS = ("layers", "num_layers", "n_layers")
SMALLER = Decimal("0.8")
IMAGE = 3
"""Dimensions that an image has at least: channels, height and width."""
_FACTORS = {"K": 3, "M": 6, "B": 9, "T": 12}
_SIZE = Pattern(r"(?<![\w.,])(\d+(?:\.\d+)?)\s?([KMBT])(?![A-Za-z0-9])(?!\s*(?:tokens?|samples?|images?|examples?))")
_DEVICES = Pattern(
    r"(?<![\w.,])(?<![A-Za-z]-)(\d{1,3}(?:,\d{3})+|\d+)\s+(?:[A-Z][\w-]*\s+){0,2}"
    r"(?:GPUs?|TPUs?|NPUs?|devices?|accelerators?|chips?)\b"
    r"(?![- ](?:hours?|days?|years?))"
)
_NAMED_DEVICES = Pattern(
    r"(?<![\w.,/])(?<![A-Za-z]-)(\d{1,3}(?:,\d{3})+|\d+)\s+"
    r"(?:(?!(?:FP|BF|TF|INT)\d)[A-Z]{1,3}\d{2,4}[A-Z]{0,3}|TPU\s?v\d\w*)\b"
    r"(?![- ](?:hours?|days?|years?))"
)
_MODEL = Pattern(
    r"(?<![\w.,])(\d+(?:\.\d+)?)\s?([KMBT])(?:[- ]parameters?)?\s+(?:[A-Za-z-]+\s+){0,2}?"
    r"(?:models?|decoders?|encoders?|transformers?|LLMs?|networks?|parameters?)\b"
)
_CONTEXT = Pattern(
    r"\b(?:context|sequences?|sequence length|context length|inputs?)\s+(?:of|length)\s+"
    r"(?:length\s+)?(\d[\d,]*)\b(?![.,]?\d|\s*%)"
)
_PART_OF_MODEL = Pattern(r"\b(\d+) of (?:its |the |all )?(\d+) (?:layers|blocks)\b", re.IGNORECASE)
_A_SIZE = Pattern(
    r"\b(?:nodes?|GPUs?|TPUs?|NPUs?|devices?|accelerators?|chips?|racks?|layers?|parameters)\b|\d[KMBT]\b",
    re.IGNORECASE,
)
_MANY = Pattern(
    r"\bper[ -]node\b|\bnodes?\b|\bper[ -]device\b|\beach\b|\bfrom\b|\bagainst\b|\bover\b|\bthan\b", re.IGNORECASE
)


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
    words = claim.statement
    if claim.form != "absolute" or _MANY.search(words):
        return {}
    found = {}
    counts = {int(match[1].replace(",", "")) for kind in (_DEVICES, _NAMED_DEVICES) for match in kind.finditer(words)}
    if len(counts) == 1:
        found["devices"] = _count(counts.pop())
    models = {(match[1], match[2]) for match in _MODEL.finditer(words)}
    if len(models) == 1:
        text, unit = models.pop()
        factor = Decimal(1).scaleb(_FACTORS[unit])
        found["parameters"] = span(text) * Span(factor, factor)
    lengths = {int(match[1].replace(",", "")) for match in _CONTEXT.finditer(words)}
    if len(lengths) == 1:
        found["input_length"] = _count(lengths.pop())
    return found


def part_of_model(side: Side) -> tuple[int, int] | None:
    """Return how many layers of how many an arm ran, where the name of its model says so: "6 of its 24 blocks"."""
    model = side.arm.options.model if side.arm.options is not None else None
    match = _PART_OF_MODEL.search(model or "")
    return (int(match[1]), int(match[2])) if match is not None else None


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
    return names_count(" ".join([claim.statement, *(item.quote for item in claim.said)]), count)


def names_count(words: str, count: int) -> bool:
    """Whether words name a count, with or without separators of thousands."""
    return re.search(rf"(?<![\w.]){count}(?!\d|\.\d)", words.replace(",", "")) is not None


def names_a_size(claim: Claim) -> bool:
    """Whether a claim tells the size that it is about: in words of its own, or by its row of a table."""
    words = " ".join([claim.statement, *(item.quote for item in claim.said)])
    return _A_SIZE.search(words) is not None or (claim.row is not None and claim.row.row is not None)


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


@remembered(256)
def _sizes(options: Options) -> dict[str, Span]:
    sizes = {key: getattr(options, key) for key in (*PARALLEL, "devices", "input_length")}
    found = {key: _count(size) for key, size in sizes.items() if size is not None}
    layers = [options.extra[key] for key in LAYERS if key in options.extra]
    if len(layers) == 1 and isinstance(layers[0], int | float) and not isinstance(layers[0], bool):
        found["layers"] = given(layers[0], most="0")
    named = {(match[1], match[2]) for match in _SIZE.finditer(options.model or "")}
    if len(named) == 1:
        text, unit = named.pop()
        factor = Decimal(1).scaleb(_FACTORS[unit])
        found["parameters"] = span(text) * Span(factor, factor)
    return found


def _count(value: int) -> Span:
    return Span(Decimal(value), Decimal(value))
