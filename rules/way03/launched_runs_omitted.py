"""W0304: runs that were started and are not reported."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from ...schemas.evidence import Plan, Quality, Target, Trial
from ...schemas.submission import Claim
from ..case import Case, Side, Study
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import seconds
from ..facts.runs.tally import (
    counts_of_repetitions,
    elsewhere,
    given_up,
    left_out,
    rule_of_discards,
    speaks_of_losses,
    total,
    trained,
    warm_runs,
)
from ..facts.series.per_trial import time_to_target
from ..facts.suite.runs import dropped
from ..facts.training.convergence import in_order
from ..facts.training.final_quality import usable
from ..facts.training.stated_quality import stated_quality
from ..language.printed import short, span
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ..statistics.intervals import median
from ..words import target_of, tta

PROVIDE = """\
arms:
  fast:
    plan: {trials: 10, started: 10, seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], omitted: {t4: "node failed: ECC error"}}
"""
OVER_RUNS = frozenset({"mean", "median", "share"})


@rule(
    "W0304",
    "launched-runs-omitted",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(runs)",
    origin="S1.3, ML, MEAS",
)
def launched_runs_omitted(claim: Claim, case: Case) -> Iterator[Branch]:
    """More runs were planned or started than the document reports.

    ## What it does
    Counts the runs of the plan against the runs that are there, each planned seed included; a run that is missing
    needs a reason of its own. In a cited study it also compares the plan trial by trial, looks for gaps in the order of
    execution, and asks the signer's ledger for further plans. For a time to a target, checks whether a run that
    did not reach it was left out of the statistic instead of counted as slower than any other.

    Where an arm was timed at several loads, and the number of each load states its own trials, a plan that counts
    them all leaves nothing out, even if the raw values of one load are given. Nor does a plan that counts training runs
    and timed processes together, of which only one kind is listed, while a number states how many of the other kind it
    rests on: the two must make up the plan. One entry for omitted runs may name several of them ("seeds 1-5").

    Gaps prove nothing outside a study, where the missing places may belong to arms that the document does not show. In
    an excerpt, runs may stand in the part that was not read.

    ## Why it misleads
    Whoever may leave runs out chooses the result. A failed run is the slowest of all.

    ## Branches
    - not applicable: nothing was planned and nothing claims to be complete; tuning runs (W0301); runs that miss a
      target which is judged by a mean, a median or a share (W0108).
    - (a) undermines, C3: more runs planned or started than reported, without a reason for each; or the order has gaps.
    - (b) undermines, C3: a run that did not reach the target is left out of the statistic; or the quality is that of
      some of the seeds, better than over all completed runs.
    - not shown: the document says that all runs are reported and gives no plan; the plan's runs are not shown; or the
      signer's ledger holds more plans of the study than one. Nor where the plan is that of all arms together, or of
      runs and tuning trials; or where as many runs as are missing are counted as failed or excluded beside a number, or
      the document says elsewhere that runs were lost or dropped.
    - pass with note: the runs that are not listed are those behind a number of another kind, or were discarded by a
      stated rule.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"plan": {"trials": 8, "started": 8}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, where all five planned runs are reported.

    ## How to fix
    Report every run that was started; count a run that did not converge as infinitely slow, and give the median.

    ## References
    Hoefler, Twelve ways to fool the masses, way 3; rules of the MLPerf training benchmark.
    """
    side = case.subject(claim)
    if side is None:
        return
    if side.arm.plan is not None and _wanted(side.arm.plan):
        yield from _against_plan(case, side)
    elif read(claim.statement).has("every_run"):
        message = "all runs are said to be reported, but there is no plan to check the count against"
        yield NotShown(message, claim.at, "", PROVIDE)
    else:
        yield Inapplicable("there is no plan, and that all runs are reported is not stated")
    if side.study is not None:
        yield from _in_study(case, side, side.study)
    yield from _left_out(claim, case, side)
    yield from _seeds_left_out(claim, case)


def _against_plan(case: Case, side: Side) -> Iterator[Branch]:
    plan, trials = side.arm.plan, side.arm.trials
    assert plan is not None
    wanted = _wanted(plan)
    if not trials:
        declared = _declared(side)
        if declared + left_out(plan, frozenset()) < wanted:
            message = (
                f"{wanted} runs were planned or started, and the numbers are said to rest on {declared or 'no'} runs"
            )
            yield NotShown(message, plan.at, "", PROVIDE)
        return
    reported = _reported(side)
    over_loads = _over_loads(side)
    if reported < wanted <= over_loads + len(plan.omitted):
        message = f"the numbers of all loads rest on {over_loads} trials, of which {reported} are shown"
        yield NotShown(message, side.arm.place("trials"), "", PROVIDE)
    elif reported < wanted:
        counted = _counted_elsewhere(case, side, wanted, reported) if side.study is None else None
        yield from [counted] if counted is not None else _missing(case, side, wanted, reported)


def _reported(side: Side) -> int:
    """Return how many runs an arm lists, or leaves out with a reason."""
    plan, trials = side.arm.plan, side.arm.trials
    silent = {name for name, trial in trials.items() if trial.outcome == "not_run" and not trial.reason}
    listed = frozenset(set(trials) - silent)
    return len(listed) + (left_out(plan, listed) if plan is not None else 0)


def _counted_elsewhere(case: Case, side: Side, wanted: int, reported: int) -> Branch | None:
    """Return what else a plan may count than the runs that its arm lists; None where nothing explains the rest."""
    assert side.arm.plan is not None
    others, at = elsewhere(side), side.arm.plan.at
    both = reported
    if others is not None:
        both += others.count
        if wanted in {both, others.count}:
            return Note(f"the plan counts {others.what} beside {reported} runs that are listed")
    warm = warm_runs(side)
    if warm and wanted in {reported + warm, both + warm}:
        return Note(f"{warm} of {wanted} runs were discarded as warm-up")
    search = side.arm.search.trials if side.arm.search is not None else None
    if search and wanted in {reported + search, both + search}:
        return NotShown(f"the plan seems to count {search} tuning trials; which of its runs they are is open", at, "")
    given = given_up(side)
    if given and wanted in {reported + given, both + given}:
        if rule_of_discards(case, side):
            return Note(f"{given} of {wanted} runs failed or were discarded, as stated")
        message = f"{given} of {wanted} runs are counted as failed or excluded, and why is not said"
        return NotShown(message, at, "", PROVIDE)
    if speaks_of_losses(case, side):
        message = (
            f"{wanted} runs were planned or started, {reported} are listed; that some were lost is said, not which"
        )
        return NotShown(message, at, "", PROVIDE)
    arms = [other for other in case.sides() if other.study is None and other.arm.plan is not None and other.arm.trials]
    plans = {_wanted(other.arm.plan) for other in arms if other.arm.plan is not None}
    if len(arms) > 1 and plans == {wanted} and wanted == sum(map(_reported, arms)):
        message = f"the plan of {wanted} runs seems to be that of all arms; its share is not said"
        return NotShown(message, at, "", PROVIDE)
    return None


def _wanted(plan: Plan) -> int:
    return max(plan.trials or 0, plan.started or 0, len(plan.seeds))


def _missing(case: Case, side: Side, wanted: int, reported: int) -> Iterator[Branch]:
    plan = side.arm.plan
    assert plan is not None
    seeds = sorted(set(plan.seeds) - {trial.seed for trial in side.arm.trials.values()}) if side.arm.trials else []
    which = f" (seeds {', '.join(map(str, seeds[:5]))})" if seeds and len(seeds) == wanted - reported else ""
    message = f"{wanted} runs were planned or started, {reported} are reported{which}, without a reason for the others"
    if case.submission.coverage == "excerpt" and side.study is None:
        yield NotShown(f"{message}, in the part that was read", plan.at, "", PROVIDE)
        return
    related = (Related(side.arm.place("trials"), "the runs that are reported"),)
    yield Violation("a", UNDERMINES, C3, message, plan.at, str(wanted), str(reported), related)


def _declared(side: Side) -> int:
    """Return how many runs an arm's numbers are said to rest on: processes that were timed, and training runs."""
    metrics = side.arm.performance.values()
    counts = counts_of_repetitions(side)
    timed = [metric.trials or 0 for metric in metrics] + [total(n) for n in counts if n.unit in {"trial", "session"}]
    return max(timed, default=0) + trained(side)


def _over_loads(side: Side) -> int:
    """Return how many trials the numbers of an arm rest on where each of several loads had its own; else 0."""
    at_load: dict[object, int] = {}
    for metric in side.arm.performance.values():
        if metric.load is not None:
            load = (metric.load.concurrency, metric.load.request_rate)
            at_load[load] = max(at_load.get(load, 0), metric.trials or 0)
    return sum(at_load.values()) if len(at_load) > 1 and None not in at_load else 0


def _in_study(case: Case, side: Side, study: Study) -> Iterator[Branch]:
    """Hold a cited study against its own plan, its order of execution over all arms, and the signer's ledger."""
    arms = [other for other in case.sides() if other.study is study]
    trials = [trial for arm in arms for trial in arm.arm.trials.values()]
    omitted = {name for arm in arms if arm.arm.plan is not None for name in arm.arm.plan.omitted}
    own = side.id.removeprefix(f"{study.id}:")
    planned = {item.trial for item in (study.record.plan if study.record is not None else ()) if item.arm == own}
    gone = sorted(planned - set(side.arm.trials) - omitted)
    orders = {trial.order for trial in trials if trial.order is not None}
    places = sorted(set(range(max(orders, default=-1) + 1)) - orders)
    unplaced = sum(trial.order is None for trial in trials)
    at = side.arm.place("trials")
    if gone:
        message = f"the study does not report all that it planned: {', '.join(gone[:5])}"
        yield Violation("a", UNDERMINES, C3, message, at, str(len(planned)), str(len(planned) - len(gone)))
    elif len(places) > len(omitted) + unplaced:
        shown = ", ".join(map(str, places[:5]))
        message = f"the order of execution runs to {max(orders)}, and its places {shown} are not reported"
        yield Violation("a", UNDERMINES, C3, message, at, str(max(orders) + 1), str(len(orders)))
    if (study.plans or 1) > 1:
        message = f"the signer's ledger holds {study.plans} plans of this study, and the runs of one are shown"
        yield NotShown(message, at, "", PROVIDE)


def _seeds_left_out(claim: Claim, case: Case) -> Iterator[Branch]:
    """Ask whether a stated quality is a statistic over some of the runs that ended, and better than over all."""
    stated = stated_quality(claim, case)
    if stated is None or stated.quality.value is None or stated.quality.direction is None or claim.form == "ratio":
        return
    quality, ended = stated.quality, _trainings(stated.side, {"completed"})
    values = [value for trial in ended if (value := _end(trial, quality)) is not None]
    kept = [float(value) for value in quality.seeds.values()]
    if not 2 <= len(kept) < len(values) or len(values) < len(ended):
        return
    printed = span(stated.quality.value)
    some, every = (tuple(exact(centre(group)) for centre in (fmean, median)) for group in (kept, values))
    better = fmean(kept) > fmean(values) if quality.direction == "higher" else fmean(kept) < fmean(values)
    if better and any(printed.meets(item) for item in some) and not any(printed.meets(item) for item in every):
        message = (
            f"{quality.metric} {quality.value} is that of {len(kept)} seeds, and {len(values)} runs ended: over all of "
            f"them it is {short(fmean(values))}"
        )
        related = (Related(stated.side.arm.place("trials"), "all runs"),)
        at = quality.place("seeds")
        yield Violation("b", UNDERMINES, C3, message, at, quality.value, short(fmean(values)), related)


def _end(trial: Trial, quality: Quality) -> float | None:
    """Return where a run ended on the split of a quality: by its log, else as recorded."""
    log = [item for item in in_order(trial.evaluations) if item.split == quality.split]
    value = log[-1].metrics.get(quality.metric) if log else trial.final.get(quality.metric)
    return float(value) if value is not None and usable(float(value)) else None


def _trainings(side: Side, outcomes: set[str]) -> list[Trial]:
    return [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.outcome in outcomes]


def _left_out(claim: Claim, case: Case, side: Side) -> Iterator[Branch]:
    """Ask whether the claimed time is a statistic over the runs that reached the target alone."""
    target, unit = target_of(claim, case), seconds(claim.unit)
    if not tta(claim, case) or not isinstance(target, Target) or unit is None or claim.value is None:
        return
    if (claim.criterion or target.criterion) in OVER_RUNS:
        return
    runs = _trainings(side, {"completed", "diverged"})
    times = [math.inf if trial.outcome == "diverged" else time_to_target(trial, target) for trial in runs]
    known = [time for time in times if time is not None]
    reached = [time for time in known if time < math.inf]
    if len(known) < len(times) or not reached or len(reached) == len(known):
        return
    printed = span(claim.value, claim.qualifier, claim.digits)
    inside = [value / float(unit) for value in (fmean(reached), median(reached))]
    over_all = median(known) / float(unit)
    if over_all < math.inf and printed.meets(exact(over_all)):
        return
    fitting = next((value for value in inside if printed.meets(exact(value))), None)
    mean_of_all = _mean_of_all(claim, side, target)
    all_fit = mean_of_all is not None and printed.meets(exact(mean_of_all / float(unit)))
    if fitting is not None and not all_fit:
        gone = len(known) - len(reached)
        message = (
            f"{claim.value} {claim.unit} leaves out {gone} of {len(known)} runs that did not reach the target; "
            f"with them the median is {'infinite' if over_all == math.inf else short(over_all)}"
        )
        yield Violation("b", UNDERMINES, C3, message, claim.place("value"), claim.value, short(over_all))


def _mean_of_all(claim: Claim, side: Side, target: Target) -> float | None:
    """Return the mean of how long all runs took, whether or not they reached the target, in seconds.

    A trimmed mean counts a run that broke off as infinitely slow, as the suite prescribes it; another mean leaves it
    out. None where the mean is infinite, or a median is claimed.
    """
    if claim.statistic == "median":
        return None
    trimmed = claim.statistic == "trimmed_mean"
    counted = {"completed", "diverged", "failed", "lost"} if trimmed else {"completed", "diverged"}
    times = sorted(_took(trial, target) for trial in _trainings(side, counted))
    ends = dropped(len(times)) if trimmed else 0
    kept = times[ends : len(times) - ends]
    return fmean(kept) if kept and kept[-1] < math.inf else None


def _took(trial: Trial, target: Target) -> float:
    """Return the seconds that a run took; infinite where it broke off, or missed the target and has no time."""
    if trial.outcome != "completed":
        return math.inf
    time = trial.wall_s if trial.wall_s is not None else time_to_target(trial, target)
    return float(time) if time is not None else math.inf
