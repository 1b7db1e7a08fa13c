"""Captions: paragraphs that name a table or a figure by its number and say what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ....rules.language import lexicon
from ....schemas.pattern import Pattern
from .blocks import Block

_LABEL = Pattern(
    r"\W{0,4}(?P<word>[^\W\d_]{1,12})\.?[ \u00a0]{0,2}"
    r"(?P<number>(?:[A-Z]\.?)?[0-9]{1,3}(?:\.[0-9]{1,3})?|[IVX]{1,5})[ \u00a0]?(?P<sign>[:.|：。—–-]|\Z)"
)


def label(text: str) -> str:
    """Return what a caption calls its table or figure, as "Table 2"; empty where a text is no caption."""
    found = _LABEL.match(text[:40])
    if found is None or found["word"].casefold() not in lexicon.words("documents", "captions"):
        return ""
    return f"{found['word'].capitalize()} {found['number']}" if found["sign"] or len(text) < 40 else ""


def captioned(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks, those paragraphs that are captions as such: one that is a name alone goes on in the next."""
    held: Block | None = None
    for each in blocks:
        if held is not None:
            goes_on = each.kind == "paragraph" and not label(each.text)
            yield _joined(held, each) if goes_on else held
            held = None
            if goes_on:
                continue
        if each.kind == "paragraph" and (name := label(each.text)):
            each = replace(each, kind="caption")
            if len(each.text) <= len(name) + 1:
                held = each
                continue
        yield each
    if held is not None:
        yield held


def _joined(name: Block, text: Block) -> Block:
    start = name.text.rstrip(".: ") + ". "
    places = tuple((len(start) + offset, place) for offset, place in text.places)
    return replace(name, text=start + text.text, places=(*name.places, *places))
