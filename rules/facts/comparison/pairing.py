"""Which quality value stands together with a claimed performance value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....schemas.evidence import Quality
from ....schemas.submission import Claim, QualityRef
from ...caching import fact
from ...case import Case, Side
from ...free_options import plain_name
from .options import Same, compare, same_value


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
        for other in case.submission.claims.values()
        if other.group == claim.group and other.quantity == "accuracy" and other.quality is not None
    ]
    fitting = [ref for ref in found if not other_model(subject, case.side(ref))]
    own = [ref for ref in fitting if subject is not None and _id(case.side(ref)) == subject.id]
    return next(iter(own or fitting), None)


def _id(side: Side | None) -> str | None:
    return side.id if side is not None else None


def other_model(subject: Side | None, side: Side | None) -> bool:
    """Whether two arms are known to hold different models."""
    models = [
        arm.arm.options.model if arm is not None and arm.arm.options is not None else None for arm in (subject, side)
    ]
    return models[0] is not None and models[1] is not None and same_value("model", *models) is Same.DIFFERENT


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
    found = []
    for other in _rated(case):
        if other.id == side.id:
            continue
        comparison = compare(side.arm.options, other.arm.options)
        if "model" in comparison.equal and not comparison.differing("HARD"):
            found.append(other)
    return tuple(found)


@fact
def _rated(case: Case) -> tuple[Side, ...]:
    """Return the arms that state a quality."""
    return tuple(side for side in case.sides() if any(has_value(quality) for quality in side.arm.quality.values()))


def has_value(quality: Quality) -> bool:
    """Whether a quality holds a number: its value, or those of its seeds."""
    return quality.value is not None or bool(quality.seeds)
