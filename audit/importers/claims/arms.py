"""The conditions of a number as an arm of a submission, with the place of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..documents.blocks import Place
from ..draft import Origin, identifier
from ..drafting import ArmDraft, Drafting
from .facts import Fact
from .statements import Statement

if TYPE_CHECKING:
    from ..fields import ClaimFields, MetricFields, QualityFields

ARM = frozenset({"devices", "device", "processor", "nodes", "precision", "quantisation", "framework", "model",
                 "dataset", "batch", "global_batch", "input_length", "tensor_parallel", "pipeline_parallel",
                 "data_parallel"})  # fmt: skip
"""Facts that an arm holds."""


def origin(file: str, place: Place) -> Origin:
    """Return a place of a document as the origin of a value."""
    return Origin(file, place.line, place.column)


class SentenceArms:
    """The arms of a sentence: numbers of different quantities under the same conditions belong to one."""

    def __init__(self, draft: Drafting, file: str, name: str) -> None:
        """Begin with none.

        Args:
            draft: what is written.
            file: the document's name.
            name: what their ids begin with.
        """
        self.draft, self.file, self.name = draft, file, name
        self._held: dict[object, ArmDraft] = {}

    def hold(self, item: Statement, scope: str | None, facts: Mapping[str, Fact], where: Origin) -> ClaimFields:
        """Return the fields of a claim that say on which arm it stands, and put its number there.

        What the number covers is put where words say it.
        """
        known = {key: fact for key, fact in facts.items() if fact.value is not None and key in ARM}
        absolute = item.form == "absolute"
        if not known and not absolute:
            return {}
        alike = tuple(sorted((key, str(fact.value)) for key, fact in known.items()))
        arm = self._held.get(alike)
        if arm is None or (absolute and (item.quantity in held(arm))):
            arm = self.draft.arm(identifier(self.name, self.draft.arms))
            for key, fact in known.items():
                put_condition(arm, key, fact.value, origin(self.file, fact.place), known)
            if not arm.fields and not absolute:
                return {}
            self._held[alike] = arm
        if not absolute:
            return {"measured": {"arm": arm.key}}
        name = put_number(arm, item, scope, where)
        if item.quantity == "accuracy":
            return {"measured": {"arm": arm.key}, "quality": {"arm": arm.key, "quality": name}}
        return {"measured": {"arm": arm.key, "metric": name}}


def held(arm: ArmDraft) -> set[str]:
    """Return the quantities of the numbers that an arm holds."""
    return {metric["quantity"] for metric in arm.performance.values()} | ({"accuracy"} if arm.quality else set())


def put_condition(arm: ArmDraft, key: str, value: object, where: Origin, known: Mapping[str, Fact]) -> None:
    """Put a condition into an arm, where an arm holds such."""
    match key, value:
        case "devices", int():
            arm.put(where, devices=value)
        case "device" | "processor", str() if key == "device" or "device" not in known:
            arm.put(where, system=_system(arm.draft, value, where, key, known))
        case "precision", str():
            arm.precision(where, compute=value)
        case "quantisation", str():
            arm.options(where, quantisation=value)
        case "framework", str():
            arm.software(where, framework=value)
        case "model", str():
            arm.options(where, model=value)
        case "dataset", str():
            arm.options(where, dataset=value)
        case "input_length", int():
            arm.options(where, input_length=value)
        case "tensor_parallel", int():
            arm.options(where, tensor_parallel=value)
        case "pipeline_parallel", int():
            arm.options(where, pipeline_parallel=value)
        case "data_parallel", int():
            arm.options(where, data_parallel=value)
        case "global_batch", int():
            arm.options(where, global_batch=value)
        case "batch", int() if known.get("devices") is not None and known["devices"].value == 1:
            arm.options(where, global_batch=value)
        case "batch", int():
            arm.keep("batch size", value, where)


def _system(draft: Drafting, device: str, where: Origin, key: str, known: Mapping[str, Fact]) -> str:
    """Return the id of the system with a device; those of different sizes are different ones."""
    devices, nodes = (known[name].value if name in known else None for name in ("devices", "nodes"))
    each = devices // nodes if isinstance(devices, int) and isinstance(nodes, int) else None
    for id_, system in draft.systems.items():
        if system["name"] == device and system.get("devices_per_node") == each and system.get("nodes") == nodes:
            return id_
    id_ = identifier(device, draft.systems)
    kind = "processor" if key == "processor" else None
    draft.put_system(id_, {"name": device, "device": device}, where)
    draft.system(id_, where, device_kind=kind)
    if each is not None and isinstance(nodes, int):
        draft.system(id_, where, devices_per_node=each, nodes=nodes)
    return id_


def put_number(arm: ArmDraft, item: Statement, scope: str | None, where: Origin) -> str:
    """Put an absolute number into an arm and return its name there."""
    if item.quantity == "accuracy":
        name = identifier(item.metric or "quality", arm.quality)
        quality: QualityFields = {"metric": item.metric or "quality", "unit": item.unit or None, "value": item.value}
        arm.put_quality(name, quality, where, where)
        return name
    name = identifier(item.quantity, arm.performance)
    metric: MetricFields = {"quantity": item.quantity, "unit": item.unit, "scope": scope, "value": item.value}
    arm.put_metric(name, metric, where, where)
    return name
