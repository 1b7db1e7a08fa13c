"""A service whose requests are recorded one by one, simulated, and the document that its record implies."""

import random
from copy import deepcopy

from dlaudit.audit import implied_service
from dlaudit.rules.bases import base
from dlaudit.runners.record import served
from dlaudit.runners.record.events import Events
from dlaudit.runners.trial.events import Options
from dlaudit.schemas.requests import Requests, as_columns

TOKENS, FIRST_S, EACH_S, RATE = 32, 0.1, 0.01, 12.0
LOAD = {
    "loop": "open",
    "arrival": "Poisson",
    "request_rate": RATE,
    "prompt_length": "512 tokens each",
    "output_length": f"{TOKENS} tokens each, end of sequence ignored",
    "batching": "continuous",
    "tokens_counted": "output",
    "tokenizer": "the model's own",
    "prefix_cache": False,
    "speculation": "none",
    "duplicate_prompts": 0,
}
OBJECTIVE = {"ttft_s": 0.5, "tpot_s": 0.05}


def arrivals(draw, count):
    """Return when requests are due in an open loop, at the rate of the load over the whole."""
    due = [0.0]
    for _ in range(count - 1):
        due.append(due[-1] + draw.expovariate(RATE))
    return [time * (count - 1) / RATE / due[-1] for time in due]


def trial(
    seed, count=250, tokens=TOKENS, stalls=None, lost=0.0, clients=None, distinct=None, cached=0.0, again=1.0, late=0.0
):
    """Return the requests of one trial.

    Args:
        seed: of everything that is drawn.
        count: requests.
        tokens: of each answer.
        stalls: (begin, end) of a time in which the server gives nothing.
        lost: share of the requests that it refuses.
        clients: of a closed loop, in place of arrivals.
        distinct: prompts among which each request draws; None, all differ.
        cached: share of the prompts' tokens that a cache held.
        late: time by which each request is sent after it was due.
        again: tokens by a tokenizer's count over those by the server's.
    """
    draw = random.Random(seed)
    due = arrivals(draw, count)
    rows = []
    free = [0.0] * (clients or 0)
    for index in range(count):
        begun = due[index] if clients is None else min(free)
        times = [begun + FIRST_S * draw.uniform(0.9, 1.1)]
        for _ in range(tokens - 1):
            times.append(times[-1] + EACH_S * draw.uniform(0.9, 1.1))
        if stalls is not None:
            times = [
                time if not stalls[0] <= time < stalls[1] else stalls[1] + 1e-4 * place
                for place, time in enumerate(times)
            ]
            times = sorted(times)
        failed = draw.random() < lost
        end = begun + 0.02 if failed else times[-1]
        if clients is not None:
            free[free.index(begun)] = end
        prompt = index if distinct is None else draw.randrange(distinct)
        rows.append((begun, end, failed, [] if failed else times, prompt))
    rows.sort()
    return Requests(
        scheduled_s=tuple(row[0] for row in rows),
        sent_s=tuple(min(row[0] + late, row[1]) for row in rows),
        ended_s=tuple(row[1] for row in rows),
        outcome=tuple("failed" if row[2] else "completed" for row in rows),
        first_content_s=tuple(row[3][0] if row[3] else None for row in rows),
        content_s=tuple(tuple(row[3]) for row in rows),
        input_tokens=(512,) * count,
        output_tokens=tuple(None if row[2] else tokens for row in rows),
        tokenizer_output_tokens=tuple(None if row[2] else tokens * again for row in rows),
        asked_output_tokens=(TOKENS,) * count,
        cached_tokens=(512 * cached,) * count,
        prompt=tuple(row[4] for row in rows),
    )


def document(load=None, trials=5, output_length=None, first=0, **how):
    """Return the submission that the record of some trials implies, with the seeds from the first one on."""
    found = [trial(seed, **how) for seed in range(first, first + trials)]
    told = Options(
        effective={},
        observed={},
        work_per_iteration=TOKENS,
        work_unit="tokens",
        samples_per_iteration=0,
        load={name: item for name, item in (LOAD | (load or {})).items() if item is not None},
        objective=OBJECTIVE,
    )
    told_of = [Events(options=told, requests=requests) for requests in found]
    value = deepcopy(base("serving"))
    server = value["arms"]["server"]
    planned = sum(len(requests.outcome) for requests in found)
    server["performance"] = served.performance(told_of, planned)
    server["plan"] = {"trials": trials, "started": trials, "seeds": list(range(trials))}
    server["options"]["decoding"] = f"greedy, {TOKENS} tokens"
    server["trials"] = {
        f"t{seed}": {
            "kind": "throughput",
            "seed": seed,
            "order": seed,
            "outcome": "completed",
            "iterations_planned": len(requests.outcome),
            "warmup": 32,
            "requests": {name: list(column) for name, column in as_columns(requests).items()},
        }
        for seed, requests in enumerate(found)
    }
    if output_length is not None:
        server["quality"] = {"rouge": {"metric": "rougeL", "value": "44.1", "output_length": output_length}}
    arm = {"label": "The server", **server}
    value["claims"] = implied_service.claims("server", arm, {"name": "one A100", "device_kind": "accelerator"}, "s")
    for claim in value["claims"].values():
        claim["measured"].pop("manifest")
        claim.get("quality", {}).pop("manifest", None)
        claim.pop("device", None)
    return value
