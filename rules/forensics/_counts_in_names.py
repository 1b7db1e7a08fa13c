"""How many devices and machines a label, the name of a system, or the platform of a log counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import prod

from msgspec import Struct

from ...schemas.pattern import Pattern
from ..caching import remembered
from ..case import Case
from ..facts.device.device_words import device_words
from ..language import lexicon
from ..language.phrases import Count
from ..language.reading import Reading, read
from ..tables.datasets import plain

MEMORY = ("gb", "gib", "tb")
"""What follows the size of a memory: "MI325X_256GBx8" is eight devices."""
_MARKED = Pattern(r"(?:^|[-_.])n(?:gpu|odes?)?([0-9]{1,6})(?=[-_.]|$)")
_PARTS = Pattern(r"(?:^|[-_+])([0-9]{1,6})x(?=[A-Za-z])")
_FACTORS = Pattern(r"(?<![0-9A-Z.])[0-9]{1,6}(?=x)|(?<=x)[0-9]{1,6}(?=[A-Za-z])")
MOST_PARTS = 6
NEAR = 3
"""Tokens between the count of "2xND H200" and the name of what it counts."""


class Named(Struct, frozen=True):
    """What a name counts.

    Attributes:
        devices: its counts of devices, each with the noun that is counted.
        nodes: its counts of nodes by that word: "16-node cluster".
        machines: its counts of machines that are called by their name: "2x DGX-2".
        composed: the devices of those machines, where a table has their composition.
        unsure: whether it counts a part of something, or is the name of a rack, which has counts of its own.
    """

    devices: tuple[tuple[int, str], ...]
    nodes: frozenset[int]
    machines: frozenset[int]
    composed: frozenset[int]
    unsure: bool

    @property
    def totals(self) -> frozenset[int]:
        """All devices that it names, counted one by one or by their machines."""
        return self.composed | {count for count, _ in self.devices}


@remembered(1024)
def named(text: str) -> Named:
    """Return what a label, or the name of a system or a platform, counts; "DGX-2" counts nothing."""
    words = _read(text)
    devices, nodes, machines, composed = [], set(), set(), set()
    for count, name in _exact(words):
        each = _devices_of_machines().get(plain(name))
        if each is not None or (count.of == "nodes" and name):
            machines.add(int(count.value))
            composed |= {int(count.value) * each} if each is not None else set()
        elif count.of == "nodes":
            nodes.add(int(count.value))
        else:
            devices.append((int(count.value), count.noun))
    whole = words.has("rack") or words.has("part_of", affirmed=False)
    return Named(tuple(devices), frozenset(nodes), frozenset(machines), frozenset(composed), whole)


def devices_in(text: str, device: str, case: Case) -> frozenset[int]:
    """Return the counts of more than one of a device in the name of a system or platform: "8x A100", "1xF8 8xH100".

    Of parts that are joined to one system, "SERVER(8x A100)+BOX(8x A100)", it is their sum.
    """
    found, models = named(text), device_words(case, device)
    own = [count for count, noun in found.devices if not models.isdisjoint(device_words(case, noun))]
    counts = {sum(own)} if len(own) > 1 and "+" in text else set(own)
    return frozenset() if found.unsure else frozenset(counts - {1})


def sizes_in(folder: str) -> frozenset[int]:
    """Return the nodes or devices that the folder of a system may count: "8xSERVERx4A100", "cluster_n16", "ngpu72".

    The first count, its sums with others, as some are of processors, and the product of all are readings of one name.
    """
    marked = [int(number) for number in _MARKED.findall(folder)]
    parts = [int(number) for number in _PARTS.findall(folder)]
    if marked or not folder[:1].isdigit() or not parts:
        return frozenset(marked)
    sums = {parts[0]}
    for count in parts[1:MOST_PARTS]:
        sums |= {other + count for other in sums}
    return frozenset(sums | {prod(map(int, _FACTORS.findall(folder)))})


def machines_in(platform: str) -> int | None:
    """Return the machines of a platform as suites name it, their number, x, the machine; of devices and racks None."""
    words = _read(platform)
    if len(words.tokens) < NEAR or words.tokens[0].value is None or words.tokens[1].low != "x" or words.has("rack"):
        return None
    of_devices = any(name.kind == "device" and name.first <= NEAR for name in words.all_names)
    start = words.tokens[2].start
    of_processors = any(item.start == start for item in words.mentions("processor"))
    counted = words.tokens[2].kind == "word" and not of_devices and not of_processors
    return int(words.tokens[0].value) if counted else None


def _exact(words: Reading) -> Iterator[tuple[Count, str]]:
    """Yield the counts of devices and nodes that are neither ranges nor bounds, each with the machine that it names."""
    systems = {name.first: name.text for name in words.all_names if name.kind == "system"}
    for count in (*words.counts("devices"), *words.counts("nodes")):
        memory = count.last < len(words.tokens) and words.tokens[count.last].low.startswith(MEMORY)
        if count.value == count.high and count.qualifier is None and not memory:
            near = (systems[at] for at in range(count.last, count.last + NEAR) if at in systems)
            yield count, next(near, "") if count.of == "nodes" else count.noun


def _read(text: str) -> Reading:
    return read(text.strip().replace("_", ", "))


@cache
def _devices_of_machines() -> Mapping[str, int]:
    return {plain(name): each["devices"] for name, each in lexicon.table("systems")["composition"].items()}
