"""The submission that a study implies: a claim per number that its manifest holds.

Pure: from a manifest to a submission. Its authors may reword, cut and add; lint recomputes whatever stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..rules.statistics.intervals import log_welch_ratio, median
from ..runners.record.outcomes import SATURATED
from ..runners.record.summary import printed
from ..schemas.spec import Spec
from . import implied_service, scaling_draft

STUDY = "study"
"""Name under which the drafted submission cites its manifest."""
PARTS = frozenset({"kernel", "collective"})
"""Scopes of numbers that are none of a training."""
TIMED = frozenset({"throughput", "convergence"})
"""Kinds of trials that give a number to claim."""
SYNTHETIC = "synthetic inputs"
TOLD = ("kind", "seed", "outcome", "reason")
"""What the submission repeats of a trial that did not complete."""


def submission(
    manifest: dict[str, Any],
    sha256: str,
    spec: Spec,
    file: str = "manifest.json",
    rates: Mapping[str, Sequence[float]] | None = None,
    tuning: str | None = None,
) -> dict[str, Any]:
    """Return the drafted submission.

    Args:
        manifest: the manifest, as JSON.
        sha256: digest of its bytes.
        spec: the spec, for what its `claims` ask for.
        file: what its file is called.
        rates: rate of each timed trial by arm, unrounded; None where only the manifest's printed medians are there.
        tuning: what it took to find the options, in the words of whoever measured.

    Returns:
        the submission; without claims where no trial gave a number. An arm that gave none stands in it with its trials.
    """
    predicate = manifest["predicate"]
    system: dict[str, Any] = next(iter(predicate["systems"].values()))
    claims: dict[str, Any] = {}
    if rates is None:
        rates = {name: _trial_rates(arm) for name, arm in predicate["arms"].items()}
    for name, arm in predicate["arms"].items():
        system = predicate["systems"][arm["system"]]
        if implied_service.is_service(arm):
            claims |= implied_service.claims(name, arm, system, STUDY)
            claims |= _ratio(name, predicate["arms"], rates, system, spec)
            continue
        claims |= _rate(name, arm, system, spec)
        claims |= _ratio(name, predicate["arms"], rates, system, spec) if spec.scaling is None else {}
        claims |= _first_crossing(name, arm, system)
    claims |= scaling_draft.claims(manifest, _shared(system), spec.claims.purpose)
    value: dict[str, Any] = {
        "dlaudit": "submission/1",
        "title": predicate["study"]["title"],
        "coverage": "full",
        "claims": claims,
        "manifests": {STUDY: {"path": file, "sha256": sha256}},
    }
    tables = scaling_draft.tables(manifest)
    if tables:
        value["tables"] = tables
    failed = without_number(predicate["arms"])
    if failed:
        value["arms"] = {name: _failed(predicate["arms"][name]) for name in failed}
    if tuning is not None:
        value["disclosures"] = [{"topic": "tuning_effort", "quote": tuning}]
    if "nonce" in predicate["study"]:
        value["nonce"] = predicate["study"]["nonce"]
    return value


def without_number(arms: dict[str, Any]) -> tuple[str, ...]:
    """Return the arms of whose trials none completed, unless a sweep ended before them at saturation."""
    return tuple(
        name
        for name, arm in arms.items()
        if not any(trial["kind"] in TIMED and trial["outcome"] == "completed" for trial in arm["trials"].values())
        and not all(trial.get("reason") == SATURATED for trial in arm["trials"].values())
    )


def not_compared(arms: dict[str, Any], spec: Spec) -> tuple[str, ...]:
    """Return a clause for each arm that gave no number: what is missing for it, and why."""
    baseline, clauses = spec.claims.baseline, []
    for name in without_number(arms):
        count = sum(trial["kind"] in TIMED for trial in arms[name]["trials"].values())
        others = [other for other in arms if other != name] if name == baseline else [name]
        over = f"; no comparison of {', '.join(others)} with {baseline} was drafted" if baseline and others else ""
        clauses.append(f"arm {name} gave no number: none of its {count} trials completed{over}")
    return tuple(clauses)


def _failed(arm: dict[str, Any]) -> dict[str, Any]:
    trials = {
        name: {key: trial[key] for key in TOLD if key in trial}
        for name, trial in arm["trials"].items()
        if trial["kind"] in TIMED
    }
    return {"label": arm["label"], "trials": trials}


def _rate(name: str, arm: dict[str, Any], system: dict[str, Any], spec: Spec) -> dict[str, Any]:
    metric = arm["performance"].get("rate") if "performance" in arm else None
    if metric is None:
        return {}
    scope = arm["measurement"]["scope"]
    interval = metric.get("interval")
    between = f", 95 % interval {interval['low']} to {interval['high']}" if interval else ""
    trials = f"{metric['trials']} trial" + ("s" if metric["trials"] != 1 else "")
    synthetic = _is_synthetic(arm)
    claim = {
        "statement": f"{arm['label']}: {metric['value']} {metric['unit']} on {system['name']} "
        f"(median of {trials}{between}" + (f"; {SYNTHETIC})." if synthetic else ")."),
        "value": metric["value"],
        "unit": metric["unit"],
        "quantity": metric["quantity"],
        "form": "absolute",
        "scope": scope,
        "purpose": "kernel_benchmark" if scope in PARTS else "hardware_throughput",
        "mode": "none" if scope in PARTS else spec.claims.mode,
        "compares": "none",
        **_shared(system),
        **_said(synthetic),
        "statistic": "median",
        "measured": _reference(name, "rate"),
    }
    if interval:
        claim["interval"] = interval
    unit = metric["unit"].removesuffix("/s")
    claim["work"] = "operations" if unit == "FLOP" else unit
    return {f"{name}-rate": claim}


def _ratio(
    name: str, arms: dict[str, Any], rates: Mapping[str, Sequence[float]], system: dict[str, Any], spec: Spec
) -> dict[str, Any]:
    """Return the claim of a speed-up over the baseline that the spec names."""
    baseline = spec.claims.baseline
    if baseline is None or baseline == name:
        return {}
    arm, above, below = arms[name], rates.get(name), rates.get(baseline)
    if not above or not below:
        return {}
    value = printed(median(above) / median(below))
    base_label = arms[baseline]["label"]
    synthetic = _is_synthetic(arm) or _is_synthetic(arms[baseline])
    claim: dict[str, Any] = {
        "statement": f"{arm['label']} runs at {value} times the rate of {base_label}"
        + (f" ({SYNTHETIC})." if synthetic else "."),
        "value": value,
        "unit": "x",
        "quantity": "rate",
        "form": "ratio",
        "scope": arm["measurement"]["scope"],
        "purpose": spec.claims.purpose,
        "mode": "none" if arm["measurement"]["scope"] in PARTS else spec.claims.mode,
        "compares": "own_variants",
        **_shared(system),
        **_said(synthetic),
        "statistic": "median",
        "treatment": _differing(arm["options"], arms[baseline]["options"]),
        "measured": _reference(name, "rate"),
        "base": {**_reference(baseline, "rate"), "definition": f"the arm {base_label} of the same study"},
    }
    if arm.get("quality"):
        claim["quality"] = {"manifest": STUDY, "arm": name, "quality": next(iter(arm["quality"]))}
    interval = log_welch_ratio(above, below)
    if interval is not None:
        claim["interval"] = {
            "low": printed(interval.lower),
            "high": printed(interval.upper),
            "level": interval.confidence,
            "method": "Welch's t on logs of trial medians",
            "varies": "trials",
        }
    return {f"{name}-over-{baseline}"[:64]: claim}


def _first_crossing(name: str, arm: dict[str, Any], system: dict[str, Any]) -> dict[str, Any]:
    metric = arm["performance"].get("time_to_target") if "performance" in arm else None
    if metric is None or "value" not in metric:
        return {}
    target, samples = arm["target"], arm["performance"]["samples_to_target"]["value"]
    n, outside = metric["n"], arm["measurement"].get("exclusions", {})
    left_out = ", ".join(f"{name} {item['duration_s']:g} s" for name, item in sorted(outside.items()))
    claim: dict[str, Any] = {
        "statement": f"{arm['label']} reaches {target['metric']} {target['value']} after {metric['value']} s of "
        f"training steps and {samples} samples (median of {n['planned']} seeds, {n['completed']} of which got there"
        + (f"; not counted: {left_out})." if left_out else ")."),
        "value": metric["value"],
        "unit": "s",
        "quantity": "time",
        "form": "absolute",
        "scope": "training_run",
        "purpose": "time_to_accuracy",
        "mode": "training",
        "compares": "none",
        **_shared(system),
        "statistic": "median",
        "target": target,
        "criterion": target["criterion"],
        "crossing_samples": float(samples),
        "measured": _reference(name, "time_to_target"),
    }
    if arm.get("quality"):
        claim["quality"] = {"manifest": STUDY, "arm": name, "quality": next(iter(arm["quality"]))}
    if "interval" in metric:
        claim["interval"] = metric["interval"]
    return {f"{name}-first-crossing": claim}


def _shared(system: dict[str, Any]) -> dict[str, Any]:
    return {"basis": "measured", "site": "own", "device": system["device_kind"]}


def _is_synthetic(arm: dict[str, Any]) -> bool:
    return bool(arm["measurement"].get("pipeline", {}).get("kind") == "synthetic")


def _said(synthetic: bool) -> dict[str, Any]:
    """Return the quotation of what the statement says of the inputs."""
    return {"said": [{"topic": "synthetic_input", "quote": SYNTHETIC}]} if synthetic else {}


def _reference(arm: str, metric: str) -> dict[str, Any]:
    return {"manifest": STUDY, "arm": arm, "metric": metric}


def _trial_rates(arm: dict[str, Any]) -> list[float]:
    """Return work / median step time of each completed throughput trial, from the printed medians."""
    metric = arm.get("performance", {}).get("rate")
    trials = [trial for trial in arm["trials"].values() if trial["kind"] == "throughput"]
    medians = [
        float(trial["medians"]["step_time_s"])
        for trial in trials
        if trial["outcome"] == "completed" and "step_time_s" in trial.get("medians", {})
    ]
    return [metric["work_per_iteration"] / seconds for seconds in medians if seconds > 0] if metric else []


def _differing(options: dict[str, Any], other: dict[str, Any]) -> list[str]:
    keys = sorted(options.keys() | other.keys())
    return [key for key in keys if options.get(key) != other.get(key) and key != "extra"]
