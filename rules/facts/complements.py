"""Accuracies and errors of one metric that an arm states beside each other: they add up to 100 %."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality
from ..case import Case, Side
from .numbers import Span
from .printed_values import Pair, Printed
from .proportions_of_examples import printed_share
from .quality_names import is_change

_RIGHT, _WRONG = frozenset({"accuracy", "acc"}), frozenset({"error", "errors", "err"})
_CLEAR = frozenset({"rate", "top", "classification"})
"""Words of errors that are shares; a bare "error" may be a standard error, or one of a prediction."""


class _Both(Struct, frozen=True):
    """An accuracy and an error of one metric, and whether they add up to 100 %."""

    accuracy: Quality
    error: Quality
    left: Span
    stated: Span
    fits: bool


def complements(case: Case) -> Iterator[Pair]:
    """Yield, for each accuracy beside the error of the same metric, the error and what the accuracy leaves, in percent.

    An error whose name does not tell that it is a share counts only where another arm's pair of the same two names
    adds up.
    """
    found = [both for side in case.sides() for both in _of(side)]
    fitting = Counter((both.accuracy.metric, both.error.metric) for both in found if both.fits)
    for both in found:
        clear = _CLEAR & set(_words(both.error.metric))
        if clear or fitting[both.accuracy.metric, both.error.metric] > both.fits:
            one = Printed(both.error.place("value"), f"an error of {both.error.value}", both.stated)
            words = f"{both.left} left by an accuracy of {both.accuracy.value}"
            yield Pair(one, Printed(both.accuracy.place("value"), words, both.left), True, "%")


def _of(side: Side) -> Iterator[_Both]:
    stated = [item for item in side.arm.quality.values() if item.value is not None and not is_change(item.metric)]
    for accuracy in stated:
        for error in stated:
            if _of_one_metric(accuracy.metric, error.metric) and len({accuracy.split, error.split} - {None}) < 2:
                yield from _joined(accuracy, error)


def _joined(accuracy: Quality, error: Quality) -> Iterator[_Both]:
    rights, wrongs = _shares(accuracy), _shares(error)
    pairs = [(_left(right), wrong) for right in rights for wrong in wrongs if right.low >= 0 and right.high <= 100]
    if pairs:
        nearest = min(pairs, key=lambda pair: max(pair[0].low - pair[1].high, pair[1].low - pair[0].high))
        yield _Both(accuracy, error, *nearest, nearest[0].meets(nearest[1]))


def _shares(quality: Quality) -> list[Span]:
    """Return a quality in percent; every reading where its unit is open."""
    share = printed_share(quality.value or "0", quality.unit)
    if share is None:
        return []
    found = Span(share.share.low * 100, share.share.high * 100)
    open_ = quality.unit is None and share.exact_share == Decimal(quality.value or "0")
    return [found, share.share] if open_ else [found]


def _left(accuracy: Span) -> Span:
    return Span(100 - accuracy.high, 100 - accuracy.low)


def _of_one_metric(accuracy: str, error: str) -> bool:
    """Whether one name is the accuracy of a metric and the other its error: "top-1 accuracy" or "top-1", "top1 err"."""
    right, wrong = _words(accuracy), _words(error)
    if not _WRONG & set(wrong) or _WRONG & set(right) or not (_RIGHT & set(right) or right[:1] == ["top"]):
        return False
    return _bare(right, _RIGHT) == _bare(wrong, _WRONG | {"rate", "classification"})


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+|[0-9]+", name.casefold())


def _bare(words: list[str], without: frozenset[str]) -> list[str]:
    return [word for word in words if word not in without]
