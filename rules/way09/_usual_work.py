"""What one example usually costs, from a model's size or publication, and how often it is computed for one result."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Side
from ..facts.comparison.options import flat
from ..facts.document.words import words_in
from ..facts.training.inputs import IMAGE_REFERENCE, example_of
from ..language import lexicon
from ..language.reading import read

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
LEAST_WIDTH, LEAST_NAMED = 512, 99
MOST, LEAST_SIZE = 10**9, 10**6
"""No example is computed more often; and fewer parameters no name gives: 8k is a length."""
REPEATED = {"copies_of_item": 0, "applied_repeatedly": -1, "best_of_several": 0}
"""Words for repeated work, and which of their numbers is that of the repetitions."""


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
        name = "".join(c for c in model.casefold() if c.isalnum())
        known = next((key for key in sorted(PUBLISHED, key=len, reverse=True) if name.startswith(key)), None)
        if known is None:
            return None
        # small images are not scaled down: networks for them keep their resolution longer
        count = 2 * passes * PUBLISHED[known] * max(1.0, one.elements / IMAGE_REFERENCE)
        return Usual(count, "those of the model as published")
    parameters = _parameters(side, model)
    if one.kind != "sequence" or parameters is None:
        return None
    attention = one.elements / (2 * TRAINING * _width(model))
    token = 2 * passes * parameters * (1 + attention)
    per_token = operations.flop_per_sample < OF_SEQUENCE * token * one.elements
    words = f"{2 * passes} operations per parameter and token, with attention"
    return Usual(token, words) if per_token else Usual(token * one.elements, f"{words}, for a sequence")


def _parameters(side: Side, model: str) -> float | None:
    """Return the largest number of parameters that a model's name or its options may mean."""
    extra = side.arm.options.extra if side.arm.options is not None else {}
    found = [float(value) for key, value in extra.items() if key == "parameters" and isinstance(value, int | float)]
    return max([*_sizes(model), *found], default=None)


def _sizes(model: str) -> Iterator[float]:
    """Yield the numbers of parameters in a model's name: 1.3B, 125m, 8x7B."""
    scales, tokens = lexicon.table("numbers"), read(model).tokens
    for at, token in enumerate(tokens[:-1]):
        word = tokens[at + 1]
        scale = scales["suffixes"].get(word.text.upper()) or scales["scale_words"].get(word.low, 0)
        if token.value is not None and scale >= LEAST_SIZE:
            times = tokens[at - 2].value if at > 1 and tokens[at - 1].low in {"x", "×"} else None
            yield float((times or 1) * token.value * scale)


def _width(model: str) -> int:
    text = read(model)
    found = [number.low for item in text.mentions("model_width") for number in text.numbers(item.span)]
    return next((int(width) for width in found if width > LEAST_NAMED), LEAST_WIDTH)


def repeated_work(side: Side) -> Repeated | None:
    """Return the largest number of times that one example is computed for one result, as the document says it.

    Views of an image are what self-supervised training compares, and no repetition.
    """
    options = side.arm.options
    if options is None or words_in(*map(str, flat(options).values())).has("many_views"):
        return None
    return max(_repetitions(side), key=lambda item: item.times, default=None)


def _repetitions(side: Side) -> Iterator[Repeated]:
    options, operations = side.arm.options, side.arm.operations
    assert options is not None
    keys = ("model", "augmentation", "decoding", "preprocessing")
    words = words_in(side.arm.label).and_(*((options.place(key), getattr(options, key)) for key in keys))
    if operations is not None:
        words = words.and_((operations.place("method"), operations.method))
    for place, found in words.mentions(*REPEATED):
        if numbers := place.reading.numbers(found.span):
            yield Repeated(min(int(numbers[REPEATED[found.concept]].low), MOST), found.text, place.at or side.arm.at)
    for key, value in options.extra.items():
        if read(key).has("repeat_option") and isinstance(value, int | float) and value > 1:
            yield Repeated(int(min(value, MOST)), f"{key} {value:g}", options.at)
