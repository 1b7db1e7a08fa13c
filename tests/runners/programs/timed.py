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
times, count = [], request["throughput"]["iterations"]
began = time.monotonic()
for number in range(1, count + 1):
    start = time.perf_counter()
    time.sleep(max(0.0, began + seconds * number / count - time.monotonic()))  # the next makes up for a late one
    times.append(time.perf_counter() - start)
tell("iterations", step_time_s=times, began_s=began, ended_s=time.monotonic())
