"""Answers requests while a GPU of tests/fakes/nvml is busy: busy_service.py STATE SECONDS."""

import json
import mmap
import os
import sys
import time
from pathlib import Path

request = json.loads(os.environ["DLAUDIT_REQUEST"])
path, seconds = Path(sys.argv[1]), float(sys.argv[2])
ROW, BUSY, TOKENS = 18, 9, 16


def set_busy(value):
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as table:
        table[8 * (int(request["device"].partition(":")[2]) * ROW + BUSY)] = value


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


count = request["throughput"]["iterations"]
tell(
    "options",
    effective={"model": "busy", **request["options"]},
    work_per_iteration=TOKENS,
    work_unit="tokens",
    load={"loop": "open", "arrival": "constant", "request_rate": count / seconds, "batching": "none"}
    | {"prompt_length": "8 tokens", "output_length": f"{TOKENS} tokens"},
)
set_busy(1)
began = time.monotonic()
due = [began + seconds * number / count for number in range(count)]
time.sleep(seconds * (1 + 3 / count))
set_busy(0)
first, ended = [at + 0.01 for at in due], [at + 2.5 * seconds / count for at in due]
told = {"scheduled_s": due, "sent_s": due, "first_content_s": first, "ended_s": ended}
tell("requests", requests={**told, "outcome": ["completed"] * count, "output_tokens": [TOKENS] * count})
