"""Two revisions, or two environments, as the arms of one spec: both in one job, their trials interleaved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.source import Source, parse
from ...schemas.validation import check, load
from .comparison import ArmComparison

OLD, NEW = "old", "new"
DIGITS = 8


def spec_of(
    path: Path, kind: str, names: Sequence[str], build: Sequence[str], trials: int | None
) -> tuple[Source, dict[str, str]]:
    """Return the spec with two arms, and what they are called.

    Args:
        path: a spec of one arm.
        kind: `revision` or `environment`, the key that tells the arms apart.
        names: of the old one and of the new one.
        build: program and arguments that build a work tree; those of the spec where empty.
        trials: how many of each arm; as the spec says where None.

    Raises:
        UserError: the spec has several arms or none to tell apart, or there is no such revision.
    """
    source = load(path, "spec")
    assert isinstance(source.value, dict)
    value: dict[str, Any] = source.value
    own: dict[str, Any] = value.get("arms", {"base": {}})
    if "matrix" in value or len(own) != 1:
        raise UserError("the two sides are the arms, and the spec has arms of its own", "leave one", str(path))
    shared = next(iter(own.values()))
    called = _called(path.parent, kind, names)
    arms = {
        arm: {**shared, "label": label, kind: name} for (arm, label), name in zip(called.items(), names, strict=True)
    }
    value = {**value, "arms": arms, "claims": {**value.get("claims", {}), "baseline": OLD}}
    if build:
        value["build"] = list(build)
    if trials is not None and isinstance(value.get("throughput"), dict):
        value["throughput"] = {**value["throughput"], "trials": trials}
    data = (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
    return check(parse(data, "spec.json"), "spec"), called


def _called(folder: Path, kind: str, names: Sequence[str]) -> dict[str, str]:
    from ...runners.study.homes import commit_of

    if kind != "revision":
        return dict(zip((OLD, NEW), names, strict=True))
    commits = [commit_of(name, folder, "--revisions")[:DIGITS] for name in names]
    labels = [
        name if commit.startswith(name[:DIGITS]) else f"{name} ({commit})"
        for name, commit in zip(names, commits, strict=True)
    ]
    return dict(zip((OLD, NEW), labels, strict=True))


def named(comparisons: Sequence[ArmComparison], called: dict[str, str]) -> tuple[ArmComparison, ...]:
    """Return comparisons whose sides are called as the user calls them."""
    return tuple(replace(one, old=called[OLD], new=called[NEW]) for one in comparisons)
