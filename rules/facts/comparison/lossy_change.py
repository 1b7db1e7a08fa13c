"""Whether the faster side of a comparison computes something else: in fewer bits, or with work left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...language.reading import read
from ..device.formats import meanings, normalised, surely_holds
from ..document.words import words_in
from .options import flat, printed

ACCUMULATED = "precision.accumulate"
FORMATS = ("precision.compute", "precision.weights", ACCUMULATED, "cache_format")
WIDE = "fp32"
METHODS = ("sparsity", "quantisation", "compression", "output_pruning", "staleness")
UNCHANGED = frozenset({"none", "off", "no", "exact", "false", "0"})
NARROW = frozenset(
    {"e4m3", "e5m2", "fp8", "e3m2", "e2m3", "fp6", "e2m1", "int8", "int4", "int2", "nvfp4", "mxfp4", "fp4"}
)
"""Formats of at most 8 bits."""


@fact
def lossy_change(case: Case, claim: Claim) -> str | None:
    """Return what a claim's side computes otherwise than its base, as words; None where nothing says so.

    A training counts in fewer bits where its gain is attributed to precision, inference from 8 bits on: the results of
    16 bits are taken for those of 32. What accumulates in fewer bits counts in either. A method whose results are said
    to be the same changes nothing.
    """
    side, base = case.subject(claim), case.base(claim)
    if words_in(claim.statement, *claim.treatment).has("same_results"):
        return None
    if claim.compares != "own_variants" and (base is None or base.arm.options is None):
        return next(chain(_apart_in_words(claim, side, base), _method_in_words(claim, side)), None)
    return next(chain(_changes(claim, side, base), _apart_in_words(claim, side, base)), None)


@fact
def fewer_bits(case: Case, claim: Claim) -> str | None:
    """Return which format of at most 8 bits a claim's side has in place of a wider one of its base; None without."""
    side, base = case.subject(claim), case.base(claim)
    ours, theirs = (_formats(end) for end in (side, base))
    narrow, wide = sorted(filter(_narrow, ours - theirs)), [name for name in theirs - ours if not _narrow(name)]
    if narrow and wide and not any(map(_narrow, theirs)):
        return f"{narrow[0]} in place of {sorted(wide)[0]}"
    return next(_apart_in_words(claim, side, base), None)


def _apart_in_words(claim: Claim, side: Side | None, base: Side | None) -> Iterator[str]:
    """Yield what the words of a comparison say of formats: 8 bits or fewer on the claim's side, more on the other.

    A sentence that names formats, the other side's entry, and quotes on options that differ all tell.
    """
    mine = _formats(side) | set(read(claim.statement).formats())
    theirs = _formats(base) | set(words_in(*_entries(claim)).formats())
    quotes = {name for item in claim.said if item.topic == "option_sets_differ" for name in read(item.quote).formats()}
    narrow = sorted(name for name in mine or quotes if _narrow(name))
    wider = sorted(name for name in theirs or quotes if not _narrow(name))
    if narrow and wider and not any(map(_narrow, theirs)):
        yield f"{narrow[0]} in place of {wider[0]}"


def _method_in_words(claim: Claim, side: Side | None) -> Iterator[str]:
    """Yield by what lossy method a claim's side is faster than another system, which is not said to have one."""
    if claim.purpose == "method_speedup" and not any(map(_loses, filter(None, _entries(claim)))):
        ours = flat(side.arm.options) if side is not None else {}
        yield from filter(_loses, (*claim.treatment, claim.statement, *_words(side, ours)))


def _entries(claim: Claim) -> tuple[str | None, ...]:
    """Return what a claim says of the other sides: how the base is called, each comparator's name and configuration."""
    others = claim.comparators or ((claim.comparator,) if claim.comparator is not None else ())
    definition = claim.base.definition if claim.base is not None else None
    return (definition, *(text for item in others for text in (item.name, item.configuration)))


def _formats(side: Side | None) -> set[str]:
    options = flat(side.arm.options) if side is not None else {}
    return {str(options[key]) for key in FORMATS if key in options}


def _changes(claim: Claim, side: Side | None, base: Side | None) -> Iterator[str]:
    ours, theirs = (flat(end.arm.options) if end is not None else {} for end in (side, base))
    for key in FORMATS:
        one, other = str(ours.get(key, "")), str(theirs.get(key, ""))
        fewer = one != other and bool(meanings(one)) and bool(meanings(other)) and surely_holds(other, one)
        if fewer and (_narrow(one) or claim.attribution == "precision" or key == ACCUMULATED):
            yield f"{one} in place of {other}"
        elif claim.attribution == "precision" and meanings(one) and not surely_holds(one, WIDE) and not theirs.get(key):
            yield f"{one}, to which the gain is attributed"
    for key in METHODS:
        value, before = (printed(options.get(key, "none")) for options in (ours, theirs))
        if value.casefold() not in UNCHANGED and not meanings(value) - NARROW and before.casefold() in UNCHANGED:
            yield f"{key} {value}"
    definition = claim.base.definition if claim.base is not None else None
    if not any(map(_loses, (definition or "", *_words(base, theirs)))):
        yield from filter(_loses, (*claim.treatment, *_words(side, ours)))


def _narrow(name: str) -> bool:
    return normalised(name) in NARROW


def _loses(text: str) -> bool:
    """Whether words name a method that gives other results, or a format of at most 8 bits."""
    said = read(text)
    return said.has("lossy_method") or any(_narrow(name) for name in said.formats())


def _words(side: Side | None, options: Mapping[str, object]) -> Iterator[str]:
    """Yield what an arm says in words of how it computes."""
    if side is None:
        return
    stated = side.arm.options
    free = stated.extra.values() if stated is not None else ()
    texts = (side.arm.label, options.get("model"), options.get("attention"), options.get("quantisation"), *free)
    yield from (text for text in texts if isinstance(text, str))
