"""What is computed once: by case, or by what it is computed from.

A fact is a pure function of a case; however many rules ask, it is computed once a case, and goes with it. What needs no
case, such as what a text says, is remembered from document to document, up to a number of answers; what is said of a
part of a document, until that document is judged.

Texts and numbers count by value, and so does a tuple of them. All else counts by identity: documents are frozen, and to
compare them would cost more than most facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
PLACE = 128
"""Characters of a text that take a place."""
_OF_PARTS: list[dict[object, tuple[Any, object]]] = []
VALUES = frozenset({str, int, float, bool, Decimal, frozenset, type(None)})


class HasCache(Protocol):
    """A case, which keeps its facts."""

    @property
    def cache(self) -> dict[object, Any]:
        """Answers by function and arguments."""


C = TypeVar("C", bound=HasCache)


def fact(function: Callable[Concatenate[C, P], R]) -> Callable[Concatenate[C, P], R]:
    """Keep the answers of a pure function of a case and further arguments in the case."""
    # By name: a wrapped function is not to be found under its own, and a case goes from process to process.
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def cached(case: C, /, *args: P.args, **kwargs: P.kwargs) -> R:
        given = (*args, *kwargs.items()) if kwargs else args
        key = (name, *map(_counts, given)) if given else name
        found: tuple[R, object] | None = case.cache.get(key)
        if found is None:
            # The arguments are kept beside the answer, so that none of their identities is ever given again.
            found = (function(case, *args, **kwargs), given)
            case.cache[key] = found
        return found[0]

    return cached


def remembered(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last answers of a pure function of texts, numbers and tables; forget all beyond `most`.

    A long text takes the place of several short ones, as what is made of it takes their memory.
    """
    return _remembering(most, {})


def remembered_of_parts(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last answers of a pure function of parts of a document, until `parts_forgotten` forgets them."""
    kept: dict[object, tuple[Any, object]] = {}
    _OF_PARTS.append(kept)
    return _remembering(most, kept)


@contextmanager
def parts_forgotten() -> Iterator[None]:
    """Forget at the end what was remembered of parts of a document: it would keep the document alive for nothing."""
    try:
        yield
    finally:
        for kept in _OF_PARTS:
            kept.clear()


def _remembering(most: int, kept: dict[object, tuple[Any, object]]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        places = 0

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
            nonlocal places
            given = (*args, *kwargs.items()) if kwargs else args
            key = tuple(map(_counts, given))
            found: tuple[R, object] | None = kept.get(key)
            if found is None:
                answer = function(*args, **kwargs)
                more = 1 + sum(len(one) for one in given if isinstance(one, str)) // PLACE
                if places + more > most:
                    kept.clear()
                places = places + more if kept else more
                # The arguments are kept beside the answer, as above.
                found = kept[key] = (answer, given)
            return found[0]

        return remembering

    return decorate


def _counts(value: object) -> object:
    """Return what a value counts by."""
    if value.__class__ in VALUES:
        return value
    return tuple(map(_counts, value)) if isinstance(value, tuple) else ("id", id(value))
