"""Comparisons of two values ("from 67 to 44 minutes") and parity ("as fast as", "no loss of accuracy")."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from . import lexicon
from .comparison import Comparison, Frame, placed
from .governors import Dimension, Scene, governor, lower_is_better
from .headers import plain as folded
from .lexicon import SOFT
from .quantity import Quantity
from .tokens import NUMBER

SECONDS = {"s": 1, "min": 60, "h": 3_600, "d": 86_400, "wk": 604_800}
MOST_BETWEEN = 9
"""Tokens between two values that are related."""
_UNLIKE = ("cache", "storage", "time", "as", "to", "with", "for", "in", ",", "and")
KEPT = ("quality", "time")
"""What is said to be kept: its accuracy, its speed."""
MOST_OF_PHRASE = 6
"""Tokens from "the same" or "without" to the quality that is kept."""


def pairs(scene: Scene) -> Iterator[Comparison]:
    """Yield "from A to B" and "A → B"."""
    usable = [q for q in scene.bound.quantities if q.value is not None and q.unit != "x" and not q.is_range]
    for old, new in itertools.pairwise(usable):
        alike = old.unit == new.unit or {old.unit, new.unit} <= SECONDS.keys()
        alike = alike and old.dimension == new.dimension and new.first - old.last <= MOST_BETWEEN
        if not alike or old.number is None or new.number is None:
            continue
        between = {t.low for t in scene.tokens[old.last : new.first]}
        before = _words_before(scene, old.first)
        if before & lexicon.words("compare", "ranging"):
            continue
        arrow = between & lexicon.words("compare", "arrows")
        if arrow or ({"to", "auf"} & between and {"from", "von"} & before):
            yield _pair(scene, old, new)
        elif "from" in between and (between & {"down", "up"} or ("to" in before and _changes(scene, old.first))):
            yield _pair(scene, new, old)


def _words_before(scene: Scene, at: int) -> set[str]:
    """Return the few words before a place, up to the number before them."""
    found: set[str] = set()
    for k in range(at - 1, max(-1, at - 5), -1):
        if scene.tokens[k].kind == NUMBER:
            break
        found.add(scene.low(k))
    return found


def _changes(scene: Scene, at: int) -> bool:
    return any(governor("verbs", scene.tokens[k].low, k) for k in scene.stretch(at - 1, -1, 10))


def _pair(scene: Scene, old: Quantity, new: Quantity) -> Comparison:
    metric = new.metric or old.metric
    near = Dimension("quality", -1 if folded(metric) in lower_is_better() else 1) if metric is not None else None
    first, last = min(old.first, new.first), max(old.last, new.last)
    if near is None and old.dimension in ("percent", "quality", "points", "data"):
        near = scene.dimension([*range(first, last), *scene.stretch(first - 1, -1, 12)])
    if near is None or (near.name in ("size", "work", "other") and old.dimension == "percent"):
        near = Dimension(*lexicon.table("compare")["by_quantity"].get(old.dimension, ("other", 0)))
    sense = "neutral"
    if near.direction:
        before, after = ((q.value or 0) * SECONDS.get(q.unit or "", 1) for q in (old, new))
        sense = "neutral" if before == after else "better" if (after > before) == (near.direction > 0) else "worse"
    low = old.number.low if old.number is not None else old.value
    high = new.number.low if new.number is not None else new.value
    return placed(scene, first, last, Frame("from_to", sense, near.name, low, high), old)


def parities(scene: Scene) -> Iterator[Comparison]:
    """Yield "as fast as", "on par with", "matches the accuracy of", "the same throughput", "no loss of accuracy"."""
    for at in range(len(scene.tokens)):
        if scene.owners[at] is None:
            found = _phrase(scene, at) or _alike(scene, at) or _kept(scene, at)
            if found is not None:
                yield found


def _phrase(scene: Scene, at: int) -> Comparison | None:
    """Return parity that a listed phrase says."""
    hits = lexicon.listed("compare", "parity").match(scene.tokens, at, SOFT)
    if not hits or (scene.low(at) == "as" and _is_degree(scene, at - 1)):
        return None
    end, phrase = hits[0]
    rule = scene.low(end) == "possible" or (scene.low(at - 1) in ("should", "must", "to") and phrase == "match")
    alone = phrase.startswith("match") and scene.low(end) in ("", ".", ",")
    if rule or alone or any(low in ("not", "cannot") or low.endswith("n't") for low in scene.tokens.lows(at - 2, at)):
        return None
    right, left = (scene.dimension(scene.stretch(*way)) for way in ((end, 1, 8), (at - 1, -1, 8)))
    near = scene.dimension(range(at, end)) or right or left
    said = (governor("plain", scene.tokens[k].low, k) for k in range(at, end))
    plain = next((found for found in said if found), None)
    if scene.low(at - 1) in lexicon.words("compare", "predicates"):
        left = scene.subject(at) or left
    level = scene.low(at) not in ("similar", "identical", "equivalent", "the", "same")
    named = level and end < len(scene.tokens) and scene.owners[end] is not None
    named = named or (phrase.endswith("same as") and scene.quantities[end] is not None)
    beaten = not lexicon.words("compare", "outdoing").isdisjoint(scene.tokens.lows(end, end + 3))
    if phrase.startswith("match") and lexicon.words("compare", "whose").isdisjoint(scene.tokens.lows(end, end + 5)):
        left = None
    weighs = any(side and side.direction and side.name not in ("work", "other", "size") for side in (right, left))
    if phrase in lexicon.words("compare", "parity_contextual") and not (weighs or plain or named or beaten):
        return None
    name = near.name if near is not None else "time" if "slower" in phrase else "other"
    return placed(scene, at, end, Frame("parity", "equal", plain.dimension or name if plain else name))


def _is_degree(scene: Scene, at: int) -> bool:
    """Whether a factor stands before "as": "twice as fast as"."""
    return at >= 0 and (scene.quantities[at] is not None or scene.tokens[at].low in ("times", "half", "much"))


def _alike(scene: Scene, at: int) -> Comparison | None:
    """Return "the same accuracy", "comparable throughput", "identical results"."""
    if scene.low(at) not in lexicon.words("compare", "alike") or scene.low(at + 1) in ("co", "carbon"):
        return None
    said = at - 1
    while scene.low(said) in ("the", "almost", "nearly", "about", "roughly"):
        said -= 1
    if scene.low(said) in lexicon.words("compare", "predicates") and scene.low(at + 1) in ("", ".", ",", ";", ")"):
        near = scene.dimension(scene.stretch(at - 1, -1, MOST_OF_PHRASE))
        if near is not None and near.name in KEPT:
            return placed(scene, at, at + 1, Frame("parity", "equal", near.name))
    for k in scene.stretch(at + 1, 1, MOST_OF_PHRASE):
        if scene.low(k) in _UNLIKE or scene.low(k + 1) in ("space", "spaces", "pool"):
            return None
        named = "quality" if scene.low(k) == "output" else "time" if governor("nouns", scene.low(k), k) else ""
        near = scene.dimension([k]) or (Dimension(named, 1) if named else None)
        if near is not None and near.direction and near.name not in ("work", "other", "size"):
            return placed(scene, at, k + 1, Frame("parity", "equal", near.name))
    return None


def _kept(scene: Scene, at: int) -> Comparison | None:
    """Return "without loss of accuracy", "no accuracy drop", "does not affect quality", "maintains the accuracy"."""
    keeps, places = scene.low(at) in lexicon.words("compare", "keeping"), scene.stretch(at + 1, 1, MOST_OF_PHRASE)
    if scene.low(at - 1) in ("not", "cannot") or not (keeps or scene.low(at) in lexicon.words("compare", "none")):
        return None
    lost = next((k for k in places if scene.low(k) in lexicon.words("compare", "losses")), None)
    if keeps:
        unkept = lexicon.words("compare", "unkept") | lexicon.classes("compare", "adjectives").keys()
        places = scene.before_end(places, lexicon.words("compare", "object_ends") | unkept)
    near = scene.dimension(k for k in places if k != lost)
    if keeps == (lost is not None) or near is None or near.name not in KEPT:
        return None
    return placed(scene, at, at + 1 if lost is None else lost + 1, Frame("parity", "equal", near.name))
