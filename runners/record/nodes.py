"""What the agents of a job's nodes found, for the records of a trial and of the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..study import folder as files
from ..trial.events import ControlRecord

WORST_FIRST = ("contradicted", "not_permitted", "unverifiable", "verified", "not_requested")
CONTROLS = ".controls.json"


class Seen(NamedTuple):
    """What was seen around an attempt."""

    started: str | None
    before: dict[str, Any]
    after: dict[str, Any]
    controls: tuple[ControlRecord, ...]


def records(controls: Path) -> list[dict[str, Any]]:
    """Return the records of the nodes of an attempt, in their order.

    Args:
        controls: where the attempt's controls lie, beside which the nodes' records do.
    """
    stem = controls.name.removesuffix(CONTROLS)
    found = [files.read_json(path) for path in controls.parent.glob(f"{stem}.node-*.json")]
    return sorted(found, key=lambda one: int(one["node"]))


def seen(controls: Path, elsewhere: Seen) -> Seen:
    """Return what the first node saw, and keep what became of each knob: over the nodes, the worst."""
    told = records(controls)
    if not told:
        return Seen(elsewhere.started, {}, {}, ())
    worst = _worst(told)
    if worst:
        document = {"dlaudit": "controls/1", "records": msgspec.to_builtins(worst), "readings": []}
        files.write_json(controls, document, indent=None)
    return Seen(told[0]["started"], told[0]["load_before"], told[0]["load_after"], worst)


def controls(path: Path) -> tuple[ControlRecord, ...]:
    """Return what became of the knobs in an attempt; nothing where none was turned."""
    if not path.exists():
        return ()
    return msgspec.convert(files.read_json(path)["records"], tuple[ControlRecord, ...])


def table(controls: Path) -> list[dict[str, Any]]:
    """Return what the manifest keeps of each node of a trial."""
    stem = controls.name.removesuffix(CONTROLS)
    rows = []
    for told in records(controls):
        name = f"{stem}.telemetry.jsonl" if told["node"] == 0 else f"{stem}.node-{told['node']}.telemetry.jsonl"
        value: dict[str, Any] = {
            "host": told["host"],
            "controls": {one.knob: _without_knob(one) for one in _restored(told)},
            "environment": told["environment"],
            "record": f"{files.TRIALS}/{stem}.node-{told['node']}.json",
        }
        if (controls.parent / name).exists():
            value["telemetry"] = f"{files.TRIALS}/{name}"
        rows.append({key: item for key, item in value.items() if item != {}})
    return rows


def _worst(told: list[dict[str, Any]]) -> tuple[ControlRecord, ...]:
    found: dict[str, ControlRecord] = {}
    for node in told:
        for one in _restored(node):
            known = found.get(one.knob)
            if known is None or WORST_FIRST.index(one.verified) < WORST_FIRST.index(known.verified):
                found[one.knob] = msgspec.structs.replace(one, evidence=f"{node['host']}: {one.evidence}"[:4000])
    return tuple(found.values())


def _restored(node: dict[str, Any]) -> tuple[ControlRecord, ...]:
    """Return a node's records, each with whether the node put the knob back."""
    found = []
    for one in msgspec.convert(node["controls"], tuple[ControlRecord, ...]):
        afterwards = node["restored"].get(one.knob)
        if afterwards is not None:
            evidence = f"{one.evidence}; afterwards: {afterwards['evidence']}"[:4000]
            one = msgspec.structs.replace(one, restored=afterwards["restored"], evidence=evidence)
        found.append(one)
    return tuple(found)


def _without_knob(one: ControlRecord) -> dict[str, Any]:
    return {key: item for key, item in msgspec.to_builtins(one).items() if key != "knob" and item is not None}
