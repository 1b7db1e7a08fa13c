"""Whether studies find a slow-down that is there, and none that is not; and what an interval costs beside its peers.

    slowdown.py [STUDIES]     20 where not given

Three parts:
- a program with drawn step times (programs/known_clock.py): studies of two arms, one slowed by 5 %, and studies of two
  equal arms, each run by `dlaudit run` and decided by `dlaudit compare`;
- the machine itself: an arm that does 20 % more work in every step;
- the wall time for an interval of one product's time, and its width: dlaudit, pyperf and torch.utils.benchmark.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from dlaudit.audit.cli import run
from dlaudit.rules.statistics.intervals import geometric_mean, log_t_interval

HERE = Path(__file__).parent
PYTHON = sys.executable
PROCESSES = 5
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


def wall_times(folder: Path) -> dict[str, tuple[float, list[float]]]:
    """Return per tool its wall time for five processes that time a 256 x 256 product, and the median of each in s."""
    found = {}
    began = time.perf_counter()
    workload = {"name": "gemm", "parameters": {"m": 256, "n": 256, "k": 256}}
    out = study(folder / "wall", {"base": {}}, PROCESSES, 200, workload)
    spent = time.perf_counter() - began
    trials = json.loads((out / "manifest.json").read_text("utf-8"))["predicate"]["arms"]["base"]["trials"].values()
    found[f"dlaudit: {PROCESSES} processes x 200 iterations, recorded"] = (
        spent,
        [float(trial["medians"]["step_time_s"]) for trial in trials],
    )
    timer = f"{SETUP}\nfrom torch.utils.benchmark import Timer\n"
    timer += "print(Timer('a @ a', globals={'a': a}).blocked_autorange().median)"
    began = time.perf_counter()
    heard = [subprocess.check_output([PYTHON, "-c", timer], text=True) for _ in range(PROCESSES)]
    found[f"torch.utils.benchmark: {PROCESSES} processes x blocked_autorange"] = (
        time.perf_counter() - began,
        [float(line) for line in heard],
    )
    result = folder / "pyperf.json"
    pyperf = [PYTHON, "-m", "pyperf", "timeit", f"-p{PROCESSES}", "-q", "-o", str(result), "-s", SETUP, "a @ a"]
    began = time.perf_counter()
    subprocess.run(pyperf, capture_output=True, check=True)
    spent = time.perf_counter() - began
    runs = json.loads(result.read_text("utf-8"))["benchmarks"][0]["runs"]
    medians = [statistics.median(run["values"]) for run in runs if "values" in run]
    found[f"pyperf: {PROCESSES} processes (timeit -p{PROCESSES})"] = (spent, medians)
    return found


def width(medians: list[float]) -> str:
    """Return half the width of the 95 % interval over processes, as a share of its middle."""
    interval = log_t_interval(medians)
    if interval is None:
        return "no interval"
    return f"+- {50 * (interval.upper - interval.lower) / geometric_mean(medians):.1f} %"


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
        ours = next(iter(times.values()))[0]
        for tool, (spent, medians) in times.items():
            us = 1e6 * geometric_mean(medians)
            print(f"{tool}: {spent:.1f} s ({spent / ours:.2f} x dlaudit) for {us:.1f} us {width(medians)}")


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(HERE / "programs")  # for the workers, which import products.py
    main()
