"""A system description as submitters of MLPerf write it: JSON, kept as written and parsed where it can be."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...schemas.errors import UserError
from .draft import LARGEST, Drafting, Origin, at, identifier
from .handed import Handed, handed

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
    """

    file: Handed
    fields: dict[str, Any]
    pointers: dict[str, str]

    def text(self, name: str) -> str | None:
        """A field as text; None where it is missing, empty or a dash."""
        value = self.fields.get(name)
        text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        return text if text not in {"", "-", "N/A", "n/a", "NA"} else None

    def count(self, name: str) -> int | None:
        """A field as a whole number above zero, or None."""
        text = self.text(name) or ""
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 8 and int(text) > 0 else None


def description(path: str, data: bytes) -> Described | None:
    """Return the description that a file holds, or None where it holds none."""
    try:
        file = handed(path, data)
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


def describe(draft: Drafting, found: Described, arm: str, named: str, size: int) -> None:
    """Put a description as the system of an arm, once for all arms that have it, and as written into the arm.

    Args:
        draft: the draft, which holds the arm.
        found: the description.
        arm: id of the arm.
        named: name of the system where the description has none.
        size: bytes of its file.
    """
    key = identifier(found.fields.get("system_name") or named)
    if key not in draft.value.get("systems", {}):
        _put_system(draft, found, key)
    draft.value["arms"][arm]["system"] = key
    _put_description(draft, found, arm, size)


def _put_system(draft: Drafting, found: Described, key: str) -> None:
    """Put the parsed part of a description as a system of the draft; what cannot be parsed stays in the description."""
    draft.put(at("systems", key, "name"), found.text("system_name") or key, _where(found, "system_name"))
    for target, name in TEXTS.items():
        draft.put(at("systems", key, target), found.text(name), _where(found, name))
    for target, name in COUNTS.items():
        draft.put(at("systems", key, target), found.count(name), _where(found, name))
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


def _where(found: Described, name: str) -> Origin:
    return Origin(found.file.name, pointer=found.pointers.get(name, ""))
