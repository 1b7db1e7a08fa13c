"""B02: a claim whose values stand in a figure only."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ...schemas.submission import Claim, Figure
from ..case import Case, Side
from ..facts.document.words import words_of
from ..fields import row_devices
from ..language.lexicon import folded
from ..language.reading import Reading, read
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule

PROGRESS = frozenset({"iterations", "epochs", "samples", "wall_time"})
PROVIDE = """\
tables:
  scaling:                  # the points of the figure
    columns: {rate: {quantity: rate, unit: images/s}}
    rows:
      one: {devices: 1, values: {rate: "312"}}
      eight: {devices: 8, values: {rate: "2410"}}
"""


@rule("B02", "values-only-in-figure", applies="has(figure)", origin="MEAS")
def values_only_in_figure(claim: Claim, case: Case) -> Iterator[Branch]:
    """A claim that rests on a figure whose values stand nowhere as text or data.

    ## What it does
    Looks at the figures that show the claim's arms. Where one is said to state no values, each of these arms must hold
    a number of its own in the document: a stated value of the claimed quantity, raw numbers, or a cell of a table. A
    curve over training needs its evaluations, of which one value at the end is none. A claim that relates points rests
    on all arms that the figure shows, and on every device count that it says it relates, or that the caption lists. A
    claim that was drawn from several variants (the best of them, their mean) and points to the figure that shows them
    rests on as many values as its sentence and the caption both count.

    ## Why it misleads
    What was drawn cannot be recomputed, and reading it off a plot adds an error that nobody knows.

    ## Branches
    - not shown: an arm that the claim rests on is shown in a figure that states no values, and has none elsewhere; or
      the claim relates more device counts, or picks from more variants, drawn in such a figure, than have a value in
      the document.
    - not applicable: no figure shows the claim's arms, or whether it states its values is not recorded.

    ## Flagged
    On `strong-scaling` for claim `efficiency`:
    ```json
    {"figures": {"f1": {"caption": "Throughput by nodes", "kind": "line", "values_stated": false,
       "arms": ["n1", "n8", "n16"]}},
     "arms": {"n16": {"system": "x8", "devices": 128}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"figures": {"f1": {"caption": "Throughput", "kind": "bar", "values_stated": true, "arms": ["a"]}}}
    ```

    ## How to fix
    Publish the values of the figure as a table or a file.

    ## References
    Measured on published reports: scaling claims whose points are a curve and nothing else.
    """
    arms = {ref.arm for ref in (claim.measured, claim.base, claim.quality) if ref is not None and ref.arm is not None}
    shown = {name: item for name, item in case.submission.figures.items() if arms & set(item.arms)}
    if not shown or any(figure.values_stated is None for figure in shown.values()):
        yield Inapplicable("no figure shows the claim's arms, or whether it states its values is not recorded")
    for name, figure in shown.items():
        rests_on = arms & set(figure.arms) if claim.form == "absolute" else set(figure.arms)
        silent = _silent(claim, case, figure, rests_on) if figure.values_stated is False else []
        if silent:
            message = f"the values of {', '.join(silent[:5])} stand in figure `{name}` only"
            yield NotShown(message, figure.at, provide=PROVIDE)
        elif figure.values_stated is False and figure.x_axis == "devices" and claim.form in {"ratio", "efficiency"}:
            drawn, given = _drawn(claim, figure), _given(claim, case)
            if drawn > given:
                message = (
                    f"{drawn} device counts are drawn in figure `{name}`, and the values of {given} stand anywhere"
                )
                yield NotShown(message, figure.at, provide=PROVIDE)
        elif figure.values_stated is False and figure.x_axis not in PROGRESS:
            count, what = _picked_from(claim, figure)
            if count > len(_arms_with_numbers(claim, case)):
                message = f"the values of the {count} {what} that the claim is taken from stand in figure `{name}` only"
                yield NotShown(message, figure.at, provide=PROVIDE)


def _picked_from(claim: Claim, figure: Figure) -> tuple[int, str]:
    """Return how many things of one kind a figure and the sentence that points to it both count; 0 for none."""
    drawn = _counted(read(figure.caption))
    picked = [found for words in words_of(claim) if words.has("figure") for found in _counted(words)]
    count, what = max(drawn.keys() & set(picked), default=(0, ""))
    return count, drawn.get((count, what), "")


def _counted(words: Reading) -> dict[tuple[int, str], str]:
    """Return what a text counts that a figure may show: number and noun, with the noun as printed."""
    found = {}
    for item in words.mentions("counted_in_figure"):
        count, what = read(item.text).numbers()[0].low, item.text.split()[-1].lower()
        found[int(count), folded(what)] = what
    return found


def _arms_with_numbers(claim: Claim, case: Case) -> set[str]:
    """Return the arms and table rows that hold a number of their own; of an arm and its row, one."""
    found = {side.id for side in case.sides() if _has_numbers(side, claim)}
    for table in case.submission.tables.values():
        rows = table.rows.items()
        found |= {row.arm or key for key, row in rows if row.values or row.speedup is not None or row.efficiency}
    return found


def _drawn(claim: Claim, figure: Figure) -> int:
    """Return how many device counts a figure over devices shows: those of the claim, or those its caption lists."""
    listed = {count.value for count in read(figure.caption).counts() if count.of in {"devices", "nodes"}}
    return max(claim.points or 1, len(listed))


def _given(claim: Claim, case: Case) -> int:
    """Return how many device counts, or arms where their counts are not known, have a value in the document."""
    found: set[int | str] = set()
    for side in case.sides():
        if _has_numbers(side, claim):
            found.add(side.devices if side.devices is not None else side.id)
    for table in case.submission.tables.values():
        for key, row in table.rows.items():
            devices = row_devices(row.devices, row.arm, case)
            if row.values or row.speedup is not None or row.efficiency is not None:
                found.add(devices if devices is not None else f"{row.arm or key}")
    return len(found)


def _silent(claim: Claim, case: Case, figure: Figure, rests_on: AbstractSet[str]) -> list[str]:
    """Return the arms of a figure, among those that a claim rests on, that have no number anywhere in the document."""
    cells = {
        row.arm for table in case.submission.tables.values() for row in table.rows.values() if row.arm and row.values
    }
    if figure.x_axis in PROGRESS:
        return [name for name in figure.arms if name in rests_on and not _has_curve(case.own(name))]
    silent = [name for name in figure.arms if name in rests_on and name not in cells]
    return [name for name in silent if not _has_numbers(case.own(name), claim)]


def _has_curve(side: Side | None) -> bool:
    if side is None:
        return False
    training = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"]
    logged = any(trial.evaluations or trial.samples or trial.samples_file for trial in training)
    return logged or bool(side.arm.runs)


def _has_numbers(side: Side | None, claim: Claim) -> bool:
    if side is None:
        return False
    own = [metric for metric in side.arm.performance.values() if metric.quantity == claim.quantity]
    if claim.quantity != "time" and own and all(metric.value is None and metric.summary is None for metric in own):
        # The quantity was measured and its value left out: numbers of another kind do not stand for it.
        return any(trial.samples or trial.samples_file for trial in side.arm.trials.values())
    stated = [metric.value for metric in side.arm.performance.values()]
    stated += [quality.value for quality in side.arm.quality.values()]
    raw = any(trial.samples or trial.samples_file or trial.evaluations for trial in side.arm.trials.values())
    return raw or any(value is not None for value in stated)
