"""W1005: curves over an axis on which the larger batch always looks better or worse."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Evaluation
from ...schemas.submission import Claim, Figure
from ..case import Case, Side
from ..facts.comparison.options import flat
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

PER_UPDATE = {"iterations": "iterations", "wall_time": "wall time"}
PER_WORK = frozenset({"samples", "epochs"})
PROVIDE = """\
arms:
  large: {options: {global_batch: 8192}}
figures:
  convergence: {caption: "test accuracy against training samples", x_axis: samples, arms: [small, large]}
"""


@rule(
    "W1005",
    "convergence-not-work-normalised",
    effect=CAVEAT,
    confidence=C3,
    applies="training and has(curve)",
    origin="S1.10, S1.11",
)
def convergence_not_work_normalised(claim: Claim, case: Case) -> Iterator[Branch]:
    """Training curves of different global batch over iterations or time, and nowhere over samples or epochs.

    ## What it does
    Reads the figures that show the claim's arm beside others, their axes, and the global batch behind each curve.
    Without such a figure it reads the curves of the claim's arm and of its base: whether their evaluations count
    samples or epochs. With one constant batch iterations are samples.

    ## Why it misleads
    An iteration of a batch twice as large sees twice the data. Over iterations the larger batch always seems to learn
    faster; over time it may only seem so because its machine is.

    ## Branches
    - not applicable: the claim's arm is shown beside no other curve.
    - (a) caveat, C3: the curves have different global batches, the axis is iterations or wall time, and no figure of
      the same arms has a samples or epochs axis.
    - not shown: the batch behind a curve, the axis, or which arms a figure shows is not stated.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"plain": {"options": {"global_batch": 64, "micro_batch": 64}}},
     "figures": {"loss": {"caption": "Test loss against iterations", "kind": "line", "x_axis": "iterations",
                          "arms": ["fused", "plain"]}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, with one batch for both:
    ```json
    {"figures": {"loss": {"caption": "Test loss against iterations", "kind": "line", "x_axis": "iterations",
                          "arms": ["fused", "plain"]}}}
    ```

    ## How to fix
    Draw the curves over samples or epochs.

    ## References
    Hoefler, Twelve ways to fool the masses, ways 10 and 11.
    """
    side = case.subject(claim)
    if side is None:
        yield Inapplicable("the claim names no arm")
        return
    shown = [(figure, sides) for figure in case.submission.figures.values() if (sides := _shown(case, figure, side))]
    for figure, sides in shown:
        normalised = any(other.x_axis in PER_WORK and set(figure.arms) <= set(other.arms) for other, _ in shown)
        if not normalised:
            yield from _figure(figure, sides)
    if not shown:
        yield from _unnamed(case)
        yield from _beside_base(side, case.base(claim))


def _shown(case: Case, figure: Figure, side: Side) -> list[Side]:
    """Return the arms whose curves stand beside the claim's in a figure of convergence; empty where it shows none."""
    sides = {other.id: other for other in case.sides() if other.study is None}
    found = [sides[name] for name in figure.arms if name in sides]
    if len(found) < 2 or side.id not in figure.arms or figure.x_axis in {"devices", "other"} or figure.kind == "bar":
        return []
    return found if read(figure.caption).has("convergence") else []


def _unnamed(case: Case) -> Iterator[Branch]:
    """Ask which arms a figure over iterations or time shows, where the document's curves do not share one batch."""
    trained = [side for side in case.sides() if side.study is None and _log(side)]
    if len(trained) < 2 or len({_batch(side) for side in trained} - {None}) == 1:
        return
    for figure in case.submission.figures.values():
        if not figure.arms and figure.x_axis in PER_UPDATE and read(figure.caption).has("convergence"):
            yield NotShown("which arms the figure shows is not stated", figure.at, "", PROVIDE)


def _figure(figure: Figure, sides: list[Side]) -> Iterator[Branch]:
    batches = [_batch(side) for side in sides]
    known = {batch for batch in batches if batch is not None}
    if len(known) < 2:
        if None in batches:
            message = "the global batch behind a curve of the figure is not stated"
            yield NotShown(message, figure.at, "", PROVIDE)
        return
    if figure.x_axis is None:
        yield NotShown("curves of different global batch, and the axis is not stated", figure.at, "", PROVIDE)
        return
    sizes = " and ".join(_words(batch) for batch in sorted(known, key=str))
    message = (
        f"curves of global batch {sizes} are drawn over {PER_UPDATE[figure.x_axis]}, nowhere over samples or epochs"
    )
    related = tuple(Related(side.arm.place("options"), "the options behind a curve") for side in sides[:5])
    yield Violation("a", CAVEAT, C3, message, figure.place("x_axis"), figure.x_axis, "samples", related)


def _beside_base(side: Side, base: Side | None) -> Iterator[Branch]:
    if base is None or base.id == side.id or not (_log(side) and _log(base)):
        yield Inapplicable("there is no other curve to compare the claim's with")
        return
    if _per_work(side) and _per_work(base):
        return
    batches = _batch(side), _batch(base)
    if None in batches:
        message = "the curves of the two arms count neither samples nor epochs, and a global batch is not stated"
        yield NotShown(message, side.arm.place("trials"), "", PROVIDE)
    elif batches[0] != batches[1]:
        sizes = f"{_words(batches[0])} and {_words(batches[1])}"
        message = f"the curves of global batch {sizes} are given per step or time, not per sample or epoch"
        related = (Related(base.arm.place("trials"), "the other curves"),)
        yield Violation("a", CAVEAT, C3, message, side.arm.place("trials"), related=related)


def _log(side: Side) -> list[Evaluation]:
    return [item for trial in side.arm.trials.values() for item in trial.evaluations]


def _per_work(side: Side) -> bool:
    return all(item.samples is not None or item.epoch is not None for item in _log(side))


def _batch(side: Side) -> object:
    """Return the global batch of an arm, its schedule where it has one, or None where neither is stated."""
    options = flat(side.arm.options)
    return options.get("batch_schedule") or options.get("global_batch")


def _words(batch: object) -> str:
    if isinstance(batch, tuple):
        return " then ".join(str(step[-1]) for step in batch)
    return str(batch)
