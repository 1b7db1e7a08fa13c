"""NVIDIA's management library, loaded when it is first asked; every answer is a value or a refusal.

Reading needs no rights. Changing needs root; where the library refuses for want of it, the same change is tried once
through `sudo -n nvidia-smi`, which one line for sudoers permits without permitting anything else.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from . import account, system
from .knobs.interface import Refused

SMI_S = 30.0
"""Time for nvidia-smi, in seconds: the first call on a machine loads the driver."""


@cache
def library() -> Any:
    """Return the module pynvml, initialised once for this process.

    Raises:
        Refused: it is not installed, or no driver answers.
    """
    try:
        import pynvml
    except ImportError:
        raise Refused("unverifiable", "nvidia-ml-py is not installed", "pip install nvidia-ml-py") from None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        raise Refused("unverifiable", f"no NVIDIA driver answers: {error}") from None
    return pynvml


def ask(function: str, target: str, *arguments: Any) -> Any:
    """Call a function of the library on a GPU.

    Args:
        function: its name, as in `nvmlDeviceGetClockInfo`.
        target: UUID of the GPU.
        arguments: what it takes after the GPU.

    Raises:
        Refused: the library refuses, or does not know the GPU or the function.
    """
    pynvml = library()
    try:
        return getattr(pynvml, function)(handle(target), *arguments)
    except pynvml.NVMLError_NoPermission as error:
        raise Refused("not_permitted", f"{function}: {error}", permission()) from None
    except (pynvml.NVMLError, AttributeError) as error:
        raise Refused("unverifiable", f"{function}: {error}") from None


def asked(function: str, target: str, *arguments: Any) -> Any:
    """Do the same, and return None where the library refuses."""
    try:
        return ask(function, target, *arguments)
    except Refused:
        return None


def change(function: str, target: str, *arguments: Any, smi: tuple[str, ...]) -> None:
    """Change something on a GPU.

    Args:
        function: name of the library's function.
        target: UUID of the GPU.
        arguments: what it takes after the GPU.
        smi: arguments of nvidia-smi that do the same.

    Raises:
        Refused: neither is permitted, or the GPU has no such thing.
    """
    try:
        ask(function, target, *arguments)
    except Refused as refused:
        if refused.state != "not_permitted" or not _by_sudo(target, smi):
            raise


@cache
def handle(target: str) -> Any:
    """Return the library's handle of a GPU, by its UUID."""
    return library().nvmlDeviceGetHandleByUUID(target)


def uuids() -> tuple[str, ...]:
    """Return the UUIDs of all GPUs, in the driver's order.

    Raises:
        Refused: no driver answers.
    """
    pynvml = library()
    try:
        count = pynvml.nvmlDeviceGetCount()
        return tuple(_text(pynvml.nvmlDeviceGetUUID(pynvml.nvmlDeviceGetHandleByIndex(i))) for i in range(count))
    except pynvml.NVMLError as error:
        raise Refused("unverifiable", f"the NVIDIA driver refuses: {error}") from None


def permission() -> str:
    """Return how to get the right to change a GPU, in one clause."""
    inside = system.container(Path("/"))
    if inside.known and inside.value != "none":
        return "start the container as root with --cap-add=SYS_ADMIN, or set it on the host"
    line = f"{account.name()} ALL=(root) NOPASSWD: {shutil.which('nvidia-smi') or '/usr/bin/nvidia-smi'}"
    return f"run as root, or put this line into /etc/sudoers.d/dlaudit: {line}"


def _by_sudo(target: str, arguments: tuple[str, ...]) -> bool:
    """Try the same through `sudo -n nvidia-smi`; return whether it was done."""
    sudo, smi = shutil.which("sudo"), shutil.which("nvidia-smi")
    if sudo is None or smi is None:
        return False
    try:
        done = subprocess.run(
            [sudo, "-n", smi, "-i", target, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SMI_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
