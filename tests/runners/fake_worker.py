"""A worker with the real one's events and none of its weight. What it does to itself is in the order's options.

extra.behaviour: ok (default) | print | crash | kill | hang | child | garbage | short | diverge | crash-once:<path>
extra.sleep_s: how long it takes
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

order = json.loads(Path(sys.argv[1]).read_text())
extra = order["options"].get("extra", {})
behaviour = extra.get("behaviour", "ok")
out = Path(order["events"]).open("x", buffering=1)  # noqa: SIM115


def tell(event, **fields):
    out.write(json.dumps({"event": event, **fields}) + "\n")


tell("started", pid=os.getpid(), boot_id="boot", unix_ns=str(time.time_ns()))
print("hello from", order["trial"])
time.sleep(extra.get("sleep_s", 0))
if behaviour == "crash":
    sys.exit(9)
if behaviour == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
if behaviour == "print":
    for number in range(20 << 14):
        print(f"line {number:58d}")
if behaviour == "hang":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1000)
if behaviour == "child":
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
if behaviour.startswith("crash-once:"):
    mark = Path(behaviour.partition(":")[2])
    if not mark.exists():
        mark.write_text("")
        sys.exit(9)
effective = {"model": "fake", "global_batch": 32, "seed": order["seed"], **order["options"]}
tell(
    "options",
    effective=effective,
    observed={"global_batch": 32},
    work_per_iteration=32,
    work_unit="samples",
    samples_per_iteration=32,
    pipeline={"kind": "synthetic"},
)
controls = order["controls"]
tell(
    "controls",
    records=[
        {
            "knob": "threads",
            "requested": controls["threads"],
            "verified": extra.get("threads", "verified"),
            "evidence": "fake",
        }
    ]
    if controls["threads"]
    else [],
)
if behaviour == "garbage":
    out.write("{not json\n")
if order["kind"] == "throughput":
    count = order["throughput"]["iterations"] - (behaviour == "short")
    steps = [0.01 * (1 + order["seed"] / 100) for _ in range(count)]
    tell("warmup", step_time_s=[0.05] * order["throughput"]["warmup"])
    tell("iterations", first=0, step_time_s=steps[:2], data_wait_s=[0.001] * 2, loss=[1.0] * 2)
    rest = count - 2
    tell("iterations", first=2, step_time_s=steps[2:], data_wait_s=[0.001] * rest, loss=[1.0] * rest)
else:
    plan = order["convergence"]
    value, samples = 0.0, 0
    while samples < plan["max_samples"]:
        samples += plan["evaluate_every_samples"]
        value = samples / 1000 / (1 + order["seed"] % 3)
        tell(
            "evaluation",
            split="test",
            samples=samples,
            step=samples // 32,
            time_s=samples / 1000,
            evaluation_s=0.01,
            examples=100,
            metrics={plan["target"]["metric"]: value},
            correct=int(value * 100),
        )
        if plan["stop_at_target"] and value >= plan["target"]["value"]:
            break
error = {"type": "FloatingPointError", "message": "loss is not finite"} if behaviour == "diverge" else None
tell(
    "ended",
    outcome="diverged" if behaviour == "diverge" else "completed",
    error=error,
    timer={"name": "fake", "resolution_s": 1e-9, "overhead_s": 1e-7},
    wall_s=0.1,
    peak_memory_bytes=1000,
)
