"""Part of F28: one configuration that a document holds twice, so that a claim may choose the number it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from ...schemas.evidence import Metric, Quality
from ...schemas.model import Node
from ..case import Case, Side
from ..facts.comparison.options import CORE, flat
from ..facts.quantities.discrepancy import gap
from ..language.printed import span
from ..outcome import C3, UNDERMINES, Related, Violation

LEAST = Decimal("0.01")
"""What two measurements of one thing may differ by is theirs; more is another number."""
CONDITIONS = ("label", "system", "devices", "software", "environment", "measurement")
APART = (
    *("checkpoint", "weight_averaging", "test_time_augmentation", "evaluation_input", "subset", "prompts", "harness"),
    *("selection", "averaging"),
)
"""Fields that tell one quality of a metric and a split from another."""


def twin_numbers(case: Case) -> Iterator[Violation]:
    """Yield numbers that two entries of one configuration give differently, one of which a claim rests on."""
    used = _used(case)
    known = [side for side in case.sides() if side.study is None and _is_identified(side)]
    for group in _alike(known, (*CONDITIONS, "options")):
        for one, other in combinations(group[:8], 2):
            if used & {one.id, other.id}:
                yield from _two_values(one, other)
    for group in _alike(known, ("system", "devices", "options", "performance")):
        for one, other in combinations(group[:8], 2):
            if used & {one.id, other.id}:
                yield from _two_scopes(one, other)
    yield from _two_qualities(case)


def _used(case: Case) -> frozenset[str]:
    refs = [ref for claim in case.submission.claims.values() for ref in (claim.measured, claim.base, claim.quality)]
    return frozenset(ref.arm for ref in refs if ref is not None and ref.arm is not None)


def _is_identified(side: Side) -> bool:
    """Whether an arm says enough of itself for another one to be known as the same: rows of a table seldom do."""
    told = (side.arm.label, side.arm.system, side.arm.software)
    return None not in told and set(CORE) <= set(flat(side.arm.options))


def _alike(sides: Sequence[Side], names: Sequence[str]) -> Iterator[list[Side]]:
    """Yield the arms that agree in all of some fields."""
    if len(sides) < 2:
        return
    if not names:
        yield list(sides)
        return
    groups: dict[object, list[Side]] = {}
    for side in sides:
        groups.setdefault(_plain(getattr(side.arm, names[0])), []).append(side)
    for group in groups.values():
        yield from _alike(group, names[1:])


def _plain(value: object) -> object:
    """Return what a part of a document says, without its place."""
    if isinstance(value, Node):
        return tuple(_plain(getattr(value, name)) for name in value.__struct_fields__ if name != "at")
    if isinstance(value, dict):
        return tuple(sorted((key, repr(_plain(item))) for key, item in value.items()))
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _two_values(one: Side, other: Side) -> Iterator[Violation]:
    words = f"`{one.id}` and `{other.id}` are one configuration"
    for name in one.arm.performance.keys() & other.arm.performance.keys():
        left, right = one.arm.performance[name], other.arm.performance[name]
        if _one_kind(left, right) and _apart(left.value, right.value):
            yield _violation(f"{words}, with {name} {left.value} and {right.value}", left, right)
    for name in one.arm.quality.keys() & other.arm.quality.keys():
        mine, theirs = one.arm.quality[name], other.arm.quality[name]
        if _one_quality(mine, theirs) and _apart(mine.value, theirs.value):
            yield _violation(f"{words}, with {name} {mine.value} and {theirs.value}", mine, theirs)


def _two_scopes(one: Side, other: Side) -> Iterator[Violation]:
    scopes = [side.arm.measurement.scope if side.arm.measurement is not None else None for side in (one, other)]
    if one.arm.performance and None not in scopes and scopes[0] != scopes[1]:
        covered = " and ".join(f"a {str(scope).replace('_', ' ')}" for scope in scopes)
        message = f"`{one.id}` and `{other.id}` state one measurement, which covers {covered}"
        yield _violation(message, one.arm, other.arm)


def _two_qualities(case: Case) -> Iterator[Violation]:
    """Yield a claim's quality that says nothing of itself, where its arm states the metric otherwise, and says more."""
    seen: set[str] = set()
    for claim in case.submission.claims.values():
        side, own = case.side(claim.quality), case.quality(claim.quality)
        if side is None or own is None or own.seeds or own.at in seen or any(getattr(own, name) for name in APART):
            continue
        seen.add(own.at)
        for other in side.arm.quality.values():
            told = bool(other.seeds) or other.n is not None
            if other is not own and told and _one_quality(own, other) and _apart(own.value, other.value):
                yield _violation(f"{own.metric} of `{side.id}` is stated as {own.value} and {other.value}", own, other)
                break


def _one_kind(left: Metric, right: Metric) -> bool:
    names = ("quantity", "unit", "statistic", "scope", "load")
    return all(_plain(getattr(left, name)) == _plain(getattr(right, name)) for name in names)


def _one_quality(left: Quality, right: Quality) -> bool:
    return all(getattr(left, name) == getattr(right, name) for name in ("metric", "unit", "split", "examples"))


def _apart(left: str | None, right: str | None) -> bool:
    if left is None or right is None:
        return False
    one, other = span(left), span(right)
    return not one.meets(other) and min(gap(one, other), gap(other, one)) > LEAST


def _violation(message: str, one: Node, other: Node) -> Violation:
    return Violation("a", UNDERMINES, C3, message, one.at, related=(Related(other.at, "the other entry"),))
