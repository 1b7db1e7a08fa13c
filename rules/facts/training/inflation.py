"""Whether one example is larger than usual, beside what the document says of its usual size and of its gain."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim
from ...case import Case, Side
from ...statistics.intervals import log_welch_ratio
from ..comparison.options import Same, flat, same_value
from ..comparison.points import points
from .dataset import named_dataset
from .inputs import IMAGE_REFERENCE, Example, example, example_of, other_task, own_size, rationale, usual_image

ONE_SIDED_95 = 0.90
_WHOLE = Pattern(r"\d+")
IMAGENET = Example("image", IMAGE_REFERENCE, "224 x 224 pixels", (224, 224))


class Size(Struct, frozen=True):
    """The size of one example beside the usual one.

    Attributes:
        at: its place.
        one: the example; None where its size is not stated.
        usual: usual number of elements; None where it is not known.
        usual_words: the same in words; empty where it is the built-in size of an image.
        inflated: whether it is larger than allowed, with no reason and no gain in quality; None where nobody can tell.
        enlarged: the same against the smaller factor that holds beside a size that the document itself calls native.
    """

    at: str
    one: Example | None = None
    usual: int | None = None
    usual_words: str = ""
    inflated: bool | None = None
    enlarged: bool = False


def sizes(claim: Claim, case: Case, factor: float, of_native: float | None = None) -> tuple[Size, ...]:
    """Return the size of one example at every point of a claim.

    An example may be `factor` times the usual size, and `of_native` times (where it is given) the size that the
    document states as the arm's own.
    """
    found = [(point.side, point.options, point.at) for point in points(claim, case)]
    side = case.subject(claim)
    if case.table(claim) is None:
        found = [(side, flat(side.arm.options), side.arm.place("options"))] if side is not None else []
    return tuple(_size(claim, case, (factor, of_native), arm, options, at) for arm, options, at in found)


def _size(
    claim: Claim,
    case: Case,
    factors: tuple[float, float | None],
    side: Side | None,
    options: Mapping[str, object],
    at: str,
) -> Size:
    factor, of_native = factors
    one = example_of(options)
    if one is None:
        return Size(at)
    usual, words = _usual(case, side, options, one)
    if usual is not None and one.elements <= factor * usual:
        native = _native(side, one)
        larger = native is not None and of_native is not None and one.elements > of_native * native.elements
        kept = not larger or _evaluated(claim, side, one) or rationale(claim, case)
        enlarged = not kept and not _quality_gain(case, side, one, (of_native or factor) * usual)
        return Size(at, one, usual, words, inflated=False, enlarged=enlarged)
    if usual is None or (words == "" and not usual_image(options)):
        return Size(at, one)
    reason = rationale(claim, case) or _quality_gain(case, side, one, factor * usual)
    return Size(at, one, usual, words, inflated=not reason)


def _usual(case: Case, side: Side | None, options: Mapping[str, object], one: Example) -> tuple[int | None, str]:
    """Return the usual number of elements and its words; no words where it is the built-in size of an image."""
    native = _native(side, one)
    if native is not None:
        return native.elements, native.words
    known = _customary(case, options, one)
    if known is not None:
        return known.elements, f"{known.words} of that data set"
    if one.kind == "sequence":
        lengths = [length for other in case.sides() if (length := _trained_length(other, options)) is not None]
        return (max(lengths), f"{max(lengths)} tokens") if lengths else (None, "")
    if one.kind == "image":
        return (IMAGE_REFERENCE if not other_task(options) or one.elements <= IMAGE_REFERENCE else None), ""
    return None, ""


def _native(side: Side | None, one: Example) -> Example | None:
    """Return the size that the document states as the arm's own, where it is one of the same kind."""
    native = side.arm.native_input if side is not None else None
    size = example(native.shape, native.length) if native is not None else None
    return size if size is not None and size.kind == one.kind else None


def _evaluated(claim: Claim, side: Side | None, one: Example) -> bool:
    """Whether a model that is only applied was evaluated at this size, too: its quality is what the size brings."""
    if side is None or claim.mode == "training" or one.extents is None:
        return False
    texts = [quality.evaluation_input or "" for quality in side.arm.quality.values()]
    return any(set(map(str, one.extents)) & set(_WHOLE.findall(text)) for text in texts)


def _customary(case: Case, options: Mapping[str, object], one: Example) -> Example | None:
    """Return the customary input of the data set, where the table knows one of the same kind.

    Small images are customarily enlarged to 224 x 224 for models that were trained on those.
    """
    name = options.get("dataset")
    entry = named_dataset(case, name) if isinstance(name, str) else None
    if entry is None or (one.kind == "image" and own_size(options)):
        return None
    size = example(entry.customary_shape or entry.native_shape, entry.customary_length)
    if size is None or size.kind != one.kind:
        return None
    return IMAGENET if size.kind == "image" and size.elements < IMAGE_REFERENCE else size


def _trained_length(side: Side, options: Mapping[str, object]) -> int | None:
    """Return the sequence length of an arm of the same model whose quality is shown."""
    if not side.arm.quality and not any(trial.evaluations for trial in side.arm.trials.values()):
        return None
    own = flat(side.arm.options)
    if "model" not in own or "model" not in options:
        return None
    length = own.get("input_length")
    same = same_value("model", own["model"], options["model"]) is Same.EQUAL
    return length if same and isinstance(length, int) else None


def _quality_gain(case: Case, side: Side | None, one: Example, limit: float) -> bool:
    """Whether the arm's quality is significantly better than that of an arm of the same model at a usual size."""
    if side is None:
        return False
    options = flat(side.arm.options)
    for other in case.sides():
        smaller, own = example_of(flat(other.arm.options)), flat(other.arm.options)
        if smaller is None or smaller.kind != one.kind or smaller.elements > limit or "model" not in own:
            continue
        one_model = "model" in options and same_value("model", own["model"], options["model"]) is Same.EQUAL
        if one_model and any(_better(side, other, key) for key in side.arm.quality):
            return True
    return False


def _better(side: Side, other: Side, key: str) -> bool:
    large, small = side.arm.quality[key], other.arm.quality.get(key)
    if small is None or large.metric != small.metric or large.direction is None:
        return False
    pair = [[float(value) for value in quality.seeds.values()] for quality in (large, small)]
    if any(not 0 < value < math.inf for values in pair for value in values):
        return False
    better, worse = pair if large.direction == "higher" else pair[::-1]
    interval = log_welch_ratio(better, worse, ONE_SIDED_95)
    return interval is not None and interval.lower > 1
