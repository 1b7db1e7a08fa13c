"""Facts computed once per case, or once per part of a document, however many rules ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, TypeVarTuple, cast

from ..case import Case, Side

P = ParamSpec("P")
R = TypeVar("R")
Parts = TypeVarTuple("Parts")
MOST_REMEMBERED = 2_000


def fact(function: Callable[Concatenate[Case, P], R]) -> Callable[Concatenate[Case, P], R]:
    """Cache a pure function of a case and further arguments in the case.

    Texts and numbers count by value, arms by their id, everything else by identity: documents are frozen, and hashing
    them would cost more than most facts.
    """

    @wraps(function)
    def cached(case: Case, /, *args: P.args, **kwargs: P.kwargs) -> R:
        given = (*args, *kwargs.items())
        key = (function, *(_key(value) for value in given))
        if key not in case.cache:
            # The arguments are kept beside the value, so that none of their identities is ever given again.
            case.cache[key] = (function(case, *args, **kwargs), given)
        return cast("tuple[R, object]", case.cache[key])[0]

    return cached


def remembered(function: Callable[[*Parts], R]) -> Callable[[*Parts], R]:
    """Keep the last values of a pure function of parts of a document, such as a trial and its target, by identity.

    For facts that are asked for where no case is at hand. Documents are frozen, so that a part never changes.
    """
    kept: dict[tuple[int, ...], tuple[R, tuple[*Parts]]] = {}

    @wraps(function)
    def remembering(*parts: *Parts) -> R:
        key = tuple(map(id, parts))
        found = kept.get(key)
        if found is None:
            if len(kept) >= MOST_REMEMBERED:
                kept.clear()
            # the parts are kept beside the value, so that none of their identities is given again
            found = kept[key] = (function(*parts), parts)
        return found[0]

    return remembering


def _key(value: object) -> object:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        return tuple(_key(item) for item in value)
    return ("side", value.id) if isinstance(value, Side) else ("id", id(value))
