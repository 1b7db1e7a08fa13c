"""A draft of a document tied to results: its numbers are those of the results that round to them, where one does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct

from ...rules.facts.document.results import agrees
from ...rules.facts.quantities.per_second import times_over
from ...rules.facts.quantities.performance import more_is_better

Value = dict[str, Any]
MOST_NUMBERS = 400
MOST_NAMED = 4
LARGEST = 100
"""Power of ten beyond which a number is none of a performance."""


class Number(Struct, frozen=True):
    """A number of the results."""

    arm: str
    metric: str
    value: str
    quantity: str
    unit: str

    def __str__(self) -> str:
        return f"{self.metric} of {self.arm}"


Choice = tuple[Number, ...]
"""What may be behind a claim: a number, or the two that give its ratio, the claimed one first."""


class Tied(Struct, frozen=True):
    """A submission with its evidence, and by claim the choices among which none is taken: there is none, or several."""

    value: Value
    untied: Mapping[str, tuple[Choice, ...]]


def tied(value: Value, evidence: Value) -> Tied:
    """Return the submission of a document with the arms of results, each claim with the number that it rounds.

    A ratio is tied to the two numbers that give it. Where none fits, or several do, the claim stays as it was read.

    Args:
        value: the submission of the document.
        evidence: that of the results, whose numbers say where they stand.
    """
    own = value.get("arms", {})
    names = {name: name if name not in own else f"results-{name}" for name in evidence.get("arms", {})}
    arms = {names[name]: arm for name, arm in evidence.get("arms", {}).items()}
    numbers = tuple(_numbers(arms))[:MOST_NUMBERS]
    choices = {key: _choices(claim, numbers) for key, claim in value["claims"].items()}
    found = {key: _links(value["claims"][key], each[0]) if len(each) == 1 else None for key, each in choices.items()}
    claims = {key: {**claim, **(found[key] or {})} for key, claim in value["claims"].items()}
    untied = {key: choices[key] for key, links in found.items() if links is None and "value" in claims[key]}
    for key, links in found.items():
        said = (value["claims"][key].get("measured") or {}).get("arm")
        if links is not None and said in own:
            arms[links["measured"]["arm"]] = _joined(own[said], arms[links["measured"]["arm"]])
    used = {(claim.get(side) or {}).get("arm") for claim in claims.values() for side in ("measured", "base", "quality")}
    rows = {row.get("arm") for table in value.get("tables", {}).values() for row in table["rows"].values()}
    kept = {name: arm for name, arm in own.items() if name in used | rows}
    return Tied({**value, "claims": claims, "arms": {**kept, **arms}, **_systems(value, evidence)}, untied)


def _systems(value: Value, evidence: Value) -> Value:
    both = {**evidence.get("systems", {}), **value.get("systems", {})}
    return {"systems": both} if both else {}


def _joined(said: Mapping[str, Any], arm: Mapping[str, Any]) -> Value:
    """Return an arm of the results with the conditions that the sentence of a claim adds."""
    around = {name: part for name, part in said.items() if name not in {"performance", "quality", "label", "options"}}
    options = {**said.get("options", {}), **arm.get("options", {})}
    return {**around, **arm, **({"options": options} if options else {})}


def _numbers(arms: Mapping[str, Any]) -> Iterator[Number]:
    for name, arm in arms.items():
        for metric, number in arm.get("performance", {}).items():
            if "value" in number and abs(Decimal(number["value"]).adjusted()) <= LARGEST:
                yield Number(name, metric, number["value"], number["quantity"], number["unit"])


def _choices(claim: Value, numbers: tuple[Number, ...]) -> tuple[Choice, ...]:
    """Return the numbers, or the pairs of numbers, that give a claim's own."""
    if "value" not in claim or "range" in claim:
        return ()
    if claim["form"] == "absolute":
        return tuple((each,) for each in numbers if _is_number(claim, each))
    if claim["form"] != "ratio" or claim.get("unit") != "x":
        return ()
    return tuple((new, old) for new in numbers for old in numbers if new.arm != old.arm and _is_ratio(claim, new, old))


def _links(claim: Value, choice: Choice) -> Value:
    """Return what ties a claim to the number, or the two, that give its own."""
    measured = {"measured": _ref(choice[0])}
    return measured if len(choice) == 1 else {**measured, "base": {**claim.get("base", {}), **_ref(choice[1])}}


def in_words(choices: tuple[Choice, ...]) -> str:
    """Return several choices in words, the first of them by name."""
    kind = "pairs" if len(choices[0]) > 1 else "numbers"
    named = [" / ".join(map(str, each)) for each in choices[:MOST_NAMED]]
    more = [f"{len(choices) - MOST_NAMED:,} more"] if len(choices) > MOST_NAMED else []
    *first, last = [*named, *more]
    return f"{len(choices):,} {kind} give it: {', '.join(first)} and {last}"


def _ref(number: Number) -> Value:
    return {"arm": number.arm, "metric": number.metric}


def _is_number(claim: Value, number: Number) -> bool:
    factor = times_over(number.unit, claim.get("unit"))
    return factor is not None and agrees(claim["value"], str(Decimal(number.value) * factor))


def _is_ratio(claim: Value, new: Number, old: Number) -> bool:
    way = more_is_better(new.quantity, new.unit)
    alike = (new.metric, new.quantity, new.unit) == (old.metric, old.quantity, old.unit)
    above, below = (new, old) if way else (old, new)
    if way is None or not alike or Decimal(above.value) <= 0 or Decimal(below.value) <= 0:
        return False
    return agrees(claim["value"], str(Decimal(above.value) / Decimal(below.value)))
