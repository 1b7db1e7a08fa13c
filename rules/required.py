"""Required evidence: which item a claim of which kind must carry under which profile, as data in required.json."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from msgspec import Struct

from ..schemas.submission import Claim
from .case import Case
from .completion.complete import as_worded, taken_otherwise, worded
from .outcome import Tier
from .predicate import answers

PROFILES = ("reviewer", "gate", "publication", "procurement")
"""Each asks for its own rows and for those of the profiles before it."""
SUITE_PROFILE = "mlperf"
"""Asks for the rows of the reviewer, and for whatever a suite's policy asks of a result under any profile."""
LEAST_TIER = {
    "reviewer": Tier.T1,
    "gate": Tier.T2,
    "publication": Tier.T2,
    "procurement": Tier.T4,
    SUITE_PROFILE: Tier.T1,
}


class Requirement(Struct, frozen=True):
    """One row: `item`, shown by `rule`, is required of claims on which `applies` is true, from `profile` on.

    Attributes:
        tier: the highest that the item can have: of a sentence that is read in its document no raw number tells more.
    """

    item: str
    rule: str
    applies: str
    profile: str
    tier: str | None = None


@cache
def table() -> tuple[Requirement, ...]:
    """Return all rows, in the order of the file."""
    rows = json.loads(Path(__file__).with_name("required.json").read_text(encoding="utf-8"))
    return tuple(Requirement(**row) for row in rows)


@cache
def _by_rule() -> dict[str, tuple[Requirement, ...]]:
    by_rule: dict[str, list[Requirement]] = {}
    for row in table():
        by_rule.setdefault(row.rule, []).append(row)
    return {code: tuple(requirements) for code, requirements in by_rule.items()}


def requirements(code: str, claim: Claim, case: Case) -> tuple[Requirement, ...]:
    """Return the rows of a rule that the case's profile asks of a claim, by its fields or by its words."""
    return tuple(row for row in _applicable(code, claim, case) if _asks(case.profile, row))


def weight(code: str, claim: Claim, case: Case) -> int:
    """Return how soon a rule's evidence is asked of a claim: the place of the first row that asks for it."""
    rows = _applicable(code, claim, case)
    return table().index(rows[0]) if rows else len(table())


def _applicable(code: str, claim: Claim, case: Case) -> tuple[Requirement, ...]:
    rows = _by_rule().get(code, ())
    if not rows:
        return ()
    taken = [answers(claim, case)]
    if taken_otherwise(case, claim):
        taken.append(answers(worded(case, claim), as_worded(case)))
    return tuple(row for row in rows if any(applies[row.applies] for applies in taken))


def _asks(profile: str, row: Requirement) -> bool:
    """Whether a profile asks for a row."""
    if profile == SUITE_PROFILE:
        return row.profile == PROFILES[0] or row.rule.startswith("Q")
    return PROFILES.index(row.profile) <= PROFILES.index(profile)


@cache
def folded() -> frozenset[str]:
    """Return the rules whose not-shown findings are folded into R00 where they decide nothing."""
    return frozenset(json.loads(Path(__file__).with_name("folded.json").read_text(encoding="utf-8")))
