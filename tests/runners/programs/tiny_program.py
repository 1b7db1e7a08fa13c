"""A program of one's own that times steps of integer arithmetic and prints what the contract asks for."""

import json
import os
import sys
import time

request = json.loads(os.environ["DLAUDIT_REQUEST"])
behaviour = sys.argv[1] if len(sys.argv) > 1 else "ok"


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def steps(count):
    times = []
    for _ in range(count):
        began = time.perf_counter()
        sum(range(5000))
        times.append(time.perf_counter() - began)
    return times


print("loading ...")
print('{"progress": 3}')
if behaviour == "sleep":
    tell("options", effective={"model": "sums"}, work_per_iteration=5000, work_unit="operations")
    time.sleep(60)
batch = request["options"].get("global_batch", 8)
tell(
    "options",
    effective={"model": "sums", "global_batch": batch},
    observed={"global_batch": batch},
    work_per_iteration=5000,
    work_unit="operations",
    samples_per_iteration=batch,
)
tell("timer", name="time.perf_counter", resolution_s=1e-9, overhead_s=1e-7)
if behaviour == "garbage":
    tell("iterations", step_time_s=[0.1], colour="red")
if request["kind"] == "throughput":
    plan = request["throughput"]
    warmup, timed = steps(plan["warmup"]), steps(plan["iterations"])
    if behaviour == "short":
        timed.pop()
    if behaviour == "inflate":
        timed = [value + 1000 for value in timed]
    tell("warmup", step_time_s=warmup)
    loss = [1.0] * len(timed)
    if behaviour == "diverge":
        loss[1] = None
    tell("iterations", step_time_s=timed, loss=loss)
else:
    plan = request["convergence"]
    began, seen = time.perf_counter(), 0
    while seen < plan["max_samples"]:
        seen += plan["evaluate_every_samples"]
        tell("iterations", step_time_s=steps(2))
        tell(
            "evaluation",
            split="test",
            samples=seen,
            step=seen // batch,
            time_s=time.perf_counter() - began,
            evaluation_s=0.0,
            examples=100,
            metrics={"accuracy": seen / 1000},
        )
if behaviour == "exit":
    sys.exit(3)
