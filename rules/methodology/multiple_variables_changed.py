"""M20: an effect that is attributed to one change of several."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.batch_and_precision import arms_with_options
from ..facts.comparison.compared import compared
from ..facts.comparison.options import CORE, Comparison, compare_flat, differences
from ..facts.comparison.points import Point
from ..facts.comparison.treatment import treated, words_of
from ..facts.document.words import words_in
from ..fields import field_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule

ITEM = "options per arm"
COUPLED = {
    **dict.fromkeys(("quantisation", "cache_format"), "precision"),
    "batch_schedule": "global_batch",
    "weights": "model",
    "input_length": "input_shape",
    "preprocessing": "dataset",
}
SPEED_ONLY = frozenset({"activation_checkpointing", "compile"})
"""Options of the layout that make a step faster or slower by themselves, on the same devices."""
ATTRIBUTED = frozenset({"method", "precision", "batch"})
WORK = frozenset({"model", "dataset", "input_shape", "input_length"})
TIMED = frozenset({"rate", "time", "latency", "energy"})
PROVIDE = """\
arms:
  plain:
    options: {model: "decoder 124M", precision: {compute: bf16}, global_batch: 32, optimizer: AdamW}
"""


TREATMENT = """\
claims:
  speedup: {treatment: [model]}
"""


@rule(
    "M20",
    "multiple-variables-changed",
    effect=UNDERMINES,
    confidence=C3,
    applies="purpose=attribution or "
    "(comparison and (compares=own_variants or attribution in {method, precision, batch}))",
    origin="S3",
)
def multiple_variables_changed(claim: Claim, case: Case) -> Iterator[Branch]:
    """An effect that is attributed to one change while several were made.

    ## What it does
    Counts in how many options the two arms differ that can change what is computed, or the statistics of training. Keys
    that change together count once: the formats of one precision, a batch and its schedule, a model and its weights.
    What the claim names as its treatment counts, too, of whichever kind it is. Layout and recipe never count otherwise,
    except that compilation and recomputed activations are further changes of a timing. Where two variants of one author
    are timed and nothing is attributed, only what is computed counts: model, data set and input beside a treatment that
    leaves them as they are, such as a loader or a format. If there are several, looks for
    an ablation: a chain of arms in the document from the one to the other, each of which changes one thing.

    ## Why it misleads
    With two changes the gain belongs to either, to both, or to one while the other costs.

    ## Branches
    - (a) undermines, C3: more than one such option differs, or one beside the treatment, and no ablation in single
      steps is given.
    - (b) caveat, C3: beside what a timing names as its treatment, compilation or the recomputation of activations
      differs, and no ablation is given.
    - pass with a note: the claim names all that differs as its treatment, or attributes the effect to the whole system.
    - not shown: one's own variants are timed on different work and the claim names no treatment; the options of an arm
      are not given; or one of model, precision and batch is known on one side only.
      Required (options per arm) of attributions from the gate profile on.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"purpose": "attribution"}},
     "arms": {"plain": {"options": {"precision": {"compute": "fp32"}, "optimizer": "SGD"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"purpose": "attribution"}}}
    ```

    ## How to fix
    Ablate: change one option at a time, and report each step.

    ## References
    Cautionary tales of the deep-learning performance course.
    """
    subject, bases = compared(claim, case)
    base = next(iter(bases), None)
    asked = field_of("purpose", claim, case) == "attribution"
    if subject is None or base is None or not subject.options or not base.options:
        if not asked:
            yield Inapplicable("the options of both arms are not given")
            return
        lacking = next((point for point in (subject, base) if point is not None and not point.options), None)
        at = lacking.at if lacking is not None else claim.base.at if claim.base is not None else claim.at
        yield NotShown("the options of both arms are not given", at, ITEM, PROVIDE)
        return
    if subject.digest is not None and subject.digest == base.digest:
        return
    found = _compared(subject.options, base.options)
    told = tuple(_judged(claim, case, (subject, base), found)) if asked or claim.attribution in ATTRIBUTED else ()
    yield from told or _other_work(claim, (subject, base), found)
    unknown = [key for key in CORE if key in found.unknown]
    if unknown and asked:
        message = f"whether the arms agree in {', '.join(unknown)} is not known"
        yield NotShown(message, base.at, ITEM, PROVIDE)


def _judged(claim: Claim, case: Case, points: tuple[Point, Point], found: Comparison) -> Iterator[Branch]:
    core, named = found.differing("HARD", "STAT"), [item for item in found.different if _treated(claim, item[0])]
    beside = [item for item in core if item not in named]
    extra = [item for item in found.different if item[0] in SPEED_ONLY and item not in named]
    changes = frozenset(_group(key) for key, _, _ in (*core, *named))
    words = differences([*core, *(item for item in named if item not in core)])
    speed = named and extra and claim.quantity in TIMED and claim.attribution != "system"
    if len(changes) > 1 and claim.attribution == "system":
        yield Note(f"the effect is attributed to the whole system, which differs in {words}")
    elif len(changes) > 1 and not beside:
        yield Note(f"the claim names all that differs as its treatment: {words}")
    elif len(changes) > 1 and not _ablated(case, *points, frozenset(key for key, _, _ in (*core, *named))):
        message = f"the effect is attributed to one change, and {len(changes)} options differ: {words}"
        yield Violation("a", UNDERMINES, C3, message, points[0].at, None, words, (Related(points[1].at, "the base"),))
    elif speed and not _ablated(case, *points, frozenset(key for key, _, _ in (*named, *extra))):
        words = differences(extra)
        message = f"the effect is attributed to {', '.join(claim.treatment)}; beside it {words} differ"
        related = (Related(points[1].at, "the base"),)
        yield Violation("b", CAVEAT, C3, message, points[0].at, None, words, related)


def _other_work(claim: Claim, points: tuple[Point, Point], found: Comparison) -> Iterator[Branch]:
    """Judge a timing of one's own variants whose treatment leaves the work as it is, or which names none."""
    words = frozenset[str]().union(*(words_of(item) for item in claim.treatment))
    named = words_of(f"{claim.statement} {(claim.base.definition or '') if claim.base is not None else ''}")
    other = [item for item in found.different if item[0] in WORK and not words & words_of(item[0])]
    other = [item for item in other if not words_in(*(str(value) for value in item[1:])).has("made_up_set")]
    silent = [item for item in other if not words_of(str(item[2])) <= named]
    if not silent or claim.quantity not in TIMED or claim.attribution == "system":
        return
    what = differences(silent)
    related = (Related(points[1].at, "the base"),)
    if not claim.treatment:
        message = f"the two sides differ in {what}, and the claim does not say whether that is what it compares"
        yield NotShown(message, points[0].at, "", TREATMENT, related)
    elif all(read(item).has("changes_speed_alone") for item in claim.treatment):
        message = f"{', '.join(claim.treatment)} is compared on other work, which the sentence does not say: {what}"
        yield Violation("a", UNDERMINES, C3, message, points[0].at, None, what, related)


def _treated(claim: Claim, key: str) -> bool:
    """Whether a claim names an option, or what it changes together with, as its treatment."""
    group = _group(key)
    if key == "weights" and words_in(*claim.treatment).has("treatment.weights"):
        return True
    return (claim.attribution == "precision" and group == "precision") or treated(claim, group, key)


def _compared(left: Mapping[str, object], right: Mapping[str, object]) -> Comparison:
    """Compare two option sets; a crop to another size, said in the preprocessing, too, is that of the input."""
    found = compare_flat(left, right)
    texts = {key: (ours, theirs) for key, ours, theirs in found.different}
    ours, theirs = (_without_digits(str(text)) for text in texts.get("preprocessing", ("", "")))
    return found.without("preprocessing") if ours and ours == theirs and "input_shape" in texts else found


def _without_digits(text: str) -> str:
    return "".join(sign for sign in text if not sign.isdigit())


def _changes(found: Comparison, keys: frozenset[str]) -> frozenset[str]:
    counted = {key for key, _, _ in found.differing("HARD", "STAT")} | keys
    return frozenset(_group(key) for key, _, _ in found.different if key in counted)


def _group(key: str) -> str:
    return "precision" if key.startswith("precision.") else COUPLED.get(key, key)


def _ablated(case: Case, subject: Point, base: Point, keys: frozenset[str]) -> bool:
    """Whether a chain of arms leads from the base to the subject, each of which changes one thing.

    Only arms that state all that differs between the two count.
    """
    known = ((side.id, found) for side, found in arms_with_options(case))
    arms: dict[str, Mapping[str, object]] = {name: found for name, found in known if keys <= found.keys()}
    arms |= {point.at: point.options for point in (subject, base)}
    reached, queue = {base.at}, deque([base.at])
    while queue:
        here = arms[queue.popleft()]
        apart = {name: _changes(_compared(here, arms[name]), keys) for name in arms.keys() - reached}
        steps = [name for name, changes in apart.items() if len(changes) <= 1]
        reached.update(steps)
        queue.extend(steps)
    return subject.at in reached
