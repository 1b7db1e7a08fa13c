"""The claims that a scaling study implies: what its largest size gains over one process, with the table of all sizes.

Each says what stays constant, over which base, and how far the devices are used. Nothing is drafted of sizes that were
not measured: the laws that were fitted stand in the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STUDY = "study"
TABLE = "scaling"
LAYOUT = ("devices", "data_parallel", "per_device_batch", "micro_batch", "accumulation", "bucketing", "overlap")
"""Options in which sizes differ because they are sizes."""
BATCH = "global_batch"
Json = dict[str, Any]


def claims(manifest: Json, shared: Json, purpose: str) -> Json:
    """Return the speed-up and the efficiency of the largest size; nothing where it or the base gave no number.

    Args:
        manifest: the manifest.
        shared: what all drafted claims say of basis and site.
        purpose: of the study's claims.
    """
    predicate = manifest["predicate"]
    scaling, arms = predicate.get("scaling"), predicate["arms"]
    if scaling is None:
        return {}
    base, last = scaling["base"], list(scaling["sizes"])[-1]
    row = scaling["sizes"][last]
    if last == base or "speedup" not in row:
        return {}
    mode, metric = scaling["mode"], "time_to_target" if scaling["mode"] == "time_to_target" else "rate"
    timed = mode == "time_to_target"
    claim: Json = {
        "statement": _statement(mode, row, arms[last], arms[base]),
        "value": row["speedup"],
        "unit": "x",
        "quantity": "time" if timed else "rate",
        "form": "ratio",
        "scope": "training_run" if timed else arms[last]["measurement"]["scope"],
        "purpose": "time_to_accuracy" if timed else purpose,
        "mode": "training",
        "compares": "own_variants",
        **shared,
        "statistic": "median",
        "attribution": "layout",
        "treatment": _treatment(arms[last]["options"], arms[base]["options"]),
        "measured": {"manifest": STUDY, "arm": last, "metric": metric},
        "base": {
            "manifest": STUDY,
            "arm": base,
            "metric": metric,
            "definition": "one process of the same program on one node",
            "devices": 1,
        },
        "row": {"table": TABLE, "row": last, "base_row": base},
    }
    claim["label"] = label_of(scaling)
    if timed:
        claim |= {"target": arms[last]["target"], "criterion": arms[last]["target"]["criterion"]}
    else:
        claim["work"] = arms[last]["performance"]["rate"]["unit"].removesuffix("/s")
    if arms[last].get("quality"):
        quality = next(iter(arms[last]["quality"]))
        claim["quality"] = {"manifest": STUDY, "arm": last, "quality": quality}
    if "low" in row:
        varies = "seeds" if timed else "trials"
        interval = {"low": row["low"], "high": row["high"], "level": 0.95, "varies": varies}
        claim["interval"] = interval | {"method": "Welch's t on logs of trial medians"}
    found = {f"{last}-speedup": claim}
    if not timed:
        found[f"{last}-efficiency"] = _efficiency(claim, row, arms[last])
    return found


def tables(manifest: Json) -> Json:
    """Return the table of all sizes; nothing where the study is no scaling study."""
    predicate = manifest["predicate"]
    scaling, arms = predicate.get("scaling"), predicate["arms"]
    if scaling is None:
        return {}
    column, metric = _column(scaling["mode"], arms[scaling["base"]])
    rows = {
        name: row
        for name, size in scaling["sizes"].items()
        if (row := _row(arms[name], size, metric, first=name == scaling["base"])) is not None
    }
    options = [arms[name]["options"] for name in rows]
    varies = sorted({key for one in options for key in _treatment(one, options[0])})
    value: Json = {
        "caption": _caption(scaling["mode"], arms[scaling["base"]]),
        "columns": {metric: column},
        "rows": rows,
        "varies": varies,
        "base_row": scaling["base"],
    }
    value["label"] = label_of(scaling)
    return {TABLE: value}


def label_of(scaling: Json) -> str:
    """Return what the global batches of the sizes are: strong, weak or mixed scaling."""
    sizes = scaling["sizes"].values()
    batches = {size.get("global_batch") for size in sizes}
    if len(batches) == 1:
        return "strong"
    per_rank = {size.get("global_batch", 0) / size["ranks"] for size in sizes}
    return "weak" if len(per_rank) == 1 else "mixed"


def _statement(mode: str, row: Json, arm: Json, base: Json) -> str:
    where, over, gain = arm["label"], base["label"], row["speedup"]
    batch = row.get("global_batch")
    if mode == "strong":
        return f"At a global batch of {batch}, {where} run at {gain} times the rate of {over} (strong scaling)."
    if mode == "weak":
        unit = arm["performance"]["rate"]["unit"].removesuffix("/s")
        return (
            f"At a batch of {batch // row['ranks']} per rank, {where} process {gain} times the {unit} per "
            f"second of {over} (weak scaling; a throughput, not a time to train)."
        )
    target = arm["target"]
    return f"{where} reach {target['metric']} {target['value']} {gain} times as fast as {over} (median training time)."


def _efficiency(claim: Json, row: Json, arm: Json) -> Json:
    percent = f"{100 * float(row['efficiency']):.4g}"
    label = "weak-scaling" if claim.get("label") == "weak" else "parallel"
    value = {key: item for key, item in claim.items() if key != "interval"}
    value |= {
        "statement": f"The {label} efficiency of {arm['label']} is {percent} %.",
        "value": percent,
        "unit": "%",
        "form": "efficiency",
    }
    if "interval" in claim:
        ends = {key: f"{100 * float(row[key]) / row['ranks']:.4g}" for key in ("low", "high")}
        value["interval"] = claim["interval"] | ends
    return value


def _column(mode: str, arm: Json) -> tuple[Json, str]:
    if mode == "time_to_target":
        column = {"quantity": "time", "unit": "s", "scope": "training_run", "mode": "training", "statistic": "median"}
        return column, "time_to_target"
    metric = arm["performance"]["rate"]
    scope = arm["measurement"]["scope"]
    return {
        "quantity": "rate",
        "unit": metric["unit"],
        "scope": scope,
        "mode": "training",
        "statistic": "median",
    }, "rate"


def _row(arm: Json, size: Json, metric: str, *, first: bool) -> Json | None:
    found = arm.get("performance", {}).get(metric)
    if found is None or "value" not in found or "speedup" not in size:
        return None
    options = {key: value for key, value in arm["options"].items() if key != "extra"}
    row: Json = {
        "label": arm["label"],
        "devices": size["ranks"],
        "nodes": size["nodes"],
        "options": options,
        "values": {metric: found["value"]},
        "speedup": "1" if first else size["speedup"],
        "efficiency": "1" if first else size["efficiency"],
    }
    parameters = arm["options"].get("extra", {}).get("parameters")
    if isinstance(parameters, int):
        row["parameters"] = parameters
    samples = arm.get("performance", {}).get("samples_to_target", {}).get("value")
    if samples is not None:
        row["samples_to_target"] = float(samples)
    return row


def _caption(mode: str, base: Json) -> str:
    trials = base["performance"].get("rate", {}).get("trials") if mode != "time_to_target" else None
    what = {
        "strong": "Strong scaling at one global batch",
        "weak": "Weak scaling at one batch per rank",
        "time_to_target": "Time to the target at each size",
    }[mode]
    return f"{what}: medians" + (f" over {trials} processes a size" if trials else "") + "; base: one process."


def _treatment(options: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the options that differ because the sizes do, or because the spec names them so."""
    keys = sorted(options.keys() | other.keys())
    return [key for key in keys if options.get(key) != other.get(key) and key not in ("extra", "global_batch")] or [
        "devices"
    ]
