"""F28: one quantity with two values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality
from ...schemas.pattern import Pattern
from ...schemas.place import split_pointer
from ..case import Case, Side
from ..facts.quantities.discrepancy import SMALL, decides, gap
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.numbers import exact
from ..facts.training.proportions_of_examples import printed_share
from ..facts.training.quality_names import is_change
from ..language.printed import Span, span
from ..language.reading import Reading, read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import document_rule
from ._printed_values import Pair, Printed, pairs
from ._twin_arms import twin_numbers


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
    rights, wrongs = [share for share in _shares(accuracy) if share.low >= 0 and share.high <= 100], _shares(error)
    pairs = [(Span(100 - right.high, 100 - right.low), wrong) for right in rights for wrong in wrongs]
    if pairs:
        yield _Both(accuracy, error, *min(pairs, key=lambda it: max(it[0].low - it[1].high, it[1].low - it[0].high)))


def _shares(quality: Quality) -> list[Span]:
    """Return a quality in percent; every reading where its unit is open."""
    share = printed_share(quality.value or "0", quality.unit)
    if share is None:
        return []
    found = share.share.times(100)
    open_ = quality.unit is None and share.exact_share == Decimal(quality.value or "0")
    return [found, share.share] if open_ else [found]


def _bare(words: Reading) -> tuple[str, ...]:
    """Return what a metric is of: nothing for a plain accuracy, "top", "1" for "top-1 accuracy" and "top1 err"."""
    said = {item.start for kind in ("accuracy", "error", "plain") for item in words.mentions(f"metric.{kind}")}
    return tuple(token.low for token in words.tokens if token.text.isalnum() and token.start not in said)


BEST = "best metric"
"""What a trainer calls the metric that it chose its checkpoint by, where it does not say which that was."""
_STEP = Pattern(r"(?<![0-9])([0-9]{1,15})[/\\]?$")


@document_rule("F28", "same-quantity-two-values", effect=UNDERMINES, confidence=C3, origin="MEAS")
def same_quantity_two_values(case: Case) -> Iterator[Branch]:
    """One quantity that the document states twice, with values that exclude each other.

    ## What it does
    Compares a claim's number with the sentence it stands in, with its own interval (as a factor, a change or a
    percentage), with the metric or quality that it names and with its cell of a table; a cell with the metric of its
    arm; a base's value with the metric it names; a value with the statistic of the same name in its summary, unless raw
    numbers show both (the median of the trials' medians beside that of all iterations); an error with what the accuracy
    of the same metric leaves of 100 %, where the name (top-k, classification) or the other arms show that the two add
    up; not for errors by edit distance, nor beside a share that is neither right nor wrong. Each is the interval that
    its digits allow, in one unit. Two values are held against each other only if quantity, unit, statistic and scope
    agree. A number that is said to be derived from its metric (divided, summed, per device) is another quantity.

    ## Why it misleads
    Only one of the two can be right, and the reader does not learn which.

    ## Branches
    - (a) undermines, C3: the two intervals share no point; or the "best metric" of a run, as trainers print it, is none
      that its evaluations hold, the one of its checkpoint among them; or two arms of one label that agree in options,
      system, software and environment give a number differently, by more than 1 %, and a claim rests on one of them; or
      two arms state one measurement and let it cover different scopes; or a claim rests on a quality that says nothing
      of itself, where the same arm states the metric of the split otherwise, with its seeds.
    - (b, instead of a) caveat, C3: they differ by at most 1 %, and no decision hangs on it; or an accuracy and an error
      stay below 100 %, and only other arms show that they add up.
    - not applicable: nothing is stated twice; or only one of two different values states a statistic or scope that
      could explain the difference.

    ## Flagged
    On `training-pair`:
    ```json
    {"claims": {"rate": {"statement": "With fused attention one GPU processes 45100 tokens per second."}}}
    ```

    ## Accepted
    On `training-pair`, where every number that is stated twice has one value.

    ## How to fix
    Take each number from one source.

    ## References
    Measured on published reports: a headline, its table and its log that give three numbers.
    """
    yield from _best_of_none(case)
    yield from twin_numbers(case)
    found = [*pairs(case), *complements(case)]
    if not found:
        yield Inapplicable("no quantity is stated twice")
    differing = [pair for pair in found if not pair.one.value.meets(pair.other.value)]
    if any(not pair.same for pair in differing) or _silent(case):
        yield Inapplicable("what only one of two values states may explain their difference, or a value is missing")
    said: set[str] = set()
    for pair in differing:
        if pair.same and pair.other.at not in said:
            said.add(pair.other.at)
            yield _violation(case, pair)


def _silent(case: Case) -> bool:
    """Whether a claim names a metric without a value, or its own number has no unit."""
    for claim in case.submission.claims.values():
        metric = case.metric(claim.measured)
        if (metric is not None and metric.value is None) or (claim.value is not None and claim.unit is None):
            return True
    return False


def _violation(case: Case, pair: Pair) -> Violation:
    one, other = pair.one.value, pair.other.value
    distance = min(gap(one, other), gap(other, one))
    decisive = pair.claim is not None and decides(pair.claim, case, one, other, pair.unit)
    side = case.subject(pair.claim) if pair.claim is not None else None
    cause = likely_cause(one, other, counts_of(side))
    rest = f", {pair.rest}" if pair.rest else ""
    message = f"one quantity has two values: {_both(pair)}{cause}{rest}"
    small = distance <= SMALL and not decisive
    branch, effect = ("b", CAVEAT) if small or rest else ("a", UNDERMINES)
    related = (Related(pair.other.at, pair.other.words),)
    return Violation(branch, effect, C3, message, pair.one.at, related=related)


def _both(pair: Pair) -> str:
    """Return the words of both values, each with the place that it stands in."""
    one, other = _holder(pair.one.at), _holder(pair.other.at)
    second = f", and in {other}: {pair.other.words}" if other != one else f" and {pair.other.words}"
    return f"in {one}: {pair.one.words}{second}"


def _holder(at: str) -> str:
    """Return what a value belongs to: "arm fast"."""
    kind, name, *_ = split_pointer(at[at.find("/") :])
    return f"{kind.removesuffix('s')} {name}"


def _step(checkpoint: str | None) -> int | None:
    """Return the step that the name of a checkpoint ends with: 200 of "out/checkpoint-200"."""
    found = _STEP.search(checkpoint or "")
    return int(found[1]) if found is not None else None


def _best_of_none(case: Case) -> Iterator[Violation]:
    """Yield a best metric that does not say which it is, and is none of those that all evaluations of its run hold."""
    for side in case.sides():
        logs = [trial.evaluations for trial in side.arm.trials.values() if trial.evaluations]
        for quality in side.arm.quality.values() if len(logs) == 1 else ():
            chosen = quality.selection.evaluations if quality.selection is not None else None
            held = [item for item in logs[0] if item.split == quality.split]
            values = [exact(value) for item in held for value in item.metrics.values() if value is not None]
            if quality.metric != BEST or quality.value is None or not chosen or len(held) != chosen:
                continue
            if not any(item.step == _step(quality.checkpoint) for item in held if item.step is not None):
                continue  # the log begins after it, or was cut
            stated = span(quality.value)
            if any(stated.meets(value) for value in values):
                continue
            message = (
                f"the best metric is stated as {quality.value}, which none of the run's {chosen} evaluations holds"
            )
            related = tuple(Related(item.at, "an evaluation") for item in held[:5])
            yield Violation("a", UNDERMINES, C3, message, quality.place("value"), quality.value, related=related)
