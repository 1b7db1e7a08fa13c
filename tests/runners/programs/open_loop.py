"""A client in an open loop whose requests take less time than lies between them, told without waiting."""

import json
import os
import time

request = json.loads(os.environ["DLAUDIT_REQUEST"])
plan = request["throughput"]
TOKENS, LATENCY_S, APART_S = 32, 0.2938 / 100, 0.9302 / 100


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def served(first, count):
    due = [first + APART_S * index for index in range(count)]
    return {
        "scheduled_s": due,
        "sent_s": due,
        "first_content_s": [when + LATENCY_S / 4 for when in due],
        "ended_s": [when + LATENCY_S for when in due],
        "outcome": ["completed"] * count,
        "output_tokens": [TOKENS] * count,
    }


tell(
    "options",
    effective={"model": "pause", **request["options"]},
    work_per_iteration=TOKENS,
    work_unit="tokens",
    load={"request_rate": 1 / APART_S, "loop": "open", "arrival": "constant"},
)
began = time.monotonic()
time.sleep(APART_S * (plan["warmup"] + plan["iterations"]))
tell("requests", warmup=True, requests=served(began, plan["warmup"]))
tell("requests", requests=served(began + APART_S * plan["warmup"], plan["iterations"]))
