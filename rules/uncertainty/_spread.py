"""The range that a headline comes from: as stated, or from like-for-like results of its table."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case
from ..facts.document.words import words_of
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.performance import HIGHER, more_is_better
from ..language.printed import Span, span
from ..language.reading import read

WORKLOADS = frozenset(
    (
        *("model", "dataset", "input_shape", "input_length", "workload", "workloads", "benchmark", "benchmarks"),
        *("task", "tasks", "application", "network", "problem", "sequence_length", "prompt_length", "output_length"),
        *("length", "global_batch", "micro_batch", "batch", "batch_size", "size"),
    )
)
"""What like-for-like results differ in: the work that one and the same pair of systems is compared on."""


class Spread(Struct, frozen=True):
    """The range behind a headline.

    Attributes:
        low: smallest result.
        high: largest result.
        best: the favourable one.
        same_place: whether it stands in the headline's sentence or table.
        results: how many results it is made of; None where a range is stated.
        at: its place.
    """

    low: Span
    high: Span
    best: Span
    same_place: bool
    results: int | None
    at: str


def typical_in_words(claim: Claim) -> bool:
    """Whether the sentence, or a quote beside it, gives a second value of the same kind: the usual one, or a range."""
    if claim.value is None:
        return False
    words = words_of(claim)
    found = [item for text in words for item in text.quantities() if item.dimension in {"ratio", "percent"}]
    others = {end for item in found for end in (item.value, item.high)} - {Decimal(claim.value), None}
    return bool(others) and words.has("usual_value")


def best_in_words(claim: Claim) -> bool:
    """Whether the sentence itself says that its number is the best of several."""
    return read(claim.statement).has("best_case")


def tells_a_loss(claim: Claim) -> bool:
    """Whether the sentence says that its case is one that loses or gains nothing."""
    return read(claim.statement).has("no_gain_or_loss")


def is_capacity(claim: Claim) -> bool:
    """Whether a sentence is about what something can do at most: a capacity, or the peak of a sweep over load."""
    if claim.form != "absolute":
        return False
    words, sweep = read(claim.statement), claim.mode == "inference" and claim.quantity == "rate"
    return words.has("most_possible") or (sweep and words.has("peak_of_sweep"))


def spread(claim: Claim, case: Case) -> Spread | None:
    """Return the range behind a headline: as stated, else over at least three like-for-like results of its table."""
    if claim.range is not None:
        ends = sorted((span(claim.range.low), span(claim.range.high)), key=lambda end: end.low)
        beside = claim.range.where == "same_place"
        return Spread(ends[0], ends[1], ends[_favourable(claim)], beside, None, claim.range.at)
    table = case.table(claim)
    results = _results(claim, table) if table is not None else []
    if table is None or len(results) < 3:
        return None
    low, high = min(results, key=lambda item: item.low), max(results, key=lambda item: item.high)
    return Spread(low, high, (low, high)[_favourable(claim)], _in_caption(claim, table), len(results), table.at)


def _favourable(claim: Claim) -> int:
    """Return which end is the favourable one: 0 the low one, 1 the high one."""
    if claim.form == "ratio":
        below_one = claim.unit not in PERCENT and Decimal(claim.value or "1") < 1
        return 0 if below_one and claim.quantity not in HIGHER and not tells_a_loss(claim) else 1
    return 1 if more_is_better(claim.quantity, claim.unit) is not False else 0


def _results(claim: Claim, table: Table) -> list[Span]:
    """Return the results of one pair of systems on several workloads: a column of ratios, or two columns of values."""
    if claim.form != "ratio" or not table.varies or not set(table.varies) <= WORKLOADS:
        return []
    rows = list(table.rows.values())
    printed = [(name, row.speedup) for name, row in table.rows.items() if row.speedup is not None]
    if len(printed) >= 3:
        return [span(text) for name, text in printed if name != table.base_row]
    keys = [key for key, column in table.columns.items() if column.quantity == claim.quantity]
    units = {table.columns[key].unit for key in keys}
    return _quotients(rows, keys, claim) if len(keys) == 2 and len(units) == 1 else []


def _quotients(rows: list[Row], keys: list[str], claim: Claim) -> list[Span]:
    pairs = [(row.values[keys[0]], row.values[keys[1]]) for row in rows if set(keys) <= set(row.values)]
    both = [(span(left), span(right)) for left, right in pairs]
    wanted = span(claim.value or "1")
    for ways in (both, [(right, left) for left, right in both]):
        found = [quotient for above, below in ways if (quotient := above / below) is not None]
        if any(item.meets(wanted) for item in found):
            return found
    return []


def _in_caption(claim: Claim, table: Table) -> bool:
    """Whether the sentence is that of the table: its caption, or the sentence before it."""
    return table.caption is not None and read(table.caption).says(claim.statement.rstrip(" ."))
