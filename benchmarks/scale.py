"""Judge generated submissions in one process and through Ray, and print how fast and how large each is.

A submission is an example of a rule, flagged or accepted, under a title of its own. Memory is the proportional set size
of all processes of the command together, sampled; of Ray that counts its store and its servers.

    python -P benchmarks/scale.py [--count 10000] [--jobs 2]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.schemas.validation import is_valid
from msgspec import json

MARK = "DLAUDIT_BENCHMARK_RUN"
PAUSE_S = 0.5


def main() -> int:
    """Generate, judge both ways and print a table; return 1 where the two found different counts of rows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "all")
        generate(folder, given.count)
        print(f"{'engine':<16}{'documents/s':>12}{'seconds':>10}{'CPU ms/document':>16}{'memory, MB':>12}")
        ways = {"one process": (), f"ray, {given.jobs}": ("--engine", "ray", "--jobs", str(given.jobs))}
        seconds = {name: judged(name, folder, Path(scratch, f"{name[:3]}.parquet"), way) for name, way in ways.items()}
        one, ray = seconds.values()
        print(f"Ray is {one / ray:.2f} times as fast")
        return 0 if rows(Path(scratch, "one.parquet")) == rows(Path(scratch, "ray.parquet")) else 1


def generate(folder: Path, count: int) -> None:
    """Write so many submissions, each into a file of its own."""
    folder.mkdir()
    for number, value in enumerate(islice(cycle(list(examples())), count)):
        (folder / f"{number:06}.json").write_bytes(json.encode({**value, "title": f"submission {number}"}))


def examples() -> Iterator[Any]:
    """Yield the examples of all rules that stand without further files."""
    for rule in book():
        for part in ("Flagged", "Accepted"):
            found = example(sections(rule.doc)[part])
            value = merge_patch(base(found.base), found.patch)
            if is_valid("submission", value) and not value.get("manifests"):
                yield value


def judged(name: str, folder: Path, out: Path, way: tuple[str, ...]) -> float:
    """Judge a folder in a command of its own, print its figures and return the seconds that it took."""
    command = (Path(sys.executable).with_name("dlaudit"), "lint", str(folder), "--out", str(out), "--no-config")
    mark, start = uuid.uuid4().hex, time.monotonic()
    process = subprocess.Popen((*command, *way), env={**os.environ, MARK: mark}, stdout=subprocess.DEVNULL)
    used = Used()
    watch = threading.Thread(target=_watch, args=(process, mark, used))
    watch.start()
    if process.wait() not in {0, 1}:
        raise SystemExit(f"{name}: it ended with exit code {process.returncode}")
    spent = time.monotonic() - start
    watch.join()
    count = sum(1 for _ in folder.iterdir())
    processor_ms = 1e3 * sum(used.processor_s.values()) / count
    figures = f"{count / spent:>12.0f}{spent:>10.1f}{processor_ms:>16.1f}{used.memory_bytes / 1e6:>12.0f}"
    print(f"{name:<16}{figures}", flush=True)
    return spent


@dataclass
class Used:
    """What the processes of a command took."""

    memory_bytes: int = 0
    processor_s: dict[str, float] = field(default_factory=dict)
    """By process, as it was last seen."""


def _watch(process: subprocess.Popen[bytes], mark: str, used: Used) -> None:
    while process.poll() is None:
        found = _marked(mark)
        used.memory_bytes = max(used.memory_bytes, sum(map(_size, found)))
        for path in found:
            used.processor_s[path.name] = max(_processor_s(path), used.processor_s.get(path.name, 0))
        time.sleep(PAUSE_S)


def _marked(mark: str) -> list[Path]:
    wanted = f"{MARK}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (path / "environ").read_bytes().split(b"\0"):
                found.append(path)
        except OSError:
            continue
    return found


def _size(path: Path) -> int:
    try:
        lines = (path / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _processor_s(path: Path) -> float:
    """Return the time of the processor that a process took, in user and kernel mode."""
    try:
        fields = (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rows(path: Path) -> int:
    """Return how many rows a file of Parquet has."""
    from pyarrow.parquet import read_metadata

    return int(read_metadata(path).num_rows)


if __name__ == "__main__":
    sys.exit(main())
