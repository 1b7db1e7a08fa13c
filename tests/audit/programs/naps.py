"""A workload of naps whose times are scripted: a busy machine, where a nap takes longer, shows the same."""

import json
import os
import random
import sys
import time

request = json.loads(os.environ["DLAUDIT_REQUEST"])


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


pause = float(sys.argv[1])
tell(
    "options",
    effective={"model": "sleep", "global_batch": 8, **request["options"]},
    work_per_iteration=8,
    work_unit="samples",
    samples_per_iteration=8,
)
if request["kind"] == "throughput":
    plan = request["throughput"]
    for event, count in (("warmup", plan["warmup"]), ("iterations", plan["iterations"])):
        steps = []
        for number in range(count):
            time.sleep(pause)
            steps.append(pause * random.Random(f"{request['seed']} {pause} {number}").uniform(0.98, 1.02))
        tell(event, step_time_s=steps)
else:
    plan = request["convergence"]
    began, samples = time.perf_counter(), 0
    while samples < plan["max_samples"]:
        samples += plan["evaluate_every_samples"]
        time.sleep(pause)
        tell(
            "evaluation",
            split="test",
            samples=samples,
            step=samples // 8,
            time_s=time.perf_counter() - began,
            evaluation_s=0.0,
            examples=100,
            metrics={"accuracy": samples / 100},
            correct=samples,
        )
