"""How many devices a text speaks of in all: counted, nodes times devices a node, or the composition of a system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from . import lexicon
from .names import Name
from .phrases import Count

if TYPE_CHECKING:
    from .reading import Reading


MOST_APART = 3
"""Characters between a count and the system that it counts."""


class Fleet(Struct, frozen=True):
    """Devices that work together.

    Attributes:
        devices: how many there are.
        nodes: in how many nodes they stand; None where that is not said.
        how: counted; nodes (times devices a node); system (by its composition); named (TPU v4-128).
        start: first place in the source of what says so.
        end: place after the last one.
    """

    devices: int
    nodes: int | None
    how: str
    start: int
    end: int


def fleet_of(reading: Reading) -> Fleet | None:
    """Return the devices of a text; None where none are counted, or where several totals are possible."""
    counts = reading.counts()
    devices, nodes, per_node = ([c for c in counts if c.of == of] for of in ("devices", "nodes", "devices_per_node"))
    if any(c.value != c.high or c.qualifier is not None for c in (*devices, *nodes, *per_node)):
        return None
    systems = [(f, times) for name in reading.names("system") for f, times in _composed(name, counts)]
    taken = {times.start for _, times in systems if times is not None}
    plain = [c for c in nodes if c.start not in taken]
    many, each = {int(c.value) for c in plain}, {int(c.value) for c in per_node}
    known = next(iter(many)) if len(many) == 1 else None
    found = [Fleet(int(c.value), known, "counted", c.start, c.end) for c in devices]
    if known is not None and len(each) == 1:
        start, end = min(plain[0].start, per_node[0].start), max(plain[0].end, per_node[0].end)
        found.append(Fleet(known * each.pop(), known, "nodes", start, end))
    sure = [f for f, times in systems if times is not None or not found]
    slices = [] if found else [f for name in reading.names("device") if (f := _slice(name)) is not None]
    found = [*sure, *found, *slices]
    return found[0] if len({f.devices for f in found}) == 1 else None


def _key(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum()).rstrip("s")


@cache
def _composition() -> Mapping[str, Mapping[str, int]]:
    return {_key(name): entry for name, entry in lexicon.table("systems")["composition"].items()}


def _composed(name: Name, counts: Sequence[Count]) -> Iterator[tuple[Fleet, Count | None]]:
    """Yield the devices of a system whose composition is known, as often as it is counted: "two DGX-2"."""
    entry = _composition().get(_key(name.text))
    if entry is None:
        return
    times = next((c for c in counts if c.of in ("nodes", "other") and 0 < name.start - c.end <= MOST_APART), None)
    many = int(times.value) if times is not None else 1
    start = times.start if times is not None else name.start
    yield Fleet(many * entry["devices"], many * entry["nodes"], "system", start, name.end), times


def _slice(name: Name) -> Fleet | None:
    """Return the chips of a slice whose name counts them; a v2 or v3 counts cores that may be devices themselves."""
    version, _, size = name.text.lower().replace("cloud ", "").removeprefix("tpu").strip(" -").partition("-")
    kind = lexicon.table("systems")["pods"].get(version)
    if kind is None or not size.isdigit() or version in ("v2", "v3"):
        return None
    return Fleet(int(size) // (2 if kind == "cores" else 1), None, "named", name.start, name.end)
