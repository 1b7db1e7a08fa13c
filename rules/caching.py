"""What is computed once: by case, or by what it is computed from.

A fact is a pure function of a case; however many rules ask, it is computed once a case, and goes with it. What needs no
case, such as what a text says, is remembered from document to document, up to a number of answers.

Texts and numbers count by value, and so does a tuple of them. All else counts by identity: documents are frozen, and to
compare them would cost more than most facts.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
VALUES = frozenset({str, int, float, bool, Decimal, frozenset, type(None)})


class HasCache(Protocol):
    """A case, which keeps its facts."""

    @property
    def cache(self) -> dict[object, object]:
        """Answers by function and arguments."""


C = TypeVar("C", bound=HasCache)


def fact(function: Callable[Concatenate[C, P], R]) -> Callable[Concatenate[C, P], R]:
    """Keep the answers of a pure function of a case and further arguments in the case."""

    @wraps(function)
    def cached(case: C, /, *args: P.args, **kwargs: P.kwargs) -> R:
        given = (*args, *kwargs.items()) if kwargs else args
        key = (function, *map(_counts, given))
        found = cast("tuple[R, object] | None", case.cache.get(key))
        if found is None:
            # The arguments are kept beside the answer, so that none of their identities is ever given again.
            found = (function(case, *args, **kwargs), given)
            case.cache[key] = found
        return found[0]

    return cached


def remembered(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last answers of a pure function of texts, numbers and parts of documents; forget all beyond `most`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        kept: dict[object, tuple[R, object]] = {}

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
            given = (*args, *kwargs.items()) if kwargs else args
            key = tuple(map(_counts, given))
            found = kept.get(key)
            if found is None:
                if len(kept) >= most:
                    kept.clear()
                # The arguments are kept beside the answer, as above.
                found = kept[key] = (function(*args, **kwargs), given)
            return found[0]

        return remembering

    return decorate


def _counts(value: object) -> object:
    """Return what a value counts by."""
    if type(value) in VALUES:
        return value
    return tuple(map(_counts, value)) if isinstance(value, tuple) else ("id", id(value))
