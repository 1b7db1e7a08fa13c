"""A spec's matrix as arms: every combination of the axes' values, without those excluded, with those included.

An axis is the key of an option, nested ones dotted (`global_batch`, `precision.compute`), or `workload.NAME`: a
parameter of a named workload or an entry, and of a command the argument `--NAME`. Pure: from a spec to a spec.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import product
from typing import Any

from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.spec import ArmRequest, Matrix, Spec, Workload
from . import scaling

MOST = LONGEST = 40
OF_WORKLOAD = "workload."
Point = Mapping[str, Any]


def expanded(spec: Spec) -> Spec:
    """Return the spec with the arms of its matrix, or of its sizes; the same spec where it has neither.

    Raises:
        UserError: it has arms, too; nothing is left, there are too many arms, or an exclusion names no axis; or its
            sizes are no scaling study.
    """
    if spec.matrix is None:
        return scaling.expanded(spec)
    if {name: replace(arm, at="") for name, arm in spec.arms.items()} != {"base": ArmRequest()}:
        raise UserError("a spec has arms or a matrix, and this one has both", "leave one of them out", "/matrix")
    points = _within_budget(list(_points(spec.matrix)), spec.matrix.budget, spec.order.seed)
    if not points:
        raise UserError("the matrix leaves no arm", "exclude less", "/matrix/exclude")
    if len(points) > MOST:
        raise UserError(f"the matrix makes {len(points)} arms", f"leave at most {MOST}, or set a budget", "/matrix")
    arms = {_name(point, number): _arm(spec, point) for number, point in enumerate(points, 1)}
    return replace(spec, arms=arms, matrix=None)


def _points(matrix: Matrix) -> Iterator[Point]:
    for index, excluded in enumerate(matrix.exclude):
        for key in excluded.keys() - matrix.axes.keys():
            raise UserError(
                f"{key} is not an axis", f"name one of {', '.join(matrix.axes)}", f"/matrix/exclude/{index}"
            )
    found = [dict(zip(matrix.axes, values, strict=True)) for values in product(*matrix.axes.values())]
    yield from (point for point in found if not any(excluded.items() <= point.items() for excluded in matrix.exclude))
    yield from (dict(point) for point in matrix.include if dict(point) not in found)


def _within_budget(points: list[Point], budget: int | None, seed: int) -> list[Point]:
    """Return the first point and as many others as the budget leaves, in their order."""
    if budget is None or len(points) <= budget:
        return points
    ranked = sorted(points[1:], key=lambda point: sha256(f"{seed}:{sorted(point.items())}".encode()).digest())
    kept = [points[0], *ranked[: budget - 1]]
    return [point for point in points if point in kept]


def _arm(spec: Spec, point: Point) -> ArmRequest:
    options: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for key, value in point.items():
        if key.startswith(OF_WORKLOAD):
            given[key.removeprefix(OF_WORKLOAD)] = value
            continue
        *outer, last = key.split(".")
        inner = options
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = value
    label = ", ".join(f"{key.removeprefix(OF_WORKLOAD)} {_shown(value)}" for key, value in point.items())
    return ArmRequest(label=label, options=options, workload=_workload(spec.workload, given))


def _workload(shared: Workload, given: Mapping[str, Any]) -> Workload | None:
    if not given:
        return None
    if shared.command:
        words = [word for name, value in given.items() for word in (f"--{name}", _shown(value))]
        return Workload(command=(*shared.command, *words))
    return Workload(parameters=dict(given))


def _name(point: Point, number: int) -> str:
    """Return the id of an arm: its values in the order of the axes, else its number where they do not fit."""
    text = "-".join(f"{key.rpartition('.')[2]}{_shown(value)}" for key, value in point.items())
    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in text)
    return kept if len(kept) <= LONGEST and kept[:1].isalnum() else f"arm{number}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
