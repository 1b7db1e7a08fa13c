"""The governor to the left of a degree: "cuts latency by 30 %", "a speedup of 2x", "speedup: 2x"."""

from __future__ import annotations

from . import lexicon
from .governors import Governor, Scene, dimensions, efficient, governing_words, governor
from .tokens import WORD

LEFT_STEPS = 16
_ATTAINED = ("at", "out", "to")


def left_of(scene: Scene, first: int, unit: str | None) -> Governor | None:
    """Return the governor to the left of a degree: "cuts latency by 30 %", "a speedup of 2x", "speedup: 2x"."""
    fillers = lexicon.words("compare", "left_fillers") - {"by", "of", "than", "at"}
    at = first - 1
    while at >= 0 and (
        scene.low(at) in fillers
        or (scene.low(at) == "to" and scene.low(at - 1) == "up")
        or (scene.low(at) == "than" and scene.low(at - 1) in ("more", "less"))
        or (scene.low(at) == "at" and scene.low(at + 1) in ("least", "most"))
    ):
        at -= 1
    while at > 2 and (scene.low(at - 1), scene.low(at)) == ("factor", "of"):
        at -= 2
        while at > 0 and scene.low(at) in fillers:
            at -= 1
    if scene.low(at) in ("and", "or") and (scene.quantities[at - 1] is not None or scene.low(at - 1) == ","):
        return None
    link, attaining = "", lexicon.words("compare", "attaining")
    while at > 0 and scene.low(at) in _ATTAINED and scene.low(at - 1) in attaining | set(_ATTAINED):  # "tops out at"
        at -= 1
    if at >= 0 and scene.low(at) in attaining:
        link, at = "is", at - 1
        while scene.low(at) in attaining:
            at -= 1
    elif at >= 0 and (scene.low(at) in lexicon.words("compare", "linkers") or scene.low(at) in (":", "=", "(")):
        link, at = scene.low(at), at - 1
        if link == "by" and at > 0 and scene.low(at) == "(":
            at -= 1
    if link == "=":  # "speedup: 90 ms / 30 ms = 3x"
        while at > 0 and (scene.quantities[at] is not None or scene.low(at) in ("/", "÷", ":", "=")):
            at -= 1
    said = scene.quantities[at] if link == "(" else None
    if said is not None and said.unit != unit and scene.low(said.first - 1) == "by":
        link, at = "by", said.first - 2  # "faster by 90 tok/s (20 %)"
    own = scene.quantities[first] if link == "(" else None  # "faster than Foo (2x compared to Bar)"
    if own is not None and scene.low(own.last) in lexicon.words("compare", "after_bare"):
        return None
    if unit == "%" and link in ("to", "at", "with", "from"):  # "keeping the increase in latency to 3 %"
        noun = _scan_left(scene, at, "is") if link == "to" else None
        held = noun is not None and noun.kind == "nouns" and _is_held(scene, noun.at)
        return noun if held else None
    found = _scan_left(scene, at, link)
    adds = found is not None and scene.low(found.at).startswith("add")
    return None if adds and (unit != "%" or link == "(") else found  # "adds a 2x upscaler"


def _is_held(scene: Scene, at: int) -> bool:
    """Whether a change is kept small: "limits the drop"."""
    holding = lexicon.words("compare", "keeping") | {"limit", "limits", "limiting", "keep", "keeping"}
    return not holding.isdisjoint(scene.tokens.lows(at - 3, at))


def _scan_left(scene: Scene, begin: int, link: str) -> Governor | None:
    """Return the noun, verb or comparative that a link such as "by" or "of" ties to a degree behind it."""
    tokens, clean, words = scene.tokens, True, governing_words()
    harm: Governor | None = None
    known, at = lexicon.words("compare", "skips") | lexicon.words("compare", "left_known"), begin
    for steps in range(LEFT_STEPS * (1 + (link == "by"))):
        at = scene.past_bracket(at, -1) if link in ("by", ":", "=") else at
        passed = scene.low(at) in {"is": ("compared", "with"), "=": ("with", "without")}.get(link, ())
        if at < 0 or (scene.stops(at) and not passed):
            return harm
        low = tokens[at].low
        if low == "," and link == "of" and steps > 3:  # "as loads rise, it keeps a rate of 90 %"
            return harm
        particle = low in ("down", "up") and governor("verbs", scene.low(at - 1), at) is not None
        tied = _tied(scene, at, link, steps, clean) if low in words and not particle else None
        if tied is not None and link == "by" and harm is None and tied.kind == "nouns" and tied.direction < 0:
            harm = tied if tied.inherent else None
            tied = None if tied.inherent else tied
        if tied is not None:
            return _of_harm(tied, harm)
        if not (particle or low in known or low in dimensions() or scene.owners[at] or scene.quantities[at]):
            if link in ("", "(", ":"):
                clean = False
                if steps > 2:
                    return None
            elif tokens[at].kind == WORD and link != "by":
                clean = clean and steps < 3
        at -= 1
    return harm


def _tied(scene: Scene, at: int, link: str, steps: int, clean: bool) -> Governor | None:
    """Return the governor at a token that a link ties to the degree some steps behind it."""
    low = scene.low(at)
    joined = f"{scene.low(at - 2)}-{low}" if scene.low(at - 1) == "-" else low
    far = link == "is" or (link in ("of", ":", "=", "from", "to") and steps < 12)
    noun = governor("nouns", joined, at) or governor("nouns", low, at)
    setting = scene.low(at + 1) in ("factor", "factors", "rate", "rates") or steps > 3
    if noun is not None and noun.dimension == "size" and setting:  # what a codec is set to
        return None
    placed = low not in ("above", "below") and link not in ("at", "with")
    if noun is not None and placed and (steps == 0 or clean or far):
        return noun
    verb = governor("verbs", joined, at) or governor("verbs", low, at)
    if scene.compound(at) != low and scene.tokens.glued(at + 1) and steps:  # reduce-scatter
        return None
    if verb is not None and low in lexicon.words("compare", "outdoing") and steps < 6:  # "beats Foo 2x"
        return verb
    if verb is not None and (link in ("by", "um", "(") or (clean and link in ("", "of", "to", "from"))):
        return verb
    adjective = (efficient(scene, at) if low in ("more", "less") else None) or governor("adjectives", low, at)
    return adjective if link == "by" or (link == "(" and steps < 6) else None


def _of_harm(found: Governor, harm: Governor | None) -> Governor:
    """Return what a verb makes of a harm behind it: to reduce the overhead is better."""
    if harm is None or found.kind != "verbs" or found.inherent:
        return found
    return Governor(found.at, "verbs", harm.dimension, -found.direction, True)
