"""Two revisions in one job: how often equal ones are called different, and a real loss is found.

    python -P benchmarks/revisions.py [--equal 40] [--slower 20] [--trials 10] [--out FILE]

Each pair is a repository of two commits, measured by `dlaudit compare --revisions` as a pull request would be: the
second commit is the first with a comment more, or makes a processor-bound step 5 % longer: the digest of 21 blocks in
place of 20. A loop of Python would not do: its time for one turn depends on how many there are, by more than 5 %.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STEP = """
import hashlib, json, os, time
from speed import ROUNDS

BLOCK = bytes(400_000)
request = json.loads(os.environ["DLAUDIT_REQUEST"])


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def step():
    start, digest = time.perf_counter(), hashlib.sha256()
    for _ in range(ROUNDS):
        digest.update(BLOCK)
    return time.perf_counter() - start


tell("options", effective={"model": "loop", "global_batch": 1}, work_per_iteration=1, work_unit="samples",
     samples_per_iteration=1)
plan = request["throughput"]
tell("warmup", step_time_s=[step() for _ in range(plan["warmup"])])
tell("iterations", step_time_s=[step() for _ in range(plan["iterations"])])
"""
ROUNDS, SLOWER = 20, 21


def main() -> None:
    """Measure the pairs and print what was answered of them, with the load that the machine had meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--equal", type=int, default=40, help="pairs of equal revisions")
    parser.add_argument("--slower", type=int, default=20, help="pairs of which the second loses 5 %%")
    parser.add_argument("--trials", type=int, default=10, help="of each revision")
    parser.add_argument("--out", type=Path, help="file that takes every answer as a line of JSON")
    told = parser.parse_args()
    answers = []
    for number, kind in enumerate(_kinds(told.equal, told.slower), 1):
        answers.append(_pair(kind, told.trials))
        print(f"{number}: {json.dumps(answers[-1])}", flush=True)
        if told.out is not None:
            told.out.write_text("".join(f"{json.dumps(one)}\n" for one in answers))
    for kind in ("equal", "slower"):
        found = Counter(one["answer"] for one in answers if one["kind"] == kind)
        print(f"{kind}: {sum(found.values())} pairs: {', '.join(f'{count} {name}' for name, count in found.items())}")


def _kinds(equal: int, slower: int) -> Iterator[str]:
    """Yield the kinds in turn, so that a busy hour meets both."""
    places = [((number + 0.5) / equal, "equal") for number in range(equal)]
    places += [((number + 0.5) / slower, "slower") for number in range(slower)]
    yield from (kind for _, kind in sorted(places))


def _pair(kind: str, trials: int) -> dict[str, Any]:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="revisions-") as name:
        folder = Path(name)
        _repository(folder, ROUNDS if kind == "equal" else SLOWER)
        done = subprocess.run(
            [
                *(Path(sys.executable).with_name("dlaudit"), "compare", "--revisions", "HEAD~1", "HEAD", "spec.yaml"),
                *("--metric", "rate", "--trials", str(trials), "--format", "json"),
            ],
            cwd=folder,
            env={**os.environ, "XDG_STATE_HOME": name},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1, 3):
            raise SystemExit(f"the comparison ended with {done.returncode}: {done.stderr[-2000:]}")
        (found,) = json.loads(done.stdout)["comparisons"]
    row = found["metrics"].get("rate", {})
    load = os.getloadavg()[0]
    return {
        "kind": kind,
        "answer": found["outcome"],
        "change": row.get("change"),
        "interval": row.get("interval"),
        "busy": bool(row.get("load") and row["load"]["explains"]),
        "exit": done.returncode,
        "load": round(load, 1),
        "seconds": round(time.monotonic() - began, 1),
    }


def _repository(folder: Path, rounds: int) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
        subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    (folder / "step.py").write_text(STEP)
    (folder / "spec.yaml").write_text(
        "dlaudit: spec/1\ntitle: A loop\nworkload: {command: [python3, step.py]}\n"
        "throughput: {warmup: 5, iterations: 60, trials: 5}\ntelemetry: false\n"
    )
    for number, count in enumerate((ROUNDS, rounds)):
        (folder / "speed.py").write_text(f"ROUNDS = {count}  # {number}\n")
        git("add", "-A")
        git("commit", "-qm", str(number))


if __name__ == "__main__":
    main()
