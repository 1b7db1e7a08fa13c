"""Honest submissions that the examples of the rules start from."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ...schemas.source import parse


@cache
def base(name: str) -> dict[str, Any]:
    """Return a base submission by name; `training-pair` is the complete example of the submission schema."""
    folder = files("dlaudit.schemas").joinpath("examples") if name == "training-pair" else files("dlaudit.rules.bases")
    file = folder.joinpath("submission.yaml" if name == "training-pair" else f"{name}.yaml")
    value = parse(file.read_bytes(), f"{name}.yaml").value
    assert isinstance(value, dict)
    return value
