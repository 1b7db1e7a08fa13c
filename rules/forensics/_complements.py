"""Accuracies and errors of one metric that an arm states beside each other: they add up to 100 %."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality
from ..case import Case, Side
from ..facts.quantities.numbers import Span
from ..facts.training.proportions_of_examples import printed_share
from ..facts.training.quality_names import is_change
from ..language.reading import Reading, read
from ._printed_values import Pair, Printed


class _Both(Struct, frozen=True):
    """An accuracy and an error of one metric, and whether they add up to 100 %."""

    accuracy: Quality
    error: Quality
    left: Span
    stated: Span

    @property
    def fits(self) -> bool:
        return self.left.meets(self.stated)

    @property
    def names(self) -> tuple[str, str]:
        return self.accuracy.metric, self.error.metric


def complements(case: Case) -> Iterator[Pair]:
    """Yield, for each accuracy beside the error of the same metric, the error and what the accuracy leaves, in percent.

    An error whose name does not tell that it is all that is not right counts only where the pairs of the same two
    names add up in as many other arms as they do not; all right or all wrong adds up by itself and tells nothing. Where
    such two stay below 100 %, answers that are neither may be the rest.
    """
    found = [both for side in case.sides() for both in _of(side)]
    telling = Counter(both.names for both in found if both.fits and both.left.low > 0 and both.left.high < 100)
    missing = Counter(both.names for both in found if not both.fits)
    for both in found:
        told = telling[both.names] > both.fits and telling[both.names] >= missing[both.names]
        clear = read(both.error.metric).has("metric.clear_error")
        if told or clear:
            rest = "" if clear or both.stated.low > both.left.high else "unless some answers are neither"
            one = Printed(both.error.place("value"), f"an error of {both.error.value}", both.stated)
            words = f"{both.left} left by an accuracy of {both.accuracy.value}"
            yield Pair(one, Printed(both.accuracy.place("value"), words, both.left), True, "%", rest=rest)


def _of(side: Side) -> Iterator[_Both]:
    """Yield the pairs of an arm; none of a name that it states twice for one split, as of two subsets."""
    if any(read(item.metric).has("answer.neither", affirmed=False) for item in side.arm.quality.values()):
        return
    right: defaultdict[tuple[str, ...], list[Quality]] = defaultdict(list)
    wrong: defaultdict[tuple[str, ...], list[Quality]] = defaultdict(list)
    for item in side.arm.quality.values():
        words = read(item.metric)
        if item.value is None or is_change(item.metric) or words.has("metric.edit"):
            continue
        of_right, of_wrong = words.has("metric.accuracy"), words.has("metric.error")
        if of_wrong and not of_right:
            wrong[_bare(words)].append(item)
        elif not of_wrong and (of_right or words.has("metric.top")):
            right[_bare(words)].append(item)
    for name in right.keys() & wrong.keys():
        if _once(right[name]) and _once(wrong[name]):
            for accuracy in right[name]:
                for error in wrong[name]:
                    if len({accuracy.split, error.split} - {None}) < 2:
                        yield from _joined(accuracy, error)


def _once(qualities: Sequence[Quality]) -> bool:
    return len({item.split for item in qualities}) == len(qualities)


def _joined(accuracy: Quality, error: Quality) -> Iterator[_Both]:
    rights, wrongs = _shares(accuracy), _shares(error)
    pairs = [(_left(right), wrong) for right in rights for wrong in wrongs if right.low >= 0 and right.high <= 100]
    if pairs:
        yield _Both(accuracy, error, *min(pairs, key=lambda it: max(it[0].low - it[1].high, it[1].low - it[0].high)))


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


def _bare(words: Reading) -> tuple[str, ...]:
    """Return what a metric is of: nothing for a plain accuracy, "top", "1" for "top-1 accuracy" and "top1 err"."""
    said = {item.start for kind in ("accuracy", "error", "plain") for item in words.mentions(f"metric.{kind}")}
    return tuple(token.low for token in words.tokens if token.text.isalnum() and token.start not in said)
