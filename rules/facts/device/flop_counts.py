"""Counting rules of operations: what a formula counts, and whether two rules surely count differently.

Training takes 6 N operations per token (2 N forward, 4 N backward; Kaplan et al., 2020), 8 N where the forward pass is
computed a second time, plus 12 L d s for attention (6 L d s where a causal mask is counted at half).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from msgspec import Struct

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim, Row, Table
from ...case import Case, Side
from ..comparison.base_row import cell_span
from ..quantities.given import given
from ..quantities.numbers import Span
from ..quantities.per_second import operations_per_second, work_per_second

RECOMPUTING = 8
_FACTOR = Pattern(
    r"(?<![\w.])(\d{1,2})\s*[x*×·]?\s*(?:[NPΨΦ](?:\s*[x*×·]?\s*[DT])?(?![\w=])"
    r"|(?i:params?\b|parameters\b|(?:flops? |operations )?per parameter\b))"
)
_ATTENTION = Pattern(r"(?:\+|\bplus\b)\s*(\d{1,2})\s*[x*×·]?\s*(?:L(?![a-z]{4,})|(?i:n_?layers?|layers))")
_FMA = r"(?:(?:fused )?multiply[- ]?(?:adds?|accumulates?|accumulations?|and[- ]adds?)|FMAs?|MACs?)"
_AS = r"(?: (?:is|are))?(?: (?:counted|counts?|taken))?(?:\s*[=:]| as| for| is)?"
_PER = rf"(?:flops?|ops?|(?:floating-point )?operations?)[ -](?:per|for (?:each|every|an?|one)|an?) {_FMA}\b"
_MNK = r"m\s?[·*×x]?\s?n\s?[·*×x]?\s?k\b"
_ONCE = Pattern(
    rf"\b{_FMA}{_AS} ?(?:one|1|once|a single)\b|\b(?:one|1|a single) {_PER}|(?<![\w.·*×])(?<![\d·*×] )\b{_MNK}",
    re.IGNORECASE,
)
_TWICE = Pattern(
    rf"\b{_FMA}{_AS} ?(?:two|2|twice)\b|\b(?:two|2) {_PER}|\b2 ?[·*×x]? ?(?:{_MNK}|MACs?\b)|\bMACs? ?[·*×x] ?2\b",
    re.IGNORECASE,
)
_MACS = Pattern(r"\bMACs?\b", re.IGNORECASE)
_HARDWARE = Pattern(
    r"\bHFU\b|hardware[ -]flop|hardware utili|executed (?:flop|operations)"
    r"|(?<!without )(?<!excluding )(?<!no )\brecomput(?!\w* (?:is |are )?(?:not|ex))",
    re.IGNORECASE,
)
_MODEL = Pattern(
    r"\bMFU\b|model[ -]flop|model operations|operations of the model|(?:without|excluding|no) recomput", re.IGNORECASE
)


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
    factors = {int(match[1]) for match in _FACTOR.finditer(text)}
    terms = {int(match[1]) for match in _ATTENTION.finditer(text)}
    clear = len(factors) == 1 and len(terms) <= 1
    return Count(
        factor=next(iter(factors)) if clear else None,
        attention=next(iter(terms), None) if clear else None,
        fma=_operations_of_fma(text),
        kind=kind_of(text),
    )


def _operations_of_fma(text: str) -> int | None:
    """Return as how many operations a multiply-add counts; None where words or formulas say neither or both."""
    once, twice = _ONCE.search(text) is not None, _TWICE.search(text) is not None
    if once == twice:
        return None if once or _MACS.search(text) is None else 1
    return 1 if once else 2


def factors_of(text: str) -> tuple[int, ...]:
    """Return the operations per parameter of every formula in a text."""
    return tuple(sorted({int(match[1]) for match in _FACTOR.finditer(text)}))


def kind_of(text: str) -> str | None:
    """Return whether words speak of model operations or of all executed ones; None for neither or both."""
    hardware, model = _HARDWARE.search(text) is not None, _MODEL.search(text) is not None
    return None if hardware == model else "hardware" if hardware else "model"


def differ(left: Count, right: Count) -> bool | None:
    """Return whether two rules surely count differently; None where nothing that both tell can be compared."""
    answers = [_different(getattr(left, key), getattr(right, key)) for key in ("factor", "fma", "kind")]
    if left.factor is not None and left.factor == right.factor:
        answers.append(left.attention != right.attention)
    known = [answer for answer in answers if answer is not None]
    return any(known) if known else None


def _different(left: object, right: object) -> bool | None:
    return None if left is None or right is None else left != right


class Model(Struct, frozen=True):
    """Sizes of a language model: parameters, and layers x width x sequence length."""

    parameters: Span
    layers_width_length: Span


CANDIDATES: Mapping[str, Callable[[Model], Span]] = {
    "6N": lambda model: _scaled(model.parameters, 6),
    "6N + 12Lds": lambda model: _sum(_scaled(model.parameters, 6), _scaled(model.layers_width_length, 12)),
    "6N + 6Lds": lambda model: _sum(_scaled(model.parameters, 6), _scaled(model.layers_width_length, 6)),
    "8N": lambda model: _scaled(model.parameters, RECOMPUTING),
}


def fitting(implied: Span, model: Model, tolerance: float) -> frozenset[str]:
    """Return the formulas whose count per token meets an implied one, widened by a tolerance."""
    wide = implied.widened(tolerance)
    return frozenset(name for name, formula in CANDIDATES.items() if wide.meets(formula(model)))


def _scaled(interval: Span, factor: int) -> Span:
    return Span(interval.low * factor, interval.high * factor)


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
    scale = factor * (devices or 1) if per_device else factor
    return value * Span(scale, scale)
