"""A spec that is written from a command line: `dlaudit run -- python train.py --lr 3e-4`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from ..schemas.source import Source, parse
from ..schemas.validation import check

NAME = "spec.yaml"
SUFFIXES = (".yaml", ".yml", ".json")


def is_command(words: Sequence[str]) -> bool:
    """Whether the words of a command line are a program with its arguments instead of a spec.

    More than one word is, and one that can be executed and does not end like a spec.
    """
    return len(words) > 1 or (Path(words[0]).suffix not in SUFFIXES and shutil.which(words[0]) is not None)


def source(command: Sequence[str], warmup: int, iterations: int, trials: int) -> Source:
    """Return the spec of a program that times its steps with the meter.

    Raises:
        InvalidDocument: a number is out of range.
    """
    quoted = [json.dumps(word, ensure_ascii=False) for word in command]
    text = "\n".join(
        (
            "dlaudit: spec/1",
            f"title: {json.dumps(' '.join(command)[:200], ensure_ascii=False)}",
            f"workload: {{command: [{', '.join(quoted)}]}}",
            f"throughput: {{warmup: {warmup}, iterations: {iterations}, trials: {trials}}}",
        )
    )
    return check(parse(f"{text}\n".encode(), NAME), "spec")


def stem(command: Sequence[str]) -> str:
    """Return what the study's folder begins with: the first script among the words, else the program."""
    scripts = [word for word in command if Path(word).suffix in (".py", ".sh")]
    return Path(scripts[0] if scripts else command[0]).stem
