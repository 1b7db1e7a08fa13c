"""What a load generator is to send, and when: drawn from a seed before the first request, the same on every machine."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ...schemas.errors import UserError
from ..workloads.parameters import Serving, most

VOCABULARY = 24
"""Words of the small server's text."""
LONGEST = 1 << 20


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One request before it is sent."""

    due_s: float
    """After the first one; 0 in a closed loop, where a client sends when it is free."""
    prompt: str
    number: int
    """Of the prompt: alike for equal ones."""
    prompt_tokens: int
    output_tokens: int


def plan(asked: Serving, count: int, seed: int) -> list[Planned]:
    """Return the requests of a trial.

    Raises:
        UserError: the trace cannot be read, or is too short.
    """
    source = random.Random(seed)  # noqa: S311  (load, not a secret)
    if asked.arrival == "trace":
        return _traced(asked, count, source)
    dues = list(_dues(asked, count, source))
    prefix = _words(asked.shared_prefix_tokens, random.Random(seed))  # noqa: S311
    pool = [_prompt(asked, source, prefix) for _ in range(asked.distinct_prompts or count)]
    found = []
    for index, due_s in enumerate(dues):
        number = source.randrange(len(pool)) if asked.distinct_prompts else index
        output = _length(asked.output_tokens, asked.output_lengths, asked.output_spread, source)
        words = pool[number]
        found.append(
            Planned(due_s=due_s, prompt=" ".join(words), number=number, prompt_tokens=len(words), output_tokens=output)
        )
    return found


def dues(asked: Serving, count: int, seed: int) -> list[float]:
    """Return when the requests of a trial are due, as `plan` draws it, without their prompts; not those of a trace."""
    return list(_dues(asked, count, random.Random(seed)))  # noqa: S311  (load, not a secret)


def _dues(asked: Serving, count: int, source: random.Random) -> Iterator[float]:
    """Yield when requests are due: the times between them have a gamma distribution (Poisson: exponential)."""
    at = 0.0
    for _ in range(count):
        yield at
        if asked.arrival == "closed":
            continue
        mean = 1 / asked.rate
        if asked.arrival == "constant":
            at += mean
        else:
            shape = 1.0 if asked.arrival == "poisson" else 1 / asked.burstiness
            at += source.gammavariate(shape, mean / shape)


def _prompt(asked: Serving, source: random.Random, prefix: list[str]) -> list[str]:
    length = _length(asked.prompt_tokens, asked.prompt_lengths, asked.prompt_spread, source)
    return prefix + _words(max(1, length - len(prefix)), source)


def _length(mean: int, kind: str, spread: float, source: random.Random) -> int:
    if kind == "uniform":
        return max(1, source.randint(math.ceil(mean * (1 - spread)), most(mean, kind, spread)))
    if kind == "lognormal" and spread > 0:
        sigma = math.sqrt(math.log(1 + spread**2))
        return max(1, min(most(mean, kind, spread), round(source.lognormvariate(math.log(mean) - sigma**2 / 2, sigma))))
    return mean


def _words(count: int, source: random.Random) -> list[str]:
    return [f"w{source.randrange(VOCABULARY)}" for _ in range(count)]


class _Line(msgspec.Struct, frozen=True):
    at_s: float
    prompt_tokens: int
    output_tokens: int


def _traced(asked: Serving, count: int, source: random.Random) -> list[Planned]:
    assert asked.trace is not None
    try:
        lines = Path(asked.trace).read_text("utf-8").splitlines()
        rows = [msgspec.convert(json.loads(line), _Line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise UserError(f"the trace cannot be read: {error}", "name a file of JSON lines", asked.trace) from None
    if len(rows) < count:
        raise UserError(f"the trace has {len(rows)} requests of {count}", "plan fewer", asked.trace)
    rows = sorted(rows[:count], key=lambda row: row.at_s)
    if any(not (min(row[1:]) > 0 and max(row) < LONGEST) for row in map(msgspec.structs.astuple, rows)):
        raise UserError("a number of the trace is out of range", "correct it", asked.trace)
    return [
        Planned(
            due_s=row.at_s - rows[0].at_s,
            prompt=" ".join(_words(row.prompt_tokens, source)),
            number=index,
            prompt_tokens=row.prompt_tokens,
            output_tokens=row.output_tokens,
        )
        for index, row in enumerate(rows)
    ]


def record(asked: Serving, planned: list[Planned]) -> dict[str, object]:
    """Return the load as `load` in common.schema.json."""
    kinds = {
        "poisson": "Poisson",
        "gamma": f"gamma, squared coefficient of variation {asked.burstiness:g}",
        "constant": "constant",
        "closed": "each client sends when its last request ended",
        "trace": "times of a trace",
    }
    repeated = len(planned) - len({one.number for one in planned})
    value: dict[str, object] = {
        "loop": "closed" if asked.arrival == "closed" else "open",
        "arrival": kinds[asked.arrival],
        "steady": False,
        "prompt_length": _lengths([one.prompt_tokens for one in planned], asked.prompt_lengths),
        "output_length": _lengths([one.output_tokens for one in planned], asked.output_lengths),
        "tokens_counted": "output",
        "duplicate_prompts": repeated / len(planned),
        "client": "on the machine of the server" if asked.url is None else "at the machine of this record",
    }
    if asked.arrival == "closed":
        value["concurrency"] = asked.concurrency
    elif asked.arrival == "trace":
        span_s = planned[-1].due_s
        value |= {"request_rate": (len(planned) - 1) / span_s} if span_s > 0 else {}
    else:
        value["request_rate"] = asked.rate
    return value


def _lengths(counts: list[int], kind: str) -> str:
    least, most, mean = min(counts), max(counts), sum(counts) / len(counts)
    if least == most:
        return f"{least} tokens each"
    return f"{mean:.6g} tokens on average, {kind}, {least} to {most}"


def objective(asked: Serving) -> dict[str, float]:
    """Return what every request is to keep, as `objective` in common.schema.json; empty where nothing is stated."""
    found = {
        "ttft_s": asked.ttft_ms,
        "ttft_s_per_prompt_token": asked.ttft_ms_per_prompt_token,
        "tpot_s": asked.tpot_ms,
        "latency_s": asked.latency_ms,
    }
    return {name: bound / 1000 for name, bound in found.items() if bound is not None}
