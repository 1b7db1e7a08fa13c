"""What belongs to a name behind its stem: sizes, versions, variants, form factors; and names made by a pattern."""

from __future__ import annotations

from collections.abc import Sequence

from . import lexicon
from .tokens import NUMBER, WORD, Token


def _glued(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and not tokens[at].gap


def is_number_tail(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number, or a glued part with one, follows a stem that is a common word by itself."""
    if at >= len(tokens):
        return False
    if tokens[at].kind == NUMBER:
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        return not tokens[at].gap or following is None or following.text not in ("%", "x")
    return tokens[at].text == "-" and _glued(tokens, at) and _glued(tokens, at + 1)


def tail_end(tokens: Sequence[Token], first: int, end: int, kind: str) -> int:
    """Return where a name ends that is known up to a token."""
    if kind == "metric":
        return _metric_tail(tokens, end)
    if kind in ("split", "optimizer"):
        return end
    end = _glued_tail(tokens, end, kind)
    if kind == "model":
        return _model_tail(tokens, end)
    if kind == "device":
        variants = lexicon.words("devices", "variants")
        while end < len(tokens) and tokens[end].text in variants:
            end = _glued_tail(tokens, end + 1, kind)
    elif kind in ("framework", "library") and _version(tokens, end):
        end += 1 + (tokens[end].low == "v")
    elif kind == "system":
        while end + 1 < len(tokens) and tokens[end].low == "nvl" and tokens[end + 1].kind == NUMBER:
            end += 2
    return end


def _metric_tail(tokens: Sequence[Token], end: int) -> int:
    """Return the end of the threshold behind a metric: mAP@0.5:0.95, recall@10."""
    if end + 1 < len(tokens) and tokens[end].text == "@" and _glued(tokens, end) and tokens[end + 1].kind == NUMBER:
        end += 2
    thresholds = (
        end + 1 < len(tokens) and tokens[end].text in (":", "-") and _glued(tokens, end) and _glued(tokens, end + 1)
    )
    if thresholds and "@" in (tokens[end - 2].text, tokens[end - 1].text):
        end += 2
    return end


def _version(tokens: Sequence[Token], end: int) -> bool:
    """Whether a version stands behind the name of a framework: 2.1, v0.4.2, but not 2.1x."""
    if end + 1 < len(tokens) and tokens[end].low == "v" and tokens[end + 1].kind == NUMBER and not tokens[end + 1].gap:
        return True
    if end >= len(tokens) or tokens[end].kind != NUMBER or "." not in tokens[end].text:
        return False
    following = tokens[end + 1] if end + 1 < len(tokens) else None
    return following is None or not (
        following.low in ("x", "%", "×", "times", "ms", "s") or (not following.gap and following.kind == WORD)
    )


def _glued_tail(tokens: Sequence[Token], end: int, kind: str) -> int:
    """Return the end of what is glued on: -SXM2-16GB, -3.1-8B-Instruct, v2; a linking word (-based) ends the name."""
    stops = lexicon.words("models", "tail_stops")
    while _glued(tokens, end):
        token = tokens[end]
        if token.kind in (NUMBER, WORD) and (token.kind == NUMBER or _word_of_tail(tokens, end, kind)):
            if token.low in stops:
                return end - 1
            end += 1
        elif (
            token.text in ("-", "_", ".", "+")
            and _glued(tokens, end + 1)
            and tokens[end + 1].kind in (NUMBER, WORD)
            and tokens[end + 1].low not in stops
        ):
            if kind == "format" and tokens[end + 1].kind == WORD:
                break
            if kind == "dataset" and token.text != "-":
                break
            if token.text == "." and tokens[end + 1].kind == WORD and kind in ("device", "model", "format"):
                break
            if (
                kind in ("framework", "library", "format")
                and tokens[end + 1].kind == WORD
                and tokens[end + 1].text.islower()
            ):
                break
            end += 1
        elif token.text == "+" and kind in ("framework", "device", "model"):
            end += 1
        else:
            break
    return end


def _word_of_tail(tokens: Sequence[Token], end: int, kind: str) -> bool:
    before, token = tokens[end - 1], tokens[end]
    if kind == "format":
        return before.text in ("-", "_") or token.low == "s"
    return (
        before.kind == NUMBER
        or before.text in ("-", "_", ".", "+")
        or token.low == "v"
        or (token.low == "s" and kind == "device")
    )


def _model_tail(tokens: Sequence[Token], end: int) -> int:
    """Return the end of "3 70B", "2.1", "Chat" or "v2" behind a model."""
    variants = lexicon.words("models", "variants")
    while end < len(tokens) and tokens[end].gap:
        token = tokens[end]
        following = tokens[end + 1] if end + 1 < len(tokens) else None
        if (
            token.kind == NUMBER
            and following is not None
            and not following.gap
            and following.low in ("b", "m")
            and not _glued_slash(tokens, end + 2)
        ):
            end += 2
        elif (
            _bare_version(tokens, end, variants)
            or (token.low in variants and token.text[0].isupper())
            or (token.low == "v" and _glued(tokens, end + 1) and tokens[end + 1].kind == NUMBER)
        ):
            end += 1
        else:
            break
        end = _glued_tail(tokens, end, "model")
    return end


def _glued_slash(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and not tokens[at].gap and tokens[at].text == "/"


def _bare_version(tokens: Sequence[Token], end: int, variants: frozenset[str]) -> bool:
    token, before = tokens[end], tokens[end - 1]
    if token.kind != NUMBER or token.value is None or token.value > 10 or before.kind != WORD or before.low in variants:
        return False
    if end + 1 >= len(tokens):
        return True
    following = tokens[end + 1]
    if not following.gap:
        return following.text in (",", ".", ")", "-", ":", ";", "/")
    return (
        following.low not in lexicon.table("units")["plain"]
        and following.low not in lexicon.classes("nouns", "heads")
        and following.kind == WORD
    ) or following.kind == NUMBER


def by_pattern(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Return a name made by rule: 16-bit formats, cloud instances, a model's glued size and variant."""
    token, size = tokens[at], len(tokens)
    if token.kind == NUMBER and token.text in lexicon.words("formats", "bit_values") and at + 1 < size:
        behind = at + 2 if tokens[at + 1].text == "-" else at + 1
        if behind < size and tokens[behind].low in lexicon.words("formats", "bits") and not _of_bits(tokens, behind):
            return "format", behind + 1
    if token.kind == NUMBER and at + 3 < size and tokens[at + 1].low == "b" and tokens[at + 2].text == "-":
        glued = not any(t.gap for t in tokens[at + 1 : at + 4])
        tail = tokens[at + 3].low
        stops = lexicon.words("models", "tail_stops") | lexicon.words("nouns", "model_heads")
        if (
            glued
            and tokens[at + 3].kind in (NUMBER, WORD)
            and tail not in stops
            and not (tokens[at + 3].kind == NUMBER and tokens[at + 3].counts)
        ):
            return "model", _glued_tail(tokens, at + 2, "model")
    if token.kind == WORD and (named := _by_suffix(token.text)) is not None:
        return named, _glued_tail(tokens, at + 1, named)
    instance = token.kind == WORD and token.low in lexicon.words("systems", "instance_prefixes") and at + 2 < size
    if instance and tokens[at + 1].kind == NUMBER and _glued(tokens, at + 1):
        end = _glued_tail(tokens, at + 2, "system")
        if any("xlarge" in t.low or "highgpu" in t.low or "metal" in t.low for t in tokens[at:end]):
            return "system", end
        if end < size and tokens[end].low in lexicon.words("systems", "instance_nouns") and end > at + 2:
            return "system", end
    return None


def _by_suffix(text: str) -> str | None:
    """Return the kind of a name in mixed case whose last part says it: AmoebaNet, MelGAN, DistilBERT."""
    if not text[:1].isupper() or text in lexicon.words("models", "no_suffix"):
        return None
    for suffix in lexicon.table("models")["suffixes"].split():
        if text.endswith(suffix) and len(text) > len(suffix) and text[-len(suffix) - 1].islower():
            return "model"
    return None


def _of_bits(tokens: Sequence[Token], behind: int) -> bool:
    """Whether bits are counted rather than a format named: 4 bits per weight."""
    return (behind + 1 < len(tokens) and tokens[behind + 1].low in ("per", "/", "of")) or (
        tokens[behind - 1].gap and tokens[behind].low == "bits"
    )
