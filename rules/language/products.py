"""Counts that stand in products: "4x8xV100", "A100 x8", "A100 80GB x 4"."""

from __future__ import annotations

from decimal import Decimal

from . import lexicon
from .modifiers import TIMES
from .numbers import Number
from .phrases import PROCESSORS, Count, QuantityAt, counted
from .quantity import Owner
from .tokens import Tokens, over

MOST_NESTED = 65_536
LEAST_MEMORY = 8_000_000_000
"""Bytes of a device that computes; less is that of a buffer."""


def nested(tokens: Tokens, at: int, owner: Owner) -> list[Count]:
    """Return nodes and their devices in "4x8xV100", "2 x 8 A100"."""
    paired = tokens.counts(at) and tokens.counts(at + 2) and owner(at + 2) is None
    if not paired or tokens.low(at + 1) not in TIMES[:2]:
        return []
    name = owner(at + 3 + (tokens.low(at + 3) in TIMES[:2]))
    of_node = tokens.low(at + 3) in ("node", "nodes")  # "a 1x8 node"
    of_device = name is not None and name.kind == "device" and not name.host
    values = [tokens[k].value or Decimal(0) for k in (at, at + 2)]
    if not (of_node or of_device or _splits(tokens, at, values[0] * values[1])) or tokens.low(at - 1) in TIMES[:2]:
        return []
    if any(value != int(value) or value > MOST_NESTED for value in values):
        return []
    places = zip((at, at + 2), ("nodes", "devices_per_node"), values, strict=True)
    noun = name.text.lower() if name is not None else "devices"
    return [Count(*over(tokens, k, k + 1), v, v, Decimal("0.5"), of, noun=noun) for k, of, v in places]


def _splits(tokens: Tokens, at: int, product: Decimal) -> bool:
    """Whether a product in brackets says how the devices before it are spread: "16 GPUs (2x8)"."""
    enclosed = (tokens.low(at - 1), tokens.low(at + 3)) == ("(", ")")
    devices = lexicon.classes("nouns", "heads").get(tokens.low(at - 2)) == "devices"
    return enclosed and devices and tokens[at - 3].value == product


def by_memory(tokens: Tokens, number: Number, quantity: QuantityAt) -> Count | None:
    """Return how many devices have the memory that nothing else follows: "8x80GB", "4 * 24 GB VRAM"."""
    held = quantity(number.last + 1) if tokens.low(number.last) in TIMES and number.low == int(number.low) else None
    sized = held is not None and held.dimension == "data" and (held.value or 0) >= LEAST_MEMORY
    alone = held is not None and tokens.low(held.last) in ("", ")", "|", ",", "vram", "hbm")
    return counted(tokens, number, "devices") if sized and alone else None


def by_times(tokens: Tokens, number: Number, owner: Owner, ending: QuantityAt) -> Count | None:
    """Return the count that stands behind its noun: "A100 x8", "A100 80GB x 4"."""
    at = number.first - 2
    if at < 0 or tokens.low(at + 1) not in TIMES or owner(at + 1) is not None or number.low != int(number.low):
        return None
    while at >= 0 and (ending(at + 1) is not None or tokens.low(at) in ("@", ",", "(", ")")):
        inner = ending(at + 1)
        at = inner.first - 1 if inner is not None else at - 1
    name = owner(at)
    if tokens.low(at - 1) in ("-", "_") and name is None:
        return None
    if tokens.low(at) not in lexicon.words("units", "devices") and (name is None or name.kind != "device"):
        return None
    return counted(tokens, number, PROCESSORS if name is not None and name.host else "devices", "")
