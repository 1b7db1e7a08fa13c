"""W0901: examples larger than the task needs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.inputs import IMAGE_REFERENCE, Example, example, example_of, other_task, rationale, usual_image
from ..facts.options import Same, flat, same_value
from ..facts.points import points
from ..outcome import C1, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import log_welch_ratio

PARTS = frozenset({"kernel", "collective", "layer"})
SIZE_KEYS = frozenset({"input_shape", "input_length"})
ONE_SIDED_95 = 0.90
PROVIDE = """\
arms:
  a:
    options: {input_length: 4096}                     # or input_shape: [3, 224, 224]
    native_input: {length: 4096, source: "the model card"}
"""


@rule(
    "W0901",
    "input-size-inflated",
    effect=UNDERMINES,
    confidence=C1,
    applies="flops or scaling or rate",
    origin="S1.9, MEAS",
    thresholds={"factor": Threshold(4, "times the usual size", "judgement: twice the length and width of an image")},
)
def input_size_inflated(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Examples of several times the usual size, without a reason for it.

    ## What it does
    Compares the pixels or tokens of one example with the usual size: the native size that the document states for the
    arm; else, for a sequence, the length at which the document shows that the model was trained; else, for an image,
    224 x 224 pixels. An image of at most 4 times that passes for any task; a larger one is held against it only where
    data set and model name ImageNet classification and no size of their own.

    ## Why it misleads
    Operations grow with the square of an image's side, and with the square of a sequence's length where attention
    dominates. Large examples make any machine look busy, and nobody needs them.

    ## Branches
    - (a) undermines, C1: more than 4 times the usual size, with no reason given, and no significant gain in quality
      over the usual size (one-sided Welch interval at 95 % over at least three seeds each).
    - not applicable: a kernel has no examples; or the size is the subject of the study and a reason is given.
    - not shown: the size of one example, or the usual one, is not known.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"options": {"input_shape": [3, 1024, 1024], "dataset": "ImageNet, upscaled"}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with images of 224 x 224.

    ## How to fix
    Show that quality needs the size, or put the usual size beside it.

    ## References
    Hoefler, Twelve ways to fool the masses, way 9.
    """
    if claim.scope in PARTS:
        yield Inapplicable(f"a {claim.scope} has no examples")
        return
    if SIZE_KEYS & set(claim.treatment) and (rationale(claim, case) or claim.quality is not None):
        yield Inapplicable("the size of the input is the subject, with a reason")
        return
    found = [(point.side, point.options, point.at) for point in points(claim, case)]
    side = case.subject(claim)
    if case.table(claim) is None:
        found = [(side, flat(side.arm.options), side.arm.place("options"))] if side is not None else []
    if not found:
        yield NotShown("the size of one example is not stated", claim.at, provide=PROVIDE)
    for arm, options, at in found:
        yield from _judge(claim, case, settings, arm, options, at)


def _judge(
    claim: Claim, case: Case, settings: SimpleNamespace, side: Side | None, options: Mapping[str, object], at: str
) -> Iterator[Branch]:
    one = example_of(options)
    if one is None:
        yield NotShown("the size of one example is not stated", at, provide=PROVIDE)
        return
    usual, words = _usual(case, side, options, one)
    if usual is not None and one.elements <= settings.factor * usual:
        return
    if usual is None or (words == "" and not usual_image(options)):
        yield NotShown(f"one example has {one.words}, and the usual size is not known", at, provide=PROVIDE)
    elif not rationale(claim, case) and not _quality_gain(case, side, one, settings.factor * usual):
        usual_words = words or "224 x 224 pixels"
        times = f"{one.elements / usual:.3g} times the usual {usual_words}"
        message = f"one example has {one.words}, {times}, and no reason is given"
        yield Violation("a", UNDERMINES, C1, message, at, one.words, usual_words)


def _usual(case: Case, side: Side | None, options: Mapping[str, object], one: Example) -> tuple[int | None, str]:
    """Return the usual number of elements and its words; no words where it is the built-in size of an image."""
    native = side.arm.native_input if side is not None else None
    size = example(native.shape, native.length) if native is not None else None
    if size is not None and size.kind == one.kind:
        return size.elements, size.words
    if one.kind == "sequence":
        lengths = [length for other in case.sides() if (length := _trained_length(other, options)) is not None]
        return (max(lengths), f"{max(lengths)} tokens") if lengths else (None, "")
    if one.kind == "image":
        return (IMAGE_REFERENCE if not other_task(options) or one.elements <= IMAGE_REFERENCE else None), ""
    return None, ""


def _trained_length(side: Side, options: Mapping[str, object]) -> int | None:
    """Return the sequence length of an arm of the same model whose quality is shown."""
    own = flat(side.arm.options)
    if not side.arm.quality and not any(trial.evaluations for trial in side.arm.trials.values()):
        return None
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
