"""The size of one example: what kind it is, how many elements it has, and which size is usual."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Literal

from msgspec import Struct

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim
from ...case import Case
from ...language.reading import read
from ..document.told import explained, quotes

Kind = Literal["image", "sequence", "other"]

CHANNELS = frozenset({1, 3, 4})
LEAST_SIDE = 8
IMAGE_REFERENCE = 224 * 224

OWN_SIDES = frozenset({288, 299, 320, 331, 384, 448, 512, 600})
"""Heights of images in pixels by which models are named that were made for them."""
_SIZE = Pattern(r"(?<![0-9.])([0-9]{2,4}) ?[xX×] ?([0-9]{2,4})(?!\.?[0-9]|\s?[xX×])")


class Example(Struct, frozen=True):
    """One example as it enters the model.

    Attributes:
        kind: image (two extents and a channel), sequence, or something else.
        elements: pixels of an image without its channels, tokens of a sequence, else all numbers.
        words: its size as a reader writes it.
        extents: height and width of an image in pixels, or of a plane without channels.
    """

    kind: Kind
    elements: int
    words: str
    extents: tuple[int, int] | None = None


def example(shape: tuple[int, ...], length: int | None) -> Example | None:
    """Return what one example is, from its shape (no batch dimension) or its length; None where neither is known."""
    extents = _extents(shape)
    if extents is not None:
        return Example("image", extents[0] * extents[1], f"{extents[0]} x {extents[1]} pixels", extents)
    if length is not None:
        return Example("sequence", length, f"{length} tokens")
    if not shape:
        return None
    plane = (shape[0], shape[1]) if len(shape) == 2 else None
    return Example("other", prod(shape), f"{' x '.join(str(extent) for extent in shape)} numbers", plane)


def image_sizes(text: str) -> frozenset[tuple[int, int]]:
    """Return the image sizes that a text names, as height and width: "256x256, dense", "224 x 224", or "160" alone."""
    side = text.casefold().strip().removesuffix("pixels").removesuffix("px").strip()
    if side.isdecimal() and 2 <= len(side) <= 4:
        return frozenset({(int(side), int(side))})
    return frozenset((int(height), int(width)) for height, width in _SIZE.findall(text))


def example_of(options: Mapping[str, object]) -> Example | None:
    """Return what one example is under flattened options."""
    shape, length = options.get("input_shape", ()), options.get("input_length")
    assert isinstance(shape, tuple)
    return example(tuple(int(str(extent)) for extent in shape), length if isinstance(length, int) else None)


def _extents(shape: tuple[int, ...]) -> tuple[int, int] | None:
    if len(shape) != 3:
        return None
    for channels, extents in ((shape[0], shape[1:]), (shape[2], shape[:2])):
        if channels in CHANNELS and min(extents) >= LEAST_SIDE:
            return extents[0], extents[1]
    return None


def other_task(options: Mapping[str, object]) -> bool:
    """Whether model or data set name a generative, video, volumetric or scientific task, with sizes of its own."""
    return _says(options, "task_with_sizes_of_its_own")


def usual_image(options: Mapping[str, object]) -> bool:
    """Whether 224 x 224 is the usual size: ImageNet classification by a model that names no size of its own."""
    return _says(options, "imagenet") and not own_size(options)


def own_size(options: Mapping[str, object]) -> bool:
    """Whether the model has a size of its own, or its name gives one."""
    return _says(options, "model_with_a_size_of_its_own") or any(
        token.value in OWN_SIDES or token.text == "@" for name in _names(options) for token in read(name).tokens
    )


def _says(options: Mapping[str, object], concept: str) -> bool:
    return any(read(name).has(concept, affirmed=False) for name in _names(options))


def _names(options: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(str(options[key]) for key in ("model", "dataset", "preprocessing") if key in options)


def rationale(claim: Claim, case: Case) -> bool:
    """Whether the document gives a reason for the size of its examples: one that speaks of the batch is none."""
    told = [*quotes(claim, "problem_size")]
    told += [item.quote for item in case.submission.disclosures if item.topic == "problem_size"]
    return explained(claim) or any(
        not text.has("size_of_the_batch", affirmed=False) or text.has("size_of_an_example", affirmed=False)
        for text in map(read, told)
    )
