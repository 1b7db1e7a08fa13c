"""What a second measurement says of each claim of the first: pure functions from both to answers.

A claim is held against the new trials by its own number: the trials of the first study, which say how far trials of one
session lie apart, are moved so that their median, of a service what its requests give, is the claimed value. Training
runs are compared seed by seed; of services see `served`. Two one-sided tests within the margin show that a claim is
reproduced; an interval that lies beyond the margin as a whole contradicts it; anything else cannot tell, and says how
many trials would.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from ...rules.statistics.intervals import median
from ...rules.statistics.student import t_quantile
from ...rules.statistics.two_arms import LEAST, Contrast, Decision, decide
from ...schemas.submission import Claim
from ..compare.busy import LEAST_SHARE, Load, Losses, losses_of, weigh
from ..compare.comparison import ArmComparison, Measured, Row, Terms
from ..compare.differing import Differing
from ..compare.subject import Subject
from ..tender.width import MOST, trials_for
from .served import LEAST_BEYOND, Served, of_percentile, served

Answer = Literal["reproduced", "contradicted", "cannot tell"]
ORDER: tuple[Answer, ...] = ("contradicted", "cannot tell", "reproduced")
NAMES = {"time_to_target": "time to target", "samples_to_target": "samples to target"}
"""What a comparison calls metrics of a manifest."""
DEVICE = frozenset({"device", "device_variant", "host_processor", "devices_per_node", "nodes"})
"""Differences that make another machine of it: what differs there contradicts nothing."""
MOST_LOST = 0.99
"""Share of its time beyond which what a trial lost is not reckoned with: nothing would be left."""
BUSY = "the machine was busy: a difference may be its own"
MEDIANS = frozenset({None, "median", "unspecified"})


@dataclass(frozen=True, slots=True)
class Answered:
    """What the second measurement says of one claim."""

    claim: str
    statement: str
    claimed: str
    """Number and unit as claimed."""
    answer: Answer
    why: str
    """The clause behind the answer."""
    again: float | None = None
    """Median of the new trials, of a service what its requests give together, in the claim's unit."""
    change: tuple[float, float, float] | None = None
    """New over claimed with its interval; new less claimed, of a quality."""
    scale: str = "ratio"
    favours: bool = False
    """Whether a contradicted claim came out better than claimed."""
    trials: tuple[int, int] = (0, 0)
    counts: bool = True
    """Whether it decides: of a tender's acceptance test only what the tender asks for does."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A claim with both sides of its contrast, not yet decided."""

    id: str
    claim: Claim
    measured: Measured
    contrast: Contrast
    losses: Losses | None
    again: float | None = None
    """The new number, where it is not the median of the new trials."""


def overall(answered: Sequence[Answered]) -> Answer:
    """Return the answer on all claims that count: the worst; without a claim nothing can be told."""
    found = {item.answer for item in answered if item.counts}
    return next((answer for answer in ORDER if answer in found), "cannot tell")


def answer_all(
    claims: Mapping[str, Claim],
    comparisons: Sequence[ArmComparison],
    old: Subject,
    new: Subject,
    terms: Terms,
    margins: Mapping[str, float],
) -> tuple[Answered, ...]:
    """Answer every claim of the first study.

    Args:
        claims: of the first study, by id.
        comparisons: of its arms with those of the second.
        old: the first study.
        new: the second.
        terms: margins and error.
        margins: of single claims, by id.
    """
    of = {name: replace(terms, margin=margins.get(name, terms.margin)) for name in claims}
    by_arm = dict(zip(_shared(old, new), comparisons, strict=True))
    prepared = {name: _prepare(name, claim, by_arm, old, new, of[name]) for name, claim in claims.items()}
    held = [item for item in prepared.values() if isinstance(item, _Held)]
    decided = dict(zip((item.id for item in held), decide([item.contrast for item in held], terms.alpha), strict=True))
    return tuple(
        _answer(item, decided[name], _of_arm(item.claim, by_arm), of[name]) if isinstance(item, _Held) else item
        for name, item in prepared.items()
    )


def _shared(old: Subject, new: Subject) -> Iterator[str]:
    """Yield the arms of both in the order in which they are compared."""
    return (name for name in new.arms if name in old.arms)


def _of_arm(claim: Claim, by_arm: Mapping[str, ArmComparison]) -> ArmComparison:
    reference = claim.measured or claim.quality
    assert reference is not None
    return by_arm[reference.arm]


def _prepare(
    name: str, claim: Claim, by_arm: Mapping[str, ArmComparison], old: Subject, new: Subject, terms: Terms
) -> _Held | Answered:
    reference = claim.quality if claim.quantity == "accuracy" else claim.measured
    if reference is None or reference.manifest is None or claim.value is None:
        return _open(name, claim, "the claim cites no number of this study")
    arm = reference.arm
    if arm not in by_arm:
        return _open(name, claim, f"the second study has no arm {arm}")
    if by_arm[arm].likeness.work:
        return _open(name, claim, f"not the same work: {_listed(by_arm[arm].likeness.work)}")
    row = _row(claim, by_arm[arm])
    if row is None:
        return _open(name, claim, "its trials give no numbers to compare in both studies")
    metric = old.arms[arm].arm.performance.get(row.metric) if claim.quantity != "accuracy" else None
    of_requests = served(metric, row, claim.statistic, old.arms[arm], new.arms[arm]) if metric is not None else None
    if of_requests is None and claim.statistic not in MEDIANS:
        return _open(name, claim, f"a {claim.statistic} is claimed, and single trials give medians to compare alone")
    if claim.form == "ratio":
        return _ratio(name, claim, row, by_arm, terms)
    if claim.form != "absolute" or claim.unit != row.unit:
        return _open(name, claim, f"it is stated as {claim.form} in {claim.unit or 'no unit'}, measured in {row.unit}")
    timed = row.scale == "ratio" and row.unit != "samples" and all(row.trials)
    losses = (losses_of(old.arms[arm], row.trials[0]), losses_of(new.arms[arm], row.trials[1])) if timed else None
    if of_requests is not None and float(claim.value) > 0:
        return _of_service(name, claim, row, of_requests, losses, by_arm[arm], terms)
    moved = _measured(row, _moved(row, float(claim.value)), row.new)
    contrast = moved.contrast(terms)
    return _Held(name, claim, moved, _paired(contrast) if _of_seeds(row) else contrast, losses)


def _of_service(
    name: str,
    claim: Claim,
    row: Row,
    found: Served,
    losses: Losses | None,
    comparison: ArmComparison,
    terms: Terms,
) -> _Held | Answered:
    """Hold a number of a service by what its requests give, in pairs where both studies drew the same ones."""
    claimed = float(claim.value or 0)
    if found.percent is not None:
        return _percentile(name, claim, found, losses, comparison, terms)
    moved = tuple(value * claimed / found.whole_old for value in found.old)
    measured = _measured(row, moved, found.new)
    contrast = measured.contrast(terms)
    paired = found.paired and all(map(math.isfinite, (*contrast.old, *contrast.new)))
    return _Held(name, claim, measured, _paired(contrast) if paired else contrast, losses, found.whole_new)


def _percentile(
    name: str, claim: Claim, found: Served, losses: Losses | None, comparison: ArmComparison, terms: Terms
) -> Answered:
    """Answer on a percentile of all requests: reproduced, or contradicted, by the interval of new over claimed."""
    claimed, margin, trials = float(claim.value or 0), math.log1p(terms.margin), (len(found.old), len(found.new))
    within = of_percentile(found, claimed, 1 - 2 * terms.alpha)
    bounds = of_percentile(found, claimed, 1 - terms.alpha)
    said = _open(name, claim, f"too few requests lie beyond it{_bounding(found, 1 - terms.alpha)}")
    said = replace(said, again=found.whole_new, trials=trials)
    if min(trials) < LEAST or within is None or bounds is None:
        return said
    said = replace(said, change=(found.whole_new / claimed, math.exp(within[0]), math.exp(within[1])))
    if -margin <= within[0] and within[1] <= margin:
        return replace(said, answer="reproduced", why="equivalent within the margin")
    if -margin <= bounds[1] and bounds[0] <= margin:
        away = abs(margin - abs(math.log(found.whole_new / claimed)))
        return replace(said, why=_more((within[1] - within[0]) / 2, min(trials), away, 1 - terms.alpha))
    if losses is not None and _unlike(losses, terms.margin):
        return replace(said, why=BUSY)
    if other := _other_machine(comparison):
        return replace(said, why=other)
    why, favours = "the difference lies beyond the margin", found.whole_new < claimed
    return replace(said, answer="contradicted", why=why, favours=favours)


def _unlike(losses: Losses, margin: float) -> bool:
    """Whether trials lost more than the margin to others, and those of one study more than those of the other."""
    old, new = ([loss.share for loss in side if loss is not None] for side in losses)
    limit = max(margin, LEAST_SHARE)
    if not old or not new:
        return False
    return max(*old, *new) > limit and abs(fmean(old) - fmean(new)) > limit


def _bounding(found: Served, confidence: float) -> str:
    """Say how many trials like these would have a request beyond the upper end of the percentile's interval."""
    assert found.percent is not None
    p, each = found.percent / 100, min(sum(map(len, series)) / len(series) for series in found.series)
    for trials in range(LEAST, MOST + 1):
        error = math.sqrt(p * (1 - p) / (trials * each))
        away = t_quantile((1 + confidence) / 2, trials - 1) * error / (p * (1 - p))
        beyond = trials * each / (1 + math.exp(math.log(p / (1 - p)) + away))
        if beyond > LEAST_BEYOND + 1:
            return f": about {trials:,} trials a study would do"
    return ""


def _of_seeds(row: Row) -> bool:
    """Whether both sides are training runs with the same seeds, which differ more than the studies."""
    trained = row.scale == "difference" or row.metric in NAMES.values()
    return trained and row.trials[0] == row.trials[1] and all(map(math.isfinite, (*row.old, *row.new)))


def _paired(contrast: Contrast) -> Contrast:
    """Return the differences seed by seed, against none: Welch's test is then the paired one."""
    differences = [new - old for new, old in zip(contrast.new, contrast.old, strict=True)]
    return Contrast(differences, [0.0] * len(differences), contrast.margin)


def _row(claim: Claim, comparison: ArmComparison) -> Row | None:
    if claim.quantity == "accuracy":
        wanted = claim.quality.quality if claim.quality is not None else None
    else:
        wanted = claim.measured.metric if claim.measured is not None else None
    wanted = NAMES.get(wanted or "", wanted)
    return next((row for row in comparison.rows if row.metric == wanted), None)


def _ratio(name: str, claim: Claim, row: Row, by_arm: Mapping[str, ArmComparison], terms: Terms) -> _Held | Answered:
    """Hold a ratio of two arms against the new trials alone: the arm's own against those of its base, so many times."""
    base = by_arm.get(claim.base.arm or "") if claim.base is not None else None
    below = next((other for other in base.rows if other.metric == row.metric), None) if base is not None else None
    factor = float(claim.value or 0)
    if below is None or row.scale != "ratio" or not row.more_is_better or factor <= 0:
        return _open(name, claim, "the base of the ratio gives no rates to compare in the second study")
    measured = _measured(row, tuple(value * factor for value in below.new), row.new)
    return _Held(name, claim, measured, measured.contrast(terms), None)


def _moved(row: Row, claimed: float) -> tuple[float, ...]:
    """Return the values of the first study's trials, moved so that their median is the claimed one."""
    middle = median(row.old)
    if not math.isfinite(middle) or (row.scale == "ratio" and (middle <= 0 or claimed <= 0)):
        return tuple(claimed for _ in row.old)
    if row.scale == "difference":
        return tuple(value + claimed - middle for value in row.old)
    return tuple(value * (claimed / middle) for value in row.old)


def _measured(row: Row, old: tuple[float, ...], new: tuple[float, ...]) -> Measured:
    timed = row.scale == "ratio" and row.unit != "samples"
    repeats = not _of_seeds(row)
    return Measured(row.metric, row.unit, row.scale, old, new, row.more_is_better, row.trials, timed, repeats)


def _answer(held: _Held, decision: Decision, comparison: ArmComparison, terms: Terms) -> Answered:
    load: Load | None = None
    # a disturbed trial that reaches the number all the same reproduces it
    if held.losses is not None and decision.outcome != "equivalent":
        decision, load = weigh(held.contrast, decision, held.losses, terms.margin, terms.alpha)
    answer, why = _judged(held, decision, load, comparison, terms.alpha)
    better = decision.difference is not None and decision.difference > 0
    measured = held.measured
    return Answered(
        held.id,
        held.claim.statement,
        _claimed(held.claim),
        answer,
        why,
        _again(held),
        _change(measured, decision),
        measured.scale,
        answer == "contradicted" and better,
        (len(measured.old), len(measured.new)),
    )


def _judged(
    held: _Held, decision: Decision, load: Load | None, comparison: ArmComparison, alpha: float
) -> tuple[Answer, str]:
    if decision.outcome == "equivalent":
        return "reproduced", "equivalent within the margin"
    if load is not None and load.explains and not _is_more_than_lost(decision, load, held.contrast.margin):
        return "cannot tell", BUSY
    if min(len(held.contrast.old), len(held.contrast.new)) < LEAST:
        return "cannot tell", "fewer than three trials on a side"
    margin = held.contrast.margin
    ranked = decision.bounds is None and decision.outcome in ("worse", "better")
    beyond = ranked or (decision.bounds is not None and (decision.bounds[1] < -margin or decision.bounds[0] > margin))
    if not beyond:
        return "cannot tell", _needed(held.contrast, decision, alpha)
    if other := _other_machine(comparison):
        return "cannot tell", other
    return "contradicted", "the difference lies beyond the margin"


def _needed(contrast: Contrast, decision: Decision, alpha: float) -> str:
    """Say how many trials would tell on which side of the margin the difference lies."""
    if decision.difference is None or decision.bounds is None or decision.within is None:
        return "the runs that did not get there leave it open: more seeds would tell"
    away = abs(contrast.margin - abs(decision.difference))
    inside = abs(decision.difference) <= contrast.margin
    ends, level = (decision.within, 1 - alpha) if inside else (decision.bounds, (1 + decision.confidence) / 2)
    return _more((ends[1] - ends[0]) / 2, min(len(contrast.old), len(contrast.new)), away, level)


def _more(reach: float, trials: int, away: float, level: float) -> str:
    needed = trials_for(reach, trials, away, level)
    if needed is None:
        return f"the interval reaches over the margin, and not even {MOST:,} trials a study would tell"
    needed = max(needed, trials + 1)
    return f"the interval reaches over the margin: about {needed:,} trials a study would tell, as far as these show"


def _other_machine(comparison: ArmComparison) -> str:
    """Say what makes another machine of the second one; empty where it is of the same kind."""
    other = [item for item in comparison.likeness.conditions if item.what in DEVICE]
    return f"measured on another machine, which may explain the difference: {_listed(other)}" if other else ""


def _is_more_than_lost(decision: Decision, load: Load, margin: float) -> bool:
    """Whether the new trials fall so far behind that the time they lost to others does not explain it."""
    share = min(fmean(load.new), MOST_LOST)
    return decision.bounds is not None and decision.bounds[1] < math.log1p(-share) - margin


def _again(held: _Held) -> float:
    """Return the median of the new trials, or what their requests give together; of a ratio its new value."""
    if held.again is not None:
        return held.again
    middle = median(held.measured.new)
    if held.claim.form != "ratio":
        return middle
    return middle / median(held.measured.old) * float(held.claim.value or 0)


def _change(measured: Measured, decision: Decision) -> tuple[float, float, float] | None:
    """Return new over claimed, or new less claimed, with its interval at the level of equivalence."""
    bounds = decision.within or decision.bounds
    if decision.difference is None or bounds is None:
        return None
    ends = (decision.difference, *bounds)
    if not measured.more_is_better:
        ends = (-ends[0], -ends[2], -ends[1])
    return ends if measured.scale == "difference" else (math.exp(ends[0]), math.exp(ends[1]), math.exp(ends[2]))


def _open(name: str, claim: Claim, why: str) -> Answered:
    return Answered(name, claim.statement, _claimed(claim), "cannot tell", why)


def _claimed(claim: Claim) -> str:
    return f"{claim.value} {claim.unit or ''}".strip() if claim.value is not None else ""


def _listed(items: Sequence[Differing]) -> str:
    return ", ".join(f"{item.what} {item.old} -> {item.new}" for item in items)
