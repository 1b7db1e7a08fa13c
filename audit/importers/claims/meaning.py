"""What a number of a sentence is a claim of: what it covers, of training or inference, and compared with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....rules.language.names import Name
from ....rules.language.reading import Reading, read
from .facts import Fact
from .statements import Statement

OTHERS = ("framework", "library", "system", "device")
"""Kinds of names of what is another system as the base of a comparison."""
LONG = frozenset({"min", "h", "days"})
NO_SYSTEMS = frozenset({"model", "format", "dataset", "metric", "split"})
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
    words = reading.source[slice(*item.base)].strip(" ,.;:()")
    base = read(words)
    own = [name for name in reading.all_names if not item.base[0] <= name.start < item.base[1]]
    other = (_names_another(base, own) or _is_proper(base)) and not base.has("claims.own_earlier")
    other = other or (base.has("claims.other_systems") and not base.has("claims.earlier_self"))
    return ("other_system" if other else "own_variants"), words


def _names_another(base: Reading, own: Sequence[Name]) -> bool:
    """Whether a base names a product that its sentence does not name as its own, or a model of another family."""
    taken = {_plain(name.text) for name in own}
    if any(_plain(name.text) not in taken for kind in OTHERS for name in base.names(kind)):
        return True
    families = {_family(name.text) for name in own if name.kind == "model"}
    others = {_family(name.text) for name in base.names("model")}
    return bool(families) and any(all(a not in b and b not in a for b in families) for a in others)


def _is_proper(base: Reading) -> bool:
    """Whether words begin with a name that no table knows, as its capitals or its stroke show."""
    known = {at for name in base.all_names if name.kind in NO_SYSTEMS for at in range(name.first, name.last)}
    words = [token for at, token in enumerate(base.tokens[:PROPER]) if at not in known and token.text.isalpha()]
    path = base.tokens.low(1) == "/" and base.tokens.glued(1) and base.tokens.glued(2)
    return path or any(token.text[:1].isupper() and len(token.text) > 2 for token in words)


def _family(text: str) -> str:
    return "".join(c for c in text.casefold().partition("-")[0] if c.isalpha())


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
