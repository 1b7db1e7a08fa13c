"""Q25: results of rounds that cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import Quoted, of_result, quoted
from ..facts.suite.words import Other, other_side
from ..outcome import C2, C3, CAVEAT, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain
from ..tables.mlperf_common import common


@rule(
    "Q25",
    "incompatible-rounds-compared",
    effect=REFUTES,
    confidence=C3,
    applies="suite and comparison",
    origin="POL",
)
def incompatible_rounds_compared(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison of two results whose rounds, scenarios or metrics do not go together.

    ## What it does
    Looks up in which rounds the suite calls results of the benchmark comparable, and compares scenario and unit of the
    two. A ratio of two systems is one of results of one benchmark; its variants of accuracy and latency may differ.
    Where data centre and edge have different groups, both must keep the rounds apart.

    ## Why it misleads
    Between groups the model, the data or the target changed: the quotient compares two tasks.

    ## Branches
    - (a) refutes, C3: the rounds are of different groups, or the scenarios or the metrics differ; or a ratio of two
      systems is one of results of two benchmarks.
    - (b, instead of a) caveat, C2: one round stands in a group of the benchmark; the other is older than all groups.
    - not applicable: the other side is no result of the suite or not known, or is set beside one of another benchmark
      without a ratio, or of own variants; or the table has no row for the benchmark, or not both rounds.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "suite_result": {"benchmark": "rnnt", "round": "v2.0"},
       "comparator": {"suite": "training", "suite_result": {"benchmark": "rnnt", "round": "v1.0"}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "comparator": {"suite": "training", "suite_result":
       {"benchmark": "ssd", "round": "v4.1", "division": "closed"}}}}}
    ```

    ## How to fix
    Compare results of one group of rounds.

    ## References
    MLPerf compatibility table.
    """
    other = other_side(claim, case)
    ours = quoted(claim)
    theirs = of_result(other.part or "none", other.result, other.division) if other is not None else None
    if other is None or theirs is None or theirs.part != ours.part or other.result is None:
        yield Inapplicable("the other side is not known as a result of the same part of the suite")
        return
    if ours.scenario is not None and theirs.scenario is not None and ours.scenario != theirs.scenario:
        yield _violation(claim, other, "scenario", ours.scenario, theirs.scenario)
    if claim.form == "absolute" and claim.unit and other.unit and plain(claim.unit) != plain(other.unit):
        yield _violation(claim, other, "metric", claim.unit, other.unit)
    first, second = _name(ours), _name(theirs)
    if claim.form == "ratio" and claim.compares == "other_system" and _two_benchmarks(first, second):
        yield _violation(claim, other, "benchmark", first or "", second or "")
    if first is None or second is None or first != second or ours.round is None or theirs.round is None:
        yield Inapplicable("benchmark and round are not known of both results, or the benchmarks are two")
        return
    answers = [answer for table in _tables(ours.part) if (answer := _together(table, first, ours, theirs)) is not None]
    older = _before_all(ours.part, first, ours, theirs)
    if not answers and older is not None:
        message = f"v{ours.round} and v{theirs.round} are compared; the suite's groups of {first} begin at v{older}"
        yield Violation("b", CAVEAT, C2, message, claim.at, related=(Related(other.at, "the other result"),))
    elif not answers:
        yield ours.no_figure("compatible rounds")
    elif not any(answers):
        yield _violation(claim, other, "round", f"v{ours.round}", f"v{theirs.round}")


def _violation(claim: Claim, other: Other, what: str, ours: str, theirs: str) -> Violation:
    message = f"results of {what} {ours} and {theirs} are compared, which the suite keeps apart"
    return Violation("a", REFUTES, C3, message, claim.at, ours, theirs, (Related(other.at, "the other result"),))


def _name(result: Quoted) -> str | None:
    renamed = mlperf.training().renamed.benchmarks.get(result.benchmark or "") if result.part == "training" else None
    if renamed is not None and result.round is not None and mlperf.since(result.round, renamed.from_round):
        return renamed.name
    return result.benchmark


def _two_benchmarks(first: str | None, second: str | None) -> bool:
    """Whether both benchmarks are known and are two; names beyond the variant, such as 99.9, do not make them so."""
    if first is None or second is None:
        return False
    ours, theirs = (plain(_without_variant(name)) for name in (first, second))
    return not (ours.startswith(theirs) or theirs.startswith(ours))


def _without_variant(name: str) -> str:
    stem, _, ending = name.rpartition("-")
    return _without_variant(stem) if stem and ending in common().variants else name


def _tables(part: str) -> tuple[dict[str, tuple[tuple[str, ...], ...]], ...]:
    tables = mlperf.messaging().compatible_rounds
    return (tables["training"],) if part == "training" else (tables["datacenter"], tables["edge"])


def _before_all(part: str, benchmark: str, ours: Quoted, theirs: Quoted) -> str | None:
    """Return the first round of a benchmark's groups, where one of two rounds is listed and the other is older."""
    for table in _tables(part):
        known = [name for group in table.get(benchmark, ()) for name in group]
        if not known:
            continue
        first = min(known, key=lambda name: tuple(map(int, name.split("."))))
        for here, there in ((ours.round, theirs.round), (theirs.round, ours.round)):
            if here in known and there not in known and there is not None and not mlperf.since(there, first):
                return first
    return None


def _together(
    table: dict[str, tuple[tuple[str, ...], ...]], benchmark: str, ours: Quoted, theirs: Quoted
) -> bool | None:
    """Whether one group holds both rounds; None where the table does not hold both."""
    groups = table.get(benchmark, ())
    known = {name for group in groups for name in group}
    if ours.round not in known or theirs.round not in known:
        return None
    return any(ours.round in group and theirs.round in group for group in groups)
