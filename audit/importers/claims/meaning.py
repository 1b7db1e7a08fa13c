"""What a number of a sentence is a claim of: what it covers, of training or inference, and compared with what."""

from __future__ import annotations

from collections.abc import Mapping

from ....rules.language.reading import Reading, read
from .facts import Fact
from .statements import Statement

OTHERS = ("framework", "library", "system", "device")
"""Kinds of names of what is another system as the base of a comparison."""
LONG = frozenset({"min", "h", "days"})
PROPER = 3
"""Words in which a base says its name."""
PARTS = (("one_kernel", "kernel"), ("one_layer", "layer"))
EACH = {"step": "step", "iteration": "step", "batch": "step", "epoch": "epoch", "request": "request"}


def mode_of(item: Statement, facts: Mapping[str, Fact]) -> str:
    """Return training or inference, as the words around a number say; none where they do not, or say both."""
    if item.quantity == "accuracy":
        return "training"
    told = facts.get("mode")
    if item.unit == "frames/s" and (told is None or not told.own):
        return "inference"
    return str(told.value) if told is not None and told.value is not None else "none"


def scope_of(reading: Reading, item: Statement, mode: str) -> str:
    """Return what a number covers; a step where nothing says."""
    if item.quantity == "accuracy":
        return "training_run"
    each = item.unit.partition("/")[2]
    if item.quantity in {"time", "latency"} and item.form == "absolute":
        if each in EACH:
            return EACH[each]
        if mode == "training" and (item.unit in LONG or reading.has("time_of_a_training")) and not each:
            return "training_run"
    for concept, scope in PARTS:
        if reading.has(concept):
            return scope
    if reading.has("whole_training") and mode == "training":
        return "training_run"
    return "request" if item.quantity == "latency" and mode == "inference" else "step"


def compares_of(reading: Reading, item: Statement) -> tuple[str, str]:
    """Return what a number is compared with, and its name: another system where the words name one."""
    if item.form != "ratio":
        return "none", ""
    if item.base is None:
        return "own_variants", ""
    words = reading.source[slice(*item.base)]
    base = read(words)
    own = {_plain(name.text) for name in reading.all_names if not item.base[0] <= name.start < item.base[1]}
    named = [name for kind in OTHERS for name in base.names(kind) if _plain(name.text) not in own]
    other = (
        bool(named) or _is_proper(base) or (base.has("claims.other_systems") and not base.has("claims.earlier_self"))
    )
    other = other and not base.has("claims.own_earlier")
    return ("other_system" if other else "own_variants"), words.strip(" ,.;:()")


def _is_proper(base: Reading) -> bool:
    """Whether words begin with a name that no table knows, as it is written in capitals."""
    known = {at for name in base.all_names for at in range(name.first, name.last)}
    words = [token for at, token in enumerate(base.tokens[:PROPER]) if at not in known and token.text.isalpha()]
    return any(token.text[:1].isupper() and len(token.text) > 2 for token in words)


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
