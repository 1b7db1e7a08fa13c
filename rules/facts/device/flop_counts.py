"""Counting rules of operations: what a formula counts, and whether two rules surely count differently.

Training takes 6 N operations per token (2 N forward, 4 N backward; Kaplan et al., 2020), 8 N where the forward pass is
computed a second time, plus 12 L d s for attention (6 L d s where a causal mask is counted at half).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from msgspec import Struct

from ....schemas.submission import Claim, Row, Table
from ...case import Case, Side
from ...language.lexicon import folded
from ...language.printed import Span
from ...language.reading import Reading, read
from ..comparison.base_row import cell_span
from ..quantities.given import given
from ..quantities.per_second import operations_per_second, work_per_second

RECOMPUTING = 8
MOST_PER_PARAMETER = 99
LONGEST_TERM = 4
"""Letters of a term such as "Lds" or "LHQT": longer words that begin with L are none."""


class Count(Struct, frozen=True):
    """What a counting rule counts, as far as its words tell.

    Attributes:
        factor: operations per parameter and token.
        attention: factor of L d s per token; None where the formula has no such term.
        fma: operations of a multiply-add.
        kind: model operations or all executed ones.
    """

    factor: int | None = None
    attention: int | None = None
    fma: int | None = None
    kind: str | None = None


def count_of(text: str) -> Count:
    """Return what a counting rule counts; of a text that holds several formulas, no factor."""
    reading = read(text)
    factors, terms = set(_factors(reading)), set(_terms(reading))
    clear = len(factors) == 1 and len(terms) <= 1
    return Count(
        factor=next(iter(factors)) if clear else None,
        attention=next(iter(terms), None) if clear else None,
        fma=_operations_of_fma(reading),
        kind=kind_of(text),
    )


def _operations_of_fma(reading: Reading) -> int | None:
    """Return as how many operations a multiply-add counts; None where words or formulas say neither or both."""
    once, twice = (reading.has(concept, affirmed=False) for concept in ("fma.once", "fma.twice"))
    if once == twice:
        return None if once or not reading.has("mac", affirmed=False) else 1
    return 1 if once else 2


def _factors(reading: Reading) -> Iterator[int]:
    """Yield the operations per parameter of every formula: 6N, 6ND, 8 x parameters, 6 FLOPs per parameter."""
    for item in reading.mentions("flops_per_parameter"):
        value = reading.within(*item.span)[0].value
        is_assigned = reading.source[item.end : item.end + 1] == "="
        if value is not None and value == int(value) and value <= MOST_PER_PARAMETER and not is_assigned:
            yield int(value)


def _terms(reading: Reading) -> Iterator[int]:
    """Yield the factors of L d s that formulas add: "6N + 12Lds", "plus 12 x layers"."""
    for item in reading.mentions("added_number"):
        number, term = (reading.within(item.start, item.end)[-1], reading.within(item.end, item.end + LONGEST_TERM))
        letters = next((token.text for token in term if token.text.isalpha() and token.low != "x"), "")
        is_term = letters.startswith("L") and (len(letters) <= LONGEST_TERM or letters.isupper())
        named = folded(letters) == "layer"
        if number.value is not None and number.value <= MOST_PER_PARAMETER and (is_term or named):
            yield int(number.value)


def factors_of(text: str) -> tuple[int, ...]:
    """Return the operations per parameter of every formula in a text."""
    return tuple(sorted(set(_factors(read(text)))))


def kind_of(text: str) -> str | None:
    """Return whether words speak of model operations or of all executed ones; None for neither or both."""
    reading = read(text)
    left_out = {item.end for item in reading.mentions("without_recomputation")}
    denied = {item.start for item in reading.mentions("recomputation_left_out")}
    said = reading.mentions("recomputation")
    twice = any(item.end not in left_out and item.start not in denied for item in said)
    hardware = twice or reading.has("hardware_operations", affirmed=False)
    model = bool(left_out) or reading.has("model_operations", affirmed=False)
    return None if hardware == model else "hardware" if hardware else "model"


def differ(left: Count, right: Count) -> bool | None:
    """Return whether two rules surely count differently; None where nothing that both tell can be compared."""
    pairs = [(getattr(left, key), getattr(right, key)) for key in ("factor", "fma", "kind")]
    known = [one != other for one, other in pairs if one is not None and other is not None]
    if left.factor is not None and left.factor == right.factor:
        known.append(left.attention != right.attention)
    return any(known) if known else None


class Model(Struct, frozen=True):
    """Sizes of a language model: parameters, and layers x width x sequence length."""

    parameters: Span
    layers_width_length: Span


CANDIDATES: Mapping[str, Callable[[Model], Span]] = {
    "6N": lambda model: model.parameters.times(6),
    "6N + 12Lds": lambda model: _sum(model.parameters.times(6), model.layers_width_length.times(12)),
    "6N + 6Lds": lambda model: _sum(model.parameters.times(6), model.layers_width_length.times(6)),
    "8N": lambda model: model.parameters.times(RECOMPUTING),
}


def fitting(implied: Span, model: Model, tolerance: float) -> frozenset[str]:
    """Return the formulas whose count per token meets an implied one, widened by a tolerance."""
    wide = implied.widened(tolerance)
    return frozenset(name for name, formula in CANDIDATES.items() if wide.meets(formula(model)))


def _sum(left: Span, right: Span) -> Span:
    return Span(left.low + right.low, left.high + right.high)


def model_of(row: Row, side: Side | None) -> Model | None:
    """Return the sizes of a row's model, or None where one is not stated."""
    operations = side.arm.operations if side is not None else None
    sizes = {key.casefold(): size for key, size in operations.dimensions.items()} if operations is not None else {}
    options = (row.options, side.arm.options if side is not None else None)
    lengths = [option.input_length for option in options if option is not None and option.input_length is not None]
    layers, width = _first(sizes, "l", "layers", "num_layers"), _first(sizes, "d", "h", "hidden", "hidden_size")
    if row.parameters is None or layers is None or width is None or not lengths:
        return None
    product = Decimal(layers) * width * lengths[0]
    return Model(given(row.parameters), Span(product, product))


def _first(sizes: Mapping[str, int], *names: str) -> int | None:
    return next((sizes[name] for name in names if name in sizes), None)


def implied_per_token(claim: Claim, case: Case, table: Table, name: str, side: Side | None) -> Span | None:
    """Return the operations per token that a row's FLOP/s and its tokens per second imply; None where one is missing.

    Totals and rates per device meet by the row's device count.
    """
    row = table.rows[name]
    devices = row.devices or (side.devices if side is not None else None)
    flops = tokens = None
    for key, column in table.columns.items():
        value = cell_span(table, (name, key))
        if value is None or value.low <= 0:
            continue
        operations, work = operations_per_second(column.unit), work_per_second(column.unit)
        if column.quantity == "flops" and operations is not None and flops is None:
            flops = _total(value, operations.factor, operations.per_device, devices)
        elif column.quantity == "rate" and work is not None and work.word.startswith("tok") and tokens is None:
            tokens = _total(value, work.factor, work.per_device, devices)
    return flops / tokens if flops is not None and tokens is not None else None


def _total(value: Span, factor: Decimal, per_device: bool, devices: int | None) -> Span | None:
    if per_device and devices is None:
        return None
    return value.times(factor * (devices or 1) if per_device else factor)
