"""M23: the best run of one arm against the average of the other."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.numbers import exact
from ..facts.quantities.performance import Transform, more_is_better, transform
from ..facts.quantities.ratios import printed, readings
from ..facts.series.raw_numbers import Samples, samples_of
from ..language.printed import short
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import geometric_mean, median, quantile

AVERAGE = frozenset({"mean", "median", "trimmed_mean"})
PERCENTS = (0.05, 0.1, 0.25, 0.75, 0.9, 0.95, 0.99)


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    match: float = Threshold(0.01, "fraction of the ratio", "judgement")


@rule(
    "M23",
    "best-vs-average",
    effect=REFUTES,
    confidence=C3,
    applies="ratio",
    origin="S4",
    also=("W0302", "F04", "S04"),
    thresholds=Thresholds,
)
def best_vs_average(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A ratio that sets the best run of the new arm against the average of its base.

    ## What it does
    Recomputes the ratio from the raw numbers of both arms. First like for like: mean against mean, median against
    median, best against best, worst against worst, percentile against percentile, over iterations and over trials. Then
    the best iteration or trial of the new arm against the mean or median of the base. The claim falls if only the
    second kind gives the claimed number, to 1 %.

    ## Why it misleads
    The best of many runs is always better than their average. Two identical systems, compared in this way, differ by
    5 % and more.

    ## Branches
    - (a) refutes, C3: only the best of the subject against the mean or median of the base gives the claimed ratio.
    - (b) undermines, C3: by their own words the two numbers are of two kinds: the best of the subject, a mean or median
      of the base.
    - not applicable: raw numbers of one arm are missing or incomplete, or neither way gives the claimed ratio.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"value": "1.61", "interval": null}},
     "arms": {"fused": {"trials": {"t1": {"samples": {
       "step_time_s": [0.704, 0.791, 0.8, 0.794, 0.794, 0.804, 0.796]}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where the medians of both arms give the ratio.

    ## How to fix
    Compare like for like: the median of one arm with the median of the other, with an interval.

    ## References
    Benchmarking chapter of the deep-learning performance course, cautionary tale; Hoefler and Belli, Scientific
    benchmarking of parallel computing systems (2015).
    """
    yield from _declared(claim, case)
    found = _both(claim, case)
    if found is None:
        yield Inapplicable("the raw numbers of both arms are not there, or not of every trial")
        return
    subject, base, how, ways = found
    # a ratio below zero has a reading without an end, at the wrong side
    claimed = [reading.widened(thresholds.match) for reading in readings(claim, ways) if reading.low.is_finite()]

    def gains(pairs: list[tuple[float, float]]) -> list[float]:
        values = [(how[0].value(new), how[1].value(old)) for new, old in pairs]
        return [new / old if ways else old / new for new, old in values if new > 0 and old > 0]

    like = gains(list(zip(_alike(subject), _alike(base), strict=True)))
    unlike = gains([(best, average) for best in _best(subject) for average in _averages(base)])
    if any(reading.meets(exact(value)) for reading in claimed for value in like):
        return
    fitting = [value for value in unlike if any(reading.meets(exact(value)) for reading in claimed)]
    if not fitting:
        yield Inapplicable("the raw numbers give the claimed ratio in no usual way")
        return
    honest = gains([(median(subject.pooled), median(base.pooled))])[0]
    message = (
        f"{printed(claim)} is the best of the new arm against the average of its base ({short(fitting[0])}); "
        f"median against median it is {short(honest)}"
    )
    related = (Related(subject.at, "raw numbers of the new arm"), Related(base.at, "raw numbers of the base"))
    yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, short(honest), related)


def _declared(claim: Claim, case: Case) -> Iterator[Branch]:
    subject, base = case.metric(claim.measured), case.metric(claim.base)
    if subject is None or base is None or base.statistic not in AVERAGE:
        return
    ways = more_is_better(subject.quantity, subject.unit)
    favourable = {"best_of"} if ways is None else {"best_of", "max" if ways else "min"}
    if subject.statistic in favourable:
        message = f"the new arm's number is its {subject.statistic.replace('_', ' ')}, the base's its {base.statistic}"
        related = (Related(base.place("statistic"), "statistic of the base"),)
        yield Violation("b", UNDERMINES, C3, message, subject.place("statistic"), related=related)


def _both(claim: Claim, case: Case) -> tuple[Samples, Samples, tuple[Transform, Transform], bool] | None:
    sides = case.subject(claim), case.base(claim)
    metrics = case.metric(claim.measured), case.metric(claim.base)
    if sides[0] is None or sides[1] is None or metrics[0] is None or metrics[1] is None:
        return None
    how = transform(metrics[0]), transform(metrics[1])
    ways = more_is_better(metrics[0].quantity, metrics[0].unit)
    same = (metrics[0].quantity, metrics[0].unit) == (metrics[1].quantity, metrics[1].unit)
    if not same or ways is None or how[0] is None or how[1] is None:
        return None
    found = samples_of(case, sides[0], metrics[0]), samples_of(case, sides[1], metrics[1])
    if found[0] is None or found[1] is None or not (found[0].complete and found[1].complete):
        return None
    return found[0], found[1], (how[0], how[1]), ways


def _alike(found: Samples) -> list[float]:
    """Return one number for each usual statistic, in a fixed order."""
    means, medians = [fmean(values) for values in found.values], [median(values) for values in found.values]
    over_trials = [how(values) for values in (means, medians) for how in (fmean, median, geometric_mean, min, max)]
    percentiles = [quantile(found.pooled, percent) for percent in PERCENTS]
    return [*_averages(found), found.pooled[0], found.pooled[-1], *percentiles, *over_trials]


def _averages(found: Samples) -> list[float]:
    means, medians = [fmean(values) for values in found.values], [median(values) for values in found.values]
    return [fmean(found.pooled), median(found.pooled), fmean(medians), median(medians), median(means)]


def _best(found: Samples) -> list[float]:
    return [found.pooled[0], *(min(map(centre, found.values)) for centre in (median, fmean))]
