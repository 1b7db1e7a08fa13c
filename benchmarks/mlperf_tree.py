"""Lint a tree of logs of the size of three published rounds, and run the suite's own package checker beside it.

The tree is synthetic: 1,669 logs with 373 MB, in results of 10, 5 and 3 runs, with system descriptions. The checker is
`mlperf-logging` from PyPI, in an environment of its own that is made for the run (or is there already: `--checker
PYTHON`); it judges one submitter's folder, and its time for the whole tree follows from that folder's share of the
bytes. Both run in turn on the same machine. Then both
judge a result with one fault at a time; a fault counts as seen where the output says something that it does not say of
the honest result.

    python -P benchmarks/mlperf_tree.py [--checker PYTHON] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FILES, MEGABYTES = 1_669, 373
CHECKER = "mlperf-logging==4.1.68"
ROUND = "5.0"
BENCHMARKS = {"llama2_70b_lora": 10, "retinanet": 5, "bert": 10, "rgat": 10, "dlrm_dcnv2": 10, "llama31_405b": 3}
TARGETS = {"llama2_70b_lora": 0.925, "retinanet": 0.34, "bert": 0.72, "rgat": 0.72, "dlrm_dcnv2": 0.80275}
SETS = {
    "llama2_70b_lora": (3_901, 173),
    "retinanet": (1_170_301, 24_781),
    "rgat": (94_605_581, 788_379),
    "dlrm_dcnv2": (4_195_197_692, 89_137_319),
}
"""Training and evaluation examples; of the others any."""
LINE = ':::MLLOG {"namespace": "", "time_ms": %d, "event_type": "%s", "key": "%s", "value": %s, "metadata": {%s}}'
FILE = '"file": "/workspace/training/callbacks/mlperf_logger.py", "lineno": %d'
NOISE = "[rank %d] iteration %6d | elapsed %.3f s | loss scale 65536.0 | grad norm %.6f | memory 71.2 GiB | all is well"
BLOCKS, FEW_BLOCKS, STATS = 21, 4, 20
ROUNDS, TREES = 15, 5


def line(time_ms: int, key: str, value: object, event: str = "POINT_IN_TIME", **counters: float) -> str:
    """Return one line of a log."""
    inside = FILE % (len(key) * 7) + "".join(f', "{name}": {number}' for name, number in counters.items())
    return LINE % (time_ms, event, key, json.dumps(value), inside)


def log(benchmark: str, platform: str, start_ms: int, seed: int, pace: float, blocks: int = BLOCKS) -> Iterator[str]:
    """Yield the lines of one run: options, then evaluations with statistics and other output between them."""
    t = start_ms - 90_000
    yield line(t, "cache_clear", True)
    yield line(t + 4, "init_start", None, "INTERVAL_START")
    named = {
        "benchmark": benchmark,
        "org": "Example Lab",
        "division": "closed",
        "status": "onprem",
        "platform": platform,
    }
    yield from (line(t + 10, f"submission_{key}", value) for key, value in named.items())
    train_samples, eval_samples = SETS.get(benchmark, (150_000, 10_000))
    options = {
        "seed": seed,
        "global_batch_size": 512,
        "opt_name": "adam",
        "opt_base_learning_rate": 0.0005,
        "opt_weight_decay": 0.0001,
        "opt_gradient_clip_norm": 0.3,
        "opt_learning_rate_warmup_factor": 0.0,
        "opt_learning_rate_training_steps": 1024,
        "gradient_accumulation_steps": 1,
        "lora_rank": 16,
        "train_samples": train_samples,
        "eval_samples": eval_samples,
        "number_of_nodes": 1,
        "accelerators_per_node": 8,
    }
    yield from (line(t + 40 + index, key, value) for index, (key, value) in enumerate(options.items()))
    yield line(start_ms - 1, "init_stop", None, "INTERVAL_END")
    yield line(start_ms, "run_start", None, "INTERVAL_START")
    t, samples = float(start_ms), 0
    for block in range(blocks):
        yield line(int(t) + 1, "block_start", None, "INTERVAL_START", samples_count=samples)
        for step in range(STATS):
            t, samples = t + pace + (seed * 31 + block * 17 + step * 13) % 23, samples + 512
            loss = 2.1 / (1 + 0.02 * (block * STATS + step)) + seed % 97 * 1e-6
            stats = {
                "train_loss": round(loss, 9),
                "throughput": round(512_000 / pace, 6),
                "train_step_time": pace / 1000,
            }
            yield line(int(t), "tracked_stats", stats, samples_count=samples)
            yield NOISE % (seed % 8, block * STATS + step, t / 1000, loss)
        yield "" if block % 5 == 0 else NOISE % (0, block, t / 1000, 0.5)
        yield line(int(t) + 2, "block_stop", None, "INTERVAL_END", samples_count=samples)
        yield line(int(t) + 3, "eval_start", None, "INTERVAL_START", samples_count=samples)
        t += 2_000 + (seed * 7 + block * block * 11) % 211
        yield line(
            int(t),
            "eval_accuracy",
            quality(benchmark, blocks - 1 - block, seed),
            samples_count=samples,
            epoch_num=block + 1,
        )
        yield line(int(t) + 1, "eval_stop", None, "INTERVAL_END", samples_count=samples)
    yield line(int(t) + 5, "run_stop", None, "INTERVAL_END", samples_count=samples, status=1).replace(
        '"status": 1', '"status": "success"'
    )


def quality(benchmark: str, left: int, seed: int) -> float:
    """Return an evaluation that meets the target at the last block only; `left` blocks come after it."""
    target = TARGETS.get(benchmark, 0.5)
    sign = -1 if benchmark in {"llama2_70b_lora"} else 1
    return round(target * (1 + sign * (0.003 - 0.01 * left) + seed % 89 * 1e-6), 12)


def write_tree(root: Path) -> tuple[int, int]:
    """Write the tree; return how many logs it has and their bytes."""
    files = size = 0
    start = 1_744_000_000_000
    for number in range(10_000):
        submitter, system = f"submitter_{number // 12}", f"system_{number // 4}"
        home = root / f"training_results_v{ROUND}" / submitter
        benchmark = list(BENCHMARKS)[number % len(BENCHMARKS)]
        folder = home / "results" / system / benchmark
        folder.mkdir(parents=True, exist_ok=True)
        (home / "systems").mkdir(exist_ok=True)
        (home / "systems" / f"{system}.json").write_text(json.dumps(description(submitter, system), indent=1))
        for index in range(BENCHMARKS[benchmark]):
            pace = 1_500.0 + number % 7 + index * 3.25
            lines = list(log(benchmark, f"1x{system}", start, 1_000_003 * files + 17, pace))
            left = MEGABYTES * 1_000_000 // FILES - sum(map(len, lines)) - len(lines)
            lines[40:40] = ["x" * 99] * max(0, left // 100)
            data = "\n".join(lines).encode() + b"\n"
            (folder / f"result_{index}.txt").write_bytes(data)
            files, size, start = files + 1, size + len(data), start + 1_900_000
            if files == FILES:
                return files, size
    raise AssertionError("the tree is smaller than asked for")


def description(submitter: str, system: str) -> dict[str, str]:
    """Return a system description."""
    return {
        "submitter": submitter,
        "division": "closed",
        "status": "Available on-premise",
        "system_name": system,
        "number_of_nodes": "1",
        "host_processors_per_node": "2",
        "host_processor_model_name": "Example CPU 9000",
        "host_processor_core_count": "56",
        "host_memory_capacity": "2 TB",
        "host_storage_type": "NVMe",
        "host_storage_capacity": "30 TB",
        "accelerators_per_node": "8",
        "accelerator_memory_capacity": "80 GB",
        "accelerator_model_name": "NVIDIA H100-SXM5-80GB",
        "framework": "PyTorch 2.6",
        "operating_system": "Ubuntu 22.04",
        "other_software_stack": "CUDA 12.4",
        "hw_notes": "none",
        "sw_notes": "none",
    }


def judged(command: list[str]) -> None:
    """Run a command that ends with 0, or with 1 for a bad verdict."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr[-600:]


def timed(command: list[str]) -> tuple[float, float]:
    """Run a command; return seconds, and the greatest resident size among its processes in MB."""
    began = time.perf_counter()
    judged(command)
    return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def cpu_s(command: list[str]) -> float:
    """Run a command; return its user and system time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    judged(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


Edit = Callable[[Path], None]


def in_log(old: str, new: str, run: int = 1, count: int = 1) -> Edit:
    """Return an edit that replaces a text in one log."""

    def edit(home: Path) -> None:
        path = home / "results" / "system_0" / "retinanet" / f"result_{run}.txt"
        text = path.read_text()
        if old not in text:
            raise AssertionError(f"{old!r} is not in the log")
        path.write_text(text.replace(old, new, count))

    return edit


def in_last_evaluation(value: str) -> Edit:
    """Return an edit of the value of the last evaluation of one log."""

    def edit(home: Path) -> None:
        path = home / "results" / "system_0" / "retinanet" / "result_1.txt"
        before, key, after = path.read_text().rpartition('"eval_accuracy", "value": ')
        path.write_text(before + key + re.sub(r"^[0-9.]+", value, after))

    return edit


def copied(home: Path, seed: str | None) -> None:
    """Hand in one run twice, under another seed where one is given."""
    folder = home / "results" / "system_0" / "retinanet"
    text = (folder / "result_0.txt").read_text()
    (folder / "result_1.txt").write_text(text if seed is None else text.replace('"value": 17,', f'"value": {seed},', 1))


def moved(home: Path) -> None:
    """Give the second run the clock times of the first, but for a second."""
    folder = home / "results" / "system_0" / "retinanet"
    text = (folder / "result_1.txt").read_text()
    shift = -1_900_000 + 1_000
    (folder / "result_1.txt").write_text(
        re.sub(r'"time_ms": ([0-9]+)', lambda found: f'"time_ms": {int(found[1]) + shift}', text)
    )


FAULTS: dict[str, Edit] = {
    "a run handed in twice": lambda home: copied(home, None),
    "a run copied under a new seed": lambda home: copied(home, "991"),
    "a seed used twice": in_log('"key": "seed", "value": 1000020,', '"key": "seed", "value": 17,'),
    "two runs at the same time": moved,
    "another batch in one run": in_log('"global_batch_size", "value": 512', '"global_batch_size", "value": 256'),
    "another learning rate in one run": in_log('learning_rate", "value": 0.0005', 'learning_rate", "value": 0.0004'),
    "no start": in_log('"run_start"', '"run_begin"'),
    "a second start": in_log('"key": "init_stop"', '"key": "run_start"'),
    "a line that was cut": in_log(', "value": "adam", "metadata"', ', "value": "ada'),
    "the last evaluation not finite": in_last_evaluation("NaN"),
    "another evaluation set in one run": in_log('"eval_samples", "value": 24781', '"eval_samples", "value": 9700'),
    "a run that failed and says success": in_last_evaluation("0.24"),
    "fewer accelerators than described": lambda home: described(home, "accelerators_per_node", "4"),
    "a placeholder in the description": lambda home: described(home, "operating_system", "TODO"),
    "another benchmark's folder": lambda home: (
        (home / "results/system_0/retinanet").rename(home / "results/system_0/bert") and None
    ),
    "a result without a log": lambda home: (
        [path.write_bytes(b"") for path in (home / "results/system_0/retinanet").iterdir()] and None
    ),
}


def described(home: Path, field: str, value: str) -> None:
    """Change a field of the system description."""
    path = home / "systems" / "system_0.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}, indent=1))


def honest(home: Path) -> None:
    """Write one result of five runs."""
    folder = home / "results" / "system_0" / "retinanet"
    folder.mkdir(parents=True)
    (home / "systems").mkdir()
    (home / "systems" / "system_0.json").write_text(json.dumps(description(home.name, "system_0"), indent=1))
    for run in range(5):
        lines = log(
            "retinanet", "1xsystem_0", 1_744_000_000_000 + run * 1_900_000, 1_000_003 * run + 17, 1_500 + run * 3.25
        )
        (folder / f"result_{run}.txt").write_text("\n".join(lines) + "\n")


def said_by_lint(home: Path, program: list[str], scratch: Path) -> set[str]:
    """Return the codes of dlaudit's findings with what each says of the verdict; nothing to assess is one, too."""
    out = scratch / "verdict.json"
    out.unlink(missing_ok=True)
    command = [*program, "lint", str(home), "--format", f"json:{out}"]
    code = subprocess.run(command, capture_output=True, check=False).returncode
    if code == 3:
        return {"nothing to assess"}
    (report,) = json.loads(out.read_text())["documents"]
    found = [*report["findings"], *(item for claim in report["claims"].values() for item in claim["findings"])]
    return {f"{item['code']} {item['outcome']}" for item in found}


def said_by_checker(home: Path, python: str, scratch: Path) -> set[str]:
    """Return the checker's complaints without numbers and names of files."""
    command = [python, "-m", "mlperf_logging.package_checker", str(home), "training", f"{ROUND}.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=scratch)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith(("INFO", "DEBUG"))]
    return {re.sub(r"[0-9]+|/[^ ]+", "", line).strip() for line in lines} | {f"exit {done.returncode}"}


def faults(program: list[str], checker: str | None, scratch: Path) -> None:
    """Print who sees which fault."""
    told: dict[str, tuple[set[str], set[str]]] = {}
    for number, (name, edit) in enumerate([("", lambda home: None), *FAULTS.items()]):
        home = scratch / f"fault_{number}" / f"training_results_v{ROUND}" / "example"
        home.mkdir(parents=True)
        honest(home)
        edit(home)
        told[name] = (
            said_by_lint(home, program, scratch),
            said_by_checker(home, checker, scratch) if checker else set(),
        )
    ours, theirs = told.pop("")
    for name, (lint, complaints) in told.items():
        codes = ", ".join(sorted({words.split()[0] if words[:1].isupper() else words for words in lint - ours})) or "-"
        beside = f"   checker: {'seen' if complaints - theirs else '-'}" if checker else ""
        print(f"  {name:<38} dlaudit: {codes:<28}{beside}")


def installed_checker(folder: Path) -> str | None:
    """Install the checker in an environment of its own; return its Python, or None where that cannot be done."""
    python = folder / "checker" / "bin" / "python"
    for command in (
        [sys.executable, "-m", "venv", str(python.parent.parent)],
        [str(python), "-m", "pip", "install", "--quiet", CHECKER],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"package checker: {CHECKER} cannot be installed: {done.stderr.strip()[-200:]}")
            return None
    return str(python)


def main() -> None:
    """Write the tree, lint it, run the checker on a part of it, and show both one fault at a time."""
    parser = argparse.ArgumentParser(description="Lint a large tree of logs.")
    parser.add_argument("--checker", metavar="PYTHON", help="a Python with mlperf-logging")
    parser.add_argument("--keep", metavar="FOLDER", help="write the tree there, or use the one that is there")
    given = parser.parse_args()
    program = [str(Path(sys.executable).with_name("dlaudit"))]
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        root = Path(given.keep or folder)
        tree = root / f"training_results_v{ROUND}"
        if not tree.exists():
            files, size = write_tree(root)
            print(f"tree: {files:,} logs, {size / 1e6:.0f} MB")
        out = ["--format", f"json:{scratch / 'tree.json'}"]
        runs = [timed([*program, "lint", str(tree), *out, "--jobs", "2"]) for _ in range(TREES)]
        took, memory = min(run[0] for run in runs), max(run[1] for run in runs)
        print(
            f"dlaudit lint --jobs 2: {took:.2f} s, the best of {TREES} ({runs[0][0]:.2f} s the first), at most "
            f"{memory:.0f} MB a process"
        )
        one = scratch / "one" / "result_0.txt"
        one.parent.mkdir()
        one.write_text("\n".join(log("llama2_70b_lora", "1xsystem_0", 1_744_000_000_000, 17, 1_500, FEW_BLOCKS)) + "\n")
        pairs = [
            (cpu_s([sys.executable, "-c", "import click"]), cpu_s([*program, "lint", str(one)])) for _ in range(ROUNDS)
        ]
        peer, small = (statistics.median(times) for times in zip(*pairs, strict=True))
        size = one.stat().st_size / 1e3
        print(f"dlaudit lint of one log of {size:.0f} KB: {small:.3f} s of CPU, {small / peer:.1f} x import click")
        checker = given.checker or installed_checker(scratch)
        if checker:
            part = tree / "submitter_0"
            share = bytes_in(part) / bytes_in(tree)
            command = [checker, "-m", "mlperf_logging.package_checker", str(part), "training", f"{ROUND}.0"]
            began = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False, cwd=scratch)
            whole = (time.perf_counter() - began) / share
            print(
                f"package checker: {whole:.0f} s for the tree, from {share:.1%} of it; {whole / took:.0f} times dlaudit"
            )
        faults(program, checker, scratch)


def bytes_in(folder: Path) -> int:
    """Return the bytes of all files beneath a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
