"""What the manifest says of the machine: the system, its software and its environment, from the collected facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ... import __version__
from ...schemas.digest import canonical, sha256_hex
from ...schemas.spec import Spec
from ..environment import gpus
from ..environment.collect import Collected
from ..environment.fact import Fact, unverifiable
from ..study.program import Program

SYSTEM = "node"
LIBRARIES = {
    "oneMKL": r"oneAPI Math Kernel Library Version (\S+)",
    "oneDNN": r"MKL-DNN v(\S+)",
}
ON_PROCESSOR = {"not_applicable": "the work runs on the processor"}


def system_of(nodes: int) -> str:
    """Return the id of the system that so many nodes are."""
    return SYSTEM if nodes == 1 else f"nodes-{nodes}"


def system(facts: Collected, spec: Spec, nodes: int = 1) -> dict[str, Any]:
    """Return the hardware of so many nodes."""
    processor = _text(facts.processor["model"]) or "unnamed processor"
    devices = _devices(facts, spec)
    on_processor = spec.device == "cpu"
    name = _common(devices, "name") if devices else processor if on_processor else None
    value: dict[str, Any] = {
        "name": ("" if nodes == 1 else f"{nodes} nodes, each ")
        + (processor if on_processor else f"{max(1, len(devices))}x {name or 'unnamed accelerator'}"),
        "device": name,
        "device_kind": "processor" if on_processor else "accelerator",
        "devices_per_node": len(facts.accelerators.value["devices"]) if devices else None,
        "nodes": nodes,
        "host_processor": processor,
        "host_sockets": facts.processor["sockets"].value,
        "host_cores": facts.processor["cores"].value,
        "host_memory_gib": facts.memory_gib.value,
        "threads_used": spec.controls.threads if on_processor else None,
        "interconnect": _interconnect(facts, devices) if nodes == 1 else None,
        "operating_system": _join(" / ", facts.operating_system["distribution"], facts.operating_system["kernel"]),
        "virtualisation": _virtualisation(facts),
        "price": _price(spec),
    }
    if devices:
        value["device_memory_gib"] = _scaled(_common(devices, "memory_bytes"), 2**30)
        value["power_limit_w"] = _scaled(_common(devices, "power_limit_mw"), 1000)
        value["design_power_w"] = _scaled(_common(devices, "default_power_limit_mw"), 1000)
    return _without_none(value)


def _price(spec: Spec) -> dict[str, Any] | None:
    if spec.price is None:
        return None
    told = spec.price
    known = {"amount": told.amount, "currency": told.currency, "date": told.date, "kind": told.kind}
    return _without_none(known)


def software(facts: Collected, spec: Spec) -> dict[str, Any]:
    """Return the software stack; what a command brings along is not known here."""
    on_device = spec.device != "cpu"
    torch = facts.torch.value if facts.torch.known else {}
    value: dict[str, Any] = {
        "driver": (facts.accelerators.value["driver"] if facts.accelerators.known else None)
        if on_device
        else ON_PROCESSOR,
        "runtime": _runtime(torch) if on_device else ON_PROCESSOR,
        "framework": f"torch {torch['version']}" if torch else None,
        "language": facts.python.value if torch else None,
        "tool": f"dlaudit {__version__}",
        "tool_dirty": facts.tool["dirty"].value,
        "container": _container(facts),
        "lock_digest": "sha256:" + sha256_hex(canonical(facts.packages)),
        "packages": facts.packages,
        "libraries": _libraries(torch),
    }
    if facts.working_directory["commit"].known:
        value["code"] = {
            "commit": facts.working_directory["commit"].value,
            "dirty": facts.working_directory["dirty"].value,
        }
    return _without_none(value)


def software_of(ran: Program, shared: dict[str, Any]) -> dict[str, Any]:
    """Return the software stack of an arm, which has a commit or an environment of its own.

    Args:
        ran: what the arm ran.
        shared: the software stack of the process that started its trials.
    """
    value = dict(shared)
    if ran.commit is not None:
        value["code"] = {"commit": ran.commit, "dirty": False}
    if ran.language is not None:
        torch = ran.packages.get("torch")
        value |= {
            "framework": f"torch {torch}" if torch is not None and "framework" in shared else None,
            "language": ran.language,
            "packages": ran.packages,
            "lock_digest": "sha256:" + sha256_hex(canonical(ran.packages)),
            "libraries": None,
        }
    return _without_none(value)


def environment(facts: Collected, spec: Spec, controls: dict[str, Any]) -> dict[str, Any]:
    """Return the conditions.

    Args:
        facts: the collected facts.
        spec: the spec.
        controls: what became of each knob, over the trials of an arm.
    """
    devices = _devices(facts, spec)
    pinned = controls.get("affinity", {})
    processors = pinned.get("found", pinned.get("applied")) if pinned.get("verified") == "verified" else None
    memory = controls.get("numa_nodes", {})
    value: dict[str, Any] = {
        "clocks": _clocks(controls),
        "affinity": f"processors {processors}" if processors is not None else None,
        "numa": f"nodes {memory['applied']}" if memory.get("verified") == "verified" else None,
        "power_limit_w": _power_limit_w(devices, controls),
        "co_tenants": _co_tenants(facts, devices),
        "partitioning": "none" if devices and all(one["partitioned"] is False for one in devices) else None,
        "controls": {name: _found(fact) for name, fact in facts.frequency.items()} | _gpu(facts, devices) | controls,
        "probes": {name: _probed(fact) for name, fact in facts.probes.items()},
        "variables": facts.variables,
    }
    return _without_none(value)


def device_ids(facts: Collected, spec: Spec) -> list[str]:
    """Return the identities of the devices in use, where they are certain."""
    return [str(device["uuid"]) for device in _devices(facts, spec) if device["uuid"]]


def _clocks(controls: dict[str, Any]) -> dict[str, Any]:
    """Return the clock policy: locked where the driver took the lock; whether the clock obeyed is in the control."""
    clock = controls.get("gpu_sm_clock_mhz", {}).get("applied")
    if not isinstance(clock, (int, float)):
        return {"policy": "none"}
    return {"policy": "locked", "low_mhz": clock, "high_mhz": clock}


def _power_limit_w(devices: Sequence[dict[str, Any]], controls: dict[str, Any]) -> float | None:
    """Return the limit in force during the trials: where a limit was set, the one found then."""
    found = controls.get("gpu_power_limit_w", {}).get("found")
    if found is not None:
        return float(found)
    return _scaled(_common(devices, "power_limit_mw"), 1000)


def _devices(facts: Collected, spec: Spec) -> list[dict[str, Any]]:
    """Return the accelerators in use: the study's device and those that it names.

    None on the processor, and where renumbering makes the device uncertain and none is named.
    """
    if spec.device == "cpu" or not facts.accelerators.known:
        return []
    known: list[dict[str, Any]] = facts.accelerators.value["devices"]
    names = [str(device["name"]) for device in known]
    one = gpus.of_device(spec.device, [str(device["uuid"]) for device in known], names, facts.variables)
    named = spec.controls.gpus
    return [device for n, device in enumerate(known) if device["uuid"] == one or named == "all" or n in named]


def _common(devices: Sequence[dict[str, Any]], key: str) -> Any:
    """Return what all devices have in common; None where they differ."""
    found = [device[key] for device in devices]
    return found[0] if found and found.count(found[0]) == len(found) else None


def _interconnect(facts: Collected, devices: Sequence[dict[str, Any]]) -> Any:
    """Return what lies between the devices, the links first; None where nothing tells."""
    if len(devices) < 2:
        return {"not_applicable": "one device does the work"}
    known = [device["uuid"] for device in facts.accelerators.value["devices"]]
    numbers = [known.index(device["uuid"]) for device in devices]
    paths = facts.accelerators.value["paths"]
    between = sorted({path for i in numbers for j in numbers if (path := paths.get(f"{i}-{j}")) is not None})
    links = _common(devices, "nvlinks")
    return ", ".join(([f"{links} NVLinks each"] if links else []) + between) or None


def _co_tenants(facts: Collected, devices: Sequence[dict[str, Any]]) -> str | None:
    """Return who computed on the devices before the first trial; None where the driver's list may not be whole."""
    counts = [device["processes"] for device in devices]
    if any(counts):
        return f"{sum(count or 0 for count in counts)} other processes before the first trial"
    whole = bool(counts) and None not in counts and facts.accelerators.value.get("sees_all_processes")
    return "none" if whole else None


def _gpu(facts: Collected, devices: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what the devices stood at before the study, as knobs that nobody asked to turn."""
    if not devices:
        return {}
    names = {"gpu_ecc": "ecc", "gpu_persistence_mode": "persistence_mode", "gpu_compute_mode": "compute_mode"}
    found = {}
    for name, key in names.items():
        told = [device.get(key) for device in devices]
        if None not in told:
            same = told.count(told[0]) == len(told)
            found[name] = _found(Fact(told[0] if same else ", ".join(str(one) for one in told)))
    counts = [device["processes"] for device in devices]
    if None in counts:
        found["gpu_processes"] = _found(unverifiable("the driver does not list the processes of this GPU"))
    elif not any(counts) and not facts.accelerators.value.get("sees_all_processes"):
        found["gpu_processes"] = _found(
            unverifiable(
                "invisible in this container: the driver lists only processes of its own; share the host's ids"
            )
        )
    else:
        found["gpu_processes"] = _found(Fact(sum(counts)))
    return found


def _found(fact: Fact) -> dict[str, Any]:
    """Return a fact that nobody asked to change as a control."""
    if fact.known:
        return {"found": fact.value, "verified": "not_requested"}
    if fact.not_permitted is not None:
        return {"verified": "not_permitted", "evidence": fact.not_permitted}
    return {"verified": "unverifiable", "evidence": fact.unverifiable}


def _probed(fact: Fact) -> dict[str, Any]:
    """Return what a probe found, or why it found nothing."""
    return {"value": fact.value} if fact.known else {"evidence": fact.unverifiable or fact.not_permitted}


def _runtime(torch: dict[str, Any]) -> str | None:
    if torch.get("cuda"):
        return f"CUDA {torch['cuda']}"
    return f"ROCm {torch['hip']}" if torch.get("hip") else None


def _libraries(torch: dict[str, Any]) -> dict[str, str]:
    found = {"cuDNN": torch.get("cudnn"), "NCCL": torch.get("nccl")}
    for name, pattern in LIBRARIES.items():
        match = re.search(pattern, torch.get("configuration") or "")
        found[name] = match.group(1) if match else None
    return {name: version for name, version in found.items() if version}


def _container(facts: Collected) -> Any:
    if not facts.container.known:
        return None
    kind = str(facts.container.value)
    return {"not_applicable": "no container"} if kind == "none" else f"{kind} (image not known from inside)"


def _virtualisation(facts: Collected) -> str | None:
    parts = [text for fact in (facts.container, facts.virtual_machine) if (text := _text(fact)) and text != "none"]
    known = facts.container.known and facts.virtual_machine.known
    return " on ".join(parts) or ("none" if known else None)


def _text(fact: Fact) -> str | None:
    return fact.text() or None


def _join(separator: str, *facts: Fact) -> str | None:
    return separator.join(text for fact in facts if (text := _text(fact))) or None


def _scaled(value: float | None, unit: float) -> float | None:
    return float(f"{value / unit:.6g}") if value else None


def _without_none(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item not in (None, {})}
