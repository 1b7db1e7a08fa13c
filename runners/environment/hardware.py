"""Processor and memory."""

from __future__ import annotations

import platform
from pathlib import Path

from .fact import Fact, Facts, read_text, unverifiable


def processor(sysroot: Path) -> Facts:
    """Return model, sockets, physical cores and logical processors of this node."""
    info = read_text(sysroot, "/proc/cpuinfo")
    if not info.known:
        return dict.fromkeys(("model", "sockets", "cores", "logical_processors"), info)
    blocks = [_fields(block) for block in str(info.value).split("\n\n") if block.strip()]
    blocks = [block for block in blocks if "processor" in block]
    model = next((block["model name"] for block in blocks if "model name" in block), None)
    packages = {block["physical id"] for block in blocks if "physical id" in block}
    cores = {(block.get("physical id"), block["core id"]) for block in blocks if "core id" in block}
    silent = unverifiable("/proc/cpuinfo does not tell")
    return {
        "model": Fact(model) if model else Fact(platform.machine()) if platform.machine() else silent,
        "sockets": Fact(len(packages)) if packages else silent,
        "cores": Fact(len(cores)) if cores else silent,
        "logical_processors": Fact(len(blocks)) if blocks else silent,
    }


def memory_gib(sysroot: Path) -> Fact:
    """Return the memory of this node, in GiB."""
    info = read_text(sysroot, "/proc/meminfo")
    if not info.known:
        return info
    for line in str(info.value).splitlines():
        name, _, rest = line.partition(":")
        if name == "MemTotal" and rest.split()[:1] and rest.split()[0].isdigit():
            return Fact(float(f"{int(rest.split()[0]) / 2**20:.6g}"))
    return unverifiable("/proc/meminfo does not tell")


def _fields(block: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in block.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}
