"""How an interval was made, as its stated method says."""

from __future__ import annotations

from ..caching import remembered
from ..language.questions import concepts_of
from ..language.reading import read

KIND = "interval."


@remembered(1024)
def kinds_of(method: str | None) -> frozenset[str]:
    """Return the kinds of intervals that a method names: t, normal, error, bootstrap, log, ranks, shares and so on."""
    words = read(method or "")
    return frozenset(concept.removeprefix(KIND) for concept in concepts_of(KIND) if words.has(concept))
