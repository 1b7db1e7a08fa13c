"""Runs trials in the real worker, each in a process of its own."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
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


class Clock:
    """A stand-in for the module `time`: it goes on while somebody sleeps, and by a microsecond with each reading."""

    reading_s = 1e-6

    def __init__(self) -> None:
        self._now_ns = 0

    def perf_counter_ns(self) -> int:
        self._now_ns += round(self.reading_s * 1e9)
        return self._now_ns

    def perf_counter(self) -> float:
        return self.perf_counter_ns() / 1e9

    monotonic = perf_counter

    def sleep(self, duration_s: float) -> None:
        self._now_ns += round(duration_s * 1e9)


@pytest.fixture
def scripted_time(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Clock]:
    """Return a function that has modules read a clock which shows the same on every machine, however busy."""

    def replaced(*modules: Any) -> Clock:
        clock = Clock()
        for module in modules:
            monkeypatch.setattr(module, "time", clock)
        return clock

    return replaced


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """The tests share a machine, and threads of torch that wait for each other keep processors busy."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def forking_worker() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-P", str(PROGRAMS / "forking_worker.py")]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=environment()) as process:
        yield process


@pytest.fixture
def run_trial(tmp_path: Path, forking_worker: subprocess.Popen[str]) -> Callable[..., Trial]:
    """Run a trial in a process of its own, a fork of one that has loaded torch."""
    count = itertools.count()

    def run(workload: dict[str, Any], /, **changes: Any) -> Trial:
        folder = tmp_path / str(next(count))
        folder.mkdir()
        path, printed, log = order_for(folder, workload, **changes), folder / "printed", folder / "log"
        forking_worker.stdin.write(f"{path}\t{printed}\t{log}\n")
        forking_worker.stdin.flush()
        code = int(forking_worker.stdout.readline())
        return Trial(code, printed.read_text(), log.read_text(), events.read(folder / "events.jsonl"))

    return run


@pytest.fixture
def start_trial(tmp_path: Path) -> Callable[..., Trial]:
    """Run a trial as a study does: in a process that starts for it."""
    count = itertools.count()

    def run(workload: dict[str, Any], /, **changes: Any) -> Trial:
        folder = tmp_path / str(next(count))
        folder.mkdir()
        path = order_for(folder, workload, **changes)
        done = subprocess.run(command_line(path), capture_output=True, text=True, env=environment(), check=False)
        return Trial(done.returncode, done.stdout, done.stderr, events.read(folder / "events.jsonl"))

    return run
