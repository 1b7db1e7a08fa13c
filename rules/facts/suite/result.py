"""The result of a benchmark suite that a claim quotes: part, round, benchmark, scenario, division, in one spelling."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim, SuiteResult
from ...caching import remembered
from ...case import Case
from ...outcome import Inapplicable
from ...tables import mlperf
from ...tables.datasets import plain
from ...tables.mlperf_common import common, scenarios
from ...tables.suites import Round, SuiteTarget, round_of, suites

_ROUND = Pattern(r"\s*v?\.?\s*([0-9]{1,2}\.[0-9]{1,2})(?:\.[0-9]+)?\s*\Z", re.IGNORECASE)
_VERSION = Pattern(r"(?<![0-9.])([0-9]{1,2}\.[0-9]{1,2})(?!\.?[0-9]|-[0-9])")

PRESENT_LOGS = ("0.7", "99.9")
"""Rounds whose logs do not tell them."""


class Quoted(Struct, frozen=True):
    """A quoted result.

    Attributes:
        part: training or inference.
        round: as "5.1"; None where it is not stated.
        named: its benchmark as stated.
        benchmark: the same by the suite's own name where the table knows it.
        scenario: scenario by the suite's own name.
        division: closed, open or None.
    """

    part: str
    round: str | None
    named: str | None
    benchmark: str | None
    scenario: str | None
    division: str | None

    @property
    def closed(self) -> bool:
        """Whether it is one of the closed division."""
        return self.division == "closed"

    @property
    def words(self) -> str:
        """The result as a message names it."""
        return (
            f"{self.named or 'a benchmark that is not named'} in round {f'v{self.round}' if self.round else 'unknown'}"
        )

    def no_figure(self, what: str) -> Inapplicable:
        """Return that the tables hold no figure for it."""
        return Inapplicable(f"no figure for {what} of {self.words}")


def quoted(claim: Claim) -> Quoted:
    """Return the result that a claim quotes."""
    return of_result(claim.suite or "none", claim.suite_result, claim.division)


def of_result(part: str, result: SuiteResult | None, division: str | None = None) -> Quoted:
    """Return a quoted result in the suite's spelling."""
    stated = result.round if result is not None else None
    found = _ROUND.match(stated) if stated is not None else None
    named = result.benchmark if result is not None else None
    scenario = scenarios().get(plain(result.scenario)) if result is not None and result.scenario is not None else None
    stated_division = result.division if result is not None else None
    name = found[1] if found is not None else None
    benchmark = canonical(part, name, named)
    return Quoted(part, name, named, benchmark, scenario, stated_division or division)


def versions_in(text: str) -> set[str]:
    """Return what may be versions in a text, as "5.1"; those in the ids of entries are left out."""
    return set(_VERSION.findall(text))


@lru_cache(4096)
def canonical(part: str, round_name: str | None, named: str | None) -> str | None:
    """Return a benchmark by the name that the suite gives it in that round; None where no table knows it."""
    if named is None or part not in common().suites:
        return None
    wanted = plain(named)
    other = plain(mlperf.names(part).get(wanted, named))
    for member in members(part, round_name):
        if plain(member) in {wanted, other}:
            return member
    return None


def members(part: str, round_name: str | None) -> tuple[str, ...]:
    """Return the benchmarks of a round, of all the suites of a part; none where the round is not known."""
    return tuple(member for found in rounds_of(part, round_name) for member in found.members)


def benchmark_names(part: str) -> frozenset[str]:
    """Return the names of the benchmarks of all rounds of a part's suites, also their other names, in plain letters."""
    titles = common().suites.get(part, ())
    entries = (entry for suite in suites().values() if suite.title in titles for entry in suite.rounds.values())
    return frozenset(plain(name) for entry in entries for name in entry.members) | mlperf.names(part).keys()


def rounds_of(part: str, round_name: str | None) -> tuple[Round, ...]:
    """Return the entries of a round in the table of suites."""
    if round_name is None:
        return ()
    found = (round_of(suite, round_name) for suite in common().suites.get(part, ()))
    return tuple(entry for entry in found if entry is not None)


@remembered(1024)
def rounds_with(part: str, named: str) -> tuple[tuple[str, Round], ...]:
    """Return the rounds that have a benchmark, each with its name there; of another name where none has this one."""
    titles = common().suites.get(part, ())
    entries = [item for suite in suites().values() if suite.title in titles for item in suite.rounds.items()]
    own = tuple((named, entry) for _, entry in entries if named in entry.members)
    renamed = ((canonical(part, name.lstrip("v"), named), entry) for name, entry in entries)
    return own or tuple((name, entry) for name, entry in renamed if name in entry.members)


def round_entry(result: Quoted) -> Round | None:
    """Return the entry of the suite whose round holds the benchmark."""
    if result.benchmark is None:
        return None
    return next((entry for entry in rounds_of(result.part, result.round) if result.benchmark in entry.members), None)


def required_runs(result: Quoted) -> int | None:
    """Return how many runs the round asks for of a benchmark; None where no table tells."""
    entry = round_entry(result)
    return entry.minimum_runs.get(result.benchmark or "") if entry is not None else None


def targets_of(result: Quoted) -> tuple[SuiteTarget, ...]:
    """Return the quality targets of a benchmark in its round; where no round is stated, those of all rounds alike.

    There are none where a round from v0.7 on has no single one: logs of earlier rounds tell their round by their form.
    """
    if result.round is not None or result.named is None:
        entry = round_entry(result)
        return entry.targets.get(result.benchmark or "", ()) if entry is not None else ()
    titles = common().suites.get(result.part, ())
    told: set[tuple[SuiteTarget, ...]] = set()
    for suite in suites().values():
        for name, entry in suite.rounds.items() if suite.title in titles else ():
            own = canonical(result.part, name, result.named) or ""
            if own in entry.members and (own in entry.targets or mlperf.within(name.lstrip("v"), PRESENT_LOGS)):
                told.add(entry.targets.get(own, ()))
    return told.pop() if len(told) == 1 else ()


def member(result: Quoted) -> mlperf.Member | None:
    """Return the figures of an inference benchmark in its round."""
    if result.part != "inference" or result.round is None or result.benchmark is None:
        return None
    found = mlperf.inference().rounds.get(result.round)
    return found.benchmarks.get(result.benchmark) if found is not None else None


def required_tests(result: Quoted) -> tuple[str, ...] | None:
    """Return the compliance tests that a round asks for of an inference benchmark; None where no table says it."""
    figures = member(result)
    if figures is not None:
        return figures.tests
    if result.part != "inference" or result.round is None or result.benchmark is None:
        return None
    for entry in mlperf.inference().compliance.earlier:
        fits = mlperf.within(result.round, entry.rounds) and (not entry.scenarios or result.scenario in entry.scenarios)
        if fits and result.benchmark in entry.benchmarks:
            return entry.benchmarks[result.benchmark]
    return None


def is_asked(result: Quoted, test: str) -> bool:
    """Whether a compliance test counts for an inference benchmark: its round asks for it, or no table tells.

    Where no round is stated, it counts if any round asks for it.
    """
    asked = required_tests(result) if result.round is not None else _ever_required(result) or None
    return asked is None or test in asked


def _ever_required(result: Quoted) -> frozenset[str]:
    """Return the compliance tests that any round asks for of a benchmark by its name."""
    wanted = plain(result.named or "")
    names = {wanted, plain(mlperf.names("inference").get(wanted, wanted))}
    table = mlperf.inference()
    earlier = (item for entry in table.compliance.earlier for item in entry.benchmarks.items())
    own = ((name, held.tests) for entry in table.rounds.values() for name, held in entry.benchmarks.items())
    return frozenset(test for name, tests in (*earlier, *own) if plain(name) in names for test in tests)


def accuracy_limits(result: Quoted) -> mlperf.Limits:
    """Return least and greatest value of every metric that the round lists for an inference benchmark.

    Rounds without figures of their own have those of the table of suites.
    """
    figures = member(result)
    if figures is not None:
        return figures.limits
    entry = round_entry(result) if result.part == "inference" else None
    found: mlperf.Limits = {}
    if entry is not None and result.benchmark is not None:
        for bounds in (entry.targets, entry.upper_limits):
            for target in bounds.get(result.benchmark, ()):
                if target.scenario is None:
                    least, greatest = found.get(target.metric, (None, None))
                    higher = target.direction == "higher"
                    found[target.metric] = (target.value, greatest) if higher else (least, target.value)
    return found


def is_handed_in(claim: Claim, case: Case) -> bool:
    """Whether the claim is the result itself as it was handed in, not a publication that quotes it."""
    return case.submission.publication is None and (case.submission.folder is not None or bool(case.runs(claim)))


def described(claim: Claim, case: Case, name: str) -> str | None:
    """Return a field of the system description as text without spaces around it; None where it is not there."""
    side = case.subject(claim)
    if side is None or side.arm.description is None:
        return None
    value = side.arm.description.fields.get(name)
    return str(value).strip() if value is not None else None
