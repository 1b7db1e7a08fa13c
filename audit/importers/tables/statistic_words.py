"""The statistic that a heading names: mean, median, least, most, or a percentile."""

from __future__ import annotations

from ....rules.language import lexicon
from ....rules.language.reading import read
from ....rules.language.tokens import NUMBER, Token, Tokens

RANKS = {50, 75, 80, 100, *range(90, 100)}
"""Shares of requests that a heading may give a quantile for without naming it one: "99% latency"."""

MIDDLE = "50"


def without_statistic(bare: str) -> str:
    """Return a heading without the words of its statistic."""
    found = [token for token, _ in _statistics(bare)]
    rank = _percentile(bare)
    spans = [(token.start, token.end) for token in found] + ([rank[0]] if rank is not None else [])
    for begin, end in sorted(spans, reverse=True):
        bare = f"{bare[:begin]} {bare[end:]}"
    return bare


def _statistics(bare: str) -> list[tuple[Token, str]]:
    """Return the words of a heading that name a statistic; "min" behind a slash or alone in brackets is a unit."""
    tokens, kinds = read(bare, "header").tokens, lexicon.classes("columns", "statistics")
    found = [(at, token, kinds.get(token.low, "")) for at, token in enumerate(tokens)]
    return [
        (token, kind)
        for at, token, kind in found
        if kind in {"mean", "median", "min", "max"}
        and not (kind == "min" and (tokens.low(at - 1) in ("/", "per") or _is_unit_alone(tokens, at)))
    ]


def _is_unit_alone(tokens: Tokens, at: int) -> bool:
    """Whether a word closes a bracket behind which no other one opens: "(min)", but not "(min)(s)"."""
    return tokens.low(at + 1) == ")" and tokens.low(at + 2) != "("


def _percentile(bare: str) -> tuple[tuple[int, int], str] | None:
    """Return where a heading names a percentile, and which: "p99", "99% latency", "95th percentile"."""
    tokens = read(bare, "header").tokens
    for at, token in enumerate(tokens):
        if token.kind != NUMBER or token.value is None or token.text[0] == "0" or not 10 <= token.value <= 100:
            continue
        before, behind, next_ = (tokens.low(k) for k in (at - 1, at + 1, at + 2))
        if before == "p" and tokens.glued(at) and token.value < 100:
            return (tokens[at - 1].start, token.end), token.text
        if behind == "th" and next_ == "percentile":
            return (token.start, tokens[at + 2].end), token.text
        reached = before in lexicon.words("columns", "before_a_share")
        shared = reached or next_.startswith(tuple(lexicon.words("columns", "shares")))
        if behind == "%" and int(token.value) in RANKS and not shared:
            return (token.start, tokens[at + 1].end), token.text
    return None


def statistic_of(bare: str) -> tuple[str | None, str | None]:
    """Return the statistic that a heading names, and which percentile; the 50th is the median."""
    percentile = _percentile(bare)
    if percentile is not None:
        return ("median", None) if percentile[1] == MIDDLE else ("percentile", percentile[1])
    kinds = {kind for _, kind in _statistics(bare)}
    return next((kind for kind in ("mean", "median", "min", "max") if kind in kinds), None), None
