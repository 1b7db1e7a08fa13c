"""Q17: a scenario that the round asks for and that was not handed in, or one that the system's class does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.suite.result import Quoted, described, member, quoted
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.mlperf_common import common

ITEM = "required scenarios"
PROVIDE = """\
claims:
  server:
    suite: inference
    suite_result: {benchmark: resnet, round: v5.0, division: closed, scenario: Server}
"""


@rule(
    "Q17",
    "required-scenario-missing",
    effect=CAVEAT,
    confidence=C3,
    applies="suite_inference and closed",
    origin="POL, MEAS",
)
def required_scenario_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A closed result without the other scenarios that its round asks for, or in one that its class does not have.

    ## What it does
    Collects the scenarios in which the same system was measured on the same benchmark, and compares them with those
    that the round asks for in its class, data centre or edge. A scenario of an edge system that may be inferred from
    another one that is there is not missed: offline from a stream, multiple streams from a single one. No
    scenario of a data centre may.

    Streams are scenarios of edge systems only, a server is one of data centres only.

    ## Why it misleads
    One scenario alone can be the one that suits the system. A result in a scenario of the other class stands in a table
    where no other system does.

    ## Branches
    - (a) caveat, C3: the description calls the system one for data centres and the scenario is a stream, or one for
      edge and the scenario is a server.
    - not shown: a required scenario is neither there nor inferred, or the description does not say the class. Required
      (required scenarios) of closed results of an inference suite, from the reviewer profile on; not of quoted,
      verified entries.
    - not applicable: no figure for benchmark and round, or the class does not ask for this benchmark.

    ## Flagged
    On `suite-inference` for claim `server`:
    ```json
    {"arms": {"server": {"description": {"fields": {"system_type": "edge"}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, with both scenarios that data centres need.

    ## How to fix
    Measure the missing scenario, too.

    ## References
    MLPerf Inference rules, tables of required scenarios and the rules for inferring results of edge systems.
    """
    result = quoted(claim)
    figures = member(result)
    kind = (described(claim, case, "system_type") or "").casefold()
    classes = [name for name in ("datacenter", "edge") if name in kind.replace(" ", "")]
    yield from _foreign(claim, case, result, classes)
    if figures is None:
        yield result.no_figure("required scenarios")
        return
    if not classes:
        yield NotShown("the description does not say whether the system is for data centres or edge", claim.at, ITEM)
        return
    asked = {"datacenter": figures.datacenter, "edge": figures.edge}
    needed = {(name, scenario) for name in classes for scenario in asked[name]}
    if not needed:
        yield Inapplicable(f"the class {kind} does not ask for this benchmark")
        return
    there = _scenarios(case.whole or case).get(_key(claim, case), frozenset())
    inferred = mlperf.inference().scenarios.inferred_from
    lacking = [(name, scenario) for name, scenario in needed if scenario not in there]
    missing = sorted({each for name, each in lacking if name != "edge" or not inferred.get(each, frozenset()) & there})
    if missing:
        message = f"{result.words} also needs {', '.join(missing)} on this system; not handed in"
        yield NotShown(message, claim.at, ITEM, PROVIDE)


def _foreign(claim: Claim, case: Case, result: Quoted, classes: list[str]) -> Iterator[Violation]:
    """Yield a scenario that no benchmark has in the one class of the system."""
    side, scenario = case.subject(claim), result.scenario
    description = side.arm.description if side is not None else None
    if description is None or result.round is None or scenario is None or len(classes) != 1:
        return
    apart = mlperf.within(result.round, mlperf.inference().scenarios.apart_in)
    if apart and classes[0] not in common().scenarios[scenario].classes:
        stated = description.fields["system_type"]
        message = f'the system is called one for "{stated}"; no benchmark of that class has the scenario {scenario}'
        yield Violation("a", CAVEAT, C3, message, description.place("fields", "system_type"), str(stated), scenario)


def _key(claim: Claim, case: Case) -> tuple[str | None, ...]:
    side, result, stated = case.subject(claim), quoted(claim), claim.suite_result
    system = (side.arm.system if side is not None else None) or (stated.system if stated is not None else None)
    return system, result.benchmark, result.round


@fact
def _scenarios(case: Case) -> Mapping[tuple[str | None, ...], frozenset[str]]:
    """Return the scenarios of all results by system, benchmark and round."""
    found: dict[tuple[str | None, ...], set[str]] = {}
    for claim in case.submission.claims.values():
        scenario = quoted(claim).scenario
        if scenario is not None:
            found.setdefault(_key(claim, case), set()).add(scenario)
    return {key: frozenset(scenarios) for key, scenarios in found.items()}
