"""What a FLOP/s number counts: number formats, the counting rule, and whether stated counts give the number again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from decimal import Decimal
from itertools import chain
from math import prod

from ....schemas.operations import Operations
from ....schemas.submission import Claim, Row
from ...caching import remembered
from ...case import Case
from ...language.names import Name
from ...language.printed import Span, span
from ...language.reading import Reading, read
from ...language.sentences import ends_sentence
from ..quantities.numbers import exact
from ..quantities.per_second import operations_per_second, seconds, work_per_second
from .formats import FAMILIES, FORMATS, normalised

TOLERANCE = 0.01
MIXED = "mixed"
NAMED = frozenset({*FORMATS, *FAMILIES, "int1", MIXED})
"""What words may call the format of operations."""


def operations_of(claim: Claim, case: Case) -> Operations | None:
    """Return how the operations behind a claim were counted, as far as its arm says."""
    side = case.subject(claim)
    return side.arm.operations if side is not None else None


def formats_of(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the formats in which the claim's operations are said to be done; "mixed" where the source says no more.

    The fractions name them; else the options; else the column; else the sentence, its quotes and the caption.
    A format that only sums products is listed apart and does not count.
    """
    operations = operations_of(claim, case)
    if operations is not None and operations.fractions:
        return _distinct(operations.fractions)
    return declared_formats(claim, case)


def declared_formats(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the formats that options, column, sentence, quotes or caption name; shares per format left aside.

    What a caption says of the rows of one format ("fp8 rows against the fp8 peak") is not said of this number.
    """
    side, row = case.subject(claim), case.row(claim)
    for options in (row.options if row is not None else None, side.arm.options if side is not None else None):
        if options is not None and options.precision is not None and options.precision.compute is not None:
            compute = options.precision.compute
            return (normalised(compute),) if normalised(compute) in FORMATS else formats_in(compute) or (compute,)
    columns = _distinct(format for format in _column_formats(claim, case))
    told = [formats_in(text) for text in own_texts(claim, case)]
    told += [formats_in(text, of_rows=False) for text in common_texts(claim, case)]
    return columns or tuple(dict.fromkeys(chain.from_iterable(told)))


def _column_formats(claim: Claim, case: Case) -> Iterator[str]:
    table = case.table(claim)
    for column in table.columns.values() if table is not None else ():
        if column.format is not None and column.quantity == claim.quantity:
            yield column.format


@remembered(1024)
def formats_in(text: str, *, of_rows: bool = True) -> tuple[str, ...]:
    """Return the formats that a text names, without those that only sum products.

    Args:
        text: the text.
        of_rows: whether what it says of the rows or columns of a format counts.
    """
    if normalised(text) == MIXED:
        return (MIXED,)
    reading = read(text)
    sums = {item.start for item in reading.mentions("accumulation")}
    into = {item.end for item in reading.mentions("accumulation_in")}
    rows = set() if of_rows else {item.start for item in reading.mentions("table_rows")}
    found: list[str] = []
    aside = 0
    for name in reading.all_names:
        told = _format_of(name)
        only_sums = _stands_before(name, sums) or name.start - 1 in into
        if told is None or only_sums or name.start < aside:
            continue
        if _stands_before(name, rows):
            aside = _end_of_clause(reading, name)
        else:
            found.append(told)
    return _distinct(found)


def _format_of(name: Name) -> str | None:
    """Return the format that a name is, or that it ends in: "Llama-3-8B-FP8"."""
    printed = name.text if name.kind == "format" else name.text.rpartition("-")[2]
    told = name.kind == "format" or any(map(str.isdigit, printed))
    return printed if told and normalised(printed) in NAMED else None


def _stands_before(name: Name, starts: Set[int]) -> bool:
    return name.end in starts or name.end + 1 in starts


def _end_of_clause(reading: Reading, name: Name) -> int:
    tokens = reading.tokens
    ends = (at for at in range(name.last, len(tokens)) if tokens[at].text in ",;" or ends_sentence(tokens, at))
    return tokens[next(ends, len(tokens) - 1)].end


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(normalised, names)))


def texts(claim: Claim, case: Case) -> list[str]:
    """Return the words that stand with the number: its own, and those that it shares with the rows beside it."""
    return own_texts(claim, case) + common_texts(claim, case)


def own_texts(claim: Claim, case: Case) -> list[str]:
    """Return the words about one number: sentence, quotes, labels of row and arm."""
    side, row = case.subject(claim), case.row(claim)
    labels = (row.label if row is not None else None, side.arm.label if side is not None else None)
    return [claim.statement, *(item.quote for item in claim.said), *(label for label in labels if label is not None)]


def common_texts(claim: Claim, case: Case) -> list[str]:
    """Return the words about a table and its way of counting."""
    table, operations = case.table(claim), operations_of(claim, case)
    given = (table.caption if table is not None else None, operations.method if operations is not None else None)
    return [text for text in given if text is not None]


def rule_stated(claim: Claim, case: Case) -> bool:
    """Whether a counting rule, formula or citation stands with the number."""
    operations, table, row = operations_of(claim, case), case.table(claim), case.row(claim)
    if operations is not None and operations.method is not None:
        return True
    rows = (row,) if row is not None else tuple(table.rows.values()) if table is not None else ()
    if rows and all(row.flop_method is not None for row in rows):
        return True
    return any(read(text).has("counting_rule", affirmed=False) for text in texts(claim, case))


def claimed_flops(claim: Claim, case: Case) -> Span | None:
    """Return the FLOP/s of a claim as an interval: its own number, or the one that its arm states."""
    if claim.quantity == "flops" and claim.form == "absolute" and claim.value is not None:
        unit = operations_per_second(claim.unit)
        return span(claim.value, claim.qualifier, claim.digits).times(unit.factor) if unit is not None else None
    side = case.subject(claim)
    metrics = (
        [metric for metric in side.arm.performance.values() if metric.quantity == "flops"] if side is not None else []
    )
    if len(metrics) != 1 or metrics[0].value is None:
        return None
    unit = operations_per_second(metrics[0].unit)
    return span(metrics[0].value, digits=metrics[0].digits).times(unit.factor) if unit is not None else None


def recomputes(claim: Claim, case: Case) -> bool:
    """Whether sizes and time, or operations per sample and the sample rate, give the claimed FLOP/s within 1 %."""
    return _by_dimensions(claim, case) or _by_samples(claim, case)


def _by_samples(claim: Claim, case: Case) -> bool:
    """Rate x FLOP per sample, of all devices or of one."""
    side, operations, claimed = case.subject(claim), operations_of(claim, case), claimed_flops(claim, case)
    if side is None or claimed is None or operations is None or operations.flop_per_sample is None:
        return False
    for metric in side.arm.performance.values():
        unit = work_per_second(metric.unit)
        if metric.quantity != "rate" or metric.value is None or unit is None:
            continue
        rate = span(metric.value, digits=metric.digits).times(unit.factor * exact(operations.flop_per_sample).low)
        count = Decimal(side.devices or 1)
        if any(rate.times(factor).widened(TOLERANCE).meets(claimed) for factor in (Decimal(1), count, 1 / count)):
            return True
    return False


def _by_dimensions(claim: Claim, case: Case) -> bool:
    """A matrix product of m x k by k x n takes 2 m n k operations."""
    operations, table, row = operations_of(claim, case), case.table(claim), case.row(claim)
    if operations is not None and operations.dimensions:
        count = matrix_product({key: Decimal(size) for key, size in operations.dimensions.items()})
        claimed, time = claimed_flops(claim, case), _arm_time(claim, case)
        return count is not None and claimed is not None and _gives(count, time, claimed)
    if table is None:
        return False
    rows = (row,) if row is not None else tuple(table.rows.values())
    return bool(rows) and all(_row_recomputes(claim, case, item) for item in rows)


def matrix_product(sizes: dict[str, Decimal]) -> Decimal | None:
    """Return the operations of a matrix product (FMA = 2) from sizes m, n, k and a batch; None for other sizes."""
    plain = {key.casefold(): size for key, size in sizes.items()}
    if not {"m", "n", "k"} <= set(plain) or set(plain) - {"m", "n", "k", "b", "batch", "groups"}:
        return None
    return prod(plain.values(), start=Decimal(2))


def _row_recomputes(claim: Claim, case: Case, row: Row) -> bool:
    table = case.table(claim)
    assert table is not None
    sizes = {
        key: Decimal(value) for key, value in row.values.items() if key.casefold() in {"m", "n", "k", "b", "batch"}
    }
    count = matrix_product(sizes)
    claimed, time = None, None
    for key, column in table.columns.items():
        if key not in row.values:
            continue
        rate, unit = operations_per_second(column.unit), seconds(column.unit)
        if column.quantity == "flops" and rate is not None:
            claimed = span(row.values[key]).times(rate.factor)
        elif column.quantity in {"time", "latency"} and unit is not None:
            time = span(row.values[key]).times(unit)
    return count is not None and claimed is not None and _gives(count, time, claimed)


def _arm_time(claim: Claim, case: Case) -> Span | None:
    side = case.subject(claim)
    for metric in side.arm.performance.values() if side is not None else ():
        unit = seconds(metric.unit)
        if metric.quantity in {"time", "latency"} and metric.value is not None and unit is not None:
            # A total is that of all its iterations, the operations are those of one.
            iterations = metric.n.completed if metric.n is not None and metric.statistic == "total" else None
            return span(metric.value, digits=metric.digits).times(unit / (iterations or 1))
    return None


def _gives(count: Decimal, time: Span | None, claimed: Span) -> bool:
    rate = Span(count, count) / time if time is not None else None
    return rate is not None and rate.widened(TOLERANCE).meets(claimed)
