"""The claims that a served arm implies: its rates, latencies and energies, each with load, lengths and objective."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

LATENCIES = {
    "ttft": ("time to the first token", "first_token"),
    "tpot": ("time per output token after the first", "per_output_token"),
    "latency": ("time of a whole request", "end_to_end"),
}
ENERGIES = {"energy_per_token": "output token", "energy_per_request": "answered request"}
BOUNDS = {"ttft": "ttft_s", "tpot": "tpot_s", "latency": "latency_s"}
KEPT = "99"
"""Percentile that an objective bounds in a drafted claim."""


def is_service(arm: Mapping[str, Any]) -> bool:
    """Whether the rate of an arm is that of requests."""
    return bool(arm.get("performance", {}).get("rate", {}).get("scope") == "serving_window")


def claims(name: str, arm: Mapping[str, Any], system: Mapping[str, Any], study: str) -> dict[str, Any]:
    """Return the claims of an arm: its rate, its goodput where there is an objective, its latencies and energies.

    Args:
        name: the arm.
        arm: its record in the manifest.
        system: what it ran on.
        study: name under which the submission cites the manifest.
    """
    found = {}
    metrics = arm["performance"]
    for key in ("rate", "goodput"):
        if key in metrics:
            found[f"{name}-{key}"] = _of_rate(name, key, arm, system, study)
    for key in LATENCIES:
        if key in metrics:
            found[f"{name}-{key}"] = _of_latency(name, key, arm, system, study)
    for key in ENERGIES:
        if key in metrics:
            found[f"{name}-{key}"] = _of_energy(name, key, arm, system, study)
    return found


def _of_rate(name: str, key: str, arm: Mapping[str, Any], system: Mapping[str, Any], study: str) -> dict[str, Any]:
    metric = arm["performance"][key]
    what = f"{metric['value']} {metric['unit']}"
    if key == "goodput":
        what += f" keep {_objective(metric['objective'])}"
    n = metric["n"]
    counted = f"{n['completed']} of {n['planned']} requests answered, {n['failed']} failed"
    claim = _shared(name, key, arm, system, study, f"{what} {_under(metric)} ({counted}{_between(metric)}).")
    claim |= {"scope": "serving_window", "statistic": "mean", "work": metric["unit"].removesuffix("/s")}
    return claim | _bound(arm, BOUNDS)


def _of_latency(name: str, key: str, arm: Mapping[str, Any], system: Mapping[str, Any], study: str) -> dict[str, Any]:
    metric = arm["performance"][key]
    tails = metric["summary"]["percentiles"]
    tail = "".join(f", {percent}th percentile {value} s" for percent, value in tails.items() if percent != "50")
    sentence = f"median {LATENCIES[key][0]} {metric['value']} s{tail} {_under(metric)}{_counted(metric)}."
    claim = _shared(name, key, arm, system, study, sentence)
    work = arm["performance"]["rate"]["unit"].removesuffix("/s")
    return claim | {"scope": "request", "statistic": "median", "work": work} | _bound(arm, [key])


def _of_energy(name: str, key: str, arm: Mapping[str, Any], system: Mapping[str, Any], study: str) -> dict[str, Any]:
    metric, rate = arm["performance"][key], arm["performance"]["rate"]
    told, counted = arm["energy"], _counted(rate)
    by = f"{told['boundary']} energy, {told['method']}{_between(metric)}"
    sentence = f"{metric['value']} J per {ENERGIES[key]} {_under(rate)}{counted} ({by})."
    claim = _shared(name, key, arm, system, study, sentence)
    work = rate["unit"].removesuffix("/s")
    return claim | {"scope": "serving_window", "statistic": "median", "work": work, "purpose": "hardware_throughput"}


def _shared(
    name: str,
    key: str,
    arm: Mapping[str, Any],
    system: Mapping[str, Any],
    study: str,
    sentence: str,
) -> dict[str, Any]:
    metric = arm["performance"][key]
    claim: dict[str, Any] = {
        "statement": f"{arm['label']} on {system['name']}: {sentence}",
        "value": metric["value"],
        "unit": metric["unit"],
        "quantity": metric["quantity"],
        "form": "absolute",
        "mode": "inference",
        "compares": "none",
        "basis": "measured",
        "site": "own",
        "device": system["device_kind"],
        "measured": {"manifest": study, "arm": name, "metric": key},
    }
    if "interval" in metric:
        claim["interval"] = metric["interval"]
    if arm.get("quality"):
        claim["quality"] = {"manifest": study, "arm": name, "quality": next(iter(arm["quality"]))}
    return claim


def _under(metric: Mapping[str, Any]) -> str:
    """Return the load and the lengths in words."""
    load = metric.get("load", {})
    parts = [
        f"{load['concurrency']:g} clients in a closed loop" if "concurrency" in load else "",
        f"{load['request_rate']:g} requests/s offered ({load.get('arrival', 'arrival not told')})"
        if "request_rate" in load
        else "",
        f"prompts of {load['prompt_length']}" if "prompt_length" in load else "",
        f"answers of {load['output_length']}" if "output_length" in load else "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"at {told}" if told else "at a load that was not told"


def _objective(objective: Mapping[str, float]) -> str:
    words = {
        "ttft_s": "a first token within {:g} s",
        "ttft_s_per_prompt_token": "{:g} s more for each token of the prompt",
        "tpot_s": "{:g} s per output token",
        "latency_s": "{:g} s for the request",
    }
    return ", ".join(words[name].format(bound) for name, bound in objective.items())


def _counted(metric: Mapping[str, Any]) -> str:
    return f", over {metric['n']['completed']} requests of {metric['n']['planned']}"


def _between(metric: Mapping[str, Any]) -> str:
    interval = metric.get("interval")
    return f"; 95 % interval {interval['low']} to {interval['high']}" if interval else ""


def _bound(arm: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """Return the first bound of the objective that the 99th percentile keeps, with the purpose of a claim about it.

    A claim without such a bound is one about throughput. Where more than 1 % of the requests were not answered, the
    percentile over all of them has no end.
    """
    metrics = arm["performance"]
    objective = metrics.get("goodput", {}).get("objective", {})
    for key in keys:
        name = BOUNDS[key]
        tail = metrics.get(key, {}).get("summary", {}).get("percentiles", {}).get(KEPT)
        grows = name == "ttft_s" and "ttft_s_per_prompt_token" in objective
        n = metrics.get(key, {}).get("n", {})
        lost = n.get("failed", 0) * 100 > n.get("planned", 0) * (100 - float(KEPT))
        if name in objective and not grows and not lost and tail is not None and float(tail) <= objective[name]:
            bound = {"value": f"{objective[name]:g}", "unit": "s", "percentile": KEPT, "part": LATENCIES[key][1]}
            return {"purpose": "serving_objective", "latency_bound": bound}
    return {"purpose": "hardware_throughput"}
