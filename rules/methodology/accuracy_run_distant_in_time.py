"""M28: speed and quality of one model from runs that lie days apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.model import NotApplicable
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.pairing import paired_quality
from ..facts.series.moments import DAY_S, Period, run_periods, trial_periods
from ..outcome import C1, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, Related, Violation
from ..registry import Threshold, rule


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    days: float = Threshold(2, "days", "measured on published results: median 10 minutes, 96 of 100 within 2.1 days")
    far: float = Threshold(30, "days", "judgement; the largest seen in published results was 24 days")


@rule(
    "M28",
    "accuracy-run-distant-in-time",
    effect=UNDERMINES,
    confidence=C1,
    applies="has(pair) and has(times)",
    origin="MEAS, J",
    thresholds=Thresholds,
)
def accuracy_run_distant_in_time(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A speed and a quality that stand together and were measured days apart.

    ## What it does
    Takes the times of the timed trials, or performance runs, and of the runs that showed the quality, and measures the
    gap between the nearest two.

    ## Why it misleads
    In a week code, weights and machines change. The fast model may no longer be the accurate one.

    ## Branches
    - (a) caveat, C1: more than 2 days apart.
    - (b) undermines, C1: more than 30 days apart.
    - pass with a note: the same digests of model, container and tool on both sides.
    - not applicable: when one of the two was measured is not stated.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"software": {"container": "registry.example.org/lm:latest"}, "trials": {
      "t1": {"started": "2026-01-02T08:00:00Z"}, "t2": {"started": "2026-01-02T08:01:00Z"},
      "t3": {"started": "2026-01-02T08:02:00Z"}, "t4": {"started": "2026-01-02T08:03:00Z"},
      "t5": {"started": "2026-01-02T08:04:00Z"},
      "s1": {"started": "2026-03-02T08:00:00Z"}, "s2": {"started": "2026-03-02T09:00:00Z"},
      "s3": {"started": "2026-03-02T10:00:00Z"}, "s4": {"started": "2026-03-02T11:00:00Z"},
      "s5": {"started": "2026-03-02T12:00:00Z"}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"trials": {
      "t1": {"started": "2026-03-02T07:00:00Z"}, "t2": {"started": "2026-03-02T07:01:00Z"},
      "t3": {"started": "2026-03-02T07:02:00Z"}, "t4": {"started": "2026-03-02T07:03:00Z"},
      "t5": {"started": "2026-03-02T07:04:00Z"},
      "s1": {"started": "2026-03-02T08:00:00Z"}, "s2": {"started": "2026-03-02T09:00:00Z"},
      "s3": {"started": "2026-03-02T10:00:00Z"}, "s4": {"started": "2026-03-02T11:00:00Z"},
      "s5": {"started": "2026-03-02T12:00:00Z"}}}}}
    ```

    ## How to fix
    Measure both in one session, or give the digests of model, container and tool on both sides.

    ## References
    Measured on published suite results; the second threshold is judgement.
    """
    fast = case.subject(claim)
    good = case.side(paired_quality(claim, case)) or fast
    timed, judged = _periods(case, fast, "throughput", "performance"), _periods(case, good, "convergence", "accuracy")
    if fast is None or good is None or not timed or not judged:
        yield Inapplicable("when speed and quality were measured is not stated")
        return
    gap, one, other = _nearest(timed, judged)
    if gap <= thresholds.days * DAY_S:
        return
    if _same_digests(fast, good):
        yield Note(f"speed and quality lie {gap / DAY_S:.0f} days apart, with the same model, container and tool")
        return
    branch, effect = ("b", UNDERMINES) if gap > thresholds.far * DAY_S else ("a", CAVEAT)
    message = f"speed and quality were measured {gap / DAY_S:.0f} days apart"
    yield Violation(branch, effect, C1, message, one.at, related=(Related(other.at, "when the quality was measured"),))


def _periods(case: Case, side: Side | None, kind: str, role: str) -> list[Period]:
    """Return when the trials of a kind, and the runs of a role, took place."""
    if side is None:
        return []
    return [*(period for _, period in trial_periods(side, kind)), *run_periods(case, side, role)]


def _nearest(timed: Sequence[Period], judged: Sequence[Period]) -> tuple[float, Period, Period]:
    """Return the least gap between two periods of the two kinds, in seconds, in one pass over both in order."""
    best: tuple[float, Period, Period] | None = None
    both = [(period, True) for period in timed] + [(period, False) for period in judged]
    latest: dict[bool, Period] = {}
    for period, fast in sorted(both, key=lambda item: item[0].start_s):
        before = latest.get(not fast)
        if before is not None:
            gap = max(0.0, period.start_s - before.end_s)
            pair = (period, before) if fast else (before, period)
            best = (gap, *pair) if best is None or gap < best[0] else best
        if fast not in latest or period.end_s > latest[fast].end_s:
            latest[fast] = period
    assert best is not None
    return best


def _same_digests(fast: Side, good: Side) -> bool:
    """Whether model, container and tool carry digests that are the same on both sides."""
    mine, other = _digests(fast, "performance"), _digests(good, "accuracy")
    return None not in mine and mine == other


def _digests(side: Side, role: str) -> tuple[str | None, str | None, str | None]:
    """Return what tells model, container and tool of the runs of one role; None for what does not tell."""
    software, options = side.arm.software, side.arm.options
    weights = options.weights if options is not None else None
    model = weights if weights is not None and "sha256:" in weights else side.arm.option_set
    if software is None or software.tool_dirty:
        return model, None, None
    container = _text(software.container)
    frozen = container if container is not None and "sha256:" in container else _text(software.lock_digest)
    tools = [run.tool for run in side.arm.runs.values() if run.role == role]
    if not tools:
        return model, frozen, _text(software.tool)
    commits = {tool.commit if tool is not None and not tool.changed_files else None for tool in tools}
    return model, frozen, commits.pop() if len(commits) == 1 else None


def _text(value: str | NotApplicable | None) -> str | None:
    return value if isinstance(value, str) else None
