"""Raw numbers: CPU time of a lint over 10,000 inline samples, and of reading and judging one million from files."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case, Columns, Study
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.evidence import Trial
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from dlaudit.schemas.samples import read_samples
from dlaudit.schemas.submission import Submission

TRIALS, ROWS = 10, 1000
FILES, FILE_ROWS = 10, 100_000


def inline(path: Path) -> None:
    """Write a submission with 10,000 raw step times."""
    source = random.Random(1)
    trials = {
        f"t{index}": {
            "kind": "throughput",
            "outcome": "completed",
            "seed": index,
            "iterations_planned": ROWS,
            "samples": {"step_time_s": [round(0.1024 * (1 + source.gauss(0, 0.005)), 6) for _ in range(ROWS)]},
        }
        for index in range(TRIALS)
    }
    rate = base("rate")
    patch = {
        "arms": {"a": {"trials": trials, "plan": {"trials": TRIALS, "started": TRIALS, "seeds": list(range(TRIALS))}}}
    }
    path.write_text(json.dumps(merge_patch(rate, patch)))


def lint_cpu_s(path: Path) -> float:
    """Return user and system time of one lint."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    tool = str(Path(sys.executable).with_name("dlaudit"))
    subprocess.run([tool, "lint", "--fail-on", "never", str(path)], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def read_million(folder: Path) -> tuple[float, float]:
    """Return (seconds, peak resident MB) of reading one million samples from ten files, in a process of its own."""
    source = random.Random(2)
    for index in range(FILES):
        column = [round(0.1 * (1 + source.gauss(0, 0.01)), 9) for _ in range(FILE_ROWS)]
        value = {"dlaudit": "samples/1", "trial": f"t{index}", "columns": {"step_time_s": column}}
        (folder / f"t{index}.samples.json").write_text(json.dumps(value))
    done = subprocess.run([sys.executable, __file__, "--read", str(folder)], check=True, capture_output=True, text=True)
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


RECORD = {
    "dlaudit": "study/1",
    "tool": {"name": "dlaudit", "version": "1"},
    "libraries": {},
    "study": {
        **dict.fromkeys(("id", "title", "spec", "started", "ended"), "s"),
        "spec_sha256": "0" * 64,
        "complete": True,
    },
    "plan": [],
}


def judge_all(folder: Path) -> None:
    """Judge a rate on the sample files of a folder by the whole book, and print the CPU seconds with reading them."""
    value = base("rate")
    trials = {
        f"t{index}": {
            "kind": "throughput",
            "outcome": "completed",
            "samples_file": {"path": f"t{index}.samples.json", "sha256": "0" * 64, "rows": FILE_ROWS},
        }
        for index in range(FILES)
    }
    value = merge_patch(value, {"arms": {"a": {"trials": dict.fromkeys(value["arms"]["a"]["trials"])}}})
    value = merge_patch(value, {"arms": {"a": {"trials": trials}}})
    record = to_model({**RECORD, "systems": value["systems"], "arms": value["arms"]}, Predicate, "study:")
    cited = {"claims": {"rate": {"measured": {"manifest": "study"}}}, "arms": None}
    manifests = {"manifests": {"study": {"path": "study/manifest.json", "sha256": "0" * 64}}}
    submission = to_model(merge_patch(value, cited | manifests), Submission)
    rules, start = book(), time.process_time()

    def read(trial: Trial) -> Columns:
        assert trial.samples_file is not None
        path = folder / trial.samples_file.path
        return read_samples(path.read_bytes(), path.name).columns

    results = judge(Case(submission, {"study": Study("study", record, "trusted", (), read)}), rules)
    assert not [result for result in results if result.outcome is Outcome.ERROR]
    print(time.process_time() - start)


def read_all(folder: Path) -> None:
    """Read every sample file of a folder and print seconds and peak resident MB."""
    start = time.perf_counter()
    kept = [read_samples(path.read_bytes(), path.name) for path in sorted(folder.glob("*.samples.json"))]
    seconds = time.perf_counter() - start
    assert sum(len(file.columns["step_time_s"]) for file in kept) == FILES * FILE_ROWS
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print both figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inline(folder / "raw.json")
        lint_cpu_s(folder / "raw.json")
        best = min(lint_cpu_s(folder / "raw.json") for _ in range(5))
        print(f"lint with 10,000 raw samples: {best:.2f} s CPU (least of 5)")
        seconds, megabytes = read_million(folder)
        print(f"reading 1,000,000 raw samples from {FILES} files: {seconds:.2f} s, {megabytes:.0f} MB resident")
        command = [sys.executable, __file__, "--judge", str(folder)]
        judged = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        print(f"reading and judging them by all {len(book())} rules: {float(judged):.2f} s CPU")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read_all(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["--judge"]:
        judge_all(Path(sys.argv[2]))
    else:
        main()
