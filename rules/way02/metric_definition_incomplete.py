"""W0204: a quality number whose definition is left open."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_around, words_in
from ..facts.training.stated_quality import metric_of, quality_side, stated_quality
from ..language.reading import Reading, read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

ITEM = "what a quality was measured on"
MOST_CHANNELS = 4
SIZES = frozenset({"sequence_length", "tokens", "samples", "other"})
PROVIDE = """\
arms:
  trained:
    quality:
      accuracy:
        metric: top-1 accuracy
        averaging: mean over 5 seeds
        examples: 50000
        checkpoint: last
        evaluation_input: "224 x 224"
        training_input: "224 x 224"
        weight_averaging: none
        test_time_augmentation: none
"""


@rule(
    "W0204",
    "metric-definition-incomplete",
    effect=CAVEAT,
    confidence=C3,
    applies="accuracy",
    origin="S1.2, MEAS",
)
def metric_definition_incomplete(claim: Claim, case: Case) -> Iterator[Branch]:
    """A quality value without what it takes to compute it again.

    ## What it does
    Looks for the metric's name, the number of evaluated examples and the checkpoint; for a benchmark that is put to a
    language model in words, also for the harness or the prompts and shots. It compares the resolution,
    crop or length at evaluation with that in training. Two sizes differ where they share no number; channel counts do
    not count.

    ## Why it misleads
    "76.1 %" may be top-1 or top-5, of one crop or ten, of the last or the luckiest checkpoint. A larger input at
    evaluation buys accuracy at a cost that the training time does not show.

    ## Branches
    - not applicable: the definition is complete, but for the inputs at evaluation and in training.
    - (a) caveat, C3: the input at evaluation differs from that in training, and nothing printed beside the number says
      so.
    - not shown: the metric's name, the number of examples or the checkpoint is not stated; or of a benchmark such as
      MMLU neither harness nor prompts. Required (what a quality was measured on) of a number from the reviewer profile
      on, where the document names no data set at all, no split and no number of examples.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"arms": {"trained": {"quality": {"accuracy": {"evaluation_input": "40 x 40"}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, whose definition is complete.

    ## How to fix
    Fill in the metric: name, averaging, examples, checkpoint, input sizes, weight averaging, augmentation at test time.

    ## References
    Hoefler, Twelve ways to fool the masses, way 2.
    """
    stated, side = stated_quality(claim, case), quality_side(claim, case)
    quality = stated.quality if stated is not None else None
    if quality is not None:
        yield from _inputs(claim, case, quality)
    missing = _missing(claim, case, side, quality)
    if missing:
        at = quality.at if quality is not None else claim.at
        message = f"{' and '.join(missing)} of the quality {'is' if len(missing) == 1 else 'are'} not stated"
        item = ITEM if claim.value is not None and not _on_something(claim, case) else ""
        yield NotShown(message, at, item, PROVIDE)


def _on_something(claim: Claim, case: Case) -> bool:
    """Whether the claim or anything in the document tells on which data a quality was measured, or on how many."""
    if claim.suite is not None or claim.row is not None:
        return True
    for side in case.sides():
        options, qualities = side.arm.options, side.arm.quality.values()
        if side.arm.splits or side.arm.trials or (options is not None and options.dataset is not None):
            return True
        if any(item.split or item.examples or item.harness or item.prompts for item in qualities):
            return True
    names = (item.metric for side in case.sides() for item in side.arm.quality.values())
    texts = (*words_around(claim, case), *words_in(claim.metric, *names, *_statements(case)))
    return any(text.names("dataset") or text.has("prompted_benchmark") or _on_a_name(text) for text in texts)


def _on_a_name(text: Reading) -> bool:
    """Whether a text says "on" of something with a name that is no device: a data set that no list holds."""
    known = {token.start for name in text.names("device") for token in text.within(name.start, name.end)}
    known |= {mention.start for concept in ("hardware", "device") for mention in text.mentions(concept)}
    followed = zip(text.tokens, text.tokens[1:], strict=False)
    return any(one.low == "on" and two.text[:1].isupper() and two.start not in known for one, two in followed)


def _statements(case: Case) -> Iterator[str]:
    yield from (claim.statement for claim in case.submission.claims.values())
    yield from (item.quote for item in case.submission.disclosures)
    yield from (table.caption for table in case.submission.tables.values() if table.caption is not None)


def _inputs(claim: Claim, case: Case, quality: Quality) -> Iterator[Branch]:
    evaluated, trained = quality.evaluation_input, quality.training_input
    if evaluated is None or trained is None:
        yield Inapplicable("the inputs at evaluation and in training are not both stated")
        return
    if not _differ(evaluated, trained) or _said(claim, case, evaluated):
        return
    message = f"evaluated at {evaluated}, trained at {trained}, and the number does not say so"
    related = (Related(quality.place("training_input"), "the input in training"),)
    yield Violation("a", CAVEAT, C3, message, quality.place("evaluation_input"), trained, evaluated, related)


def _differ(left: str, right: str) -> bool:
    """Whether two descriptions of an input name sizes, and no size in common: a crop of 224 out of 256 is both."""
    sizes = _sizes(left), _sizes(right)
    return bool(sizes[0]) and bool(sizes[1]) and not sizes[0] & sizes[1]


def _sizes(text: str) -> set[int]:
    """Return the numbers that may be sizes: no channels, no counts of runs or devices, no times or percentages."""
    words = read(text)
    other = {count.first for count in words.counts() if count.of not in SIZES}
    other |= {item.number.first for item in words.quantities() if item.number is not None and item.dimension != "other"}
    ends = {end for number in words.numbers() if number.first not in other for end in (number.low, number.high)}
    return {int(end) for end in ends if end > MOST_CHANNELS}


def _said(claim: Claim, case: Case, evaluated: str) -> bool:
    topics = [*(item.topic for item in claim.said), *(item.topic for item in case.submission.disclosures)]
    named = any(_sizes(evaluated) & _sizes(words.source) for words in words_around(claim, case))
    return "evaluation_options_differ" in topics or named


def _missing(claim: Claim, case: Case, side: Side | None, quality: Quality | None) -> list[str]:
    known = {
        "name": quality is not None or metric_of(claim, case) is not None,
        "number of examples": _examples(side, quality),
        "checkpoint": _checkpoint(claim, case, side, quality),
        "harness or prompts": _asked(claim, case, quality),
    }
    return [name for name, there in known.items() if not there]


def _examples(side: Side | None, quality: Quality | None) -> bool:
    if side is None or quality is None:
        return False
    split = side.arm.splits.get(quality.split or "")
    evaluated = (
        item.examples
        for trial in side.arm.trials.values()
        for item in trial.evaluations
        if item.split == quality.split and quality.metric in item.metrics
    )
    return bool(quality.examples or (split is not None and split.examples) or any(evaluated))


def _checkpoint(claim: Claim, case: Case, side: Side | None, quality: Quality | None) -> bool:
    """Whether the checkpoint is stated: by name, by how it was chosen, or as the weights that inference loads."""
    said = any(item.topic == "checkpoint_rule" for item in case.submission.disclosures)
    options = side.arm.options if side is not None else None
    weights = claim.mode == "inference" and options is not None and options.weights is not None
    chosen = quality is not None and quality.selection is not None and quality.selection.policy is not None
    return said or weights or chosen or (quality is not None and quality.checkpoint is not None)


def _asked(claim: Claim, case: Case, quality: Quality | None) -> bool:
    """Whether it is stated how a benchmark was put to the model, where it is one of those that are asked in words."""
    if quality is None or quality.harness is not None or quality.prompts is not None:
        return True
    name = claim.quality.quality if claim.quality is not None else None
    told = words_around(claim, case).and_(*((item.at, item.quote) for item in case.submission.disclosures))
    return not words_in(name, quality.metric, claim.statement).has("prompted_benchmark") or told.has("shots")
