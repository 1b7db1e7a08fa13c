"""What a claim stands on where its author links nothing: the numbers of the document that its own words print.

A link that is left out takes no evidence away. What is found here is a reader's finding: it lies at the place of the
claim itself, not of a field of it, so that `claim-unlinked` and `ratio-without-base` still ask for the link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice

from msgspec.structs import replace

from ...schemas.evidence import Metric, Quality
from ...schemas.submission import Base, Claim, MetricRef, QualityRef
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.claimed_gain import unnamed_other
from ..facts.comparison.options import compare
from ..facts.comparison.pairing import other_model
from ..facts.quantities.numbers import PERCENT
from ..language.printed import span
from ..language.reading import Reading, read
from ..language.suites import suite_names
from ..tables.names import plain

FOREIGN = frozenset({"quoted", "projected", "simulated"})
"""Bases of numbers that no arm of the document has to hold."""
FEWEST_DIGITS = 2
"""Digits from which on a printed quality is told from a count."""
MOST = 200
"""Of the arms and claims of a document so many are looked at for each claim."""
RELATED = frozenset({"ratio", "efficiency", "parity", "words", "rank"})


def linked(case: Case) -> Case:
    """Return a case whose claims name the arms and numbers that they are about, as far as the document tells them."""
    claims = case.submission.claims
    found = {name: _linked(claim, case) for name, claim in claims.items()}
    found = {name: _as_sibling(claim, found.values(), case) for name, claim in found.items()}
    if all(found[name] is claim for name, claim in claims.items()):
        return case
    return replace(case, submission=replace(case.submission, claims=found), cache={})


def is_found(ref: MetricRef | QualityRef | Base | None, claim: Claim) -> bool:
    """Whether a link was found by reading: the author wrote none."""
    return ref is not None and ref.at == claim.at


def _linked(claim: Claim, case: Case) -> Claim:
    claim = _of_suite(claim)
    if claim.quantity == "accuracy":
        return _as_parity(_with_own_quality(claim, case), case)
    if claim.measured is None and claim.row is None and claim.basis not in FOREIGN:
        claim = _with_measured(claim, case)
    if claim.quality is None and claim.row is None and claim.mode in {"training", "inference"}:
        claim = _with_printed_quality(claim, case)
    return _with_base(claim, case)


def _of_suite(claim: Claim) -> Claim:
    """Return a claim as one of the suite that its sentence names, where it states the result's identity there."""
    if claim.suite not in {None, "none"} or claim.suite_result is None or claim.mode not in {"training", "inference"}:
        return claim
    if not suite_names(read(claim.statement)):
        return claim
    other = claim.comparator
    if other is not None and other.suite in {None, "none"} and other.suite_result is not None:
        claim = replace(claim, comparator=replace(other, suite=claim.mode))
    return replace(claim, suite=claim.mode)


def _with_measured(claim: Claim, case: Case) -> Claim:
    """Link an absolute number to the arm that states it: of several to the one with the most trials."""
    if claim.form != "absolute" or claim.value is None:
        return claim
    fitting = [
        (side, name)
        for side, name, metric in _by_value(case).get((claim.quantity, Decimal(claim.value)), ())
        if plain(metric.unit) == plain(claim.unit or "")
    ]
    if not fitting:
        return claim
    side, name = max(fitting, key=lambda item: len(item[0].arm.trials))
    return replace(
        claim, measured=MetricRef(at=claim.at, manifest=_manifest(side, case), arm=_arm(side, case), metric=name)
    )


def _with_own_quality(claim: Claim, case: Case) -> Claim:
    """Link a claim about quality to the one that states its number in its metric."""
    if claim.quality is not None or claim.value is None or claim.row is not None or claim.basis in FOREIGN:
        return claim
    value = Decimal(claim.value)
    fitting = [
        (side, name)
        for side, name, quality in _qualities(case)
        if (claim.metric is None or plain(claim.metric) in {plain(quality.metric), plain(name)})
        and quality.value is not None
        and _of_one_value(value, claim.unit, quality)
    ]
    if not fitting:
        return claim
    named = claim.measured.arm if claim.measured is not None else None
    side, name = max(fitting, key=lambda item: (item[0].arm is case.submission.arms.get(named or ""), _seeds(item[0])))
    return replace(
        claim, quality=QualityRef(at=claim.at, manifest=_manifest(side, case), arm=_arm(side, case), quality=name)
    )


def _as_parity(claim: Claim, case: Case) -> Claim:
    """Read a number that its sentence calls "the same", as what, as a claim of parity with the only other arm."""
    if claim.form != "absolute" or claim.base is not None or claim.row is not None or claim.comparator is not None:
        return claim
    reading, side = read(claim.statement), case.side(claim.quality)
    if side is None or not reading.has("quality_is_alike"):
        return claim
    alike = [found for found in reading.comparisons("quality") if found.form == "parity"]
    if not alike or any(found.base is not None for found in alike):
        return claim
    other = unnamed_other(case, side, claim)
    if other is None or other_model(side, other):
        return claim
    return replace(
        claim,
        form="parity",
        compares="own_variants",
        base=Base(at=claim.at, manifest=_manifest(other, case), arm=_arm(other, case)),
    )


def _with_printed_quality(claim: Claim, case: Case) -> Claim:
    """Link a performance to the quality that its sentence, or the title beside its number, prints.

    The one of its own arm comes first. The one of another arm is what the sentence pairs with the number only where
    the claim's own arm states none of that metric: else it may be what the number is compared with.
    """
    subject = case.subject(claim)
    if subject is None:
        return claim
    printed = [number for text in _texts(claim, case) for number in _printed_qualities(text)]
    if not printed:
        return claim
    fitting = [item for item in _qualities(case) if any(_prints(low, high, item[2]) for low, high in printed)]
    own = [item for item in fitting if item[0].id == subject.id]
    held = {plain(quality.metric) for quality in subject.arm.quality.values()}
    others = [item for item in fitting if plain(item[2].metric) not in held and not other_model(subject, item[0])]
    chosen = next(iter(own or others), None)
    if chosen is None:
        return claim
    return replace(
        claim,
        quality=QualityRef(
            at=claim.at, manifest=_manifest(chosen[0], case), arm=_arm(chosen[0], case), quality=chosen[1]
        ),
    )


def _with_base(claim: Claim, case: Case) -> Claim:
    """Link a comparison of own variants to the one arm that differs from the claim's in nothing but what was changed.

    A bare number as a base, beside an arm that holds the trials of that very variant, is no other base.
    """
    subject = case.subject(claim)
    metric = case.metric(claim.measured)
    if claim.compares != "own_variants" or claim.row is not None or subject is None or metric is None:
        return claim
    if claim.base is not None and (claim.base.arm is not None or claim.base.devices not in {None, subject.devices}):
        return claim
    others = [
        (side, name)
        for side, name, other in _metrics(case, metric.quantity)
        if side.id != subject.id
        and not other_model(subject, side)
        and plain(other.unit) == plain(metric.unit)
        and _varies_as_said(claim, subject, side)
    ]
    if len({side.id for side, _ in others}) != 1:
        return claim
    side, name = next((item for item in others if item[1] == _name(claim)), others[0])
    base = claim.base if claim.base is not None else Base(at=claim.at)
    return replace(claim, base=replace(base, manifest=_manifest(side, case), arm=_arm(side, case), metric=name))


def _name(claim: Claim) -> str | None:
    return claim.measured.metric if claim.measured is not None else None


def _varies_as_said(claim: Claim, subject: Side, other: Side) -> bool:
    """Whether two arms of one model differ in a named option at most, and in no other."""
    if other.devices != subject.devices:
        return False
    found = compare(subject.arm.options, other.arm.options)
    if "model" not in found.equal:
        return False
    named = {plain(word) for word in claim.treatment}
    return all(plain(key) in named or plain(key.split(".")[0]) in named for key, _, _ in found.different)


def _as_sibling(claim: Claim, every: Iterable[Claim], case: Case) -> Claim:
    """Link words without a number of their own to what the document's other claim of the quantity is measured on."""
    if claim.measured is not None or claim.row is not None or claim.basis in FOREIGN or claim.form not in RELATED:
        return claim
    if claim.quantity == "accuracy" or claim.compares == "other_system":
        return claim
    measured = (other for other in every if other.quantity == claim.quantity and other.measured is not None)
    siblings = list(islice(measured, MOST))
    reading = read(claim.statement)
    printing = [other for other in siblings if other.value is not None and reading.prints(Decimal(other.value))]
    kept = printing or siblings
    refs = {(other.measured.manifest, other.measured.arm) for other in kept if other.measured is not None}
    if len(refs) != 1 or (claim.value is not None and not printing):
        return claim
    sibling = kept[0]
    assert sibling.measured is not None
    found = replace(claim, measured=replace(sibling.measured, at=claim.at))
    if claim.compares != "none" and claim.base is None and sibling.base is not None:
        found = replace(found, base=replace(sibling.base, at=claim.at))
    return _with_base(_with_printed_quality(found, case) if found.quality is None else found, case)


def _texts(claim: Claim, case: Case) -> Iterator[Reading]:
    """Yield the sentence of a claim, and the title where it prints the claim's number or nothing else has one."""
    yield read(claim.statement)
    title = read(case.submission.title)
    claims = case.submission.claims.values()
    alone = sum(other.quantity != "accuracy" for other in claims) == 1
    if alone or (claim.value is not None and title.prints(Decimal(claim.value))):
        yield title


def _printed_qualities(reading: Reading) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield the qualities that a text prints, each as the ends of what was rounded to it."""
    for quantity in reading.quantities("quality"):
        value = quantity.value
        if value is None or reading.negated((quantity.start, quantity.end)):
            continue
        if len(f"{value}".replace(".", "").lstrip("0")) >= FEWEST_DIGITS:
            yield value - quantity.half, value + quantity.half


def _prints(low: Decimal, high: Decimal, quality: Quality) -> bool:
    if quality.value is None:
        return False
    value = Decimal(quality.value)
    return any(low <= value.scaleb(power) <= high for power in (-2, 0, 2))


def _of_one_value(value: Decimal, unit: str | None, quality: Quality) -> bool:
    assert quality.value is not None
    powers = (0,) if (unit in PERCENT) == (quality.unit in PERCENT) else (-2, 0, 2)
    own = span(quality.value)
    return any(own.low <= value.scaleb(power) <= own.high for power in powers)


@fact
def _sides(case: Case) -> tuple[Side, ...]:
    return tuple(islice(case.sides(), MOST))


def _metrics(case: Case, quantity: str) -> Iterator[tuple[Side, str, Metric]]:
    for side in _sides(case):
        for name, metric in side.arm.performance.items():
            if metric.quantity == quantity:
                yield side, name, metric


@fact
def _by_value(case: Case) -> Mapping[tuple[str, Decimal], Sequence[tuple[Side, str, Metric]]]:
    found: dict[tuple[str, Decimal], list[tuple[Side, str, Metric]]] = {}
    for side in case.sides():
        for name, metric in side.arm.performance.items():
            if metric.value is not None:
                found.setdefault((metric.quantity, Decimal(metric.value)), []).append((side, name, metric))
    return found


def _qualities(case: Case) -> Iterator[tuple[Side, str, Quality]]:
    for side in _sides(case):
        for name, quality in side.arm.quality.items():
            yield side, name, quality


def _seeds(side: Side) -> int:
    return len(side.arm.trials) + sum(len(quality.seeds) for quality in side.arm.quality.values())


def _manifest(side: Side, case: Case) -> str | None:
    return next((name for name, study in case.studies.items() if study is side.study), None)


def _arm(side: Side, case: Case) -> str:
    study = _manifest(side, case)
    return side.id if study is None else side.id.removeprefix(f"{study}:")
