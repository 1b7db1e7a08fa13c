"""A busy neighbour beside one of two equal arms: how often they are called different; and a loss while both are quiet.

    python -P benchmarks/neighbour.py [--studies 20] [--trials 5]

The neighbour is as many busy loops as there are processors, which run while a trial of its arm does and are stopped
else. In the last study nobody is beside an arm whose steps are 20 % longer; on a machine that others use the answer to
it may be that the machine was busy.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LOOP = Path(__file__).parent / "programs" / "loop.py"
DLAUDIT = Path(sys.executable).with_name("dlaudit")
TURNS, LOSS = 100_000, 1.2
LOOK_S = 0.02


def main() -> None:
    """Run the studies and print what was answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=20)
    parser.add_argument("--trials", type=int, default=5, help="of each arm")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neighbour-") as name:
        found = Counter(_beside(Path(name, str(number)), told.trials) for number in range(told.studies))
        print(f"a neighbour beside one of two equal arms: {dict(found.most_common())} of {told.studies} studies")
        _answered("quiet, 20 % more work", Path(name, "quiet"), told.trials, round(TURNS * LOSS))


def _beside(folder: Path, trials: int) -> str:
    with _neighbour(folder / "out" / "trials"):
        return _answered("beside", folder, trials, TURNS)


def _answered(what: str, folder: Path, trials: int, turns: int) -> str:
    """Measure two arms, print what was answered, and return it."""
    began = time.monotonic()
    folder.mkdir()
    arms = {
        name: {"options": {"name": name}, "workload": {"command": [sys.executable, str(LOOP), str(count)]}}
        for name, count in (("alone", TURNS), ("other", turns))
    }
    spec = {
        "dlaudit": "spec/1",
        "title": "a neighbour",
        "workload": {"command": [sys.executable, str(LOOP), str(TURNS)]},
        "arms": arms,
        "throughput": {"warmup": 5, "iterations": 60, "trials": trials},
        "telemetry": False,
    }
    (folder / "spec.json").write_text(json.dumps(spec))
    _call(folder, "run", "spec.json", "--out", "out", "--unsigned")
    vary = ("--vary", "name", *(("--vary", "workload.argument_1") if turns != TURNS else ()))
    said = _call(folder, "compare", "out@alone", "out@other", "--metric", "rate", "--format", "json", *vary)
    (found,) = json.loads(said)["comparisons"]
    row: dict[str, Any] = found["metrics"].get("rate", {})
    shown = {"answer": found["outcome"], "change": row.get("change"), "interval": row.get("interval")}
    load, seconds = round(os.getloadavg()[0], 1), round(time.monotonic() - began, 1)
    print(f"{what}: {json.dumps(shown | {'load': load, 'seconds': seconds})}", flush=True)
    return str(found["outcome"])


def _call(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [DLAUDIT, *arguments],
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"dlaudit {arguments[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


@contextmanager
def _neighbour(trials: Path) -> Iterator[None]:
    """Keep every processor busy while a trial of the arm `other` runs in this folder."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    over = threading.Event()
    watch = threading.Thread(target=_follow, args=(trials, loops, over))
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()
        for loop in loops:
            loop.kill()
            loop.wait()


def _follow(trials: Path, loops: list[subprocess.Popen[bytes]], over: threading.Event) -> None:
    while not over.wait(LOOK_S):
        begun, ended = (len(list(trials.glob(f"other-t*.{kind}.json"))) for kind in ("order", "record"))
        for loop in loops:
            loop.send_signal(signal.SIGCONT if begun > ended else signal.SIGSTOP)


if __name__ == "__main__":
    main()
