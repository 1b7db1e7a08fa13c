"""W0801: performance with option set A, accuracy with option set B."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import (
    KEYS,
    Comparison,
    Same,
    class_of,
    compare,
    differences,
    exclude_each_other,
    flat,
    in_words,
    printed,
    same_value,
)
from ..facts.comparison.pairing import paired_quality
from ..facts.document.none_said import is_none
from ..facts.document.told import said
from ..facts.document.words import words_around
from ..facts.training.inputs import example_of, image_sizes
from ..language.reading import Reading
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Effect, Note, NotShown, Related, Violation
from ..registry import rule
from ..tables.names import plain
from ..words import scaling, training_time, tta

ITEM = "option sets of both values"
FEWEST = 4
"""Words of a sentence that can name an option; fewer are the option's own name."""
LENIENT = ("model", "precision.compute", "global_batch")
PROVIDE = """\
arms:
  fast:                     # one arm, one option set: it is timed and trained
    options: {precision: {compute: bf16}}
throughput: {warmup: 5, iterations: 50, trials: 5}
convergence: {seeds: [1, 2, 3, 4, 5], evaluate_every_samples: 10000}
"""


@rule(
    "W0801",
    "option-set-mismatch",
    effect=REFUTES,
    confidence=C3,
    applies="pairing",
    origin="S1.8, S0, MEAS",
    also=("W0803", "W0804", "W0806"),
)
def option_set_mismatch(claim: Claim, case: Case) -> Iterator[Branch]:
    """A performance and a quality value that are printed together but come from different option sets.

    ## What it does
    Compares the option set of the performance value with that of the quality value, key by key and in three values:
    different, equal, unknown. Different are values that exclude each other: numbers, switches, formats, two names. A
    description in free words may be of the same thing, and a speed may be taken on another data set than the quality:
    there the finding asks. The two stand in one claim, or in claims of one headline (`group`). HARD keys decide what
    is computed; the global batch decides the statistics of training; the recipe may differ only between separate
    headlines. Where both values are of one arm, the options that were seen in its timed runs are compared with those
    that were seen in its trained ones. Layout, seeds, names and numerics-preserving compile flags never count. Micro
    batches with accumulation that keep the global batch are equal. Images that were judged at another size than the
    timed one are another input,
    too, outside of training.

    ## Why it misleads
    The fastest configuration and the most accurate one are rarely the same. Printed side by side they describe a
    system that nobody ran.

    ## Branches
    - (a) refutes, C3: a HARD key differs.
    - (b) refutes, C3: the global batch alone differs, and the claim is one time to train.
    - (c) undermines, C3: the global batch alone differs, in a scaling claim.
    - (d) caveat, C3: the global batch alone differs, in a rate; or only recipe keys differ inside one headline.
    - (e, instead of a) caveat, C3: a, and the same sentence or table says that two option sets are shown and names
      the keys.
    - not shown: the HARD keys that differ do not exclude each other, such as two descriptions or two data sets.
    - not shown: of inference: the quality takes several passes over each input (augmentation at test time), and nothing
      says that the speed was taken so. Required, too.
    - not shown: the quality is linked to no option set, or a HARD key is known on one side only. Under the reviewer
      profile, with model, precision and batch known and equal, the item counts as shown and the unknown keys are
      printed. Required (option sets of both values) from the reviewer profile on.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"options": {"precision": {"compute": "e4m3"}}}},
     "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where the fused arm was both timed and trained.

    ## How to fix
    Give both values under one option set.

    ## References
    Hoefler, Twelve ways to fool the masses, way 8.
    """
    paired = paired_quality(claim, case)
    fast, good = case.subject(claim), case.side(paired)
    if fast is None or good is None or fast.arm.options is None or good.arm.options is None:
        missing = "performance" if fast is None or fast.arm.options is None else "quality"
        message = f"the option set of the {missing} value is not given, while one statement gives both"
        yield NotShown(message, claim.at, ITEM, PROVIDE)
        return
    digests = (fast.arm.option_set, good.arm.option_set)
    found = compare(fast.arm.options, good.arm.options, digests)
    where = paired.at if paired is not None else claim.at
    yield from _different(claim, case, found, (fast, good), where)
    yield from _many_passes(claim, case, fast)
    loose = [item for item in found.differing("HARD") if not exclude_each_other(*item)]
    if loose:
        message = f"whether speed and quality are of one setting is not said: {in_words(loose)}"
        yield NotShown(message, where, ITEM, PROVIDE, _option_sets(fast, good), question=True)
    if fast.id == good.id:
        yield from _seen(claim, case, fast, where)
    yield from _other_input(claim, case, fast, where)
    if found.within("HARD") is Same.UNKNOWN and not found.differing("HARD", "STAT"):
        unknown = ", ".join(found.unknown)
        if case.profile == "reviewer" and set(LENIENT) <= set(found.equal):
            yield Note(f"options that are not known on both sides: {unknown}")
        else:
            message = (
                f"options that are not known on both sides: {unknown}"
                if unknown
                else "model, precision or batch unknown"
            )
            yield NotShown(message, claim.at, ITEM, PROVIDE, _option_sets(fast, good), question=True)


def _different(claim: Claim, case: Case, found: Comparison, sides: tuple[Side, Side], where: str) -> Iterator[Branch]:
    hard = tuple(item for item in found.differing("HARD") if exclude_each_other(*item))
    batch, recipe = found.differing("STAT"), found.differing("RECIPE")
    related = _option_sets(*sides)
    if hard:
        effect, branch = (CAVEAT, "e") if _named(claim, case, hard) else (REFUTES, "a")
        message = f"speed and quality come from different settings: {in_words(hard + batch)}"
        yield Violation(branch, effect, C3, message, where, related=related)
    elif batch:
        branch, effect = _batch_branch(claim, case)
        message = f"speed and quality were measured at different batches: {in_words(batch)}"
        yield Violation(branch, effect, C3, message, where, related=related)
    elif recipe and claim.group is not None:
        message = f"one headline joins two recipes: {differences(recipe)}"
        yield Violation("d", CAVEAT, C3, message, where, related=related)


def _many_passes(claim: Claim, case: Case, fast: Side) -> Iterator[Branch]:
    """Ask whether a speed beside a quality of several scales, crops or flips was taken with as many passes."""
    quality = case.quality(paired_quality(claim, case))
    augmented = quality.test_time_augmentation if quality is not None else None
    if quality is None or augmented is None or is_none(augmented) or claim.mode != "inference":
        return
    extra = fast.arm.options.extra if fast.arm.options is not None else {}
    stated = {plain(str(word)) for word in (*extra, *extra.values())}
    if plain(augmented) not in stated:
        message = f"the quality was reached with {augmented} at test time; whether the speed was is not stated"
        yield NotShown(message, claim.at, ITEM, PROVIDE, (Related(quality.at, "several passes over each input"),))


def _option_sets(fast: Side, good: Side) -> tuple[Related, Related]:
    return (
        Related(fast.arm.place("options"), "option set of the performance value"),
        Related(good.arm.place("options"), "option set of the quality value"),
    )


def _seen(claim: Claim, case: Case, side: Side, where: str) -> Iterator[Branch]:
    """Judge what was seen in one arm's runs: those that were timed beside those that were trained.

    An option counts as different only if no value of the timed runs is one of the trained runs.
    """
    timed, trained = (
        [
            flat(trial.observed)
            for trial in side.arm.trials.values()
            if trial.kind == kind and trial.observed is not None
        ]
        for kind in ("throughput", "convergence")
    )
    apart = []
    for key in (*KEYS["HARD"], *KEYS["STAT"]):
        left, right = ([options[key] for options in found if key in options] for found in (timed, trained))
        if left and right and all(same_value(key, a, b) is Same.DIFFERENT for a in left[:8] for b in right[:8]):
            apart.append((key, left[0], right[0]))
    hard = any(class_of(key) == "HARD" for key, _, _ in apart)
    if not apart:
        return
    named = _named(claim, case, apart)
    branch, effect = (("e", CAVEAT) if named else ("a", REFUTES)) if hard else _batch_branch(claim, case)
    message = f"the runs that were timed and those that were trained differ in what was seen: {differences(apart)}"
    related = (Related(side.arm.place("trials"), "what was seen in the runs"),)
    yield Violation(branch, effect, C3, message, where, related=related)


def _other_input(claim: Claim, case: Case, fast: Side, where: str) -> Iterator[Branch]:
    """Judge images that were evaluated at another size than the one that was timed.

    Of training this says nothing: what is trained at one size may well be judged at another (W0204 tells).
    """
    quality = case.quality(paired_quality(claim, case))
    timed = example_of(flat(fast.arm.options))
    if claim.mode == "training" or quality is None or quality.evaluation_input is None or timed is None:
        return
    judged = image_sizes(quality.evaluation_input)
    if timed.extents is None or not judged or timed.extents in judged:
        return
    table = case.table(claim)
    caption = table.caption if table is not None else None
    words = " ".join([claim.statement, *(item.quote for item in claim.said), caption or ""])
    told = said(claim, "option_sets_differ") or (timed.extents in image_sizes(words) and judged <= image_sizes(words))
    effect, branch = (CAVEAT, "e") if told else (REFUTES, "a")
    sizes = " or ".join(f"{height} x {width}" for height, width in sorted(judged))
    message = f"the speed is that of {timed.words}, the quality that of {sizes}"
    related = (
        Related(fast.arm.place("options"), "option set of the performance value"),
        Related(quality.place("evaluation_input"), "input of the quality value"),
    )
    yield Violation(branch, effect, C3, message, where, related=related)


def _named(claim: Claim, case: Case, apart: Iterable[tuple[str, object, object]]) -> bool:
    """Whether a quote says that two option sets are shown, and names what differs: the key, or both of its values."""
    if not said(claim, "option_sets_differ"):
        return False
    words = words_around(claim, case)
    formats = set(words.formats())
    return all(
        {left, right} <= formats or any(_says(text, key, left, right) for text in words) for key, left, right in apart
    )


def _says(text: Reading, key: str, left: object, right: object) -> bool:
    parts = [part.replace("_", " ") for part in key.split(".")] if len(text.words()) >= FEWEST else []
    return any(text.says(part) for part in parts) or (text.says(printed(left)) and text.says(printed(right)))


def _batch_branch(claim: Claim, case: Case) -> tuple[str, Effect]:
    if tta(claim, case) or training_time(claim, case):
        return "b", REFUTES
    return ("c", UNDERMINES) if scaling(claim, case) else ("d", CAVEAT)
