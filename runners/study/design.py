"""Whether the arms of a spec vary what its design says: one option at a time, or every combination of some factors.

What is compared is what the spec requests: options and parameters of the workload, nested ones dotted. Two arms that
differ in two options cannot say which of them made the difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ...schemas.errors import UserError
from ...schemas.spec import Design, Spec

Levels = dict[str, str]


def check(spec: Spec, name: str) -> None:
    """Hold the arms against the design, where the spec declares one.

    Args:
        spec: the spec.
        name: what the file is called in an error message.

    Raises:
        UserError: the arms vary something else.
    """
    if spec.design is None:
        return
    arms = {arm: _levels(spec, arm) for arm in spec.arms}
    if spec.design.kind == "one_variable":
        _one_variable(arms, spec.claims.baseline or next(iter(arms)), name)
    else:
        _factorial(arms, spec.design, name)


def _one_variable(arms: Mapping[str, Levels], baseline: str, name: str) -> None:
    if len(arms) < 2:
        raise UserError("a design needs two arms or more", "add an arm, or leave the design out", f"{name} (/design)")
    for arm, levels in arms.items():
        varied = _varied(arms[baseline], levels)
        if arm != baseline and len(varied) != 1:
            what = f"arm {arm} differs from {baseline} in {', '.join(varied) or 'nothing'}"
            raise UserError(
                f"{what}, and the design is one variable at a time",
                "vary one option an arm, or declare a factorial design",
                f"{name} (/arms/{arm})",
            )


def _factorial(arms: Mapping[str, Levels], design: Design, name: str) -> None:
    factors = design.factors
    levels = {factor: sorted({arm.get(factor, "") for arm in arms.values()}) for factor in factors}
    for factor, found in levels.items():
        if len(found) < 2:
            todo = "give it two levels, or leave it out of the factors"
            raise UserError(f"{factor} does not vary", todo, f"{name} (/design/factors)")
    held = [{key: value for key, value in arm.items() if key not in factors} for arm in arms.values()]
    if any(other != held[0] for other in held):
        varied = sorted({key for other in held for key in _varied(held[0], other)})
        todo = "name it as a factor, or hold it"
        raise UserError(f"the arms also vary {', '.join(varied)}", todo, f"{name} (/design/factors)")
    wanted = set(product(*levels.values()))
    missing = sorted(wanted - {tuple(arm.get(factor, "") for factor in factors) for arm in arms.values()})
    if missing:
        what = ", ".join(f"{factor} = {level}" for factor, level in zip(factors, missing[0], strict=True))
        raise UserError(f"no arm has {what}", "add it: a factorial design has every combination", f"{name} (/arms)")


def _varied(left: Levels, right: Levels) -> list[str]:
    return sorted(key for key in left.keys() | right.keys() if left.get(key) != right.get(key))


def _levels(spec: Spec, arm: str) -> Levels:
    request = spec.arms[arm]
    found = dict(_flat(request.options, ""))
    own = request.workload
    replaces = own is not None and (own.name or own.entry or own.command)
    parts = [own] if own is not None and replaces else [spec.workload, *([own] if own is not None else [])]
    if request.interference:
        found["interference"] = f"{request.interference:g}"
    for part in parts:
        named = {"name": part.name, "entry": part.entry, "command": " ".join(part.command) or None, **part.parameters}
        found |= {f"workload.{key}": str(value) for key, value in named.items() if value is not None}
    return found


def _flat(options: Mapping[str, Any], before: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in options.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, Mapping) else [(f"{before}{key}", str(value))]
    return found
