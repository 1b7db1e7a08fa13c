"""The two numbers that a ratio of a sentence relates: two that the sentence prints, else two cells of one column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from ....rules.language.reading import read
from ..drafting import Drafting

if TYPE_CHECKING:
    from ..fields import ClaimFields

DOWN = frozenset({"time", "latency"})
SPEED = frozenset({"rate", "time", "latency"})
FEWEST_DIGITS = 2
"""Digits from which on a ratio of two cells is told from one that fits by chance."""


class Number(Struct, frozen=True):
    """A number of an arm."""

    arm: str
    metric: str
    quantity: str
    unit: str
    value: Decimal
    label: str


def pair_in_sentence(draft: Drafting, ratio: ClaimFields, siblings: Sequence[ClaimFields]) -> ClaimFields | None:
    """Return the links of a ratio to the two numbers of its sentence; None where none or several pairs fit."""
    numbers = [number for claim in siblings if claim["form"] == "absolute" for number in _measured(draft, claim)]
    return _links(ratio, _fitting(ratio, numbers))


def pair_in_tables(draft: Drafting, ratio: ClaimFields) -> ClaimFields | None:
    """Return the links of a ratio to two numbers of one table; None where none or several pairs fit.

    What the sentence compares with must be what the row of the base says: "the baseline" is the row that says so.
    """
    base = (ratio.get("base") or {}).get("definition") or (ratio.get("comparator") or {}).get("name") or ""
    if len(str(ratio["value"]).replace(".", "").strip("0")) < FEWEST_DIGITS or not base:
        return None
    pairs = [pair for numbers in _tables(draft) for pair in _fitting(ratio, numbers) if is_named(base, pair[1].label)]
    return _links(ratio, pairs)


def _links(ratio: ClaimFields, pairs: Sequence[tuple[Number, Number]]) -> ClaimFields | None:
    if len(pairs) != 1:
        return None
    new, old = pairs[0]
    base: Any = {**(ratio.get("base") or {}), "arm": old.arm, "metric": old.metric}
    fields: Any = {"measured": {"arm": new.arm, "metric": new.metric}, "base": base}
    return cast("ClaimFields", fields)


def _measured(draft: Drafting, claim: ClaimFields) -> Iterator[Number]:
    ref = claim.get("measured") or {}
    yield from (number for number in numbers_of_arm(draft, str(ref.get("arm"))) if number.metric == ref.get("metric"))


def numbers_of_arm(draft: Drafting, arm: str) -> Iterator[Number]:
    """Yield the numbers of an arm that are above 0."""
    fields = draft.arms.get(arm, {})
    for name, metric in fields.get("performance", {}).items():
        value = metric.get("value")
        if value is not None and Decimal(value) > 0:
            yield Number(arm, name, metric["quantity"], metric["unit"], Decimal(value), fields.get("label") or "")


def _tables(draft: Drafting) -> Iterator[list[Number]]:
    tables: Mapping[str, Any] = draft.fields.get("tables", {})
    for table in tables.values():
        arms = dict.fromkeys(row["arm"] for row in table["rows"].values() if row.get("arm") is not None)
        yield [number for arm in arms for number in numbers_of_arm(draft, arm)]


def _fitting(ratio: ClaimFields, numbers: Sequence[Number]) -> list[tuple[Number, Number]]:
    """Return the pairs of alike numbers, the faster first, whose quotient is the ratio as printed."""
    if ratio.get("unit") != "x" or ratio["quantity"] not in SPEED:
        return []
    found = []
    for new in numbers:
        for old in numbers:
            alike = (new.quantity, new.unit) == (old.quantity, old.unit) and new.quantity in SPEED and new is not old
            if alike and states(ratio, quotient(new, old)):
                found.append((new, old))
    return found


def states(ratio: ClaimFields, quotient: Decimal) -> bool:
    """Whether a ratio is a quotient as it is printed."""
    printed = Decimal(str(ratio["value"]))
    return abs(quotient - printed) <= Decimal(5).scaleb(int(printed.as_tuple().exponent) - 1)


def quotient(new: Number, old: Number) -> Decimal:
    """Return how many times as fast one number is as another."""
    return old.value / new.value if new.quantity in DOWN else new.value / old.value


def is_named(base: str, label: str) -> bool:
    """Whether a label says what words compare with."""
    wanted = {token.low for token in read(base).tokens if token.text.isalnum() and len(token.text) > 2} - {"the"}
    return bool(wanted) and wanted <= {token.low for token in read(label).tokens}
