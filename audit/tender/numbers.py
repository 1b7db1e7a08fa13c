"""The numbers and qualities that a spec gives: their units, and whether `dlaudit run` drafts a claim of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...runners.study import plan as planning
from ...schemas.digest import sha256_hex
from ...schemas.spec import Spec

SERVING = "serving"
RATES: dict[str, str] = {
    SERVING: "tokens/s",
    "text-transformer": "tokens/s",
    **dict.fromkeys(("digits-cnn", "resnet", "mlp"), "samples/s"),
    **dict.fromkeys(("gemm", "split-gemm", "conv", "attention", "rnn"), "FLOP/s"),
}
"""Unit of the rate by workload; of another one only its trials tell it."""
OBJECTIVE = ("ttft_ms", "tpot_ms", "latency_ms")
PARTS = {"ttft": "Wait for the first token", "tpot": "Time per output token", "latency": "Time of a whole request"}
TAILS = (99, 90)
BEYOND = 5
"""Requests that lie beyond a percentile where it is told."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that an arm gives."""

    name: str
    """Of the performance number, or of the quality."""
    label: str
    """What a page calls it, with {of} for what it is a number of."""
    unit: str | None
    """None where only the trials tell it."""
    better: str
    claimed: bool = True
    """Whether `dlaudit run` drafts a claim of it: a number without a claim is shown at T3 at best."""
    counts: bool = True
    """Whether a tender that is begun asks for it."""
    is_quality: bool = False


def of_spec(spec: Spec, data: bytes, name: str) -> dict[str, tuple[Number, ...]]:
    """Return the numbers of each arm of a spec.

    Args:
        spec: the spec, its arms expanded.
        data: its bytes.
        name: what messages call it.
    """
    plan = planning.make(spec, sha256_hex(data), name)
    return {name: tuple(of_arm(spec, arm.workload)) for name, arm in plan.arms.items()}


def of_arm(spec: Spec, workload: Mapping[str, Any]) -> Iterator[Number]:
    """Yield the numbers of an arm.

    Args:
        spec: the spec.
        workload: of the arm, as its trials get it.
    """
    named = workload.get("name", "")
    if named == SERVING and spec.throughput is not None:
        yield from _of_service(workload, spec.throughput.iterations * spec.throughput.trials)
        return
    if spec.throughput is not None:
        yield Number("rate", "Rate of {of}", RATES.get(named), "higher")
    if spec.convergence is not None:
        target = spec.convergence.target
        yield Number("time_to_target", f"Time of {{of}} to {target.metric} {target.value}", "s", "lower")
        yield _quality(target.metric, target.direction, counts=False)


def _quality(metric: str, better: str, *, counts: bool) -> Number:
    unit = "share" if metric == "accuracy" else None
    label = f"{metric[0].upper()}{metric[1:]} of {{of}}"
    return Number(metric, label, unit, better, claimed=False, counts=counts, is_quality=True)


def _of_service(parameters: Mapping[str, Any], requests: int) -> Iterator[Number]:
    """Yield the numbers of a service; what keeps its objective first, as the offered load caps its rates."""
    if any(parameters.get(each) is not None for each in OBJECTIVE):
        yield Number("goodput", "Requests of {of} that keep the objective", "requests/s", "higher")
    told = next((tail for tail in TAILS if requests * (100 - tail) >= 100 * BEYOND), None)
    for part, words in PARTS.items():
        for tail in TAILS:
            if requests * (100 - tail) < 100 * BEYOND:
                continue
            label = f"{words} of {{of}}, {tail}th percentile"
            yield Number(
                f"{part}_p{tail}", label, "s", "lower", claimed=False, counts=tail == told and part != "latency"
            )
        yield Number(part, f"{words} of {{of}}, median", "s", "lower", counts=False)
    yield Number("rate", "Rate of {of}", RATES[SERVING], "higher")
    yield Number("request_rate", "Requests of {of} answered", "requests/s", "higher", claimed=False, counts=False)
    if parameters.get("test_set") or parameters.get("test_examples"):
        yield _quality("accuracy", "higher", counts=True)
