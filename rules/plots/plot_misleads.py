"""B01: a figure whose axis, lines or missing intervals change what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, Figure
from ..case import Case
from ..facts.comparison.options import flat
from ..language.printed import short
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    shown: float = Threshold(0.02, "half-width as a fraction of the bar", "judgement")


@rule(
    "B01",
    "plot-misleads",
    effect=CAVEAT,
    confidence=C3,
    applies="has(figure)",
    origin="HB15.12",
    thresholds=Thresholds,
)
def plot_misleads(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A figure with cut bars, lines across categories, or without the scatter that its own document states.

    ## What it does
    Reads what is recorded about the figures that show the claim's arms (or that do not say which they show): where the
    axis of a bar chart begins, whether lines join categories, whether intervals are drawn, and over what curves are
    drawn.

    ## Why it misleads
    A bar is read by its length: cut off, a gain of 3 % looks like one of 300 %. A line between categories shows a trend
    that does not exist.

    ## Branches
    - (a) caveat, C3: bars that do not begin at 0; lines across categories; a scatter of more than 2 % of the value,
      stated elsewhere and not drawn; or curves of different global batches over iterations, of which one then stands
      for more work in one curve than in another.
    - not applicable: no figure shows the claim's arms, or what would tell is not recorded.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"figures": {"f1": {"caption": "Throughput", "kind": "bar", "axis_start": 2000, "connects_categories": false,
       "intervals_drawn": true, "arms": ["a"]}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"figures": {"f1": {"caption": "Throughput", "kind": "bar", "axis_start": 0, "connects_categories": false,
       "intervals_drawn": true, "arms": ["a"]}}}
    ```

    ## How to fix
    Begin bars at 0, use lines only along an ordered axis, draw the intervals.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 12.
    """
    arms = {ref.arm for ref in (claim.measured, claim.base) if ref is not None and ref.arm is not None}
    shown = [figure for figure in case.submission.figures.values() if not figure.arms or arms & set(figure.arms)]
    if not shown:
        yield Inapplicable("no figure shows the claim's arms")
    for figure in shown:
        yield from _judged(figure, case.metric(claim.measured), thresholds.shown)
        yield from _over_iterations(figure, case)


def _over_iterations(figure: Figure, case: Case) -> Iterator[Branch]:
    if figure.x_axis != "iterations":
        return
    sides = [side for name in figure.arms if (side := case.own(name)) is not None]
    batches = {batch for side in sides if isinstance(batch := flat(side.arm.options).get("global_batch"), int)}
    if len(batches) > 1:
        message = f"the curves run over {figure.x_axis}, of {min(batches)} to {max(batches)} samples each"
        yield Violation("a", CAVEAT, C3, message, figure.place("x_axis"))


def _judged(figure: Figure, metric: Metric | None, most: float) -> Iterator[Branch]:
    if figure.kind == "bar" and figure.axis_start is not None and figure.axis_start != 0 and not figure.log_axis:
        message = f"the bars begin at {figure.axis_start:g} instead of 0"
        yield Violation("a", CAVEAT, C3, message, figure.place("axis_start"), recomputed=f"{figure.axis_start:g}")
    if figure.connects_categories:
        yield Violation("a", CAVEAT, C3, "lines join categories", figure.place("connects_categories"))
    share = _scatter(metric) if metric is not None else None
    if figure.intervals_drawn is False and share is not None and share > Decimal(str(most)):
        message = f"a scatter of {short(share * 100)} % is stated and not drawn"
        yield Violation("a", CAVEAT, C3, message, figure.place("intervals_drawn"))
    axis_known = figure.axis_start is not None or figure.log_axis is True or figure.kind not in {None, "bar"}
    drawn_known = figure.intervals_drawn is True or (figure.intervals_drawn is False and share is not None)
    if figure.kind is None or not axis_known or figure.connects_categories is None or not drawn_known:
        yield Inapplicable("how the figure is drawn is not wholly recorded")


def _scatter(metric: Metric) -> Decimal | None:
    """Return half the width of a metric's interval, or its plus-minus, as a share of its value."""
    if metric.value is None or Decimal(metric.value) == 0:
        return None
    if metric.interval is not None:
        half = (Decimal(metric.interval.high) - Decimal(metric.interval.low)) / 2
    elif metric.plus_minus is not None:
        half = Decimal(metric.plus_minus.value)
    else:
        return None
    return abs(half / Decimal(metric.value))
