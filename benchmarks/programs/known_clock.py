"""A program whose step times are drawn, not measured: known_clock.py SLOWER, a factor on every step.

Around 200 us: a level of the trial's own (lognormal, 1 %), AR(1) 0.3 noise of 3 % within it, and one spike in fifty.
They are decided by the trial's seed and arm, so that a study of it can be repeated number by number.
"""

import hashlib
import json
import math
import os
import random
import sys

LEVEL_S, BETWEEN, WITHIN, DEPENDENCE, SPIKES = 200e-6, 0.01, 0.03, 0.3, 0.02

request = json.loads(os.environ["DLAUDIT_REQUEST"])
slower, study = float(sys.argv[1]), sys.argv[2]
name = f"{study}:{slower}:{request['seed']}:{request['options']['name']}"
source = random.Random(hashlib.sha256(name.encode()).digest())
level, noise, times = math.log(LEVEL_S * slower) + source.gauss(0, BETWEEN), 0.0, []
for _ in range(request["throughput"]["warmup"] + request["throughput"]["iterations"]):
    noise = DEPENDENCE * noise + source.gauss(0, WITHIN * math.sqrt(1 - DEPENDENCE**2))
    times.append(math.exp(level + noise) * (3 if source.random() < SPIKES else 1))
print(
    json.dumps(
        {
            "event": "options",
            "effective": {"model": "drawn", "global_batch": 1, **request["options"]},
            "work_per_iteration": 1,
            "work_unit": "samples",
            "pipeline": {"kind": "none"},
        }
    )
)
warmup = request["throughput"]["warmup"]
if warmup:
    print(json.dumps({"event": "warmup", "step_time_s": times[:warmup]}))
print(json.dumps({"event": "iterations", "step_time_s": times[warmup:]}))
