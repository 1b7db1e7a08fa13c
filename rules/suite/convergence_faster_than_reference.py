"""Q07: runs that converge faster than the suite's reference can."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...schemas.submission import Claim, ReferenceRuns
from ..case import Case, Side
from ..facts.suite.result import quoted, required_runs
from ..language.printed import short
from ..outcome import C2, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..statistics.reference_runs import trimmed
from ..statistics.student import t_quantile
from ..tables import mlperf

FEWEST = 3


class Reference(Struct, frozen=True):
    """The reference at one batch.

    Attributes:
        mean: trimmed mean of the samples to the target.
        spread: standard deviation of the same runs.
        runs: runs behind it, the fewer of two batches.
    """

    mean: float
    spread: float
    runs: int

    def least_mean(self, runs: int, alpha: float) -> float:
        """Return the least trimmed mean of so many runs that is not significantly below it (one-sided Student t)."""
        n, m = self.runs - 2, runs - 2
        return self.mean - t_quantile(1 - alpha, n + m - 2) * self.spread * math.sqrt(1 / n + 1 / m)


def reference_at(points: Mapping[str, ReferenceRuns], batch: float) -> Reference | None:
    """Return the reference at a batch; None where no batch of it is that one, or lies on either side of it."""
    known = sorted((point.global_batch, _of(point.samples_to_target)) for point in points.values())
    below = [(size, found) for size, found in known if size <= batch and found is not None]
    above = [(size, found) for size, found in known if size >= batch and found is not None]
    if not below or not above:
        return None
    (low, first), (high, last) = below[-1], above[0]
    share = (batch - low) / (high - low) if high > low else 0.0
    return Reference(
        first.mean + share * (last.mean - first.mean),
        first.spread + share * (last.spread - first.spread),
        min(first.runs, last.runs),
    )


def _of(samples: Sequence[float]) -> Reference | None:
    return Reference(*trimmed(samples), len(samples)) if len(samples) >= FEWEST else None


@rule(
    "Q07",
    "convergence-faster-than-reference",
    effect=UNDERMINES,
    confidence=C2,
    applies="suite_training and closed",
    origin="POL",
)
def convergence_faster_than_reference(claim: Claim, case: Case) -> Iterator[Branch]:
    """A closed result whose runs need fewer samples to the target than the reference does at that batch.

    ## What it does
    Compares the mean samples to the target, without the fastest and the slowest run, with those of the reference at
    the same global batch, by the suite's one-sided t test with equal variances. Between two batches of the reference
    its mean and spread are taken from the straight line.

    ## Why it misleads
    Fewer samples at one batch mean another optimisation, which the closed division does not allow, or luck.

    ## Branches
    - (a) undermines, C2: the mean is significantly below that of the reference; or it is below it within that bound,
      and the score carries no factor that corrects it.
    - not applicable: no reference at the batch or on both sides of it, fewer than two reference runs for each run asked
      for, fewer than three own runs, or a reference without spread.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"reference_runs": {"b256": {"global_batch": 256, "samples_to_target": [8192107, 8192107,
       9362408, 9362408, 8192107, 9362408, 8192107, 9362408, 9362408, 8192107]}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"reference_runs": {"b256": {"global_batch": 256, "samples_to_target": [7021806, 7021806,
       5851505, 7021806, 7021806, 7021806, 8192107, 7021806, 5851505, 5851505]}}}}}
    ```

    ## How to fix
    Add reference runs at the batch, or correct the score by the factor that the suite prescribes.

    ## References
    MLPerf Training rules, appendix on reference convergence points.
    """
    side = case.subject(claim)
    batch = side.arm.options.global_batch if side is not None and side.arm.options is not None else None
    required = required_runs(quoted(claim))
    reference = reference_at(claim.reference_runs, batch) if batch is not None else None
    policy = mlperf.training().reference_convergence
    own = _samples(side)
    due = policy.reference_runs_per_run * required if required is not None else None
    if side is None or due is None or reference is None or reference.runs < due or len(own) < FEWEST:
        yield Inapplicable("own runs and a reference of twice as many at their batch are not both given")
    elif not reference.spread > 0:
        yield Inapplicable("the runs of the reference do not scatter")
    else:
        yield from _judge(claim, side, own, reference, policy.level)


def _samples(side: Side | None) -> list[float]:
    """Return the samples at the crossing of the runs that reached the target; none where one of those gives none."""
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"] if side is not None else []
    reached = [trial.crossing for trial in runs if trial.crossing is not None and trial.crossing.reached]
    found = [crossing.samples for crossing in reached if crossing.samples is not None and crossing.samples > 0]
    return found if len(found) == len(reached) else []


def _judge(claim: Claim, side: Side, own: list[float], reference: Reference, level: float) -> Iterator[Branch]:
    mean, _ = trimmed(own)
    least = reference.least_mean(len(own), level)
    related = (Related(claim.place("reference_runs"), f"the reference needs {short(reference.mean)} samples"),)
    if mean < least:
        message = (
            f"the runs need {short(mean)} samples to the target; {short(least)} is the least that {reference.runs} "
            "runs of the reference leave to chance"
        )
    elif mean < reference.mean * (1 - 1e-9) and claim.factor is None:
        message = (
            f"the runs need {short(mean)} samples to the target, fewer than the reference's {short(reference.mean)}, "
            "and the score carries no factor"
        )
    else:
        return
    at = side.arm.place("trials")
    yield Violation("a", UNDERMINES, C2, message, at, short(reference.mean), short(mean), related)
