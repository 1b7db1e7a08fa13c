"""What belongs to a name behind its stem: sizes, versions, variants, form factors; and names made by a pattern."""

from __future__ import annotations

from . import lexicon
from .tokens import NUMBER, WIDE, WORD, Tokens

LARGEST_DEPTH = 200
_JOINS = ("-", "_", ".", "+")


def is_number_tail(tokens: Tokens, at: int) -> bool:
    """Whether a number, or a glued part with one, follows a stem that is a common word by itself."""
    if tokens.kind(at) == NUMBER:
        return tokens.glued(at) or tokens.low(at + 1) not in ("%", "x")
    return tokens.low(at) == "-" and tokens.glued(at) and tokens.glued(at + 1)


def tail_end(tokens: Tokens, first: int, end: int, kind: str) -> int:
    """Return where a name ends that is known up to a token."""
    if kind == "metric":
        return _metric_tail(tokens, end)
    if kind in ("split", "optimizer"):
        return end
    end = _glued_tail(tokens, end, kind)
    if kind == "model":
        return _model_tail(tokens, end)
    if kind == "device":
        while end < len(tokens) and tokens[end].text in lexicon.words("devices", "variants"):
            end = _glued_tail(tokens, end + 1, kind)
    elif kind in ("framework", "library"):
        end = _version_end(tokens, end)
    return end


def _metric_tail(tokens: Tokens, end: int) -> int:
    """Return the end of the threshold or level behind a metric: mAP@0.5:0.95, recall@10, AR1000, mAPH@L2."""
    if tokens.kind(end) == NUMBER and tokens.glued(end) and not tokens[end - 1].text.islower():
        end += 1
    level = tokens.low(end) == "-" and tokens.low(end + 1) == "l" and tokens.kind(end + 2) == NUMBER
    if tokens.glued(end) and tokens.glued(end + 1) and (level or tokens.low(end) == "@"):
        end += 2
        while tokens.glued(end) and (tokens.kind(end) == NUMBER or (tokens.low(end) == "_" and tokens.glued(end + 1))):
            end += 1
    ranged = tokens.low(end) in (":", "-") and tokens.glued(end) and tokens.glued(end + 1)
    return end + 2 if ranged and "@" in tokens.lows(end - 2, end) else end


def _version_end(tokens: Tokens, end: int) -> int:
    """Return the end of the version behind the name of a framework: 2.1, v0.4.2, but not 2.1x."""
    if tokens.low(end) == "v" and tokens.kind(end + 1) == NUMBER and tokens.glued(end + 1):
        return end + 2
    if tokens.kind(end) != NUMBER or "." not in tokens[end].text:
        return end
    unit = tokens.low(end + 1) in ("x", "%", "×", "times", "ms", "s")
    return end if unit or (tokens.glued(end + 1) and tokens.kind(end + 1) == WORD) else end + 1


def _glued_tail(tokens: Tokens, end: int, kind: str) -> int:
    """Return the end of what is glued on: -SXM2-16GB, -3.1-8B-Instruct, v2; a linking word (-based) ends the name."""
    stops = lexicon.words("models", "tail_stops")
    while tokens.glued(end):
        token, following = tokens[end], tokens.kind(end + 1)
        if token.kind == NUMBER or (token.kind == WORD and _word_of_tail(tokens, end, kind)):
            if token.low in stops:
                return end - 1
        elif token.text in _JOINS and tokens.glued(end + 1) and following in (NUMBER, WORD):
            if tokens.low(end + 1) in stops or _breaks_off(tokens, end, kind):
                break
        elif token.text != "+" or kind not in ("framework", "device", "model"):
            break
        end += 1
    return end


def _breaks_off(tokens: Tokens, at: int, kind: str) -> bool:
    """Whether a sign at a token does not go on with a name of a kind."""
    sign, word = tokens.low(at), tokens.kind(at + 1) == WORD
    if kind == "dataset":
        return sign != "-"
    if kind == "format":
        return word
    if word and kind in ("device", "model") and _is_format(tokens, at + 1):
        return True
    small = word and kind in ("framework", "library") and tokens[at + 1].text.islower()
    return small or (word and sign == "." and kind in ("device", "model"))


def _is_format(tokens: Tokens, at: int) -> bool:
    """Whether a number format stands at a token: the FP16 of "A100-FP16"."""
    numbers = lexicon.table("formats")["numbered"].get(tokens[at].text, "").split()
    numbered = tokens.glued(at + 1) and tokens.kind(at + 1) == NUMBER
    return len(tokens[at].text) > 1 and numbered and tokens[at + 1].text in numbers


def _word_of_tail(tokens: Tokens, end: int, kind: str) -> bool:
    before, low = tokens.low(end - 1), tokens.low(end)
    if low[0] >= WIDE:
        return False
    if kind == "format":
        return before in ("-", "_") or low == "s"
    numbered = tokens.kind(end - 1) == NUMBER or before in _JOINS
    return numbered or low == "v" or (low == "s" and kind == "device")


def _model_tail(tokens: Tokens, end: int) -> int:
    """Return the end of "3 70B", "2.1", "Chat", "v2" or "/16" behind a model."""
    if tokens.low(end) == "/" and tokens.kind(end - 1) == WORD and tokens.kind(end + 1) == NUMBER:
        end += 2 * (tokens.glued(end) and tokens.glued(end + 1))
    variants = lexicon.words("models", "variants")
    while end < len(tokens) and not tokens.glued(end):
        low = tokens.low(end)
        size = tokens.kind(end) == NUMBER and tokens.glued(end + 1) and tokens.low(end + 1) in ("b", "m")
        version = low == "v" and tokens.glued(end + 1) and tokens.kind(end + 1) == NUMBER
        if size and not (tokens.glued(end + 2) and tokens.low(end + 2) == "/"):
            end += 2
        elif version or _bare_version(tokens, end, variants) or (low in variants and tokens[end].text[0].isupper()):
            end += 1
        else:
            break
        end = _glued_tail(tokens, end, "model")
    return end


def _bare_version(tokens: Tokens, end: int, variants: frozenset[str]) -> bool:
    value = tokens[end].value if tokens.kind(end) == NUMBER else None
    if value is None or value > LARGEST_DEPTH or tokens.kind(end - 1) != WORD or tokens.low(end - 1) in variants:
        return False
    following = tokens.low(end + 1)
    if value > 10 and following not in (",", "and", "/", ""):  # "ResNet 18, 34 and 50"
        return False
    if tokens.glued(end + 1) or not following:
        return following in ("", ",", ".", ")", "-", ":", ";", "/")
    counted = following in lexicon.table("units")["plain"] or following in lexicon.classes("nouns", "heads")
    counted = counted and following not in ("model", "models")  # "Baichuan 2 models"
    return tokens.kind(end + 1) == NUMBER or (tokens.kind(end + 1) == WORD and not counted)


def by_pattern(tokens: Tokens, at: int) -> tuple[str, int] | None:
    """Return a name made by rule: 16-bit formats, cloud instances, a model's glued size and variant, FooNet."""
    text, number = tokens[at].text, tokens.kind(at) == NUMBER
    if number and text in lexicon.words("formats", "bit_values"):
        behind = at + 1 + (tokens.low(at + 1) == "-")
        if tokens.low(behind) in lexicon.words("formats", "bits") and not _of_bits(tokens, behind):
            return "format", behind + 1
    if number:
        return ("model", _glued_tail(tokens, at + 2, "model")) if _sized_variant(tokens, at) else None
    if _ends_as_model(text):
        return "model", _glued_tail(tokens, at + 1, "model")
    instance = tokens.low(at) in lexicon.words("systems", "instance_prefixes") and tokens.glued(at + 1)
    if not instance or tokens.kind(at + 1) != NUMBER or at + 2 >= len(tokens):
        return None
    end = _glued_tail(tokens, at + 2, "system")
    sized = any(part in low for low in tokens.lows(at, end) for part in ("xlarge", "highgpu", "metal"))
    named = end > at + 2 and tokens.low(end) in lexicon.words("systems", "instance_nouns")
    return ("system", end) if sized or named else None


def _sized_variant(tokens: Tokens, at: int) -> bool:
    """Whether a name is made of its size and variant: 7B-chat, not the range 7B-13B."""
    if tokens.lows(at + 1, at + 3) != ["b", "-"] or not all(map(tokens.glued, range(at + 1, at + 4))):
        return False
    stops = lexicon.words("models", "tail_stops") | lexicon.words("nouns", "model_heads")
    return tokens.kind(at + 3) in (NUMBER, WORD) and tokens.low(at + 3) not in stops and not tokens.counts(at + 3)


def _ends_as_model(text: str) -> bool:
    """Whether a name in mixed case says by its last part that it is a model: AmoebaNet, MelGAN, DistilBERT."""
    if not text[:1].isupper() or text in lexicon.words("models", "no_suffix"):
        return False
    endings = (s for s in lexicon.words("models", "suffixes") if text.endswith(s) and len(text) > len(s))
    return any(text[-len(suffix) - 1].islower() for suffix in endings)


def _of_bits(tokens: Tokens, behind: int) -> bool:
    """Whether bits are counted rather than a format named: 4 bits per weight."""
    spaced = tokens.low(behind) == "bits" and tokens.low(behind - 2) not in ("in", "to", "at")
    spaced = spaced and not tokens.glued(behind - 1)
    return tokens.low(behind + 1) in ("per", "/", "of") or spaced
