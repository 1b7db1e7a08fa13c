"""Sleeps through its iterations and says when they ran: timed.py SECONDS."""

import json
import os
import sys
import time

request, seconds = json.loads(os.environ["DLAUDIT_REQUEST"]), float(sys.argv[1])


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


effective = {"model": "sleeper", "global_batch": 8, **request["options"]}
tell("options", effective=effective, work_per_iteration=8, work_unit="samples", samples_per_iteration=8)
times, began = [], time.monotonic()
for _ in range(request["throughput"]["iterations"]):
    start = time.perf_counter()
    time.sleep(seconds / request["throughput"]["iterations"])
    times.append(time.perf_counter() - start)
tell("iterations", step_time_s=times, began_s=began, ended_s=time.monotonic())
