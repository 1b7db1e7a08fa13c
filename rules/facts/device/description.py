"""What a system description states: device, count, memory, interconnect; node, host and software beside them."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.conditions import Software, System
from ....schemas.model import NotApplicable
from ....schemas.pattern import Pattern
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...language.reading import read
from ...tables.names import named
from ..document.none_said import is_unstated
from .specification import device_of

_CLOUD = Pattern(
    r"(?i)\b[a-z]+\d+[a-z]*\.[\w-]*(?:xlarge|metal|large)\b|\ba[234]-(?:high|mega|ultra|edge)gpu|\bStandard_N\w+"
    r"|\b(?:TPU\s?)?v\d[ep]?-\d+\b|\bg2-standard"
)
DESCRIPTION = ("nodes", "host processor", "host memory", "devices per node", "device", "framework", "operating system")
ESSENTIAL = frozenset({"nodes", "devices per node", "framework"})


class Described(Struct, frozen=True):
    """The hardware and software of one side.

    Attributes:
        at: place of the system, or of what should name it.
        count: devices, where known.
        system: the description.
        software: the software.
        resolved: whether the accelerator table knows one device that the name means, with its form and memory.
    """

    at: str
    count: int | None
    system: System | None
    software: Software | None
    resolved: bool = False


def described(claim: Claim, case: Case) -> tuple[Described, ...]:
    """Return the sides of a claim whose hardware matters: its own, and that of a base in the same document."""
    return _described(case, claim)


@fact
def _described(case: Case, claim: Claim) -> tuple[Described, ...]:
    row, own, base = case.row(claim), case.subject(claim), case.base(claim)
    system = case.submission.systems.get(row.system or "") if row is not None else None
    if own is None:
        count = row.devices if row is not None else None
        found = [Described(claim.at, count, system, None, device_of(case, system).kind == "fixed")]
    else:
        found = [_of_side(case, own, system)]
    if base is not None and (own is None or base.id != own.id):
        found.append(_of_side(case, base, None))
    return tuple(found)


def _of_side(case: Case, side: Side, system: System | None) -> Described:
    system = system or side.system
    at = system.at if system is not None else side.arm.at
    return Described(at, side.devices, system, side.arm.software, device_of(case, system).kind == "fixed")


def stated(value: object) -> bool:
    """Whether a field says something: "N/A" and "unknown" do not, a reason why it does not apply does."""
    if isinstance(value, str):
        return not is_unstated(value)
    return value is not None


def missing_hardware(found: Described) -> tuple[str, ...]:
    """Return which of device, variant, count, memory and interconnect are not stated.

    Form factor and memory may stand in the printed name, or follow from it where the accelerator table knows one device
    of that name; a cloud's machine type gives them all.
    """
    system = found.system
    if system is None:
        return ("device", "count", "memory")
    name = f"{system.name} {system.device if isinstance(system.device, str) else ''}"
    count = found.count or _count(system)
    if _CLOUD.search(name):
        return () if count is not None else ("count",)
    if system.device_kind == "processor":
        return _processor(system)
    printed = named(name)
    known = {
        "device": stated(system.device),
        # of a device that nobody names, no variant is asked
        "variant": not stated(system.device)
        or found.resolved
        or stated(system.device_variant)
        or printed.form is not None
        or read(name).has("device_board"),
        "count": count is not None,
        "memory": found.resolved or system.device_memory_gib is not None or printed.memory is not None,
        "interconnect": count in {None, 1} or stated(system.interconnect),
    }
    return tuple(item for item, there in known.items() if not there)


def _processor(system: System) -> tuple[str, ...]:
    known = {
        "processor": stated(system.host_processor) or stated(system.device),
        "sockets or cores": system.host_sockets is not None or system.host_cores is not None,
        "memory": system.host_memory_gib is not None,
    }
    return tuple(item for item, there in known.items() if not there)


def _count(system: System) -> int | None:
    if system.devices_per_node is None or system.nodes is None:
        return None
    return system.devices_per_node * system.nodes


def missing_description(found: Described) -> tuple[str, ...]:
    """Return which of the seven items of a system description are not stated; a processor is its own device."""
    system = found.system
    if system is None:
        return DESCRIPTION
    framework = found.software.framework if found.software is not None else None
    processor = system.device_kind == "processor"
    values = (
        system.nodes,
        system.host_processor,
        system.host_memory_gib,
        1 if processor else system.devices_per_node,
        system.host_processor if processor else system.device,
        framework,
        system.operating_system,
    )
    return tuple(item for item, value in zip(DESCRIPTION, values, strict=True) if not stated(value))


def without_reason(found: Described) -> tuple[str, ...]:
    """Return the fields of a system that say "N/A" or the like, and not why."""
    system = found.system
    if system is None:
        return ()
    values = ((name, getattr(system, name)) for name in system.__struct_fields__ if name != "at")
    return tuple(name for name, value in values if isinstance(value, str | NotApplicable) and not stated(value))
