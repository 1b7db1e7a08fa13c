"""What one example usually costs, from a model's size or publication, and how often it is computed for one result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Side
from ..facts.comparison.options import flat
from ..facts.training.inputs import IMAGE_REFERENCE, example_of

PUBLISHED = {
    "resnet18": 1.8e9,
    "resnet34": 3.7e9,
    "resnet50": 4.1e9,
    "resnet101": 7.8e9,
    "resnet152": 11.6e9,
    "vgg16": 15.5e9,
    "densenet121": 2.9e9,
    "vitti16": 1.3e9,
    "vits16": 4.6e9,
    "vitb16": 17.6e9,
    "vitl16": 61.6e9,
    "vitb32": 4.4e9,
    "deitti16": 1.3e9,
    "deits16": 4.6e9,
    "deitb16": 17.6e9,
    "swint": 4.5e9,
    "swins": 8.7e9,
    "swinb": 15.4e9,
    "convnextt": 4.5e9,
    "convnexts": 8.7e9,
    "convnextb": 15.4e9,
    "convnextl": 34.4e9,
}
"""Multiply-adds of one forward pass on 224 x 224 pixels, as published (Simonyan and Zisserman 2015, He et al. 2016,
Huang et al. 2017, Dosovitskiy et al. 2021, Touvron et al. 2021, Liu et al. 2021 and 2022)."""
TRAINING = 3
"""A backward pass takes twice the operations of the forward pass."""
OF_SEQUENCE = 0.3
"""A count below this share of what a sequence takes is one per token: both are found under the same name."""
LEAST_WIDTH = 512
_SIZES = {"m": 1e6, "b": 1e9, "t": 1e12}
_PARAMETERS = Pattern(r"(?<![\w.])(?:(\d+)\s?[x×]\s?)?(\d+(?:\.\d+)?)[ -]?([MBT])(?:illion)?(?![\w/])", re.IGNORECASE)
_WIDTH = Pattern(r"\b(?:width|hidden(?: size)?|d_model)\s*(?:of|=|:)?\s*(\d{3,5})\b", re.IGNORECASE)
_WHAT = r"(?:image|example|prompt|token|sample|request|sequence|input|document|result|output|answer)s?"
_COPIES = (
    r"(?:draws?|copies|views?|crops?|augmentations?|passes|candidates?|completions?|generations?|samples|rollouts?"
    r"|repetitions|evaluations|forward passes|augmented (?:copies|versions|views)|versions)"
)
_REPEATED = Pattern(
    rf"\b(?P<copies>\d+) (?:\w+ ){{0,2}}?{_COPIES}\b[^.;]{{0,40}}?\b(?:per|of|for|from|to) "
    rf"(?:each |every |an? |one |the )?(?:\w+ )?{_WHAT}\b"
    r"|\b(?:appl(?:ied|y|ies)|pass(?:ed|es)?|repeat(?:ed|s)?|comput(?:ed|es)|loop(?:ed|s)?|runs?|traverse[ds]?"
    r"|us(?:ed|es))\b[^.;,]{0,40}?\b(?P<times>\d+) times\b"
    r"|\bbest[ -]of[ -](?P<best>\d+)\b|\btimes (?P<factor>\d+), (?:as|since|because)\b",
    re.IGNORECASE,
)
_OPTION = Pattern(r"\b(?:pass(?:es)?|repeats?|repetitions?|copies|recurrences?|best of|candidates|num samples|views)\b")
_MANY_VIEWS = Pattern(
    r"\b(?:dino|swav|simclr|moco|byol|contrastive|self[- ]supervised|ssl|barlow|vicreg)", re.IGNORECASE
)


class Usual(Struct, frozen=True):
    """Operations of one example as they usually are, and the words for what they stand on."""

    operations: float
    words: str


class Repeated(Struct, frozen=True):
    """How often one example is computed for one result, in the words of the document."""

    times: int
    words: str
    at: str


def usual_work(claim: Claim, side: Side) -> Usual | None:
    """Return the usual operations of one example, in the unit of the stated count; None where they are not known."""
    options, operations = flat(side.arm.options), side.arm.operations
    one = example_of(options)
    if operations is None or operations.flop_per_sample is None or one is None:
        return None
    passes = 1 if claim.mode == "inference" else TRAINING
    model = str(options.get("model", ""))
    if one.kind == "image":
        name = re.sub(r"[^a-z0-9]", "", model.casefold())
        known = next((key for key in sorted(PUBLISHED, key=len, reverse=True) if name.startswith(key)), None)
        if known is None:
            return None
        # small images are not scaled down: networks for them keep their resolution longer
        count = 2 * passes * PUBLISHED[known] * max(1.0, one.elements / IMAGE_REFERENCE)
        return Usual(count, "those of the model as published")
    parameters = _parameters(side, model)
    if one.kind != "sequence" or parameters is None:
        return None
    width = _WIDTH.search(model)
    attention = one.elements / (2 * TRAINING * (int(width[1]) if width is not None else LEAST_WIDTH))
    token = 2 * passes * parameters * (1 + attention)
    per_token = operations.flop_per_sample < OF_SEQUENCE * token * one.elements
    words = f"{2 * passes} operations per parameter and token, with attention"
    return Usual(token, words) if per_token else Usual(token * one.elements, f"{words}, for a sequence")


def _parameters(side: Side, model: str) -> float | None:
    """Return the largest number of parameters that a model's name or its options may mean."""
    found = [float(few or 1) * float(size) * _SIZES[unit.casefold()] for few, size, unit in _PARAMETERS.findall(model)]
    extra = side.arm.options.extra if side.arm.options is not None else {}
    found += [float(value) for key, value in extra.items() if key == "parameters" and isinstance(value, int | float)]
    return max(found, default=None)


def repeated_work(side: Side) -> Repeated | None:
    """Return the largest number of times that one example is computed for one result, as the document says it.

    Views of an image are what self-supervised training compares, and no repetition.
    """
    options = side.arm.options
    if options is None or _MANY_VIEWS.search(" ".join(map(str, flat(options).values()))):
        return None
    return max(_repetitions(side), key=lambda item: item.times, default=None)


def _repetitions(side: Side) -> Iterator[Repeated]:
    options, operations = side.arm.options, side.arm.operations
    assert options is not None
    texts = [
        (getattr(options, key), options.place(key)) for key in ("model", "augmentation", "decoding", "preprocessing")
    ]
    texts.append((side.arm.label, side.arm.at))
    if operations is not None:
        texts.append((operations.method, operations.place("method")))
    for text, at in texts:
        for match in _REPEATED.finditer(text if isinstance(text, str) else ""):
            yield Repeated(int(next(filter(None, match.groups()))), match[0], at)
    for key, value in options.extra.items():
        if _OPTION.search(key.replace("_", " ").replace("-", " ")) and isinstance(value, int | float) and value > 1:
            yield Repeated(int(min(value, 1e9)), f"{key} {value:g}", options.at)
