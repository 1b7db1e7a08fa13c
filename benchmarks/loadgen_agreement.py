"""LoadGen's own verdicts beside those that dlaudit recomputes from the requests, over generated runs.

    python -P benchmarks/loadgen_agreement.py

Each run asks a subject of scripted delays: in every scenario with enough queries and with too few, long enough and too
short, and as a server around its bound. It prints a row for each, and ends with 1 where a verdict or a part of one
differs. It takes about a minute, most of it spent in the scripted delays.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dlaudit.audit.importers.mlperf.inference_run import logs_of, run_entry, trace_of
from dlaudit.audit.importers.report_file import open_report
from dlaudit.rules.facts.suite.conditions import asked_of, recomputed_of
from dlaudit.rules.trace import Logged
from dlaudit.runners.scenarios import generator, trace
from dlaudit.runners.scenarios.subject import Answer
from dlaudit.runners.trial.scenario import requests_of
from dlaudit.runners.workloads.scenario_parameters import Example, LoadGen
from dlaudit.schemas.model import to_model
from dlaudit.schemas.requests import Requests
from dlaudit.schemas.runs import Run

EXAMPLES = (Example(body="x"),)
PARTS = ("min_duration", "min_queries", "early_stopping", "performance_constraints")


class Scripted:
    """Answers after a delay, a share of them after a longer one, token by token where tokens are timed."""

    examples, scored = 64, False

    def __init__(self, delay_s: float, slow_s: float, slow_share: float, tokens: int = 0) -> None:
        self._delays, self._slow, self._tokens = (delay_s, slow_s), slow_share, tokens
        self._random = random.Random(7)

    def answer(self, numbers: Sequence[int], first: Callable[[int], None]) -> list[Answer]:
        """Answer some examples at once."""
        time.sleep(self._delays[self._random.random() < self._slow])
        for position in range(len(numbers)):
            first(position)
        if self._tokens:
            time.sleep(self._delays[0])
        return [Answer(data=b"x", output_tokens=self._tokens or None) for _ in numbers]


def cases() -> Iterator[tuple[str, Scripted, LoadGen, int]]:
    """Yield a name, a subject, a scenario and a number of queries."""
    quick = Scripted(0.0002, 0.001, 0.01)
    for queries in (10, 63, 64, 65, 200):  # a single stream needs 64 queries for its 90th percentile
        yield f"SingleStream, {queries}", quick, LoadGen(scenario="SingleStream", workload="w"), queries
    for queries in (30, 661, 662, 700):  # several need 662 for their 99th
        yield f"MultiStream, {queries}", quick, LoadGen(scenario="MultiStream", workload="w", batch=8), queries
    for samples in (64, 5000):
        yield f"Offline, {samples}", quick, LoadGen(scenario="Offline", workload="w", batch=64), samples
    for rate in (300.0, 300_000.0):  # the faster it is said to be, the more samples are sent for the duration
        offline = LoadGen(scenario="Offline", workload="w", batch=64, target_qps=rate, min_duration_s=0.2)
        yield f"Offline, 0.2 s, {rate:g}/s", quick, offline, 64
    for rate in (10.0, 20_000.0):
        stream = LoadGen(scenario="SingleStream", workload="w", target_qps=rate, min_duration_s=0.3)
        yield f"SingleStream, 0.3 s, {rate:g}/s", quick, stream, 20
    for slow in (0.0, 0.001, 0.004, 0.01, 0.03, 0.3):  # the share of slow answers around that of the bound
        for queries in (300, 1000):
            server = LoadGen(
                scenario="Server", url="x", examples=EXAMPLES, workers=24, target_qps=500.0, latency_s=0.15
            )
            yield f"Server, {slow:.1%} slow, {queries}", Scripted(0.001, 0.2, slow), server, queries
    for qps in (100.0, 1500.0):  # below and above what one worker of 5 ms serves
        server = LoadGen(scenario="Server", workload="w", target_qps=qps, latency_s=0.15, min_duration_s=0.5)
        yield f"Server, {qps:g} queries/s", Scripted(0.005, 0.005, 0.0), server, 500
    for ttft, tpot in ((0.2, 0.02), (0.2, 1e-5), (1e-4, 0.02)):
        server = LoadGen(scenario="Server", workload="w", target_qps=100.0, ttft_s=ttft, tpot_s=tpot)
        yield f"Server, tokens, {ttft:g} s, {tpot:g} s", Scripted(0.001, 0.001, 0.0, 5), server, 500


def judged(
    subject: Scripted, asked: LoadGen, queries: int, stem: Path
) -> tuple[str | None, dict[str, bool], dict[str, frozenset[bool]]]:
    """Run one test; return LoadGen's words, the parts of its verdict, and the same parts recomputed."""
    test = generator.run(subject, asked, queries, 1, "performance", stem)
    data = Path(f"{stem}.mlperf_log_trace.json").read_bytes()
    found = trace.read(data, whole=asked.scenario != "Offline")
    requests = Requests(**requests_of(found, test))
    path = Path(f"{stem}.mlperf_log_detail.txt")
    logs = logs_of(open_report(path.name, path.read_bytes()), None)
    run = to_model(run_entry(logs, "performance"), Run)
    conditions = asked_of(Logged("run", run, trace_of(logs, "")))
    assert run.verdict is not None
    assert conditions is not None
    return run.verdict.words, run.verdict.parts, recomputed_of(requests, conditions)


def main() -> int:
    """Print the table; return 1 where anything differs."""
    differing, valid, count = 0, 0, 0
    print(f"{'run':36} {'LoadGen':8} {'dlaudit':8} parts (LoadGen/dlaudit)")
    with tempfile.TemporaryDirectory() as folder:
        for count, (name, subject, asked, queries) in enumerate(cases(), 1):
            words, parts, ours = judged(subject, asked, queries, Path(folder) / f"r{count}")
            wrong = [part for part in PARTS if part in parts and parts[part] not in ours[part]]
            own = "VALID" if all(True in ours[part] for part in PARTS) else "INVALID"
            differing += bool(wrong) or words != own
            valid += words == "VALID"
            told = " ".join(f"{part}:{parts.get(part)}/{sorted(ours[part])}" for part in wrong)
            print(f"{name:36} {words or '':8} {own:8} {told}", flush=True)
    print(f"{count} runs, {valid} of them valid; {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
