"""What a number of a sentence is a claim of: what it covers, of training or inference, and compared with what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....rules.language.answers import Mention
from ....rules.language.names import Name
from ....rules.language.reading import Reading, read
from .facts import COVERED, Fact
from .statements import Statement

OTHERS = ("framework", "library", "system", "device")
"""Kinds of names of what is another system as the base of a comparison."""
LONG = frozenset({"min", "h", "days", "wk"})
WHOLE_ENERGY = frozenset({"Wh", "kWh", "MWh", "GWh"})
"""Units of energy that are hardly those of a step."""
NO_SYSTEMS = frozenset({"model", "format", "dataset", "metric", "split"})
PROPER = 3
"""Words in which a base says its name."""
SHORT = frozenset({"us", "ms", "s/image"})
"""Units of times that are hardly those of a step of training where something just runs."""
NEXT = 3
"""Characters between a time and the word that says that it is that of a step."""
BEFORE = 24
"""Characters before a time in which what it is the time of may stand in another clause."""
SPANS = (("claims.an_optimizer_step", "step"), ("claims.an_epoch", "epoch"))
"""Concepts of the words that say, in the clause of a time, what it is the time of."""
PARTS = (("one_kernel", "kernel"), ("one_layer", "layer"))
EACH = {"step": "step", "iter": "step", "iteration": "step", "batch": "step", "epoch": "epoch", "request": "request"}


def mode_of(reading: Reading, item: Statement, facts: Mapping[str, Fact]) -> str:
    """Return training or inference, as the words around a number say; none where they do not, or say both."""
    if item.quantity == "accuracy" or reading.has("claims.an_optimizer_step", affirmed=False):
        return "training"
    told = facts.get("mode")
    if item.unit == "frames/s" and (told is None or not told.own):
        return "inference"
    if item.unit in SHORT and told is not None and not told.own and _is_of_no_step(reading, str(told.value)):
        return "none"
    return str(told.value) if told is not None and told.value is not None else "none"


def _is_of_no_step(reading: Reading, mode: str) -> bool:
    """Whether a short time is hardly one of a training that other texts speak of: "stylizing it takes 50 ms"."""
    told = mode == "training" and reading.has("claims.takes") and not reading.has("claims.a_step", affirmed=False)
    return told or reading.has("claims.runs")


def scope_of(reading: Reading, item: Statement, mode: str, facts: Mapping[str, Fact]) -> str:
    """Return what a number covers, be it by its unit: an energy or a long time is of the whole work; else nothing."""
    if item.quantity == "accuracy":
        return "training_run"
    if item.quantity in {"time", "latency", "energy"} and item.form == "absolute":
        found = _span_of(reading, item, mode, facts)
        if found:
            return found
    elif any(_near(reading, "claims.an_optimizer_step", item)):
        return "step"
    if item.form == "ratio" and any(_near(reading, "claims.of_a_request", item)):
        return "request"
    for concept, scope in PARTS:
        told = [each for each in reading.mentions(concept) if not each.negated and not _in_base(each, item)]
        if told and not reading.has("claims.whole_work"):
            return scope
    if reading.has("whole_training") and mode == "training":
        return "training_run"
    return ""


def usual_scope(item: Statement, mode: str) -> str:
    """Return what a number covers of which nothing says it: of an answer's latency that is the request."""
    return "request" if item.quantity == "latency" and mode == "inference" else "not_stated"


def _span_of(reading: Reading, item: Statement, mode: str, facts: Mapping[str, Fact]) -> str:
    """Return what a time or an energy is that of; empty where nothing says."""
    each = item.unit.partition("/")[2]
    printed = reading.source[item.start : item.end].partition("/")[2].strip().casefold()
    if each in EACH or printed in EACH:
        return EACH.get(each) or EACH[printed]
    if each:
        return ""
    if any(item.start < word.start <= item.end + NEXT for word in reading.mentions("claims.a_step")):
        return "step"
    for concept, scope in SPANS:
        if any(_near(reading, concept, item)):
            return scope
    if item.unit in LONG and reading.has("claims.reached"):
        return "training_run"
    whole = item.unit in LONG or item.unit in WHOLE_ENERGY
    if reading.has("claims.of_a_start", affirmed=False):
        return ""
    if mode == "training" and (whole or (item.quantity != "energy" and reading.has("time_of_a_training"))):
        return "training_run"
    covered = facts.get(COVERED)
    if covered is not None and covered.value is not None:
        return str(covered.value)
    return "pipeline" if whole else ""


def _in_base(each: Mention, item: Statement) -> bool:
    """Whether words only name what a number is compared with: "15% more throughput than the custom kernel"."""
    return item.base is not None and item.base[0] <= each.start < item.base[1]


def _near(reading: Reading, concept: str, item: Statement) -> Iterator[Mention]:
    """Yield the mentions of a concept in the clause of a number, or shortly before it: "epoch time: total 0:03:20"."""
    clause = reading.clause((item.start, item.end))
    for each in reading.mentions(concept):
        if reading.clause(each.span) == clause or 0 <= item.start - each.end <= BEFORE:
            yield each


def compares_of(reading: Reading, item: Statement) -> tuple[str, str]:
    """Return what a number is compared with, and its name: another system where the words name one."""
    if item.form != "ratio":
        return "none", ""
    if item.base is None:
        return "own_variants", ""
    words = reading.source[slice(*item.base)].strip(" ,.;:()")
    base = read(words)
    if base.has("claims.real_time", affirmed=False):
        return "none", words
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
    if base.devices() is not None and not base.names("system"):
        return False  # "over 8 GPUs" is the same system with fewer of them
    known = {at for name in base.all_names if name.kind in NO_SYSTEMS for at in range(name.first, name.last)}
    first = base.tokens[: base.tokens.past_words(0, PROPER)]
    words = [token for at, token in enumerate(first) if at not in known and token.text.isalpha()]
    path = base.tokens.low(1) == "/" and base.tokens.glued(1) and base.tokens.glued(2)
    return path or any(token.text[:1].isupper() and len(token.text) > 2 for token in words)


def _family(text: str) -> str:
    return "".join(c for c in text.casefold().partition("-")[0] if c.isalpha())


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
