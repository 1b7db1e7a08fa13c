"""M22: a simple mean over parts of different sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from ...schemas.evidence import Metric, Quality, Shard
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, weighed
from ..language.printed import Span, span
from ..language.reading import read
from ..outcome import C3, REFUTES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule

AVERAGES = frozenset({"mean", "unspecified", None})
PROVIDE = """\
arms:
  fast:
    quality:
      accuracy:
        metric: accuracy
        shards: {rank-0: {value: "76.2", size: 12500}, rank-1: {value: "75.8", size: 3125}}
"""


@rule(
    "M22",
    "unequal-shards-simple-mean",
    effect=REFUTES,
    confidence=C3,
    applies="has(shards)",
    origin="S3",
)
def unequal_shards_simple_mean(claim: Claim, case: Case) -> Iterator[Branch]:
    """An aggregate that counts parts of different sizes alike.

    ## What it does
    Computes the mean of the parts' values twice, simple and weighted by size, each within the digits that are printed,
    and sees which of the two the claimed number is.

    ## Why it misleads
    The last part is often the smallest. Counted like the others, its few examples weigh as much as thousands, and the
    aggregate is the result of no data set.

    ## Branches
    - (a) refutes, C3: the claimed number is the simple mean and not the weighted one.
    - (b, instead of all others) refutes, C3: a quality is said to be a mean over the parts, by what they are (ranks,
      shards, tasks), and lies outside of their values: no weights give it. A caveat where it does so by at most 1 %. A
      mean over classes, iterations or seeds is none over the parts.
    - not shown: the size of a part is not stated.
    - pass with a note: the mean is said to be one over tasks or classes, which counts them alike by definition.
    - not applicable: the number is neither of the two means, or no mean.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"quality": {"loss": {"value": "3.22", "shards": {
       "rank-0": {"value": "3.18", "size": 1900}, "rank-1": {"value": "3.26", "size": 100}}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"quality": {"loss": {"value": "3.22", "shards": {
       "rank-0": {"value": "3.21", "size": 1900}, "rank-1": {"value": "3.41", "size": 100}}}}}}}
    ```

    ## How to fix
    Weight each part by its size, or sum the counts before dividing.

    ## References
    Cautionary tales of the deep-learning performance course; arithmetic.
    """
    for number in (case.quality(claim.quality), case.metric(claim.measured)):
        if number is not None and len(number.shards) >= 2:
            yield from _judge(number)


def _judge(number: Metric | Quality) -> Iterator[Branch]:
    shards, at = number.shards, number.place("shards")
    stated = number.value
    if stated is None or (isinstance(number, Metric) and number.statistic not in AVERAGES):
        yield Inapplicable("no mean over the parts is stated")
        return
    outside = _outside(number) if isinstance(number, Quality) else None
    if outside is not None:
        yield outside
        return
    if isinstance(number, Quality) and read(number.averaging or "").has("parts_alike"):
        yield Note(f"the mean is one over parts that count alike by definition: {number.averaging}")
        return
    sizes = {shard.size for shard in shards.values()}
    value = span(stated, digits=number.digits if isinstance(number, Metric) else None)
    simple = _mean(shards, dict.fromkeys(shards, 1))
    if None in sizes:
        if simple.meets(value):
            yield NotShown("the sizes of the parts are not stated", at, provide=PROVIDE)
        else:
            yield Inapplicable("the number is not the simple mean of its parts")
        return
    if len(sizes) == 1:
        return
    weights = {name: shard.size or 0 for name, shard in shards.items()}
    weighted = _mean(shards, weights)
    if weighted.meets(value):
        return
    if not simple.meets(value):
        yield Inapplicable("the number is neither the simple nor the weighted mean of its parts")
        return
    message = (
        f"{stated} is the simple mean of {len(shards)} parts of different sizes; weighted by size it is {weighted}"
    )
    related = (Related(at, "values of the parts"),)
    yield Violation("a", REFUTES, C3, message, number.place("value"), stated, str(weighted), related)


def _outside(number: Quality) -> Violation | None:
    """Return that a mean lies outside of the values of its parts; None where it does not, or is not said to be one."""
    if number.value is None or not _over_parts(number):
        return None
    spans = {name: span(shard.value) for name, shard in number.shards.items()}
    parts = Span(min(each.low for each in spans.values()), max(each.high for each in spans.values()))
    value = span(number.value)
    if value.meets(parts):
        return None
    values = [shard.value for shard in number.shards.values()]
    ends = f"{min(values, key=Decimal)} to {max(values, key=Decimal)}"
    message = f"{number.value} is said to be the mean of {len(values)} parts, whose values are {ends}"
    related = (Related(number.place("shards"), "values of the parts"),)
    effect = weighed(REFUTES, gap(value, parts))
    return Violation("b", effect, C3, message, number.place("value"), number.value, ends, related)


def _over_parts(number: Quality) -> bool:
    """Whether a quality is said to be a mean over parts of the kind that is listed.

    Of another mean, such as one over classes or seeds, that of the whole need not lie between those of the parts.
    """
    said = read(number.averaging or "")
    ranks = any(read(name).has("rank_number") for name in number.shards)
    named = said.has("mean_over.data") or (not ranks and said.has("mean_over.subjects"))
    return named and not said.has("mean_over.others")


def _mean(shards: Mapping[str, Shard], weights: Mapping[str, int]) -> Span:
    """Return the mean of the parts' values with weights, within their printed digits."""
    total = Decimal(sum(weights.values()))
    values = [(span(shard.value), weights[name]) for name, shard in shards.items()]
    low, high = (
        sum(value.low * weight for value, weight in values),
        sum(value.high * weight for value, weight in values),
    )
    return Span(low / total, high / total)
