"""The table of benchmark suites: the members of each round, the quality to reach and the runs to hand in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from ..caching import remembered
from .datasets import plain

TABLE = Path(__file__).with_name("suites.json")


class SuiteTarget(msgspec.Struct, frozen=True):
    """A quality to reach."""

    metric: str
    direction: str
    value: float
    scenario: str | None = None


class Round(msgspec.Struct, frozen=True):
    """One round of a suite; each field is described, with its unit, in suites.schema.json."""

    members: tuple[str, ...]
    published: str | None = None
    minimum_runs: dict[str, int] = {}
    targets: dict[str, tuple[SuiteTarget, ...]] = {}
    upper_limits: dict[str, tuple[SuiteTarget, ...]] = {}
    latency_s: dict[str, dict[str, float]] = {}


class Suite(msgspec.Struct, frozen=True):
    """One suite with its rounds by name."""

    title: str
    names: tuple[str, ...]
    rounds: dict[str, Round]


class _File(msgspec.Struct, frozen=True):
    suites: dict[str, Suite]


@cache
def suites() -> dict[str, Suite]:
    """Return the suites by id."""
    return msgspec.json.decode(TABLE.read_bytes(), type=_File).suites


@remembered(1024)
def round_of(suite: str, name: str) -> Round | None:
    """Return a round of a suite by their printed names ("MLPerf Training", "v5.1"); None where the table has none."""
    found = next((entry for entry in suites().values() if plain(suite) in map(plain, entry.names)), None)
    if found is None:
        return None
    return found.rounds.get(name) or found.rounds.get(f"v{name}")
