"""A system description as submitters of MLPerf write it: JSON, kept as written and parsed where it can be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ....schemas.errors import UserError
from ....schemas.pattern import Pattern
from ..draft import LARGEST, Origin, at, identifier
from ..drafting import ArmDraft, Drafting
from ..report_file import ReportFile, open_report

if TYPE_CHECKING:
    from ..fields import MalformedLineFields, RunFileFields, SystemFields

NEEDS = (
    "system_name",
    "accelerators_per_node",
    "accelerator_model_name",
    "number_of_nodes",
    "host_processor_model_name",
)
FEWEST = 3
LIMIT_BYTES = 1 << 20
LONGEST = 3900
_SIZE = Pattern(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s?(?:(M)i?B?|(G)i?B?|(T)i?B?)(?![A-Za-z])", re.IGNORECASE)
_STACK = {
    "runtime": Pattern(r"(cuda|rocm)(?:[ _]?(?:toolkit|version))*", re.IGNORECASE),
    "driver": Pattern(r"(?:(?:cuda|nvidia|rocm|gpu)[ _])?(?:kernel[ _])?driver(?:[ _]version)?", re.IGNORECASE),
    "language": Pattern(r"(python)(?:[ _]version)?", re.IGNORECASE),
}
"""Which part of the stack an entry of `other_software_stack` is."""
_SPELT = {"cuda": "CUDA", "rocm": "ROCm", "python": "Python"}
_ITEM = Pattern(r"\s*([A-Za-z][A-Za-z _]{0,40}?)[\s=:]*v?([0-9][^\s,;]{0,60})\s*")


class Described(Struct, frozen=True):
    """A system description.

    Attributes:
        file: the file.
        fields: its fields; those inside objects as outer.inner.
        pointers: where each stands in the file.
        key: the id of its system in the draft; empty where the draft is to choose it.
        malformed: line, column and reason where the file cannot be read.
    """

    file: ReportFile
    fields: Mapping[str, object]
    pointers: dict[str, str]
    key: str = ""
    malformed: tuple[int, int, str] | None = None

    def text(self, name: str) -> str | None:
        """A field as text; None where it is missing, empty or a dash."""
        value = self.fields.get(name)
        text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        return text if text not in {"", "-", "N/A", "n/a", "NA"} else None

    def count(self, name: str) -> int | None:
        """A field as a whole number above zero, or None."""
        text = self.text(name) or ""
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 8 and int(text) > 0 else None

    def size_gib(self, name: str) -> float | None:
        """A field as a size of memory in GiB, or None; makers' GB are taken for as many, as everywhere in reports."""
        found = _SIZE.match(self.text(name) or "")
        if found is None:
            return None
        mebi, _, tebi = found.groups()[1:]
        size = float(found[1]) / 1024 if mebi else float(found[1]) * 1024 if tebi else float(found[1])
        return round(size, 4) if size > 0 else None


def description(path: str, data: bytes) -> Described | None:
    """Return the description that a file holds, or None where it holds none."""
    try:
        file = open_report(path, data)
    except UserError:
        return None
    value = file.json.value if file.json is not None else None
    if not isinstance(value, dict) or sum(name in value for name in NEEDS) < FEWEST:
        return None
    fields: dict[str, object] = {}
    pointers: dict[str, str] = {}
    for key, item in value.items():
        _flatten(key, item, at(key), fields, pointers)
    return Described(file, fields, pointers)


def unreadable(file: ReportFile) -> Described | None:
    """Return the description that a file should hold and that cannot be read; None where it is readable JSON."""
    if file.broken is None:
        return None
    place = re.search(r":([0-9]{1,9}):([0-9]{1,9})(?= \(|\Z)", file.broken.where)
    line, column = (int(place[1]), int(place[2])) if place is not None else (1, 1)
    return Described(file, {}, {}, malformed=(line, column, file.broken.what))


def _flatten(name: str, value: object, pointer: str, fields: dict[str, object], pointers: dict[str, str]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _flatten(f"{name}.{key}", item, f"{pointer}{at(key)}", fields, pointers)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            _flatten(name if len(value) == 1 else f"{name}.{index}", item, f"{pointer}/{index}", fields, pointers)
    elif name and len(name) <= 200 and len(fields) < 1000:
        fields[name] = [_scalar(item) for item in value[:1000]] if isinstance(value, list) else _scalar(value)
        pointers[name] = pointer


def _scalar(value: object) -> object:
    if isinstance(value, str):
        return value[:LONGEST]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST:
        return str(value)
    return str(value) if isinstance(value, float) and value - value != 0 else value


def system_id(found: Described, named: str, systems: Mapping[str, object]) -> str:
    """Return an id for the system of a description: that of the same system, else one that none has.

    Two systems of one name, as of a machine and of a part of it, are two where their descriptions differ.
    """
    key = identifier(found.text("system_name") or named)
    for taken in (key, *(f"{key}-{number}" for number in range(2, len(systems) + 2))):
        if taken not in systems or systems[taken] == system_of(found, taken):
            return taken
    return identifier(key, systems)


def system_of(found: Described, key: str) -> SystemFields:
    """Return the parsed part of a description, as the draft holds it under an id."""
    scratch = Drafting("")
    _put_system(scratch, found, key)
    return scratch.systems[key]


def describe(arm: ArmDraft, found: Described, named: str, size: int) -> None:
    """Put a description as the system of an arm, once for all arms that have it, and as written into the arm.

    Args:
        arm: the arm.
        found: the description.
        named: name of the system where the description has none.
        size: bytes of its file.
    """
    if found.malformed is not None:
        _put_unreadable(arm, found, size)
        return
    systems = arm.draft.systems
    key = found.key or system_id(found, named, systems)
    if key not in systems:
        _put_system(arm.draft, found, key)
    arm.put(None, system=key)
    _put_description(arm, found, size)


def _put_unreadable(arm: ArmDraft, found: Described, size: int) -> None:
    """Put a description that cannot be read into an arm: its file, and the line where reading ends."""
    assert found.malformed is not None
    line, column, reason = found.malformed
    arm.description(Origin(found.file.name), file=_file(found, size), fields={})
    broken: MalformedLineFields = {
        "column": column,
        "expected": reason.removeprefix("not readable as JSON: ")[:400],
        "text": found.file.line(line)[:400],
    }
    arm.description(Origin(found.file.name, line), malformed={str(line): broken})


def _file(found: Described, size: int) -> RunFileFields:
    return {"name": found.file.name, "bytes": size, "sha256": found.file.sha256}


def _put_system(draft: Drafting, found: Described, key: str) -> None:
    """Put the parsed part of a description as a system of the draft; what cannot be parsed stays in the description."""

    def where(name: str) -> Origin:
        return _where(found, name)

    device, host = "accelerator_model_name", "host_processor_model_name"
    link, disk, system = "accelerator_interconnect", "host_storage_type", "operating_system"
    devices, nodes, sockets = "accelerators_per_node", "number_of_nodes", "host_processors_per_node"
    memory, host_memory = "accelerator_memory_capacity", "host_memory_capacity"
    draft.system(key, where("system_name"), name=found.text("system_name") or key)
    draft.system(key, where(device), device=found.text(device))
    draft.system(key, where(host), host_processor=found.text(host))
    draft.system(key, where(link), interconnect=found.text(link))
    draft.system(key, where(disk), storage=found.text(disk))
    draft.system(key, where(system), operating_system=found.text(system))
    draft.system(key, where(devices), devices_per_node=found.count(devices))
    draft.system(key, where(nodes), nodes=found.count(nodes))
    draft.system(key, where(sockets), host_sockets=found.count(sockets))
    draft.system(key, where(memory), device_memory_gib=found.size_gib(memory))
    draft.system(key, where(host_memory), host_memory_gib=found.size_gib(host_memory))
    if found.count(devices) is not None:
        draft.system(key, where(devices), device_kind="accelerator")
    elif found.text(devices) == "0":
        # the processors themselves are the devices
        draft.system(
            key,
            where(devices),
            device_kind="processor",
            device=found.text(host),
            devices_per_node=found.count(sockets),
        )


def _put_description(arm: ArmDraft, found: Described, size: int) -> None:
    """Put a description, as written, and the software that it names, into an arm."""
    arm.description(Origin(found.file.name), file=_file(found, size), fields=dict(found.fields))
    for name in found.fields:
        arm.place(_where(found, name), "description", "fields", name)
    arm.software(_where(found, "framework"), framework=found.text("framework"))
    for name in found.fields:
        outer, _, inner = name.partition(".")
        if outer == "other_software_stack" and inner == "cuda_driver_version":
            arm.software(_where(found, name), driver=found.text(name))
        elif outer == "other_software_stack" and inner:
            arm.library(inner, found.text(name), _where(found, name))
    stack = _stack(found)
    runtime, driver, language = (stack.get(part, (None, "")) for part in ("runtime", "driver", "language"))
    arm.software(_where(found, runtime[1]), runtime=runtime[0])
    arm.software(_where(found, driver[1]), driver=driver[0])
    arm.software(_where(found, language[1]), language=language[0])


def _stack(found: Described) -> dict[str, tuple[str, str]]:
    """Return runtime, driver and language that the software stack names, each with its field.

    The stack is an object, or one text: "cuda 11.0.167, cudnn 8.0.1.13, cuda driver 450.36.06".
    """
    entries: list[tuple[str, str, str]] = []
    for field in found.fields:
        outer, _, inner = field.partition(".")
        text = found.text(field)
        if outer == "other_software_stack" and text is not None:
            items = (_ITEM.fullmatch(item) for item in text.split(",")[:50]) if not inner else ()
            listed = [(item[1], item[2]) for item in items if item is not None]
            entries += [(field, *item) for item in ([(inner.rpartition(".")[2], text)] if inner else listed)]
        elif field in {"python_version", "cuda_version"} and text is not None:
            entries.append((field, field, text))
    stack: dict[str, tuple[str, str]] = {}
    for field, name, version in entries:
        for target, pattern in _STACK.items():
            part = pattern.fullmatch(name.strip())
            if part is not None and target not in stack:
                spelt = _SPELT.get((part[1] if part.re.groups else "").casefold(), "")
                stack[target] = (f"{spelt} {version}".strip()[:400], field)
    return stack


def _where(found: Described, name: str) -> Origin:
    return Origin(found.file.name, pointer=found.pointers.get(name, ""))
