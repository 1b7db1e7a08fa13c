"""Whether studies find a slow-down that is there, and none that is not; and what an interval costs beside its peers.

    slowdown.py [STUDIES]     20 where not given

Three parts:
- a program with drawn step times (programs/known_clock.py): studies of two arms, one slowed by 5 %, and studies of two
  equal arms, each run by `dlaudit run` and decided by `dlaudit compare`;
- the machine itself: an arm that does 20 % more work in every step;
- the wall time for an interval of one product's time: dlaudit, pyperf (where installed) and torch.utils.benchmark.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from dlaudit.audit.cli import run

HERE = Path(__file__).parent
PYTHON = sys.executable
STEPS = {"plain": 10, "slowed": 12}
SETUP = "import torch; torch.set_num_threads(1); a = torch.randn(256, 256)"


def study(folder: Path, arms: dict[str, Any], trials: int, iterations: int, workload: dict[str, Any]) -> Path:
    """Run a study of these arms and return its folder."""
    spec = {
        "dlaudit": "spec/1",
        "title": "slow-down",
        "workload": workload,
        "arms": arms,
        "throughput": {"warmup": 5, "iterations": iterations, "trials": trials},
        "controls": {"threads": 1},
        "order": {"kind": "interleaved", "seed": 3},
    }
    folder.mkdir()
    (folder / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = run(["run", str(folder / "spec.json"), "--out", str(folder / "out"), "--unsigned"])
    if code not in {0, 3}:
        raise RuntimeError(f"the study ended with {code}")
    return folder / "out"


def answer(out: Path, old: str, new: str, margin: str) -> tuple[str, str]:
    """Return what `dlaudit compare` says of the rate of two arms, and the ratio with its interval."""
    arguments = ["compare", f"{out}@{old}", f"{out}@{new}", "--metric", "rate", "--margin", margin, "--format", "json"]
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        run([*arguments, "--vary", "name"])
    row = json.loads(heard.getvalue())["comparisons"][0]["metrics"]["rate"]
    return row["outcome"], f"{row['change']:.3f} [{row['interval'][0]:.3f}, {row['interval'][1]:.3f}]"


def drawn(number: int, slower: float, folder: Path) -> str:
    """Return the answer of a study of drawn times whose new arm is slower by a factor."""
    program = str(HERE / "programs" / "known_clock.py")
    arms = {
        name: {"options": {"name": name}, "workload": {"command": [PYTHON, program, str(factor), str(number)]}}
        for name, factor in (("plain", 1.0), ("slowed", slower))
    }
    out = study(folder / f"{number}-{slower}", arms, 5, 40, {"command": [PYTHON, program, "1", str(number)]})
    return answer(out, "plain", "slowed", "0.01")[0]


def measured(folder: Path) -> tuple[str, str]:
    """Return the answer of a study whose new arm multiplies 12 matrices a step in place of 10."""
    arms = {
        name: {"options": {"name": name}, "workload": {"entry": "products:Products", "parameters": {"count": count}}}
        for name, count in STEPS.items()
    }
    out = study(folder / "machine", arms, 5, 200, {"entry": "products:Products", "parameters": {"count": 10}})
    return answer(out, "plain", "slowed", "0.02")


def wall_times(folder: Path) -> dict[str, float]:
    """Return the wall time of each tool for an interval of a 256 x 256 product's time over five processes."""
    found = {}
    began = time.perf_counter()
    study(folder / "wall", {"base": {}}, 5, 200, {"name": "gemm", "parameters": {"m": 256, "n": 256, "k": 256}})
    found["dlaudit: 5 processes x 200 iterations, recorded and judged"] = time.perf_counter() - began
    timer = f"{SETUP}\nfrom torch.utils.benchmark import Timer\nTimer('a @ a', globals={{'a': a}}).blocked_autorange()"
    began = time.perf_counter()
    for _ in range(5):
        subprocess.run([PYTHON, "-c", timer], check=True, capture_output=True)
    found["torch.utils.benchmark: 5 processes x blocked_autorange"] = time.perf_counter() - began
    pyperf = [PYTHON, "-m", "pyperf", "timeit", "-p5", "-s", SETUP, "a @ a"]
    began = time.perf_counter()
    done = subprocess.run(pyperf, capture_output=True, check=False)
    if done.returncode == 0:
        found["pyperf: 5 processes (-p5)"] = time.perf_counter() - began
    return found


def main() -> None:
    """Print the three parts."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for slower, what in ((1.05, "slowed by 5 %"), (1.0, "equal")):
            began = time.perf_counter()
            found = Counter(drawn(number, slower, folder) for number in range(studies))
            spent = (time.perf_counter() - began) / studies
            print(f"drawn times, {what}: {dict(found.most_common())} of {studies} studies, {spent:.1f} s each")
        outcome, ratio = measured(folder)
        print(f"this machine, 20 % more work a step (rate 0.833): {outcome}, {ratio}")
        times = wall_times(folder)
        least = times["dlaudit: 5 processes x 200 iterations, recorded and judged"]
        for tool, spent in times.items():
            print(f"wall time for an interval, {tool}: {spent:.1f} s ({spent / least:.2f} x dlaudit)")


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(HERE / "programs")  # for the workers, which import products.py
    main()
