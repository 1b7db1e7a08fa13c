"""Comparisons with a stated degree: "2x faster", "30 % less memory", "twice as fast", "+3 points"."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec.structs import replace

from . import lexicon
from .comparison import Comparison, Frame, placed
from .governors import Dimension, Governor, Scene, right_of
from .governors import governor as governing
from .headers import is_quality
from .multipliers import multiplier
from .quantity import Quantity
from .senses import OPPOSITE, SCALED, scaled, sense_of
from .shares import is_measured, share
from .ties import left_of

MOST_LISTED = 40
"""Tokens of a list of degrees that share one governor."""
TIES = ("for", "on", "at", "in", "with", "when", "than", "over", "during", "vs", "versus")
"""Words that follow a degree whose governor was said before."""
MOST_OF_ROW = 24
"""A row of a table has at most so many tokens."""
_OF_SCALING = ("factor", "factors", "efficiency")
_RATED = ("performance", "throughput", "speed")
_OPENING = (",", "and", "with", "(", ":", "—", "-", "to", "hopefully")
_CLOSING = ("", ".", ",", ";", ")", "or", "and", "—")
"""What stands around a degree that its sentence governs."""
FEW_WORDS = 3
"""A text of at most so many words is a cell: a degree may stand there without a governor."""


def stated(scene: Scene) -> Iterator[tuple[Comparison, int]]:
    """Yield the comparisons of factors, percentages, points and words such as "twice", with their governing tokens."""
    before: dict[str | None, tuple[Quantity, Comparison]] = {}
    for quantity in _whole(scene):
        found, said = _degree(scene, quantity), before.get(quantity.unit)
        if found is None and said is not None and (again := _again(scene, quantity, *said)) is not None:
            found = again, quantity.first
        found = found or _standing(scene, quantity)
        if found is not None:
            found = _like(scene, *found, said[1] if said is not None else None)
            before[quantity.unit] = quantity, found[0]
            yield found


def _like(scene: Scene, found: Comparison, at: int, old: Comparison | None) -> tuple[Comparison, int]:
    """Give a degree that names no dimension that of the one before: "40 % higher throughput, and 15 % higher when"."""
    open_ended = found.dimension == "other" and found.sense == "neutral" and not found.bare
    if not open_ended or old is None or scene.low(at) not in scene.tokens.lows(old.first, old.last):
        return found, at
    return replace(found, sense=old.sense, dimension=old.dimension), at


def _whole(scene: Scene) -> Iterator[Quantity]:
    """Yield the quantities, with one range for the factors "from 2x to 4x" and "between 2x and 4x"."""
    waiting: list[Quantity] = []
    for q in scene.bound.quantities:
        for low in waiting:
            link = (scene.low(low.first - 1), scene.low(low.last))
            near = link in (("from", "to"), ("between", "and")) and q.first == low.last + 1
            ranged = q.unit == "x" or scene.low(low.first - 2) in lexicon.words("compare", "ranging")
            if near and ranged and low.unit == q.unit and (low.value or 0) < (q.value or 0):
                q = replace(q, first=low.first, start=low.start, value=low.value)
            else:
                yield low
        waiting = [q]
    yield from waiting


def _again(scene: Scene, q: Quantity, old: Quantity, said: Comparison) -> Comparison | None:
    """Return what a degree says that leaves out the word before: "2x faster for prefill, 3x for decoding"."""
    at = scene.before_fillers(q.first)
    led = lexicon.words("compare", "extremes") | lexicon.words("compare", "attaining") | {"at"}
    while scene.low(at) in led:
        at -= 1
    aside = scene.low(at) == "(" and at - said.last <= 1 and scene.low(q.last) not in ("vs", "versus")
    listed = aside or scene.low(at - (scene.low(at) == "by")) in (",", "and", "or")
    ended = scene.ends if scene.low(q.last) in TIES and scene.low(q.last) == scene.low(old.last) else scene.stops
    near = q.first - said.last < MOST_LISTED and not any(ended(k) for k in range(said.last, at))
    ties = aside or q.first - old.last <= 2 or scene.low(q.last) in TIES
    if q.value is None or q.unit != old.unit or q.unit not in ("x", "%") or not (listed and near and ties) or said.bare:
        return None
    return placed(scene, q.first, q.last, Frame(said.form, said.sense, said.dimension, abs(q.value), q.high), q)


def _standing(scene: Scene, q: Quantity) -> tuple[Comparison, int] | None:
    """Return a degree that only its sentence governs: "it wins on all disks: 2x on average", "faster, 3x at best"."""
    extremes = lexicon.words("compare", "extremes")
    at, following = scene.before_fillers(q.first), scene.low(q.last)
    extreme = scene.low(at) in extremes or (scene.low(at) in ("of", "at") and scene.low(at - 1) in extremes)
    while scene.low(at) in extremes | {"of", "at", "a"}:
        at -= 1
    opens = extreme or (q.unit == "x" and scene.low(at) in _OPENING)
    closes = following in (*TIES, *_CLOSING)
    if q.value is None or q.unit not in ("x", "%") or q.worded or not (opens and closes) or q.value == 1:
        return None
    for k in range(at, max(-1, at - MOST_LISTED), -1):
        if scene.ends(k):
            return None
        found = scene.entry(k, "nouns") or scene.entry(k, "verbs") or scene.entry(k, "adjectives")
        if found is None or not (found.inherent or extreme):
            continue
        sense, about = sense_of(scene, found, q.first, q.last)
        form = "ratio" if q.unit == "x" else _percent_form(scene, q, found)
        frame = Frame(form, sense, about, abs(q.value), abs(q.high if q.high is not None else q.value))
        return placed(scene, q.first, q.last, frame, q), k
    return None


def _degree(scene: Scene, q: Quantity) -> tuple[Comparison, int] | None:
    if q.dimension == "quality" and not (q.unit == "%" and _is_change(scene, q)):
        return _metric_points(scene, q)
    if q.unit not in ("x", "%", "percentage_points") or q.value is None:
        return None
    if q.worded and q.number is None:
        return multiplier(scene, q)
    before, following = scene.low(q.first - 1), scene.low(q.last)
    if before == "within" and following in ("of", "from"):
        dimension = scene.dimension([*scene.stretch(q.last + 1, 1, 8), *scene.stretch(q.first - 1, -1, 12)])
        frame = Frame("parity", "equal", dimension.name if dimension else "other")
        return placed(scene, q.first - 1, q.last + 1, frame, q), q.first
    if q.unit == "%" and following == "the" and (found := share(scene, q)) is not None:
        return found
    direct = scene.low(q.last + 1) == "of" and is_measured(scene, q.last)  # "30 % parameters of X"
    if q.unit == "%" and (following in ("of", "der", "des") or direct):
        found = share(scene, q)
        saver = left_of(scene, q.first, q.unit) if found is None else None
        saving = saver is not None and (saver.kind == "verbs" or scene.low(saver.at) == "saving")
        if saver is None or not saving or not saver.inherent or saver.dimension != "cost":
            return found
    governor = _governor(scene, q)
    if governor is None and (measured := _signed_level(scene, q)) is not None:
        return measured, q.last
    if governor is None:
        alone = _ungoverned(scene, q)
        return (alone, q.first) if alone is not None else None
    if scene.low(governor.at) == "scaling" and (q.unit != "x" or scene.low(governor.at + 1) in _OF_SCALING):
        return None
    if q.value == q.high == 1 and governor.kind == "level":  # "at 1x speed"
        return None
    sense, about = sense_of(scene, scaled(governor, q), q.first, q.last)
    shrinks = governor.kind not in SCALED and sense == "better" and governor.direction > 0
    if q.unit == "x" and q.high is not None and q.high < 1 and shrinks:
        sense = OPPOSITE.get(sense, sense)
    if q.unit == "percentage_points" and about in ("other", "time", "cost"):
        about = "quality"
        sense = ("better" if governor.direction > 0 else "worse") if sense == "neutral" else sense
    form = "ratio" if q.unit == "x" else "points" if q.unit != "%" else _percent_form(scene, q, governor)
    frame = Frame(form, sense, about, abs(q.value), abs(q.high if q.high is not None else q.value))
    return placed(scene, min(q.first, governor.at), max(q.last, governor.at + 1), frame, q), governor.at


def _is_change(scene: Scene, q: Quantity) -> bool:
    """Whether a percentage is that of a change: "a loss of only 0.3 % in accuracy"."""
    at = scene.before_fillers(q.first)
    return "of" in scene.tokens.lows(at, q.first) and governing("nouns", scene.low(at), at) is not None


def _metric_points(scene: Scene, q: Quantity) -> tuple[Comparison, int] | None:
    """Return "1.2 AP higher", "improves accuracy by 2 mAP": a difference in the points of a metric."""
    named = scene.owners[q.last - 1] or scene.owners[q.last] or scene.owners[min(q.last + 2, len(scene.tokens))]
    if named is None or not is_quality(named):
        return None
    last = max(q.last, named.last)
    at, kind = (last, "adjectives") if named.first <= q.last else (q.last, "nouns")
    right = scene.entry(at, kind) if at < len(scene.tokens) else None
    linked = scene.low(scene.before_fillers(q.first)) == "by"
    governor = right or (left_of(scene, q.first, "x") if linked else None)
    if governor is None or q.value is None:
        return None
    sense, _ = sense_of(scene, governor, q.first, last)
    frame = Frame("points", sense, "quality", abs(q.value), abs(q.high if q.high is not None else q.value))
    return placed(scene, min(q.first, governor.at), max(last, governor.at + 1), frame, q), governor.at


def _governor(scene: Scene, q: Quantity) -> Governor | None:
    """Return what governs a degree: what stands close before it beats a noun behind it."""
    last = _over_list(scene, q)
    bracketed = scene.low(scene.before_fillers(q.first)) == "(" and scene.low(last) == ")"
    right = right_of(scene, last + bracketed, q.unit)
    left = left_of(scene, q.first, q.unit) if right is None else None
    at = scene.before_fillers(q.first)
    rated = q.unit == "x" and scene.low(at) in _RATED and scene.low(at + 1) == "of"  # "a performance of about 5x"
    return right or left or (Governor(at, "level", None, 1, False) if rated else None)


def _over_list(scene: Scene, q: Quantity) -> int:
    """Return the token after a list of degrees: "32x and 4x less", "2x (FP16), 3x (INT8) and 4x speedup"."""
    last = q.last
    while last - q.last < MOST_LISTED:
        at = scene.past_bracket(last, 1)
        begin = at
        while at - begin < 2 and scene.low(at) in ("and", "or", "/", ",", "to"):
            at += 1
        following = scene.quantities[at] if begin < at < len(scene.tokens) else None
        if following is None or following.unit != q.unit:
            break
        last = following.last
    behind = scene.past_bracket(last, 1)
    return behind if last > q.last or scene.entry(min(behind, len(scene.tokens) - 1), "nouns") else last


def _percent_form(scene: Scene, q: Quantity, governor: Governor) -> str:
    if is_quality(scene.owners[q.last]) and governor.kind == "adjectives":
        return "points"
    low = scene.tokens[governor.at].low
    if low in lexicon.words("compare", "percent_less_words"):
        return "percent_less"
    if low in lexicon.words("compare", "percent_more_words"):
        return "percent_more"
    own = governing("verbs", low, governor.at) if governor.kind == "verbs" else None  # "reduces the overhead"
    return "percent_more" if (own or governor).direction > 0 else "percent_less"


def _ungoverned(scene: Scene, q: Quantity) -> Comparison | None:
    """Return a degree that stands alone in a cell, or before "over" and "vs"."""
    value, high = abs(q.value or Decimal(0)), abs(q.high or Decimal(0))
    less = (q.value or Decimal(0)) < 0
    signed = _signed(scene, q)
    percent = "percent_less" if less else "percent_more"
    before = scene.low(scene.before_fillers(q.first))
    if q.unit == "x" and before in ("cost", "costs", "costing"):
        frame = Frame("ratio", "worse" if value >= 1 else "better", "cost", value, high)
        return placed(scene, q.first, q.last, frame, q)
    last = _over_list(scene, q)
    beyond = scene.low(last) == "over" and _is_whole(scene, last + 1)  # "5 % over Foo"
    if (q.unit == "x" or (q.unit == "%" and (signed or beyond or before == "by"))) and _against(scene, last):
        dimension = scene.dimension(scene.stretch(q.first - 1, -1, 12)) or Dimension("time", 1)
        less = less or (q.unit == "x" and value < 1)
        level = signed or scene.low(q.last) == "of"  # "a size of 1/4 of the original"
        sense = "worse" if less == (not level or dimension.direction >= 0) else "better"
        frame = Frame("ratio" if q.unit == "x" else percent, sense, dimension.name, value, high)
        return placed(scene, q.first, q.last + 1, frame, q)
    if not high or scene.words > FEW_WORDS or len(scene.tokens) > MOST_OF_ROW or (q.unit != "x" and not signed):
        return None
    form = "ratio" if q.unit == "x" else "points" if q.unit != "%" else percent
    return placed(scene, q.first, q.last, Frame(form, "neutral", "other", value, high, bare=True), q)


def _signed_level(scene: Scene, q: Quantity) -> Comparison | None:
    """Return a change by its sign with what it is one of: "+7 % throughput", "-20 % memory"."""
    behind = scene.dimension(scene.stretch(q.last, 1, 2)) if q.unit == "%" and _signed(scene, q) else None
    if behind is None or not behind.direction or q.value is None or scene.low(q.last) in ("on", "in", "for"):
        return None
    less, value, high = q.value < 0, abs(q.value), abs(q.high if q.high is not None else q.value)
    sense = "better" if less == (behind.direction < 0) else "worse"
    frame = Frame("percent_less" if less else "percent_more", sense, behind.name, value, high)
    return placed(scene, q.first, q.last + 1, frame, q)


def _signed(scene: Scene, q: Quantity) -> bool:
    return any(scene.low(at) in ("+", "-") for at in (q.first, q.number.first if q.number is not None else q.first))


def _against(scene: Scene, at: int) -> bool:
    """Whether what a bare degree is measured against follows it: "over X", "for long texts compared to X"."""
    following = scene.low(at)
    behind = {following, *(scene.low(k + 1) for k in scene.stretch(at, 1, FEW_WORDS))}
    said = following in lexicon.words("compare", "after_bare") or behind & {"compared", "versus", "vs", "relative"}
    return bool(said) or (following == "of" and _is_whole(scene, at + 1))


def _is_whole(scene: Scene, at: int) -> bool:
    """Whether a name or a word such as "the baseline" stands at a place."""
    at += scene.low(at) in ("the", "our", "its")
    named = at < len(scene.tokens) and (scene.owners[at] is not None or scene.tokens[at].text[:1].isupper())
    joined = scene.low(at + 1) in (".", "_") and scene.tokens.glued(at + 2)
    return named or joined or scene.low(at) in lexicon.words("compare", "wholes")
