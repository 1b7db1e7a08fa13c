"""Versions of what runs: Python, packages, and torch with its libraries, asked in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import platform
import subprocess
import sys
from importlib import metadata

from . import mantissa
from .fact import Fact, Facts, unverifiable

TIMEOUT_S = 120
ASK_TORCH = """
import json, sys, torch
from dlaudit.runners.environment import mantissa
def ask(f):
    try: return str(f())
    except Exception: return None
cuda = torch.version.cuda
print(json.dumps({
    "version": torch.__version__, "commit": torch.version.git_version, "cuda": cuda, "hip": torch.version.hip,
    "cudnn": ask(torch.backends.cudnn.version) if cuda else None,
    "nccl": ask(lambda: ".".join(map(str, torch.cuda.nccl.version()))) if cuda else None,
    "capability": ask(torch.backends.cpu.get_cpu_capability), "configuration": torch.__config__.show(),
    "mantissa_bits": mantissa.measure(sys.argv[1]),
}))
"""


def python() -> Fact:
    """Return implementation and version of the interpreter that runs the trials."""
    return Fact(f"{platform.python_implementation()} {platform.python_version()}")


def packages() -> dict[str, str]:
    """Return all installed distributions with their versions."""
    found: dict[str, str] = {}
    for distribution in metadata.distributions():
        told = _head(distribution)
        if name := told.get("name"):
            found.setdefault(name, told.get("version", ""))
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def _head(distribution: metadata.Distribution) -> dict[str, str]:
    """Return the first lines of a distribution's metadata; to parse all of them takes ten times as long."""
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or distribution.read_text("") or ""
    found: dict[str, str] = {}
    for line in text.partition("\n\n")[0].splitlines():
        key, _, value = line.partition(":")
        found.setdefault(key.lower(), value.strip())
    return found


def torch(device: str) -> tuple[Fact, Facts]:
    """Return the versions of torch and of its CUDA, cuDNN and NCCL, and what products on a device keep of a number.

    A child asks: this process never imports torch.
    """
    if importlib.util.find_spec("torch") is None:
        return unverifiable("torch is not installed"), {}
    try:
        answer = subprocess.run(
            [sys.executable, "-P", "-c", ASK_TORCH, device],
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return unverifiable(f"torch did not load in {TIMEOUT_S} s"), {}
    try:
        told = json.loads(answer.stdout)
    except ValueError:
        return unverifiable(f"torch does not load (exit code {answer.returncode})"), {}
    return Fact(told), mantissa.facts(told.pop("mantissa_bits"))
