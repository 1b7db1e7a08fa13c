"""Which quality value stands together with a claimed performance value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import merge

from ....schemas.evidence import Quality
from ....schemas.submission import Claim, QualityRef
from ...caching import fact
from ...case import Case, Side
from ...free_options import plain_name
from .options import compare, plain_value


def paired_quality(claim: Claim, case: Case) -> QualityRef | None:
    """Return the quality that is printed together with a claim's performance, or None.

    It is the one that the claim names; else that of a quality claim of the same headline, its own arm's before others.
    A headline may name several models: only the quality of the claim's own is paired with it. The quality that a claim
    about quality names is its own number, and paired with nothing unless it names a performance number, too.
    """
    if claim.quantity == "accuracy" and (claim.measured is None or claim.measured.metric is None):
        return None
    if claim.quality is not None or claim.group is None:
        return claim.quality
    subject = case.subject(claim)
    found = [
        other.quality
        for _, other in headline(case, claim.group)
        if other.quantity == "accuracy" and other.quality is not None
    ]
    fitting = [ref for ref in found if not other_model(subject, case.side(ref))]
    own = [ref for ref in fitting if subject is not None and _id(case.side(ref)) == subject.id]
    return next(iter(own or fitting), None)


@fact
def headline(case: Case, group: str) -> tuple[tuple[str, Claim], ...]:
    """Return the claims of a headline with their names, in the order of the document."""
    return tuple(_by_headline(case).get(group, ()))


@fact
def _by_headline(case: Case) -> Mapping[str | None, Sequence[tuple[str, Claim]]]:
    found: dict[str | None, list[tuple[str, Claim]]] = {}
    for name, claim in case.submission.claims.items():
        found.setdefault(claim.group, []).append((name, claim))
    return found


def _id(side: Side | None) -> str | None:
    return side.id if side is not None else None


def other_model(subject: Side | None, side: Side | None) -> bool:
    """Whether two arms are known to hold different models."""
    models = [_named(arm) if arm is not None else None for arm in (subject, side)]
    return None not in models and models[0] != models[1]


def _named(side: Side) -> str | None:
    """Return the model of an arm, without what two spellings of its name differ in."""
    model = side.arm.options.model if side.arm.options is not None else None
    return plain_value(model) if model is not None else None


def like_models(case: Case, subject: Side | None) -> tuple[Side, ...]:
    """Return the arms that are not known to hold another model than one, in the order of the document."""
    model = _named(subject) if subject is not None else None
    return case.sides() if model is None else _of_model(case, model)


@fact
def _of_model(case: Case, model: str) -> tuple[Side, ...]:
    by_model = _by_model(case)
    return tuple(side for _, side in merge(by_model.get(model, ()), by_model.get(None, ())))


@fact
def _by_model(case: Case) -> Mapping[str | None, Sequence[tuple[int, Side]]]:
    """Return the arms by their model, each with its place among all."""
    found: dict[str | None, list[tuple[int, Side]]] = {}
    for place, side in enumerate(case.sides()):
        found.setdefault(_named(side), []).append((place, side))
    return found


@fact
def judged_like(case: Case, subject: Side) -> tuple[Side, ...]:
    """Return the arms whose quality may be that of one: itself, and those with no HARD option that both state differs.

    Only arms that state a quality or hold evaluations, and of these only those of its model, or of none that is named.
    """
    by_model, model = _judged_by_model(case), _model(subject)
    found = by_model.values() if model is None else (by_model.get(model, ()), by_model.get(None, ()))
    return tuple(side for sides in found for side in sides if side.id == subject.id or not _differs(subject, side))


def _differs(subject: Side, side: Side) -> bool:
    digests = (subject.arm.option_set, side.arm.option_set)
    return bool(compare(subject.arm.options, side.arm.options, digests).differing("HARD"))


@fact
def _judged_by_model(case: Case) -> Mapping[str | None, Sequence[Side]]:
    found: dict[str | None, list[Side]] = {}
    for side in case.sides():
        if side.arm.quality or any(trial.evaluations for trial in side.arm.trials.values()):
            found.setdefault(_model(side), []).append(side)
    return found


def _model(side: Side) -> str | None:
    model = side.arm.options.model if side.arm.options is not None else None
    return plain_name(model).replace("_", "") if model is not None else None


def quality_arms(side: Side, case: Case) -> tuple[Side, ...]:
    """Return the other arms of the document that state the quality of a timed arm's model.

    Both must name the model, and no HARD option that both state may differ: what one document shows of one model is
    read together, though it is not printed in one place.
    """
    model = _named(side)
    rated = _rated(case).get(model, ()) if model is not None else ()
    return tuple(
        other
        for other in rated
        if other.id != side.id and not compare(side.arm.options, other.arm.options).differing("HARD")
    )


@fact
def _rated(case: Case) -> Mapping[str | None, Sequence[Side]]:
    """Return the arms that state a quality, by their model."""
    found: dict[str | None, list[Side]] = {}
    for side in case.sides():
        if any(has_value(quality) for quality in side.arm.quality.values()):
            found.setdefault(_named(side), []).append(side)
    return found


def has_value(quality: Quality) -> bool:
    """Whether a quality holds a number: its value, or those of its seeds."""
    return quality.value is not None or bool(quality.seeds)
