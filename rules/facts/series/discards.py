"""How many recorded units of an arm did not enter its number."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ....schemas.evidence import Metric, Trial
from ...case import Side


class Discards(Struct, frozen=True):
    """Counts of one arm, as stated.

    Attributes:
        at: place of the measurement.
        recorded: units before any discard; None where not stated.
        used: units that entered the statistic; None where not stated.
        warmup: discarded at the head as warm-up, per trial; None where not stated.
        warmup_unit: unit of the warm-up; None where not stated.
        warmup_policy: how its end was chosen, in the document's words; None where not stated.
        places: places of all discarded units; None where not listed.
        rule: the rule for discarding others than warm-up.
        excluded: units that a count of repetitions says were left out.
        trials: numbers of trials that the counts may be summed over: 1, all of them, or either.
    """

    at: str
    recorded: int | None
    used: int | None
    warmup: int | None
    warmup_unit: str | None
    warmup_policy: str | None
    places: tuple[int, ...] | None
    rule: str | None
    excluded: int | None
    trials: tuple[int, ...]

    @property
    def missing(self) -> int | None:
        """Recorded units that were not used."""
        return self.recorded - self.used if self.recorded is not None and self.used is not None else None

    @property
    def beyond_warmup(self) -> int | None:
        """Units that were not used and are no warm-up, of one trial or of all: the lesser; None where unknown."""
        if self.missing is None or self.warmup is None:
            return None
        if self.warmup_unit == "run":
            return 0
        return max(0, min(self.missing - self.warmup * count for count in self.trials))


def discards(side: Side, metric: Metric | None) -> Discards | None:
    """Return an arm's counts; None where it says nothing about its measurement."""
    measurement = side.arm.measurement
    if measurement is None:
        return None
    trials = [
        trial for trial in side.arm.trials.values() if trial.kind == "throughput" and trial.outcome == "completed"
    ]
    warmups = {trial.warmup for trial in trials if trial.warmup is not None}
    warmup = measurement.warmup.discarded if measurement.warmup is not None else None
    if warmup is None and len(warmups) == 1:
        (warmup,) = warmups
    return Discards(
        at=measurement.at,
        recorded=measurement.raw_count,
        used=measurement.used_count,
        warmup=warmup,
        warmup_unit=measurement.warmup.unit if measurement.warmup is not None else None,
        warmup_policy=measurement.warmup.policy if measurement.warmup is not None else None,
        places=measurement.discarded_iterations,
        rule=measurement.discard_rule,
        excluded=metric.n.excluded if metric is not None and metric.n is not None else None,
        trials=_summed_over(measurement.used_count, trials, metric),
    )


def _summed_over(used: int | None, trials: Sequence[Trial], metric: Metric | None) -> tuple[int, ...]:
    """Return over how many trials counts may be summed: of one where no more was used than one trial holds."""
    rows = [
        trial.samples_file.rows if trial.samples_file is not None else max(map(len, trial.samples.values()), default=0)
        for trial in trials
    ]
    count = max(1, len(trials) or ((metric.trials or 1) if metric is not None else 1))
    if used is None or not all(rows) or not rows:
        return (1, count)
    return (1,) if used <= max(rows) else (count,)
