"""Start-up: CPU time of `--version` and of a small lint, as ratios to `python -c "import click"` in the same run."""

from __future__ import annotations

import compileall
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

import dlaudit.audit

ROUNDS = 15
CLAIM = {
    "statement": "Training is 3.2x faster.",
    "value": "3.2",
    "unit": "x",
    "quantity": "rate",
    "form": "ratio",
    "scope": "step",
    "mode": "training",
    "compares": "other_system",
}


def cpu_s(command: list[str]) -> float:
    """Return user and system time of one run of a command, its output thrown away."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.execv(command[0], command)
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Time the three commands in turn, with their byte code written as an installer does; print medians and ratios."""
    for part in ("audit", "rules", "runners", "schemas"):
        compileall.compile_dir(Path(dlaudit.audit.__file__).parents[1] / part, quiet=1)
    tool = str(Path(sys.executable).with_name("dlaudit"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentence.json"
        path.write_text(json.dumps({"dlaudit": "submission/1", "title": "A post", "claims": {"c": CLAIM}}))
        commands = {
            "import click": [sys.executable, "-c", "import click"],
            "--version": [tool, "--version"],
            "small lint": [tool, "lint", str(path)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS + 1):
            for name, command in commands.items():
                times[name].append(cpu_s(command))
    peer = statistics.median(times["import click"][1:])
    print(f"start-up, CPU time, median of {ROUNDS} runs")
    for name, values in times.items():
        median = statistics.median(values[1:])
        print(f"  {name:<14}{median * 1e3:8.1f} ms   {median / peer:5.2f} x import click")


if __name__ == "__main__":
    main()
