"""Steps that are naps, of a rank among others: argument 1 is the nap of each rank in ms; `fail`, `die`: rank 1 does."""

import os
import signal
import sys
import time

from dlaudit.runners.meter.meter import study

RANK = int(os.environ.get("RANK", "0"))
NAPS_MS = [float(value) for value in sys.argv[1].split(",")]
ENDS = sys.argv[2] if len(sys.argv) > 2 else ""


class Batch:
    shape = (8, 3)


made = 0
with study(options={"model": "nap", "dataset": "none"}) as meter:
    for _ in meter.steps(Batch() for _ in range(10**6)):
        time.sleep(NAPS_MS[RANK % len(NAPS_MS)] / 1000)
        made += 1
        if ENDS == "fail" and RANK == 1 and made == 3:
            raise ValueError("rank 1 has had enough")
        if ENDS == "die" and RANK == 1 and made == 3:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
