"""F04: a ratio that its own two numbers do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, separates, weighed
from ..facts.quantities.likely_cause import common_factor, counts_of, likely_cause
from ..facts.quantities.performance import more_is_better
from ..facts.quantities.ratios import gain, is_change, printed, readings
from ..facts.quantities.stated_ratios import Statement, filled_in_part, gains_of_rows, statements
from ..language.printed import INFINITY, Span, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule

ONE = Decimal(1)
PRINTED_AS = ", printed as "
"""What stands between the head of a column and the word of its cell where a base is a cell that says that it failed."""


@rule(
    "F04",
    "speedup-contradicts-values",
    effect=REFUTES,
    confidence=C3,
    applies="ratio and has(base)",
    origin="J, MEAS",
)
def speedup_contradicts_values(claim: Claim, case: Case) -> Iterator[Branch]:
    """A ratio that does not follow from the two numbers it relates.

    ## What it does
    Divides the stated numbers of the two sides (new by base for rates, base by new for times), each as the interval
    that its printed digits allow, and compares the quotient with the stated ratio under every reading of its notation:
    a factor, a percentage more or less, a factor of time. In a table it looks at the row's speed-up, against the base
    row and between the columns of the row; one base that fits is enough. The two numbers that "up to 4.6x" names are
    those of the largest ratio, which has to be 4.6 then, neither more nor less.
    Where a table prints the base as a failure, the ratio may be over another number of the base's column.

    ## Why it misleads
    The ratio is what readers remember. If its own two numbers do not give it, one of three numbers is wrong.

    ## Branches
    - (a) refutes, C3: the ratio lies outside what the two numbers give; a caveat where it is off by at most 1 %
      and does not turn a loss into a gain.
    - (b) caveat, C3: the base is printed as a failure (out of memory, a crash), and no other number of its column gives
      the ratio: a note may say what it is over.
    - not applicable: the base ran into a limit of time and the ratio is a lower bound ("over 100x"); one of the two
      numbers is missing or in another unit, or no row of the table is the base.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"value": "1.53"}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`: 41300 / 28910 = 1.43.

    ## How to fix
    Correct the ratio or the numbers.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 1.
    """
    failed = _failed(claim, case)
    if failed:
        at = claim.base.place("definition") if claim.base is not None else claim.at
        message = f"a ratio of {printed(claim)} is stated over a base that did not run (`{failed}`): over what is it?"
        yield Violation("b", CAVEAT, C3, message, at, claim.value)
        return
    groups: dict[str, list[Statement]] = {}
    for statement in statements(claim, case):
        groups.setdefault(statement.at, []).append(statement)
    if not groups:
        yield Inapplicable("the two numbers of the ratio are not both given in one unit")
    if filled_in_part(claim, case, "speedup") or not _stated(claim, case) <= set(groups):
        yield Inapplicable("a row of the speed-up column is empty, or its base is not there")
    contradicting = [found for found in groups.values() if not _fits(found)]
    common = common_factor((reading, nearest.gain) for _, nearest, reading in map(_nearest, contradicting))
    for found in contradicting:
        yield _violation(claim, case, found, common)


def _failed(claim: Claim, case: Case) -> str:
    """Return the word by which the base of a number is said to have failed, where nothing else can be its base."""
    if claim.base is None or claim.value is None or claim.base.value is not None or case.metric(claim.base) is not None:
        return ""
    head, _, cell = (claim.base.definition or "").rpartition(PRINTED_AS)
    failed = next(iter(read(cell).mentions("failed_cell")), None)
    if not head or failed is None or failed.start > 0:
        return ""
    # a time limit bounds the base from below, so that a ratio over the limit is a lower bound
    bounded = read(cell).has("time_limit") and claim.qualifier in {"over", "at_least"}
    return "" if bounded or _of_column(claim, case, head) else failed.text


def _of_column(claim: Claim, case: Case, head: str) -> bool:
    """Whether the ratio follows from another number of the column that the base stands in, by the bases of its rows."""
    metric = case.metric(claim.measured)
    way = more_is_better(metric.quantity, metric.unit) if metric is not None else None
    if metric is None or metric.value is None or way is None:
        return False
    new, read = span(metric.value, digits=metric.digits), readings(claim, way)
    for other in case.submission.claims.values():
        base = case.metric(other.base) if other.base is not None and other.base.definition == head else None
        if base is None or base.value is None or (base.quantity, base.unit) != (metric.quantity, metric.unit):
            continue
        given = gain(new, span(base.value, digits=base.digits), way)
        if given is not None and any(reading.meets(given) for reading in read):
            return True
    return False


def _fits(found: list[Statement]) -> bool:
    """Whether a stated ratio is what one of its bases gives, or has no meaning at all that could contradict."""
    given = [(reading, statement.gain) for statement in found for reading in statement.readings]
    return not given or any(reading.meets(gain) for reading, gain in given)


def _violation(claim: Claim, case: Case, found: list[Statement], common: str) -> Violation:
    distance, nearest, reading = _nearest(found)
    cause = common
    if not cause:
        others = gains_of_rows(claim, case, nearest.row) if nearest.row is not None else {}
        cause = likely_cause(reading, nearest.gain, counts_of(case.subject(claim)), others)
    stated, given = nearest.printed, str(nearest.gain)
    if nearest.at == claim.place("value"):
        stated = printed(claim)
        if is_change(claim):
            more = Span((nearest.gain.low - 1) * 100, (nearest.gain.high - 1) * 100)
            stated, given = f"{stated} more", f"{more} % more ({given} times)"
    message = f"{stated} is stated; its own numbers give {given}{cause}"
    if nearest.at == claim.place("value") and claim.qualifier == "up_to":
        message = (
            f"up to {stated} is stated; the largest ratio of its two sides{_of_numbers(claim, case)} is {given}{cause}"
        )
    related = (Related(nearest.new, "new"), Related(nearest.base, "base"))
    effect = weighed(REFUTES, distance, separates(reading, nearest.gain, (ONE,)))
    return Violation("a", effect, C3, message, nearest.at, nearest.printed, str(nearest.gain), related)


def _of_numbers(claim: Claim, case: Case) -> str:
    """Return the two numbers of a ratio as they are printed; empty where one of them is not that of an arm."""
    new, base = case.metric(claim.measured), case.metric(claim.base)
    if new is None or base is None or None in {new.value, base.value}:
        return ""
    return f", {new.value} against {base.value} {base.unit},"


def _nearest(found: list[Statement]) -> tuple[Decimal, Statement, Span]:
    """Return the statement and the reading that miss their gain by the smallest factor, with how far they lie apart."""
    pairs = [(statement, reading) for statement in found for reading in statement.readings]
    statement, reading = min(pairs, key=lambda pair: _factor(pair[1], pair[0].gain))
    return gap(reading, statement.gain), statement, reading


def _factor(reading: Span, gained: Span) -> Decimal:
    """Return by which factor two intervals miss each other: 1 / 4 is farther from 2 than 4 is."""
    if reading.meets(gained):
        return ONE
    low, high = (reading.high, gained.low) if reading.high < gained.low else (gained.high, reading.low)
    return high / low if low > 0 else INFINITY


def _stated(claim: Claim, case: Case) -> set[str]:
    """Return the places of the speed-ups that are the claim's: of its row, or of every row but the base."""
    table = case.table(claim)
    if table is None or claim.row is None:
        return set()
    names = [claim.row.row] if claim.row.row is not None else [name for name in table.rows if name != table.base_row]
    rows = [table.rows[name] for name in names if name in table.rows]
    return {row.place("speedup") for row in rows if row.speedup is not None}
