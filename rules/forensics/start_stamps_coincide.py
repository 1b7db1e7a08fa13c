"""F36: runs that began in the same millisecond."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.copies import alike
from ..facts.runs.files import same_files
from ..facts.runs.log_clock import resolution_ms
from ..facts.runs.times import init_start_ms, is_unix, started_ms
from ..facts.suite.runs import is_weak
from ..outcome import C2, REFUTES, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import Threshold, rule
from ..trace import Logged
from ._groups_of_runs import beside

COARSEST_MS = 10.0
NEAR_MS = 1_000.0
LEAST = 5


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    expected: float = Threshold(0.005, "coincidences that chance makes among runs launched together", "judgement")


@rule(
    "F36",
    "start-stamps-coincide",
    effect=REFUTES,
    confidence=C2,
    applies="has(runs) and has(times)",
    origin="MEAS",
    thresholds=Thresholds,
)
def start_stamps_coincide(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Several runs of a result that carry one start time to the last digit.

    ## What it does
    Compares the times of the first event, of the initialisation and of the start between the runs of one result, where
    the clock ticks in 10 ms or finer. Runs that a scheduler launched together may meet by chance: the coincidences that
    are expected among the pairs that start within one second must be fewer than .005.

    ## Why it misleads
    A machine does not start two runs in one millisecond. One of the times, and with it one of the runs, was written
    afterwards.

    ## Branches
    - (a) refutes, C2: three or more runs share one stamp.
    - (b) undermines, C2: exactly two share one, and neither equal files nor copied numbers explain it.
    - not applicable: times in steps above 10 ms or relative to each run, or stamps of one kind that all are whole
      seconds; a first event or an initialisation that more than half of the runs share, as where one script wrote a
      line into every log; instances of a throughput, which start together; fewer than two runs with times.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {
      "result_1": {"events": {"23": {"time_ms": 1744012991494}}},
      "result_2": {"events": {"23": {"time_ms": 1744012991494}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose runs start forty minutes apart.

    ## How to fix
    Give the times that were recorded.

    ## References
    Measured on 538 published results: no three runs of one share a stamp, and the closest honest starts are 5 ms apart.
    """
    runs = [run for run in case.runs(claim) if is_unix(run) and _fine(run)]
    if len(runs) < 2:
        yield Inapplicable("fewer than two runs with clock times of 10 ms or finer")
        return
    if is_weak(claim, case):
        yield Inapplicable("instances of one measurement start together")
        return
    for name, stamp in STAMPS.items():
        groups = _by_time(runs, stamp)
        shared = {time: group for time, group in groups.items() if len(group) > 1}
        by_script = name != "start" and any(2 * len(group) > len(runs) for group in shared.values())
        if by_script or all(time % 1000 == 0 for time in groups):
            continue
        coarsest = max(resolution for run in runs if (resolution := _stated(run)) is not None)
        if shared and _expected(sorted(groups), coarsest) < thresholds.expected:
            yield from _violations(name, shared, runs)


def _by_time(runs: list[Logged], stamp: Callable[[Logged], float | None]) -> dict[float, list[Logged]]:
    groups: dict[float, list[Logged]] = {}
    for run in runs:
        time = stamp(run)
        if time is not None:
            groups.setdefault(time, []).append(run)
    return groups


def _first_ms(run: Logged) -> float | None:
    span = run.trace.span_ms
    return span[0] if span is not None else None


STAMPS = {"first event": _first_ms, "initialisation": init_start_ms, "start": started_ms}


def _expected(times: list[float], resolution: float) -> float:
    """Return how many coincidences chance makes among distinct times: pairs within a second, each at its resolution."""
    pairs = low = 0
    for high, time in enumerate(times):
        while time - times[low] > NEAR_MS:
            low += 1
        pairs += high - low
    return pairs * resolution / NEAR_MS


def _stated(run: Logged) -> float | None:
    clock = run.run.clock
    return resolution_ms(run) or (clock.resolution_ms if clock is not None else None)


def _fine(run: Logged) -> bool:
    resolution = _stated(run)
    return resolution is not None and resolution <= COARSEST_MS


def _violations(name: str, shared: dict[float, list[Logged]], runs: list[Logged]) -> Iterator[Violation]:
    pairs = [group for group in shared.values() if len(group) == 2]
    explained = _explained(runs) if pairs else set()
    for time, group in shared.items():
        if len(group) == 2 and (group[0].id, group[1].id) in explained:
            continue
        many = len(group) > 2
        message = f"{len(group)} runs share the time of their {name}, {time / 1000:.3f} s since 1970"
        message += f": {', '.join(run.name for run in group[:3])}"
        related = beside(group, "the same time")
        effect = REFUTES if many else UNDERMINES
        yield Violation("a" if many else "b", effect, C2, message, group[1].place(), related=related)


def _explained(runs: list[Logged]) -> set[tuple[str, str]]:
    """Return the pairs of runs that other rules find to be copies."""
    files = {pair for group in same_files(runs) for pair in combinations([run.id for run in group], 2)}
    copies = {
        (pair.left.id, pair.right.id)
        for pair in alike(runs, LEAST)[0]
        if (pair.values >= LEAST and 2 * pair.equal_values >= pair.values)
        or (pair.intervals >= LEAST and pair.equal_intervals >= 0.9 * pair.intervals)
    }
    return files | copies
