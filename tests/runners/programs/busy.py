"""Keeps GPUs of tests/fakes/nvml busy: busy.py STATE SECONDS [GPU...]; its device where none is named."""

import json
import mmap
import os
import sys
import time
from pathlib import Path

request = json.loads(os.environ["DLAUDIT_REQUEST"])
path, seconds = Path(sys.argv[1]), float(sys.argv[2])
gpus = [int(gpu) for gpu in sys.argv[3:]] or [int(request["device"].partition(":")[2])]
ROW, BUSY = 18, 9


def set_busy(value):
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as table:
        for gpu in gpus:
            table[8 * (gpu * ROW + BUSY)] = value


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


tell(
    "options",
    effective={"model": "busy", "global_batch": 8, **request["options"]},
    work_per_iteration=8,
    work_unit="samples",
    samples_per_iteration=8,
    pipeline={"kind": "synthetic"},
)
set_busy(1)
times, count = [], request["throughput"]["iterations"]
began = time.monotonic()
for number in range(1, count + 1):
    start = time.perf_counter()
    time.sleep(max(0.0, began + seconds * number / count - time.monotonic()))  # the next makes up for a late one
    times.append(time.perf_counter() - start)
ended = time.monotonic()
set_busy(0)
tell("iterations", step_time_s=times, began_s=began, ended_s=ended)
