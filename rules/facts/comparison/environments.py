"""Environments of two arms side by side: driver, clocks, power limit, container, host, each in three values."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.model import NotApplicable
from ...case import Case, Side
from ...tables.names import plain
from ..device.conditions import Policy, clock_policy, power_limit_w
from .options import Same
from .software import compare_stacks
from .wording import same_words

ITEMS = ("driver", "clocks", "power limit", "container", "host")
DEVICE_ONLY = frozenset({"driver", "power limit"})


class Item(Struct, frozen=True):
    """One item of two environments.

    Attributes:
        name: which.
        same: whether both are known and agree.
        left: as the first states it; empty where it does not.
        right: as the second states it.
    """

    name: str
    same: Same
    left: str = ""
    right: str = ""


def compare_environments(case: Case, left: Side, right: Side) -> tuple[Item, ...]:
    """Compare the environments of two arms item by item; what a processor has not is left out for two processors."""
    kinds = [side.system.device_kind if side.system is not None else None for side in (left, right)]
    processors = kinds == ["processor", "processor"]
    found = (
        _software(left, right, "driver"),
        _clocks(clock_policy(case, left), clock_policy(case, right)),
        _limit(power_limit_w(left), power_limit_w(right)),
        _software(left, right, "container"),
        _host(left, right),
    )
    return tuple(item for item in found if not (processors and item.name in DEVICE_ONLY))


def _software(left: Side, right: Side, name: str) -> Item:
    stacks = left.arm.software, right.arm.software
    values = [getattr(stack, name) if stack is not None else None for stack in stacks]
    if all(isinstance(value, NotApplicable) for value in values):
        return Item(name, Same.EQUAL)
    if not all(isinstance(value, str) for value in values) or stacks[0] is None or stacks[1] is None:
        return Item(name, Same.UNKNOWN, _word(values[0]), _word(values[1]))
    if values[0] == values[1]:
        return Item(name, Same.EQUAL, _word(values[0]), _word(values[1]))
    compared = compare_stacks(stacks[0], stacks[1])
    different = any(item == name for item, _, _ in compared.different)
    same = Same.DIFFERENT if different else Same.EQUAL if name in compared.equal else Same.UNKNOWN
    return Item(name, same, _word(values[0]), _word(values[1]))


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _clocks(left: Policy | None, right: Policy | None) -> Item:
    words = _policy(left), _policy(right)
    if left is None or right is None:
        return Item("clocks", Same.UNKNOWN, *words)
    if left.kind != right.kind:
        return Item("clocks", Same.DIFFERENT, *words)
    if left.kind != "locked":
        return Item("clocks", Same.EQUAL, *words)
    ends = [(left.low, right.low), (left.high, right.high)]
    if any(mine is not None and other is not None and mine != other for mine, other in ends):
        return Item("clocks", Same.DIFFERENT, *words)
    known = all(mine is not None and other is not None for mine, other in ends)
    return Item("clocks", Same.EQUAL if known or ends == [(None, None)] * 2 else Same.UNKNOWN, *words)


def _policy(policy: Policy | None) -> str:
    if policy is None:
        return ""
    if policy.kind != "locked":
        return "only logged" if policy.kind == "logged" else "neither locked nor logged"
    ends = [f"{end:g}" for end in dict.fromkeys((policy.low, policy.high)) if end is not None]
    return f"locked at {' to '.join(ends)} MHz" if ends else "locked"


def _limit(left: float | None, right: float | None) -> Item:
    words = [f"{value:g} W" if value is not None else "" for value in (left, right)]
    if left is None or right is None:
        return Item("power limit", Same.UNKNOWN, *words)
    same = Same.EQUAL if same_power(left, right) else Same.DIFFERENT
    return Item("power limit", same, *words)


def same_power(left: float, right: float) -> bool:
    """Whether two power limits are one, within what drivers round and sensors read back: 1 %."""
    return abs(left - right) <= 0.01 * max(left, right)


def _host(left: Side, right: Side) -> Item:
    """Compare hosts by name; two arms of one study share the machine that their trials' boots tell."""
    names = [side.arm.environment.host if side.arm.environment is not None else None for side in (left, right)]
    if isinstance(names[0], str) and isinstance(names[1], str):
        equal = names[0] == names[1] or plain(names[0]) == plain(names[1])
        same = Same.EQUAL if equal else same_words(names[0], names[1])
        return Item("host", same, names[0], names[1])
    boots = [_boots(side) for side in (left, right)]
    if boots[0] and boots[0] == boots[1]:
        return Item("host", Same.EQUAL)
    if all(isinstance(name, NotApplicable) for name in names):
        return Item("host", Same.EQUAL)
    return Item("host", Same.UNKNOWN, _word(names[0]), _word(names[1]))


def _boots(side: Side) -> frozenset[str]:
    found = [trial.boot_id for trial in side.arm.trials.values() if trial.outcome == "completed"]
    return frozenset(boot for boot in found if boot is not None) if None not in found else frozenset()
