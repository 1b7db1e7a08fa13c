"""What the manifest says of the machine: the system, its software and its environment, from the collected facts."""

from __future__ import annotations

import re
from typing import Any

from .. import __version__
from ..schemas.digest import canonical, sha256_hex
from ..schemas.spec import Spec
from .environment import gpus
from .environment.collect import Collected
from .environment.fact import Fact, unverifiable

SYSTEM = "node"
LIBRARIES = {
    "oneMKL": r"oneAPI Math Kernel Library Version (\S+)",
    "oneDNN": r"MKL-DNN v(\S+)",
}
ON_PROCESSOR = {"not_applicable": "the work runs on the processor"}


def system(facts: Collected, spec: Spec) -> dict[str, Any]:
    """Return the hardware."""
    processor = _text(facts.processor["model"]) or "unnamed processor"
    device = _device(facts, spec)
    on_processor = spec.device == "cpu"
    name = device["name"] if device else processor if on_processor else None
    value: dict[str, Any] = {
        "name": processor if on_processor else f"1x {name or 'unnamed accelerator'}",
        "device": name,
        "device_kind": "processor" if on_processor else "accelerator",
        "devices_per_node": len(facts.accelerators.value["devices"]) if device else None,
        "nodes": 1,
        "host_processor": processor,
        "host_sockets": facts.processor["sockets"].value,
        "host_cores": facts.processor["cores"].value,
        "host_memory_gib": facts.memory_gib.value,
        "threads_used": spec.controls.threads if on_processor else None,
        "interconnect": {"not_applicable": "one device does the work"},
        "operating_system": _join(" / ", facts.operating_system["distribution"], facts.operating_system["kernel"]),
        "virtualisation": _virtualisation(facts),
    }
    if device:
        value["device_memory_gib"] = _scaled(device["memory_bytes"], 2**30)
        value["power_limit_w"] = _scaled(device["power_limit_mw"], 1000)
        value["design_power_w"] = _scaled(device["default_power_limit_mw"], 1000)
    return _without_none(value)


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


def environment(facts: Collected, spec: Spec, controls: dict[str, Any]) -> dict[str, Any]:
    """Return the conditions.

    Args:
        facts: the collected facts.
        spec: the spec.
        controls: what became of each knob, over the trials of an arm.
    """
    device = _device(facts, spec)
    pinned = controls.get("affinity", {})
    processors = pinned.get("found", pinned.get("applied")) if pinned.get("verified") == "verified" else None
    memory = controls.get("numa_nodes", {})
    value: dict[str, Any] = {
        "clocks": _clocks(controls),
        "affinity": f"processors {processors}" if processors is not None else None,
        "numa": f"nodes {memory['applied']}" if memory.get("verified") == "verified" else None,
        "power_limit_w": _power_limit_w(device, controls),
        "co_tenants": _co_tenants(facts, device),
        "partitioning": "none" if device and device["partitioned"] is False else None,
        "controls": {name: _found(fact) for name, fact in facts.frequency.items()} | _gpu(facts, device) | controls,
        "probes": {name: _probed(fact) for name, fact in facts.probes.items()},
        "variables": facts.variables,
    }
    return _without_none(value)


def device_ids(facts: Collected, spec: Spec) -> list[str]:
    """Return the identity of the device in use, where it is certain."""
    device = _device(facts, spec)
    return [device["uuid"]] if device and device["uuid"] else []


def _clocks(controls: dict[str, Any]) -> dict[str, Any]:
    """Return the clock policy: locked where the driver took the lock; whether the clock obeyed is in the control."""
    clock = controls.get("gpu_sm_clock_mhz", {}).get("applied")
    if not isinstance(clock, (int, float)):
        return {"policy": "none"}
    return {"policy": "locked", "low_mhz": clock, "high_mhz": clock}


def _power_limit_w(device: dict[str, Any] | None, controls: dict[str, Any]) -> float | None:
    """Return the limit in force during the trials: where a limit was set, the one found then."""
    found = controls.get("gpu_power_limit_w", {}).get("found")
    if found is not None:
        return float(found)
    return _scaled(device["power_limit_mw"], 1000) if device else None


def _device(facts: Collected, spec: Spec) -> dict[str, Any] | None:
    """Return the accelerator in use; None on the processor, or where renumbering makes it uncertain."""
    if spec.device == "cpu" or not facts.accelerators.known:
        return None
    devices: list[dict[str, Any]] = facts.accelerators.value["devices"]
    names = [str(device["name"]) for device in devices]
    uuid = gpus.of_device(spec.device, [str(device["uuid"]) for device in devices], names, facts.variables)
    return next((device for device in devices if device["uuid"] == uuid), None)


def _co_tenants(facts: Collected, device: dict[str, Any] | None) -> str | None:
    """Return who computed on the device before the first trial; None where the driver's list may not be whole."""
    number = device["processes"] if device else None
    if number:
        return f"{number} other processes before the first trial"
    return "none" if number == 0 and facts.accelerators.value.get("sees_all_processes") else None


def _gpu(facts: Collected, device: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the device stood at before the study, as knobs that nobody asked to turn."""
    if device is None:
        return {}
    names = {"gpu_ecc": "ecc", "gpu_persistence_mode": "persistence_mode", "gpu_compute_mode": "compute_mode"}
    found = {name: _found(Fact(device[key])) for name, key in names.items() if device.get(key) is not None}
    if device["processes"] is None:
        found["gpu_processes"] = _found(unverifiable("the driver does not list the processes of this GPU"))
    elif not device["processes"] and not facts.accelerators.value.get("sees_all_processes"):
        found["gpu_processes"] = _found(
            unverifiable(
                "invisible in this container: the driver lists only processes of its own; share the host's ids"
            )
        )
    else:
        found["gpu_processes"] = _found(Fact(device["processes"]))
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
