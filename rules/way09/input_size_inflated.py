"""W0901: examples larger than the task needs."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.document.words import words_in, words_of
from ..facts.training.inflation import Size, sizes
from ..facts.training.inputs import rationale
from ..language.reading import read
from ..outcome import C1, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule

PARTS = frozenset({"kernel", "collective", "layer"})
SIZE_KEYS = frozenset({"input_shape", "input_length"})
SIZED = (*sorted(SIZE_KEYS), "global_batch", "per_device_batch", "micro_batch")
ITEM_LENGTHS = "other lengths of the load"
SHORT = 256
"""Tokens up to which a prompt or an answer is a short one: a chat's first turn is as long."""
PROVIDE_LENGTHS = """\
arms:
  long:
    performance:
      rate: {quantity: rate, value: "2100", unit: tokens/s, load: {prompt_length: "2048", output_length: "512"}}
"""
ITEM = "input size behind the number"
PROVIDE = """\
arms:
  a:
    options: {input_length: 4096}                     # or input_shape: [3, 224, 224]
    native_input: {length: 4096, source: "the model card"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    factor: float = Threshold(4, "times the usual size", "judgement: twice the length and width of an image")
    native: float = Threshold(
        1.5,
        "times the size that the document calls native",
        "judgement: beyond the usual larger crop at evaluation",
    )


@rule(
    "W0901",
    "input-size-inflated",
    effect=UNDERMINES,
    confidence=C1,
    applies="flops or scaling or rate",
    origin="S1.9, MEAS",
    thresholds=Thresholds,
)
def input_size_inflated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Examples of several times the usual size, without a reason for it.

    ## What it does
    Compares the pixels or tokens of one example with the usual size: the native size that the document states for the
    arm; else what the table of data sets gives as customary (never less than 224 x 224 pixels, to which small images
    are often enlarged, and not for a model with a size of its own); else, for a sequence, the length at which the
    document shows that the model was trained; else, for an image, 224 x 224 pixels. An
    image of at most 4 times that passes for any task, unless the document itself states a native size, beside which
    more than 1.5 times needs a reason; a larger one is held against it only where the table knows the
    data set, or data set and model name ImageNet classification and no size of their own.

    ## Why it misleads
    Operations grow with the square of an image's side, and with the square of a sequence's length where attention
    dominates. Large examples make any machine look busy, and nobody needs them.

    ## Branches
    - (a) undermines, C1: more than 4 times the usual size, with no reason given, and no significant gain in quality
      over the usual size (one-sided Welch interval at 95 % over at least three seeds each).
    - (b) caveat, C1: more than 1.5 times the size that the document itself calls native, with neither reason nor gain;
      not where a model that is only applied was evaluated at that size, too.
    - not applicable: a kernel has no examples; or the size is the subject of the study and a reason is given; or the
      sentence, the model or the data set is said to be one of long contexts or of high resolution; or the number is of
      a service under a load that states the lengths of its prompts.
    - not shown: a rate or a latency of a language model under loads of one pair of lengths, neither above 256 tokens,
      that the sentence does not name. Required (other lengths of the load) from the reviewer profile on.
    - not shown: the size of one example, or the usual one, is not known. Required (input size behind the number) from
      the reviewer profile on where the words say that the number takes a large enough input or batch, and nothing tells
      how large that is.

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
    if _on_condition(claim, case):
        message = "the number takes a large enough input, and how large that is is not stated"
        yield NotShown(message, claim.at, ITEM, PROVIDE)
        return
    if claim.work == "tokens" and claim.mode == "inference":
        yield from _short_lengths(claim, case)
    if _about_size(claim, case):
        yield Inapplicable("long or large inputs are what the sentence or the model is said to be about")
        return
    metric = case.metric(claim.measured)
    if claim.scope == "serving_window" and metric is not None and metric.load and metric.load.prompt_length:
        yield Inapplicable("the lengths of the prompts are those of the stated load")
        return
    found = sizes(claim, case, thresholds.factor, thresholds.native)
    if not found:
        yield NotShown("the size of one example is not stated", claim.at, provide=PROVIDE)
    for size in found:
        yield from _judge(size)


def _short_lengths(claim: Claim, case: Case) -> Iterator[Branch]:
    """Ask for other lengths where all loads of a document hold one pair of short ones that the sentence leaves out."""
    pairs = _lengths(case)
    if len(pairs) != 1 or max(pairs[0]) > SHORT or read(claim.statement).prints(*map(Decimal, pairs[0])):
        return
    message = f"every load has prompts of {pairs[0][0]} and answers of {pairs[0][1]} tokens; others are not shown"
    yield NotShown(message, claim.at, ITEM_LENGTHS, PROVIDE_LENGTHS)


@fact
def _lengths(case: Case) -> tuple[tuple[int, int], ...]:
    """Return the pairs of prompt and output length of a document's loads, each once; nothing where one is no number."""
    loads = [
        metric.load for side in case.sides() for metric in side.arm.performance.values() if metric.load is not None
    ]
    stated = [(load.prompt_length, load.output_length) for load in loads]
    both = {(one, other) for one, other in stated if one is not None and other is not None}
    if not all(text.isdecimal() for pair in both for text in pair):
        return ()
    return tuple(sorted((int(one), int(other)) for one, other in both))


def _on_condition(claim: Claim, case: Case) -> bool:
    """Whether words make a number depend on a large enough input or batch, of which no size is stated."""
    side, metric = case.subject(claim), case.metric(claim.measured)
    options = side.arm.options if side is not None else None
    sized = options is not None and any(getattr(options, name) for name in SIZED)
    loaded = metric is not None and metric.load is not None
    conditions = (text for text in words_of(claim) if text.has("large_enough_input") and not text.counts())
    return not sized and not loaded and any(True for _ in conditions)


def _about_size(claim: Claim, case: Case) -> bool:
    """Whether the sentence, the model or the data set is said to be one of long contexts or of high resolution.

    Not where small images were enlarged to it.
    """
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    if options is None:
        return read(claim.statement).has("long_input")
    enlarged = words_in(options.dataset, options.preprocessing).has("enlarged")
    return not enlarged and words_in(claim.statement, options.model, options.dataset).has("long_input")


def _judge(size: Size) -> Iterator[Branch]:
    if size.one is None:
        yield NotShown("the size of one example is not stated", size.at, provide=PROVIDE)
    elif size.inflated is None:
        yield NotShown(f"one example has {size.one.words}, and the usual size is not known", size.at, provide=PROVIDE)
    elif size.inflated or size.enlarged:
        assert size.usual is not None
        branch, effect = ("a", UNDERMINES) if size.inflated else ("b", CAVEAT)
        usual = size.usual_words or "224 x 224 pixels"
        times = f"{size.one.elements / size.usual:.3g} times the usual {usual}"
        message = f"one example has {size.one.words}, {times}, and no reason is given"
        yield Violation(branch, effect, C1, message, size.at, size.one.words, usual)
