"""A system description as submitters of MLPerf write it: JSON, kept as written and parsed where it can be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ....schemas.errors import UserError
from ....schemas.pattern import Pattern
from ..draft import LARGEST, Drafting, Origin, at, identifier
from ..report_file import ReportFile, open_report

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
TEXTS = {
    "device": "accelerator_model_name",
    "host_processor": "host_processor_model_name",
    "interconnect": "accelerator_interconnect",
    "storage": "host_storage_type",
    "operating_system": "operating_system",
}
SIZES = {"device_memory_gib": "accelerator_memory_capacity", "host_memory_gib": "host_memory_capacity"}
_SIZE = Pattern(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s?(?:(M)i?B?|(G)i?B?|(T)i?B?)(?![A-Za-z])", re.IGNORECASE)
_STACK = {
    "runtime": Pattern(r"(cuda|rocm)(?:[ _]?(?:toolkit|version))*", re.IGNORECASE),
    "driver": Pattern(r"(?:(?:cuda|nvidia|rocm|gpu)[ _])?(?:kernel[ _])?driver(?:[ _]version)?", re.IGNORECASE),
    "language": Pattern(r"(python)(?:[ _]version)?", re.IGNORECASE),
}
"""Which part of the stack an entry of `other_software_stack` is."""
_SPELT = {"cuda": "CUDA", "rocm": "ROCm", "python": "Python"}
_ITEM = Pattern(r"\s*([A-Za-z][A-Za-z _]{0,40}?)[\s=:]*v?([0-9][^\s,;]{0,60})\s*")
COUNTS = {
    "devices_per_node": "accelerators_per_node",
    "nodes": "number_of_nodes",
    "host_sockets": "host_processors_per_node",
}


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
    fields: dict[str, Any]
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
    fields: dict[str, Any] = {}
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


def _flatten(name: str, value: Any, pointer: str, fields: dict[str, Any], pointers: dict[str, str]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _flatten(f"{name}.{key}", item, f"{pointer}{at(key)}", fields, pointers)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            _flatten(name if len(value) == 1 else f"{name}.{index}", item, f"{pointer}/{index}", fields, pointers)
    elif name and len(name) <= 200 and len(fields) < 1000:
        fields[name] = [_scalar(item) for item in value[:1000]] if isinstance(value, list) else _scalar(value)
        pointers[name] = pointer


def _scalar(value: Any) -> Any:
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


def system_of(found: Described, key: str) -> object:
    """Return the parsed part of a description, as the draft holds it under an id."""
    scratch = Drafting("")
    _put_system(scratch, found, key)
    return scratch.value["systems"][key]


def describe(draft: Drafting, found: Described, arm: str, named: str, size: int) -> None:
    """Put a description as the system of an arm, once for all arms that have it, and as written into the arm.

    Args:
        draft: the draft, which holds the arm.
        found: the description.
        arm: id of the arm.
        named: name of the system where the description has none.
        size: bytes of its file.
    """
    if found.malformed is not None:
        _put_unreadable(draft, found, arm, size)
        return
    systems = draft.value.get("systems", {})
    key = found.key or system_id(found, named, systems)
    if key not in systems:
        _put_system(draft, found, key)
    draft.value["arms"][arm]["system"] = key
    _put_description(draft, found, arm, size)


def _put_unreadable(draft: Drafting, found: Described, arm: str, size: int) -> None:
    """Put a description that cannot be read into an arm: its file, and the line where reading ends."""
    assert found.malformed is not None
    line, column, reason = found.malformed
    base, file = at("arms", arm, "description"), {"name": found.file.name, "bytes": size, "sha256": found.file.sha256}
    draft.put(f"{base}/file", file, Origin(found.file.name))
    draft.put(f"{base}/fields", {}, Origin(found.file.name))
    broken = {
        "column": column,
        "expected": reason.removeprefix("not readable as JSON: ")[:400],
        "text": found.file.line(line)[:400],
    }
    draft.put(f"{base}/malformed", {str(line): broken}, Origin(found.file.name, line))


def _put_system(draft: Drafting, found: Described, key: str) -> None:
    """Put the parsed part of a description as a system of the draft; what cannot be parsed stays in the description."""
    draft.put(at("systems", key, "name"), found.text("system_name") or key, _where(found, "system_name"))
    for target, name in TEXTS.items():
        draft.put(at("systems", key, target), found.text(name), _where(found, name))
    for target, name in COUNTS.items():
        draft.put(at("systems", key, target), found.count(name), _where(found, name))
    for target, name in SIZES.items():
        draft.put(at("systems", key, target), found.size_gib(name), _where(found, name))
    where = _where(found, "accelerators_per_node")
    if found.count("accelerators_per_node") is not None:
        draft.put(at("systems", key, "device_kind"), "accelerator", where)
    elif found.text("accelerators_per_node") == "0":
        draft.put(at("systems", key, "device_kind"), "processor", where)
        draft.put(at("systems", key, "device"), found.text("host_processor_model_name"), where)
        draft.put(at("systems", key, "devices_per_node"), found.count("host_processors_per_node"), where)


def _put_description(draft: Drafting, found: Described, arm: str, size: int) -> None:
    """Put a description, as written, and the software that it names, into an arm."""
    base = at("arms", arm, "description")
    draft.put(
        f"{base}/file", {"name": found.file.name, "bytes": size, "sha256": found.file.sha256}, Origin(found.file.name)
    )
    draft.put(f"{base}/fields", dict(found.fields), Origin(found.file.name))
    for name in found.fields:
        draft.origins[f"{base}/fields{at(name)}"] = _where(found, name)
    draft.put(at("arms", arm, "software", "framework"), found.text("framework"), _where(found, "framework"))
    for name in found.fields:
        outer, _, inner = name.partition(".")
        text = found.text(name)
        if outer == "other_software_stack" and inner and text is not None:
            target = "driver" if inner == "cuda_driver_version" else f"libraries{at(inner)}"
            draft.put(f"{at('arms', arm, 'software')}/{target}", text, _where(found, name))
    for target, (version, name) in _stack(found).items():
        draft.put(at("arms", arm, "software", target), version, _where(found, name))


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
