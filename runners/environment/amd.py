"""AMD's management library, loaded when it is first asked; every answer is a value or a refusal."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...schemas.spec import Spec
from . import gpus
from .knobs.interface import Refused

NO_PERMISSION = 10
"""AMDSMI_STATUS_NO_PERM."""


@cache
def library() -> Any:
    """Return the module amdsmi, initialised once for this process.

    Raises:
        Refused: it is not installed, or finds no driver.
    """
    try:
        import amdsmi
    except ImportError:
        raise Refused("unverifiable", "amdsmi is not installed", "it comes with ROCm, or: pip install amdsmi") from None
    except Exception as error:  # without the driver's library the import itself fails, by a KeyError
        raise Refused("unverifiable", f"amdsmi does not find its library: {error}", "install ROCm") from None
    try:
        amdsmi.amdsmi_init()
    except amdsmi.AmdSmiException as error:
        raise Refused("unverifiable", f"no AMD driver answers: {_line(error)}") from None
    return amdsmi


def ask(function: str, target: str, *arguments: Any) -> Any:
    """Call a function of the library on the GPU of a UUID.

    Raises:
        Refused: the library refuses, or does not know the GPU.
    """
    amdsmi = library()
    try:
        return getattr(amdsmi, function)(_handles()[target], *arguments)
    except KeyError:
        raise Refused("unverifiable", f"there is no AMD GPU {target}") from None
    except amdsmi.AmdSmiException as error:
        denied = getattr(error, "err_code", None) == NO_PERMISSION
        todo = "run as root, or in a container with --device=/dev/kfd --device=/dev/dri as root" if denied else ""
        raise Refused("not_permitted" if denied else "unverifiable", f"{function}: {_line(error)}", todo) from None


def uuids() -> tuple[str, ...]:
    """Return the UUIDs of all AMD GPUs, in the driver's order.

    Raises:
        Refused: no driver answers.
    """
    return tuple(_handles())


def meant(spec: Spec) -> dict[str, str]:
    """Return the UUIDs of the AMD GPUs whose knobs a spec turns, each with a label; the only one, or those it names.

    Raises:
        Refused: there is no driver or no such GPU, or several and none is named.
    """
    known = uuids()
    if not spec.controls.gpus and len(known) > 1:
        raise Refused("unverifiable", f"there are {len(known)} AMD GPUs", "name those meant in /controls/gpus")
    return gpus.numbered(spec.controls.gpus or "all", known, "AMD GPU")


@cache
def _handles() -> dict[str, Any]:
    """Return the library's handles by UUID, in the driver's order."""
    amdsmi = library()
    try:
        return {amdsmi.amdsmi_get_gpu_device_uuid(one): one for one in amdsmi.amdsmi_get_processor_handles()}
    except amdsmi.AmdSmiException as error:
        raise Refused("unverifiable", f"the AMD driver refuses: {_line(error)}") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
