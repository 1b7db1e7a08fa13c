"""Times turns of a loop as a program of the user's own does: loop.py TURNS."""

import json
import os
import sys
import time

TURNS = int(sys.argv[1])
request = json.loads(os.environ["DLAUDIT_REQUEST"])


def tell(event: str, **fields: object) -> None:
    """Print an event."""
    print(json.dumps({"event": event, **fields}), flush=True)


def step() -> float:
    """Return the seconds that the turns take."""
    start, total = time.perf_counter(), 0
    for turn in range(TURNS):
        total += turn * turn % 7
    return time.perf_counter() - start


tell(
    "options",
    effective={"model": "loop", "global_batch": 1},
    work_per_iteration=1,
    work_unit="samples",
    samples_per_iteration=1,
)
tell("warmup", step_time_s=[step() for _ in range(request["throughput"]["warmup"])])
tell("iterations", step_time_s=[step() for _ in range(request["throughput"]["iterations"])])
