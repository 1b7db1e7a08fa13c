"""How often each kind of reading was right on texts that nobody had mended the reader on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

LEAST = 0.95
FEWEST = 20
"""Readings below which a share of .95 cannot be told from a lucky one."""


@cache
def measured() -> Mapping[str, Mapping[str, int]]:
    """Return hits and readings by kind, at first sight of the last set of texts."""
    found: Mapping[str, Mapping[str, int]] = json.loads(
        (Path(__file__).parents[1] / "tables" / "first_sight.json").read_bytes()
    )
    return found


def may_refute(kind: str) -> bool:
    """Whether a finding that rests on this kind of reading may refute: it was right in at least .95 of its cases.

    A kind that nobody measured, or that was seen too seldom, may not.
    """
    figure = measured().get(kind)
    return figure is not None and figure["read"] >= FEWEST and figure["hits"] >= LEAST * figure["read"]
