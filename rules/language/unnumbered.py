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
from .units import SECONDS

MOST_BETWEEN, MOST_BEFORE = 9, 14
"""Tokens between two values that are related."""
_UNLIKE = ("cache", "storage", "time", "as", "to", "with", "for", "in", ",", "and")
_BEHIND = ("in", "for", "on", "at", "with", "when", "to", "between", "across", "up", "until")
_ABOUT = ("the", "almost", "nearly", "about", "roughly", "basically", "virtually", "essentially", "practically")
KEPT = ("quality", "time")
"""What is said to be kept: its accuracy, its speed."""
MOST_OF_PHRASE = 6
"""Tokens from "the same" or "without" to the quality that is kept."""


def pairs(scene: Scene) -> Iterator[Comparison]:
    """Yield "from A to B" and "A → B"."""
    usable = [q for q in scene.bound.quantities if q.value is not None and q.unit not in ("x", "px") and not q.is_range]
    for old, new in itertools.pairwise(usable):
        alike = old.unit == new.unit or {old.unit, new.unit} <= SECONDS.keys()
        alike = alike and old.dimension == new.dimension and new.first - old.last <= MOST_BETWEEN
        if not alike or old.number is None or new.number is None:
            continue
        between = {t.low for t in scene.tokens[old.last : new.first]}
        before, ranging = _words_before(scene, old.first), lexicon.words("compare", "ranging")
        listed = {scene.low(k) for k in scene.stretch(old.first - 1, -1, MOST_BEFORE)} if "and" in before else before
        if listed & ranging:
            continue
        if between & lexicon.words("compare", "arrows") or ({"to", "auf"} & between and {"from", "von"} & before):
            yield _pair(scene, old, new)
        elif "from" in between and between & {"down", "up"}:
            yield _pair(scene, new, old)


def _words_before(scene: Scene, at: int) -> set[str]:
    """Return the few words before a place, up to the number before them."""
    found: set[str] = set()
    for k in range(at - 1, max(-1, at - 5), -1):
        if scene.tokens[k].kind == NUMBER:
            break
        found.add(scene.low(k))
    return found


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
    if low is not None and old.unit != new.unit and old.unit in SECONDS and new.unit in SECONDS:  # "1 day to 1 hour"
        low = low * SECONDS[old.unit] / SECONDS[new.unit]
    high = new.number.low if new.number is not None else new.value
    if low and high and old.value and new.value and old.unit == new.unit:  # "from 2 s to 9 ms" is to 0.009
        high = high if old.value * high == new.value * low else new.value * low / old.value
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
    if not hits:
        return None
    end, phrase = hits[0]
    due = scene.low(at - 1) in ("should", "must") or (scene.low(at - 1) == "to" and scene.low(at - 2) != "able")
    rule = scene.low(end) == "possible" or (due and phrase == "match")
    kept = scene.dimension([at - 1]) if at else None  # "the accuracy matches"
    alone = phrase.startswith("match") and scene.low(end) in ("", ".", ",") and (kept is None or kept.name not in KEPT)
    remark = phrase == "similar to" and scene.low(at - 1) == "("
    denied = any(low in ("not", "cannot") or low.endswith("n't") for low in scene.tokens.lows(at - 2, at))
    if rule or alone or remark or denied:
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
    converts = phrase == "equivalent to" and any(scene.quantities[k] for k in scene.stretch(end, 1, 2))  # "to 4 MB"
    beaten = not lexicon.words("compare", "outdoing").isdisjoint(scene.tokens.lows(end, end + 3))
    weighs = any(side and side.direction and side.name not in ("work", "other", "size") for side in (right, left))
    performs = scene.low(at - 1 - (scene.low(at - 1) in _ABOUT)) in lexicon.words("compare", "performing")
    weighs = weighs or performs or bool(plain) or named or beaten
    if converts or (phrase in lexicon.words("compare", "parity_contextual") and not weighs):
        return None
    name = near.name if near is not None else "time" if "slower" in phrase else "other"
    return placed(scene, at, end, Frame("parity", "equal", plain.dimension or name if plain else name))


def _alike(scene: Scene, at: int) -> Comparison | None:
    """Return "the same accuracy", "comparable throughput", "identical results"."""
    settled = scene.low(at + 1) in ("co", "carbon") or scene.low(at - 2) == "under"  # "under the same memory budget"
    if settled or scene.low(at) not in lexicon.words("compare", "alike"):
        return None
    said = at - 1
    while scene.low(said) in _ABOUT:
        said -= 1
    alone = scene.stops(min(at + 1, len(scene.tokens) - 1)) or scene.low(at + 1) in ("", *_BEHIND)
    if alone and scene.low(said) in lexicon.words("compare", "performing"):
        return placed(scene, at, at + 1, Frame("parity", "equal", "time"))
    if scene.low(said) in lexicon.words("compare", "predicates") and scene.tokens.lows(at, at + 2) != ["equal", "to"]:
        behind = scene.stretch(at + 2, 1, 3) if scene.low(at + 1) in _BEHIND else []
        ended = behind or scene.low(at + 1) in ("", ",") or scene.stops(at + 1)
        near = scene.dimension(behind[: 3 * (scene.low(at + 1) == "in")]) or scene.subject(at) if ended else None
        if near is not None and near.name in KEPT:
            return placed(scene, at, at + 1, Frame("parity", "equal", near.name))
    if scene.low(at + 1) in ("level", "levels", "time") and scene.low(at - 2) != "at":  # "takes the same time"
        lasts = scene.low(said) in lexicon.words("compare", "lasting") and scene.low(at + 1) == "time"
        near = Dimension("time", -1) if lasts else scene.subject(at)
        return placed(scene, at, at + 2, Frame("parity", "equal", near.name)) if near is not None else None
    places = scene.stretch(at + 1, 1, MOST_OF_PHRASE)
    end = at + 1 + len(places)
    for k in (*places, *scene.stretch(scene.past_bracket(end, 1), 1, 2 * (scene.low(end) == "("))):
        ends = scene.low(k + 3) in ("", ".", *lexicon.words("compare", "object_ends"))  # "the same quality/accuracy"
        joined = scene.low(k + 1) == "/" and not (ends and scene.dimension(scene.stretch(k + 2, 1, 1)))
        if scene.low(k) == "and" and scene.dimension([k - 1]) is None and k + 1 in places and scene.dimension([k + 1]):
            continue  # "the same convergence and accuracy"
        if joined or scene.low(k) in _UNLIKE or scene.low(k + 1) in ("space", "spaces", "pool"):
            return None
        gain = governor("nouns", scene.low(k), k) and scene.low(k) not in ("above", "below")
        named = "quality" if scene.low(k) == "output" else "time" if gain else ""
        near = scene.dimension([k]) or (Dimension(named, 1) if named else None)
        worked = near is not None and scene.low(k) in ("flops", "macs") and scene.low(at) != "same"
        if near is not None and near.direction and (worked or near.name not in ("work", "other", "size")):
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
    alike = near is None and lost is not None and scene.low(lost) == "difference"
    alike = alike and scene.low(at - 1) in lexicon.words("compare", "causing")
    near = Dimension("other", 0) if alike else near  # "there is no difference"
    gain = scene.low(at) == "no" and governor("nouns", scene.low(at + 1), at + 1)
    if gain and gain.dimension == "time" and gain.direction > 0:  # "no speedup"
        return placed(scene, at, at + 2, Frame("parity", "equal", "time"))
    if keeps == (lost is not None) or near is None or not (alike or near.name in KEPT):
        return None
    return placed(scene, at, at + 1 if lost is None else lost + 1, Frame("parity", "equal", near.name))
