"""W0706: rows of one column count differently."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, Row, Table
from ..case import Case, Side
from ..facts.comparison.options import class_of, compare
from ..facts.device.flop_counts import Count, count_of, differ, factors_of, fitting, implied_per_token, model_of
from ..facts.document.told import said
from ..facts.quantities.numbers import finite
from ..language.printed import short
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

SAID = "mixed_flop_accounting"
COUNTED = frozenset({"flops", "mfu"})
SIZES = frozenset({"input_shape", "input_length"})
LEAST = 1.25
"""Between 6 N and 8 N lies a third; terms that small models add, and what profilers count, differ by less than this."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    fit: float = Threshold(0.03, "fraction by which an implied count may miss a formula", "judgement")


@rule(
    "W0706",
    "mixed-flop-accounting",
    effect=UNDERMINES,
    confidence=C3,
    applies="flops or mfu or ((ratio or form=efficiency) and has(base))",
    origin="S1.7, MEAS",
    thresholds=Thresholds,
)
def mixed_flop_accounting(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """One column of operations per second, counted in two ways.

    ## What it does
    Reads the counting rule of every row that holds a number in a column, from the row, else from its arm, and compares
    what the rules count: operations per parameter, the attention term, one or two operations per multiply-add, model or
    executed operations. Where rows give FLOP/s, tokens per second and the sizes of the model, it computes the
    operations per token and asks which of 6N, 6N + 12Lds, 6N + 6Lds and 8N fit. Of the two sides of a ratio it compares
    the operations of one example, where model, input and everything but the number format are equal.

    ## Why it misleads
    Between the usual formulas lie a third and more. Rows that differ in the formula differ by it before anything was
    computed faster.

    ## Branches
    - (a) undermines, C3: rows of one column, or the two sides of a ratio, use different counts; or the operations per
      token of two rows fit different formulas and none in common; or one example of one model takes more than 1.25
      times the operations on one side.
    - (b, instead of a) caveat, C3: the same, and the words beside the number say so; or one arm's own rule counts its
      FLOP/s by one formula and its utilisation by another.
    - not applicable: fewer than two rows tell how they counted.
    - Silent where rows hold model and hardware operations in columns of their own, and where model and hardware
      operations are the same because nothing is recomputed.

    ## Flagged
    On `kernel` for claim `gemm`:
    ```json
    {"tables": {"gemm": {"rows": {"n4096": {"flop_method": "MACs of the product"},
                                  "n8192": {"flop_method": "2mnk, FMA = 2"}}}}}
    ```

    ## Accepted
    On `kernel` for claim `gemm`, where all rows that say so count alike:
    ```json
    {"tables": {"gemm": {"rows": {"n4096": {"flop_method": "2mnk, FMA = 2"},
                                  "n8192": {"flop_method": "2mnk (FMA = 2)"}}}}}
    ```

    ## How to fix
    Count all rows by one formula, and print tokens per second beside it.

    ## References
    Hoefler, Twelve ways to fool the masses, way 7.
    """
    table = case.table(claim)
    called = said(claim, SAID)
    found = [
        *(_stated(claim, case, table, called) if table is not None else ()),
        *(_implied(claim, case, thresholds, table, called) if table is not None else ()),
        *_pair(claim, case, called),
        *_both(claim, case),
    ]
    yield from (branch for branch in found if branch is not None)
    if not found:
        yield Inapplicable("fewer than two rows tell how they counted")


def _violation(message: str, at: str, related: Related, called: bool) -> Violation:
    branch, effect = ("b", CAVEAT) if called else ("a", UNDERMINES)
    return Violation(branch, effect, C3, message, at, related=(related,))


def _rule_of(row: Row | None, side: Side | None) -> tuple[str, Count] | None:
    """Return a counting rule as words and as what it counts: of the row, else of its arm."""
    if row is not None and row.flop_method is not None:
        return row.flop_method, count_of(row.flop_method)
    operations = side.arm.operations if side is not None else None
    if side is None or operations is None or (operations.method is None and operations.counted is None):
        return None
    count = count_of(operations.method or "")
    options = side.arm.options
    alike = options is not None and options.recomputes is False
    kind = None if alike else operations.counted or count.kind
    return operations.method or f"{operations.counted} operations", Count(
        count.factor, count.attention, count.fma, kind
    )


def _columns(table: Table) -> list[str]:
    """Return the columns of counted numbers, without those that stand beside others of their kind and format."""
    kinds = {
        key: (column.quantity, column.format) for key, column in table.columns.items() if column.quantity in COUNTED
    }
    return [key for key, kind in kinds.items() if list(kinds.values()).count(kind) == 1]


def _stated(claim: Claim, case: Case, table: Table, called: bool) -> Iterator[Violation | None]:
    """Compare the stated rules of all rows of a column; yields None for a pair that counts alike."""
    for key in _columns(table):
        rules = [(row, _rule_of(row, case.own(row.arm or ""))) for row in table.rows.values() if key in row.values]
        for (left, one), (right, two) in combinations([(row, found) for row, found in rules if found is not None], 2):
            assert one is not None
            assert two is not None
            different = False if one[0] == two[0] else differ(one[1], two[1])
            if different:
                message = f'rows of one column count differently: "{one[0]}" and "{two[0]}"'
                yield _violation(message, right.at, Related(left.at, one[0]), called)
                return
            if different is False:
                yield None


def _implied(
    claim: Claim, case: Case, thresholds: Thresholds, table: Table, called: bool
) -> Iterator[Violation | None]:
    """Compare the formulas that fit the operations per token of two rows; yields None for a pair with one in common."""
    fits: list[tuple[Row, frozenset[str]]] = []
    for name, row in table.rows.items():
        side = case.own(row.arm or "")
        model, implied = model_of(row, side), implied_per_token(claim, case, table, name, side)
        if model is not None and implied is not None:
            fits.append((row, fitting(implied, model, thresholds.fit)))
    for (left, one), (right, two) in combinations([(row, found) for row, found in fits if found], 2):
        if one.isdisjoint(two):
            message = f"the operations per token of one row fit {_or(one)}, those of another {_or(two)}"
            yield _violation(message, right.at, Related(left.at, _or(one)), called)
            return
        yield None


def _or(names: frozenset[str]) -> str:
    return " or ".join(sorted(names))


def _pair(claim: Claim, case: Case, called: bool) -> Iterator[Violation | None]:
    """Compare the rules of the two sides of a ratio."""
    sides = case.subject(claim), case.base(claim)
    counted = claim.quantity in COUNTED or _counts(case.metric(claim.measured)) or _counts(case.metric(claim.base))
    if not counted or claim.base is None or sides[0] is None or sides[1] is None:
        return
    one, two = _rule_of(case.row(claim), sides[0]), _rule_of(None, sides[1])
    counts = _of_one_work(sides[0], sides[1])
    if counts is not None and max(counts) > LEAST * min(counts):
        message = (
            f"one example of one model counts as {short(counts[0])} operations on one side of the comparison, as "
            f"{short(counts[1])} on the other"
        )
        yield _violation(message, claim.place("base"), Related(sides[0].arm.at, "the subject"), called)
        return
    if one is None or two is None:
        return
    different = False if one[0] == two[0] else differ(one[1], two[1])
    if different:
        message = f'the two sides of the comparison count differently: "{one[0]}" and "{two[0]}"'
        yield _violation(message, claim.place("base"), Related(sides[0].arm.at, one[0]), called)
    elif different is False:
        yield None


def _of_one_work(left: Side, right: Side) -> tuple[float, float] | None:
    """Return the model operations of one example on both sides, where both surely compute the same on it."""
    pair = left.arm.operations, right.arm.operations
    compared = compare(left.arm.options, right.arm.options)
    if "model" not in compared.equal or not SIZES & {*compared.equal}:
        return None
    open_ones = [*(key for key, _, _ in compared.different), *compared.unknown]
    felt = [key for key in open_ones if class_of(key) == "HARD" or key == "activation_checkpointing"]
    if any(not key.startswith("precision.") for key in felt):
        return None
    counts = [item.flop_per_sample for item in pair if item is not None and item.counted != "hardware"]
    found = [count for count in counts if count is not None and finite(count) and count > 0]
    return (found[0], found[1]) if len(found) == len(pair) else None


def _counts(metric: Metric | None) -> bool:
    return metric is not None and metric.quantity in COUNTED


def _both(claim: Claim, case: Case) -> Iterator[Violation | None]:
    """Judge an arm whose FLOP/s and utilisation follow two formulas, as its own counting rule says."""
    side = case.subject(claim)
    operations = side.arm.operations if side is not None else None
    if side is None or operations is None or operations.method is None or claim.quantity not in COUNTED:
        return
    kinds = {metric.quantity for metric in side.arm.performance.values()}
    found, method = factors_of(operations.method), read(operations.method)
    if kinds >= COUNTED and len(found) > 1 and method.has("counted_for_utilization") and method.has("counted_for_rate"):
        counts = " and ".join(f"{factor} N" for factor in found)
        message = f"the FLOP/s and the utilisation of one arm follow two formulas, {counts} per token"
        yield _violation(message, operations.place("method"), Related(claim.at, "the number"), called=True)
