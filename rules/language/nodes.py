"""Devices of one node, told from all devices: "8 GPUs per node", "4 nodes with 8x V100"."""

from __future__ import annotations

from . import lexicon
from .modifiers import MOST_STEPS
from .numbers import Number
from .quantity import Owner
from .tokens import Tokens

MOST_OF_NODE = 24
"""Tokens in which a sentence lists what each node has."""


def of_nodes(tokens: Tokens, number: Number, end: int, owner: Owner) -> str:
    """Return the class of devices: devices_per_node where the words around say that each node has them."""
    nodes = lexicon.words("nouns", "carrier_nodes")
    first, second, third = (tokens.low(end + k) for k in range(3))
    if (first, second) == ("in", "total") or first == "total":
        return "devices"
    each = first in ("per", "/", "each", "pro") and second in nodes
    each = each or (first in ("in", "on") and second in ("each", "every") and third in nodes)
    near = tokens.lows(number.first - MOST_OF_NODE, number.first)
    places = [k for k, low in enumerate(near) if low in ("each", "every", "both")]  # "each node uses 8 GPUs"
    said = places[-1] if places else len(near)
    held = "." not in near[said:] and not lexicon.words("nouns", "node_has").isdisjoint(near[said + 2 : said + 8])
    held = held or ({","}.isdisjoint(near[said:]) and len(near) - said < MOST_STEPS)
    each = each or (held and not nodes.isdisjoint(near[said + 1 : said + 4]))
    if each or (first == "each" and not nodes.isdisjoint(tokens.lows(number.first - 6, number.first))):
        return "devices_per_node"
    at = number.first - 1
    while number.first - at < 6 and tokens.low(at) in lexicon.words("nouns", "node_joins"):
        at -= 1
    joined = tokens.lows(at + 1, number.first)
    several = tokens.low(at).endswith("s") or tokens.low(at - 1) in ("each", "every", "per") or "je" in joined
    has = not lexicon.words("nouns", "node_has").isdisjoint(joined)
    system = owner(at)
    counted_system = system is not None and system.kind == "system" and tokens.counts(system.first - 1)
    held = counted_system or (tokens.low(at) in nodes and several)
    return "devices_per_node" if held and has else "devices"
