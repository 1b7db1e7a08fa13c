"""Comparisons in words alone: "faster than X", "outperforms", "lower memory use", "speeds up training".

A word compares by itself only where it says what is better: a comparative with its dimension, a verb of change with
its object, a noun of change that is weighed ("a substantial speedup"). Aims ("to improve ...") compare nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from . import lexicon
from .comparison import Comparison, Frame, placed
from .governors import Dimension, Governor, Scene, dimensions, efficient, governing_words, governor
from .senses import OPPOSITE, sense_of
from .tokens import WORD

OBJECT, SUBJECT, THAN, RULE = 5, 5, 8, 8
"""Tokens in which an object, a subject, "than", or the verb of a definition is looked for."""
_AIMING = ("", "#", ":", "for", "with", "at")
"""What stands before an aim: "for accelerating training", the title "Saving memory with it"."""
_PRICES = ("fraction", "cost")
_KINDS = {"performance", "speed"}
_DENYING = ("not", "never", "cannot", "nor")
_EQUATING = ("is", "are", "=", "means")
_SCALED = {"number", "count", "size", "length", "depth", "dimension", "more", "larger", "longer"}
_VAGUE = ("other", "scale")
_GROWING = (*_VAGUE, "work", "size")
"""Dimensions of which more says little by itself: more steps, larger models."""


def wordings(scene: Scene, governing: set[int]) -> Iterator[Comparison]:
    """Yield the comparisons in words; tokens that govern a degree compare nothing else."""
    words = governing_words() | lexicon.words("compare", "outdoing") | lexicon.words("compare", "underdoing")
    for at, token in enumerate(scene.tokens):
        if scene.owners[at] is not None or at in governing or scene.quantities[at] is not None:
            continue
        if (token.low not in words and token.low not in _PRICES) or "_" in (scene.low(at - 1), scene.low(at + 1)):
            continue
        found = _outdoing(scene, at) or _than(scene, at) or _comparative(scene, at)
        found = found or _verb(scene, at) or _noun(scene, at) or _fraction(scene, at)
        if found is not None:
            yield found


def _outdoing(scene: Scene, at: int) -> Comparison | None:
    """Return "outperforms", "lags behind"."""
    low = scene.low(at)
    better = low in lexicon.words("compare", "outdoing")
    if not better and low not in lexicon.words("compare", "underdoing"):
        return None
    near = scene.dimension(scene.stretch(at + 1, 1, 10)) or scene.dimension(scene.stretch(at - 1, -1, SUBJECT))
    vague = low == "exceeds" and (near is None or near.name in _GROWING)
    if vague or scene.tokens.counts(at + 1) or "not" in scene.tokens.lows(at - 2, at):
        return None
    return placed(scene, at, at + 1, Frame("words", "better" if better else "worse", near.name if near else "other"))


def _adjective(scene: Scene, at: int) -> Governor | None:
    """Return a comparative that is not denied and not part of a rule such as "lower is better"."""
    low, before = scene.low(at), scene.low(at - 1)
    found = (efficient(scene, at) if low in ("more", "less") else None) or governor("adjectives", low, at)
    lows = [scene.low(k) for k in scene.stretch(at - 1, -1, OBJECT)]
    denied = before in lexicon.words("compare", "denying") or lows[:2] == ["than", "rather"]
    denied = denied or {"no", "other"} <= {*lows}  # "no other engine is better"
    denied = denied or any(low.endswith("n't") or low == "never" for low in lows)
    denied = denied or ("not" in lows and before != "only" and "," not in lows)
    if found is None or denied or scene.tokens[max(0, at - 1)].counts:
        return None
    asked = "how" in scene.tokens.lows(at - 3, at)  # "how many times faster it is"
    paired = before == "the" and "the" in scene.tokens.lows(at + 1, at + 3)  # "the lower the loss, the better"
    wished = not lexicon.words("compare", "wishing").isdisjoint((*lows, " ".join(scene.tokens.lows(at - 2, at))))
    known = before in ("the", "these", "those") and found.dimension == "size"  # "for the smaller inputs"
    rule = asked or paired or wished or known or _is_rule(scene, at) or _is_title(scene, at)
    weighs = scene.dimension(scene.stretch(at + 2, 1, 1)) is not None and not _is_hardware(scene.low(at + 3))
    joined = scene.low(at + 1) == "-" and not weighs  # not "lower-latency inference"
    return None if rule or joined or scene.low(at + 1) in ("is", "or", "/") else found


def _is_rule(scene: Scene, at: int) -> bool:
    """Whether a comparative only says which way is better: "Higher speed is better", "lower = more stable"."""
    if not lexicon.words("compare", "defining").isdisjoint(scene.tokens.lows(at - RULE, at + RULE)):
        return True
    said = next((k for k in scene.stretch(at + 1, 1, OBJECT) if scene.low(k) in _EQUATING), None)
    valued = {*lexicon.words("compare", "valuing"), *lexicon.classes("compare", "adjectives")}
    if said is not None and scene.low(said + 1) in valued:
        return True
    ruled = scene.low(at) in ("better", "worse") and scene.low(at - 1) in _EQUATING
    before = scene.stretch(at - 2, -1, OBJECT if ruled or scene.low(at - 1) == "=" else int(scene.low(at - 1) == "is"))
    return any(governor("adjectives", scene.low(k), k) for k in before)


def _is_title(scene: Scene, at: int) -> bool:
    """Whether a comparative in capitals within a sentence belongs to a name: "we train a Faster RCNN"."""
    before, word, behind = (scene.tokens[k].text if 0 <= k < len(scene.tokens) else "" for k in (at - 1, at, at + 1))
    return before.islower() and before.isalpha() and word[:1].isupper() and behind[:1].isupper()


def _than(scene: Scene, at: int) -> Comparison | None:
    """Return "faster than X", "more efficient than X"; not "more than 8 GPUs"."""
    found = _adjective(scene, at)
    if found is None or scene.low(at - 1) in ("matters", "matter"):
        return None
    places = scene.stretch(found.at + 1, 1, THAN)
    ends = ("to",) if scene.low(at) in ("superior", "inferior") else ("than", "als")
    end = next((k for k in places if scene.low(k) in ends), None)
    if end is None or any(scene.quantities[k] is not None for k in range(at, end)):
        return None
    bound = end + 1
    while scene.low(bound) in lexicon.words("compare", "left_fillers"):
        bound += 1
    if end == at + 1 and scene.low(end + 1).endswith("s") and scene.low(end + 2) in ("for", "the", "a"):
        return None  # "more than accounts for"
    counted = (scene.tokens.counts(bound) and scene.owners[bound] is None) or (
        bound < len(scene.tokens) and scene.quantities[bound] is not None
    )
    again = any(governor("adjectives", scene.low(k), k) for k in range(found.at + 1, end))
    if counted or again or scene.low(end + 1) in lexicon.classes("compare", "multipliers"):
        return None
    subject = scene.subject(at) if scene.tokens.lows(end + 1, end + 3) == ["that", "of"] else None
    if end == at + 1 and subject is not None:  # "the memory of the context is smaller than that of"
        return _weighed(scene, at, end + 1, found, subject)
    sense, name = sense_of(scene, found, at, at)
    if (sense, name) == ("neutral", "size"):
        sense = "worse" if found.direction > 0 else "better"
    said = found.inherent or found.dimension or name not in _GROWING or scene.dimension(range(found.at + 1, end))
    return placed(scene, at, end + 1, Frame("words", sense, name)) if said else None


def _comparative(scene: Scene, at: int) -> Comparison | None:
    """Return "faster", "lower memory use", "a better accuracy", "latency is lower"."""
    found = _adjective(scene, at)
    if found is None or scene.low(found.at + 1) in ("than", "als") or scene.low(at - 1) == "on":  # "on larger memory"
        return None
    if found.dimension in ("time", "memory") and _is_hardware(scene.low(found.at + 1)):
        return None  # "on faster GPUs"
    if scene.low(at - 1) == "with" and scene.low(at - 2).endswith("s") and _is_hardware(scene.low(at - 2)):
        return None  # "on GPUs with less memory"
    if found.inherent and (found.dimension in ("time", "cost", "memory") or found.at > at):
        sense, name = sense_of(scene, found, at, at)
        return placed(scene, at, found.at + 1, Frame("words", sense, name))
    behind = scene.stretch(found.at + 1, 1, 3)
    harm = next((n for k in behind[:2] if (n := governor("nouns", scene.low(k), k)) and n.direction < 0), None)
    gains = (n for k in behind[:2] if (n := scene.entry(k, "nouns")) and n.direction > 0)
    if found.direction > 0 and (gain := next(gains, None)) is not None:
        speedup = found.dimension in (None, "size") and gain.dimension == "time"
        return placed(scene, at, gain.at + 1, Frame("words", "better", "time")) if speedup else None
    if harm is not None and harm.inherent and not found.inherent:
        sense = "better" if found.direction < 0 else "worse"
        return placed(scene, at, harm.at + 1, Frame("words", sense, harm.dimension or "other"))
    near = _object(scene, found.at, 3 + 3 * found.inherent)
    noun = next((k + 1 for k in behind if scene.dimension([k]) is not None), 0)
    if scene.low(at) == "more" and noun and scene.tokens.kind(noun) == WORD and not _closes(scene, noun):
        return None  # "more cache hits"
    if found.dimension == "size" and {scene.low(k) for k in behind} & lexicon.words("compare", "scaled_up"):
        return None
    ended = not behind or scene.low(behind[0]) in lexicon.words("compare", "object_ends") - {"to"} | {"."}
    predicate = at - 1 - scene.low(at - 1).endswith("ly")
    lasts = found.dimension == "time" and scene.low(predicate) in lexicon.words("compare", "lasting")
    if near is None and lasts and (ended or scene.low(found.at + 1) == "to"):
        near = Dimension("time", -1)
    if near is None and ended and scene.low(predicate) in lexicon.words("compare", "predicates"):
        near = scene.dimension(scene.stretch(predicate, -1, SUBJECT)) or scene.subject(predicate)
    return _weighed(scene, at, found.at + 1, found, near)


def _is_hardware(low: str) -> bool:
    kind = lexicon.classes("nouns", "heads").get(low)
    return kind in ("devices", "nodes", "cores", "processors") or low in lexicon.words("compare", "hardware")


def _closes(scene: Scene, at: int) -> bool:
    """Whether a word behind what is measured goes on with it or ends it: "memory usage", "memory than"."""
    ends = lexicon.words("compare", "object_ends") | lexicon.words("compare", "usages") | {"but"}
    return scene.low(at) in ends or scene.dimension([at]) is not None


def _object(scene: Scene, at: int, most: int) -> Dimension | None:
    """Return the dimension of the noun phrase directly behind a word."""
    amounts = lexicon.words("compare", "amounts")  # "the amount of memory"
    at = next((k for k in range(at + 2, at + 5) if scene.low(k) == "of" and scene.low(k - 1) in amounts), at)
    ends = lexicon.words("compare", "object_ends")
    if most == 3:  # of a comparative: "larger values reduce the memory"
        ends = ends | (lexicon.classes("compare", "verbs").keys() - dimensions().keys())
    return scene.dimension(scene.before_end(scene.stretch(at + 1, 1, most), ends))


def _weighed(scene: Scene, first: int, last: int, found: Governor, near: Dimension | None) -> Comparison | None:
    """Return a frame whose sense follows from a governor and a dimension that it is said of."""
    if near is None or not near.direction or near.name in (_VAGUE if found.direction < 0 else _GROWING):
        return None
    up = found.direction if found.inherent else found.direction * near.direction
    return placed(scene, first, last, Frame("words", "better" if up > 0 else "worse", near.name))


def _verb(scene: Scene, at: int) -> Comparison | None:
    """Return "reduces memory use", "speeds up training", "throughput improved", "saves 2 GB"."""
    low, before = scene.low(at), scene.low(at - 1)
    found = governor("verbs", low, at)
    if found is None or _is_rule(scene, at):
        return None
    if low in lexicon.words("compare", "no_wording") and not _adds_harm(scene, at):
        return None
    adverb = before.endswith("ly") or before in ("further", "also", "better")
    aim = at - 1 - adverb
    told = not {"use", "set"}.isdisjoint(scene.tokens.lows(aim - 1 - OBJECT, aim))
    if (before == "for" and scene.low(at + 1) in ("up", "down")) or (
        before == "how" and low.endswith("ing")
    ):  # "for speed up"
        return None
    if scene.low(aim) == "to" and not told and scene.low(aim - 1) not in lexicon.words("compare", "effecting"):
        return None
    due = before == "be" and scene.low(at - 2) in ("must", "should", "to")
    denied = any(low in _DENYING or low.endswith("n't") for low in scene.tokens.lows(at - 3, at)) and before != "only"
    aimed = low.endswith("ing") and scene.low(at - 1 - adverb) in _AIMING
    over = at + 1 + scene.low(at + 1).endswith("ly")  # "grows linearly with the number of layers"
    scales = scene.low(over) == "with" and not _SCALED.isdisjoint(scene.tokens.lows(over + 1, over + 5))
    scales = scales or (low.endswith("ed") and scene.low(at + 1) == ":")  # "time saved: 2 h"
    if due or denied or aimed or scales or before in ("the", "a", "an", "-") or scene.low(at + 1) == "-":
        return None
    particle = scene.low(at + 1) in ("up", "down")
    alone = low in ("speed", "speeds", "speeding", "sped", "slow") and not particle
    if alone or scene.low(at + 1 + particle) in ("=", "as") or (particle and scene.low(at + 2) == "to"):
        return None  # "the cost grows as n^2", "speeds up to 2 GB/s"
    if found.dimension == "time" and found.inherent and scene.low(at + 1) not in ("", ",", ".", "by", "to"):
        sense = "better" if found.direction > 0 else "worse"
        if (scene.low(at - 2), before) == ("no", "longer"):
            sense = OPPOSITE[sense]
        passive = low.endswith("ed") and not particle
        return None if passive else placed(scene, at, at + 1 + particle, Frame("words", sense, "time"))
    saved = _difference(scene, at)
    if saved is not None:
        less = Governor(at, "verbs", None, -1, False) if found.dimension == "cost" else found
        return _weighed(scene, at, at + 1, less, saved)
    near = _object(scene, at, OBJECT)
    places = scene.before_end(scene.stretch(at + 1, 1, OBJECT), lexicon.words("compare", "object_ends") | {","})
    harm = next((n for k in places if (n := governor("nouns", scene.low(k), k))), None)
    if harm is not None and harm.direction < 0 and harm.inherent and not found.inherent:  # "reduces the degradation"
        sense = "better" if found.direction < 0 else "worse"
        return placed(scene, at, harm.at + 1, Frame("words", sense, near.name if near else harm.dimension or "other"))
    plural = before.endswith("s") and scene.dimension([at - 1]) is not None
    after = lexicon.words("nouns", "after_verbs")
    modal = scene.low(aim) in lexicon.words("compare", "modals")
    if near is None and (plural or modal or low.endswith(("s", "d", "w"))) and scene.low(at + 1) not in after:
        subject = at - 1
        while scene.low(subject) in lexicon.words("compare", "auxiliaries") or scene.low(subject).endswith("ly"):
            subject -= 1
        near = scene.dimension(scene.stretch(subject, -1, 1 if plural else 3))
    said = _weighed(scene, at, at + 1, found, near)
    if said is None or before != "without":
        return said
    return replace(said, form="parity", sense="equal") if said.sense == "worse" else None


def _adds_harm(scene: Scene, at: int) -> bool:
    """Whether what is added is a time or a cost that is paid: "adds latency", not "adds a memory"."""
    near = scene.dimension([at + 1]) if scene.low(at).startswith("add") and at + 1 < len(scene.tokens) else None
    return near is not None and near.direction < 0 and near.name in ("time", "cost", "energy")


def _difference(scene: Scene, at: int) -> Dimension | None:
    """Return the dimension of an absolute difference: "saves 2 GB", "reduces the time by 3 seconds"."""
    for k in scene.stretch(at + 1, 1, OBJECT + 1):
        quantity = scene.quantities[k]
        if quantity is None:
            continue
        plain = quantity.dimension not in ("percent", "ratio", "points", "quality")
        direct = k == at + 1 or scene.low(k - 1) in ("by", "of", "about", "~")
        table = lexicon.table("compare")["by_quantity"]
        return Dimension(*table[quantity.dimension]) if plain and direct and quantity.dimension in table else None
    return None


def _noun(scene: Scene, at: int) -> Comparison | None:
    """Return "a substantial speedup", "great reduction of memory", "an AUC drop relative to"."""
    found = scene.entry(at, "nouns")
    if found is None or scene.low(at) in lexicon.words("compare", "unweighed"):
        return None
    ends = lexicon.words("compare", "predicates") | lexicon.words("compare", "object_ends") | {"as"}
    left = scene.before_end(scene.stretch(at - 1, -1, SUBJECT), ends)
    weights = lexicon.words("compare", "weights").intersection(scene.low(k) for k in left)
    definite = "the" in (scene.low(k) for k in left) and scene.low(at + 1) not in ("over", "of", "in", "from")
    weighed = not weights <= (_KINDS if definite else set())  # "extends the speed advantage"
    differs = scene.low(at + 1) == "of" and _difference(scene, at) is not None
    behind = scene.tokens.lows(at + 1, at + 5)
    against = scene.words > 4 and behind[:2] in (["relative", "to"], ["compared", "to"]) and "number" not in behind
    shunned = not lexicon.words("compare", "shunning").isdisjoint(scene.tokens.lows(at - SUBJECT, at))
    numbered = any(scene.quantities[k] is not None for k in scene.stretch(at - 1, -1, 3))
    varies = not lexicon.words("compare", "ranging").isdisjoint(behind[:2])  # "gains may vary"
    if shunned or numbered or varies or not (weighed or differs or against or _caused(scene, at, found)):
        return None
    sense, name = sense_of(scene, found, at, at)
    return None if sense == "neutral" else placed(scene, at, at + 1, Frame("words", sense, name))


def _caused(scene: Scene, at: int, found: Governor) -> bool:
    """Whether a change is what something causes or shows: "causes a slowdown", "there is a drop in accuracy"."""
    if scene.dimension([at - 1]) is not None:  # "leads to memory reduction", "the speed gains are modest"
        following = scene.tokens.lows(at + 1, at + 4)
        weighed = following[:1] in (["is"], ["are"], ["was"], ["were"])
        weighed = weighed and not lexicon.words("compare", "weights").isdisjoint(following)
        if weighed or scene.low(at - 2) in lexicon.words("compare", "causing") - {"is", "was", "in"}:
            return scene.low(at) not in ("above", "below")
    begin = at - 1
    while at - begin < 3 and scene.low(begin) not in ("a", "an"):
        begin -= 1
    said = scene.low(begin) in ("a", "an") and scene.low(begin - 1) in lexicon.words("compare", "causing")
    named = found.dimension == "time" or scene.low(at + 1) in ("in", "of")
    return said and named and "of" not in scene.tokens.lows(begin, at)


def _fraction(scene: Scene, at: int) -> Comparison | None:
    """Return "at a fraction of the cost", "at the cost of accuracy"."""
    if scene.low(at) not in _PRICES or scene.low(at + 1) != "of":
        return None
    near = scene.dimension(scene.stretch(at + 2, 1, 4))
    if near is None or near.name in _GROWING:
        return None
    if scene.low(at) == "fraction":
        return _weighed(scene, at, at + 2, Governor(at, "nouns", None, -1, False), near)
    changes = governing_words() - dimensions().keys()  # "the cost of more memory"
    inner = not changes.isdisjoint(scene.tokens.lows(at + 2, at + 5))
    paid = "at" in scene.tokens.lows(at - 2, at) and not inner
    return placed(scene, at, at + 2, Frame("words", "worse", near.name)) if paid else None
