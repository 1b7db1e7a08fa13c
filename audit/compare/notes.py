"""What a reader must know beside the numbers of a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from ...rules.statistics.intervals import median
from ...rules.statistics.two_arms import Decision, trials_needed
from ..terminal import safe
from .busy import LEAST_SHARE, Load
from .comparison import ArmComparison, Row, Terms
from .differing import Differing

APART = 0.05
"""From this relative difference on, the means and the medians of the trials are two answers."""


def notes(comparison: ArmComparison, terms: Terms) -> Iterator[str]:
    """Yield what a reader must know beside the numbers, one sentence each."""
    like = comparison.likeness
    for item in like.work:
        yield f"not the same work: {_arrow(item)}; if that is what you compare, say --vary {safe(item.what)}"
    if not comparison.rows and not like.work and not comparison.unlike and not comparison.without_values:
        yield "no metric has values per trial on both sides"
    for item in like.varied:
        yield f"varied, as asked: {_arrow(item)}"
    for name, items in comparison.unlike:
        yield f"{safe(name)} is not compared: {'; '.join(_arrow(item) for item in items)}"
    for name, reason in comparison.without_values:
        yield f"{safe(name)} is not compared: {safe(reason)}"
    if like.unknown:
        yield f"known on one side only: {safe(', '.join(like.unknown))}"
    for item in like.conditions:
        yield f"also different: {_arrow(item)}"
    if comparison.sessions:
        yield comparison.sessions
    for row in comparison.rows:
        if (apart := _means_and_medians(row)) is not None:
            yield f"{safe(row.metric)}: {apart}"
        if row.decision.outcome == "equivalent":
            yield f"{safe(row.metric)}: {_equivalence(row, terms)}"
        if row.load is not None:
            yield f"{safe(row.metric)}: {_load(row, row.load, terms)}"
        if row.decision.outcome == "cannot tell" and not (row.load is not None and row.load.explains):
            yield f"{safe(row.metric)}: {_settle(row, terms)}"


def change(row: Row, decision: Decision | None = None) -> tuple[float, float, float] | None:
    """Return new over old with its interval (or new less old, of a quality); None where trials do not give it.

    Args:
        row: the metric.
        decision: another decision about it than its own.
    """
    decision = row.decision if decision is None else decision
    if decision.difference is None or decision.bounds is None:
        return None
    return _on_scale(row, (decision.difference, *decision.bounds))


def _on_scale(row: Row, ends: tuple[float, float, float]) -> tuple[float, float, float]:
    ends = ends if row.more_is_better else (0.0 - ends[0], 0.0 - ends[2], 0.0 - ends[1])
    return ends if row.scale == "difference" else (math.exp(ends[0]), math.exp(ends[1]), math.exp(ends[2]))


def _equivalence(row: Row, terms: Terms) -> str:
    """Say within which margin, by which interval and level; and that a difference inside it is certain, where it is."""
    decision = row.decision
    ratio = row.scale == "ratio"
    margin = f"{100 * terms.margin:g} %" if ratio else f"{terms.quality_margin:g} {safe(row.unit)}".rstrip()
    if decision.difference is None or decision.within is None or decision.bounds is None:
        return f"equivalent within {margin}"
    ends = _on_scale(row, (decision.difference, *decision.within))
    low, high = (number(end) if ratio else f"{end:+.4g}" for end in ends[1:])
    level = f"{100 * (1 - 2 * terms.alpha):g} %"
    said = f"equivalent within {margin}: the {level} interval, {low} to {high}, lies inside it"
    if decision.bounds[0] > 0 or decision.bounds[1] < 0:
        size = f"{100 * abs(ends[0] - 1):.2g} %" if ratio else f"{abs(ends[0]):.3g} {safe(row.unit)}".rstrip()
        which = "better" if decision.bounds[0] > 0 else "worse"
        said += f"; a difference is certain all the same ({size} {which}, at {100 * decision.confidence:.4g} %)"
    return said


def _load(row: Row, load: Load, terms: Terms) -> str:
    """Say what the trials lost to others, and what the undisturbed ones alone give."""
    limit = f"{100 * max(terms.margin, LEAST_SHARE):g} %"
    counts = (load.disturbed[0], len(load.old), load.disturbed[1], len(load.new))
    means = (100 * fmean(load.old), 100 * fmean(load.new))
    said = "{} of {} trials of old and {} of {} of new".format(*counts)
    said += f" lost more than {limit} of their time to others (on average {means[0]:.0f} % and {means[1]:.0f} %)"
    if load.quiet is not None:
        found = change(row, load.quiet)
        ratio = f", new/old {number(found[0])} ({number(found[1])} to {number(found[2])})" if found is not None else ""
        kept = f"{load.kept[0]} and {load.kept[1]}"
        said += f"; the {kept} undisturbed ones alone: {load.quiet.outcome}{ratio}"
    if load.explains:
        return f"{said}: a difference may be the machine's; measure again while it is quiet"
    return said if load.quiet is not None else f"{said}, which is too much alike to make a difference between them"


def number(value: float) -> str:
    """Return a ratio with as many digits as mean something: three decimals near 1, four digits elsewhere."""
    return f"{value:.3f}" if 0.01 <= abs(value) < 1000 else f"{value:.4g}"


def _means_and_medians(row: Row) -> str | None:
    """Say that the ratio is not that of the medians shown, and which trial makes it so; None where they agree."""
    if row.decision.difference is None or row.scale != "ratio":
        return None
    of_medians = median(row.new) / median(row.old)
    log_of_means = row.decision.difference if row.more_is_better else -row.decision.difference
    if abs(log_of_means - math.log(of_medians)) <= math.log1p(APART):
        return None
    what = "all pairs of their trials (ranks)" if row.contrast.ranked else "their geometric means"
    return (
        f"old and new are medians of trials; new/old and its interval are of {what}, while that of the medians is "
        f"{number(of_medians)}; {_widest(row)}"
    )


def _widest(row: Row) -> str:
    """Name the trial that lies farthest from the median of its arm."""
    name, side, value, middle = max(
        (
            (name, side, value, median(values))
            for side, values, names in zip(("old", "new"), (row.old, row.new), row.trials, strict=True)
            for name, value in zip(names, values, strict=True)
        ),
        key=lambda item: abs(math.log(item[2]) - math.log(item[3])),
    )
    unit = f" {safe(row.unit)}".rstrip()
    return f"trial {safe(name)} of {side} lies farthest from its arm: {value:.4g} beside a median of {middle:.4g}{unit}"


def _settle(row: Row, terms: Terms) -> str:
    trials = trials_needed(row.contrast, terms.alpha)
    margin = terms.margin if row.scale == "ratio" else terms.quality_margin
    what = f"{100 * margin:g} %" if row.scale == "ratio" else f"{margin:g} {safe(row.unit)}".rstrip()
    if min(len(row.old), len(row.new)) < (trials or 0):
        return f"about {trials} trials an arm would find a difference of {what} four times in five"
    if any(math.isinf(value) for value in (*row.old, *row.new)):
        return "the runs that missed the target leave it open; more seeds would settle it"
    if margin <= 0:
        return "with a margin of 0 nothing is equivalent; more trials, or a margin, would settle it"
    if trials is None:
        return f"the trials lie so far apart that more than 10,000 an arm would be needed for a difference of {what}"
    return f"the difference lies near the margin of {what}: more trials, or a wider margin, would settle it"


def _arrow(item: Differing) -> str:
    return safe(f"{item.what} {item.old} -> {item.new}" if item.old or item.new else item.what)
