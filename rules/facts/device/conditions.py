"""Conditions of a measurement: clock policy and power limit, from what is declared, set and logged."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ....schemas.conditions import Control
from ....schemas.submission import Claim
from ...case import Case, Side
from .telemetry import SM_LOCK, logs_clocks

POWER_LIMIT = ("gpu_power_limit_w", "gpu_power_limit")
UNSEEN = frozenset({"unverifiable", "not_permitted"})


class Policy(Struct, frozen=True):
    """How the clocks of an arm's devices were treated.

    Attributes:
        kind: locked, only logged, or neither.
        low: lower end of the lock, in MHz.
        high: upper end of the lock, in MHz.
        refused: whether a lock was asked for, and could not be set or not be seen.
        at: place of what says so.
    """

    kind: Literal["locked", "logged", "none"]
    low: float | None
    high: float | None
    refused: bool
    at: str


def arms_of(claim: Claim, case: Case) -> tuple[Side, ...]:
    """Return the arms behind a claim: its own, and that of its base where it is another one."""
    own, base = case.subject(claim), case.base(claim)
    found = [side for side in (own, base) if side is not None]
    return tuple(found[:1] if len(found) == 2 and found[0].id == found[1].id else found)


def control(side: Side, *names: str) -> Control | None:
    """Return what became of a knob of an arm, by the first of its names; None where nothing is recorded."""
    environment = side.arm.environment
    found = environment.controls if environment is not None else {}
    return next((found[name] for name in names if name in found), None)


def clock_policy(case: Case, side: Side) -> Policy | None:
    """Return the clock policy of an arm, or None where neither statement, knob nor readings tell.

    A lock that was seen to hold is one, and readings of clocks log them, whatever is declared beside them.
    """
    environment, lock = side.arm.environment, control(side, *SM_LOCK)
    stated = environment.clocks if environment is not None else None
    refused = lock is not None and lock.verified in UNSEEN
    if stated is not None and stated.policy == "locked":
        return Policy("locked", stated.low_mhz, stated.high_mhz, refused, stated.at)
    if lock is not None and lock.verified == "verified":
        clock = _number(lock)
        return Policy("locked", clock, clock, refused, lock.at)
    at = stated.at if stated is not None else side.arm.at
    if (stated is not None and stated.policy == "logged") or logs_clocks(side):
        return Policy("logged", None, None, refused, at)
    return Policy("none", None, None, refused, at) if stated is not None else None


def power_limit_w(side: Side) -> float | None:
    """Return the power limit of one device of an arm, in watts; None where it is not stated."""
    environment, limit = side.arm.environment, control(side, *POWER_LIMIT)
    if environment is not None and environment.power_limit_w is not None:
        return environment.power_limit_w
    if limit is not None and limit.verified == "verified" and _number(limit) is not None:
        return _number(limit)
    return side.system.power_limit_w if side.system is not None else None


def _number(found: Control) -> float | None:
    for value in (found.applied, found.found, found.requested):
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
    return None
