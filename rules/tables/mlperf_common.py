"""What the MLPerf suites share: the names of their parts, and policy that holds for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from .datasets import plain

TABLE = Path(__file__).with_name("mlperf-common.json")


class Scenario(Struct, frozen=True):
    """A scenario of inference: the classes of systems that have it, and what its score is."""

    classes: tuple[Literal["datacenter", "edge"], ...]
    scored_by: Literal["latency", "throughput"]


class Availability(Struct, frozen=True):
    """Wordings of each category of availability, in small letters, and the days that a preview has."""

    categories: dict[str, tuple[str, ...]]
    from_round: str
    preview_days: int


class Power(Struct, frozen=True):
    """What a measurement of power needs."""

    samples: int
    per_second: float
    uncertainty: float
    below_ranging: float
    compared_from_round: str
    shorter_than_ranging: float
    clocks_s: float


class Common(Struct, frozen=True):
    """Policy and names that the suites share; each field is described in mlperf-common.schema.json."""

    suites: dict[str, tuple[str, ...]]
    divisions: tuple[str, ...]
    scenarios: dict[str, Scenario]
    variants: tuple[str, ...]
    availability: Availability
    power: Power


@cache
def common() -> Common:
    """Return what the suites share."""
    return msgspec.json.decode(TABLE.read_bytes(), type=Common)


@cache
def scenarios() -> Mapping[str, str]:
    """Return the scenarios by their names in plain letters."""
    return {plain(name): name for name in common().scenarios}


@cache
def categories() -> Mapping[str, str]:
    """Return the category of availability of each wording in plain letters."""
    named = common().availability.categories
    return {plain(wording): name for name, wordings in named.items() for wording in wordings}
