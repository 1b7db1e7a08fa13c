"""What to ask authors, in neutral words: one question for each cause that rules look for, as data in questions.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct


class Cause(Struct, frozen=True):
    """What a question is about.

    Attributes:
        topic: in a few words; it names what is asked, never a flaw.
        ask: the question.
        why: why the answer matters, in one sentence.
        settle: what would settle it.
    """

    topic: str
    ask: str
    why: str
    settle: str


@cache
def causes() -> Mapping[str, Cause]:
    """Return the cause of every built-in rule that authors can be asked about, by code."""
    rows = _data()["causes"]
    return {code: Cause(row["topic"], row["ask"], row["why"], row["settle"]) for row in rows for code in row["rules"]}


@cache
def holding() -> Mapping[str, str]:
    """Return what a pass of a rule says of a claim's number, by code, the most telling first."""
    return dict(_data()["holds"])


def _data() -> Any:
    return json.loads(Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))
