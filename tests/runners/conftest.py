"""Runs trials in the real worker, each in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dlaudit.runners.trial import events

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Trial:
    """What a worker left behind."""

    code: int
    stdout: str
    log: str
    events: tuple[events.AnyEvent, ...]

    def only(self, kind: type) -> Any:
        found = [event for event in self.events if isinstance(event, kind)]
        assert len(found) == 1, (kind, self.log)
        return found[0]

    def all(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def column(self, name: str) -> list[float]:
        return [value for event in self.all(events.Iterations) for value in getattr(event, name) or ()]


def order_for(folder: Path, workload: dict[str, Any], /, **changes: Any) -> Path:
    """Write an order and return its path; one thread, because the tests share a machine."""
    order = {
        "trial": "base-t1",
        "arm": "base",
        "kind": "throughput",
        "workload": workload,
        "options": {},
        "seed": 7,
        "device": "cpu",
        "events": str(folder / "events.jsonl"),
        "controls": {"affinity": None, "threads": 1},
    } | changes
    if order["kind"] == "throughput":
        order.setdefault("throughput", {"warmup": 1, "iterations": 3})
    path = folder / "order.json"
    path.write_text(json.dumps(order))
    return path


def command_line(order: Path) -> list[str]:
    return [sys.executable, "-P", "-m", "dlaudit.runners.trial.worker", str(order)]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(PROGRAMS)}


@pytest.fixture
def worker() -> SimpleNamespace:
    """The pieces with which a test runs the worker itself."""
    return SimpleNamespace(order=order_for, command_line=command_line, environment=environment)


@pytest.fixture
def run_trial(tmp_path: Path) -> Callable[..., Trial]:
    count = 0

    def run(workload: dict[str, Any], /, **changes: Any) -> Trial:
        nonlocal count
        count += 1
        folder = tmp_path / str(count)
        folder.mkdir()
        path = order_for(folder, workload, **changes)
        done = subprocess.run(command_line(path), capture_output=True, text=True, env=environment(), check=False)
        return Trial(done.returncode, done.stdout, done.stderr, events.read(folder / "events.jsonl"))

    return run
