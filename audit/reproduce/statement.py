"""The answer as a document: an in-toto statement about both manifests, which cites the first by its digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ... import __version__
from ...rules.case import Side
from ...rules.statistics.intervals import rounded
from ...schemas.digest import sha256_hex
from ..compare.comparison import ArmComparison, Terms
from ..compare.differing import Differing
from ..compare.likeness import SOFTWARE, SYSTEM
from ..compare.subject import Subject
from .answers import Answered, overall
from .original import Original

STATEMENT = "reproduction.json"
ENVELOPE = "reproduction.dsse.json"
TYPE = "urn:dlaudit:reproduction:v1"
STATED_AS = "https://in-toto.io/Statement/v1"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of the machine and its software is the same in both studies, and what is not."""

    same: tuple[tuple[str, str], ...]
    different: tuple[Differing, ...]


def surroundings(old: Subject, new: Subject, comparisons: Sequence[ArmComparison]) -> Surroundings:
    """Return what could be matched and what could not, over all arms."""
    different = dict.fromkeys(item for comparison in comparisons for item in comparison.likeness.conditions)
    shared = [(old.arms[name], side) for name, side in new.arms.items() if name in old.arms]
    differing = {item.what for item in different}
    same = dict.fromkeys(found for pair in shared for found in _same(*pair) if found[0] not in differing)
    return Surroundings(tuple(same), tuple(different))


def _same(old: Side, new: Side) -> Iterator[tuple[str, str]]:
    pairs = ((old.system, new.system, SYSTEM), (old.arm.software, new.arm.software, SOFTWARE))
    for left, right, names in pairs:
        for name in names:
            value = getattr(left, name, None)
            if isinstance(value, str | int | float) and value == getattr(right, name, None):
                yield name, str(value)
    if old.arm.workload is not None and new.arm.workload is not None:
        yield from (
            (name, digest[:12])
            for name, digest in old.arm.workload.files.items()
            if new.arm.workload.files.get(name) == digest
        )


def as_value(
    original: Original,
    again: bytes,
    new: Subject,
    answered: Sequence[Answered],
    around: Surroundings,
    terms: Terms,
    said: str,
) -> dict[str, Any]:
    """Return the statement as a JSON value, as in reproduction.schema.json.

    Args:
        original: the first study.
        again: bytes of the second manifest.
        new: the second study.
        answered: the answers.
        around: what could be matched.
        terms: margins and error.
        said: the instant of the answer, ISO 8601.
    """
    record = new.case.studies["study"].record
    assert record is not None
    verification = original.verification
    return {
        "_type": STATED_AS,
        "subject": [
            {"name": "original/manifest.json", "digest": {"sha256": original.sha256}},
            {"name": "study/manifest.json", "digest": {"sha256": sha256_hex(again)}},
        ],
        "predicateType": TYPE,
        "predicate": {
            "dlaudit": "reproduction/1",
            "tool": {"name": "dlaudit", "version": __version__},
            "said": said,
            "original": {
                "study": original.record.study.id,
                "title": original.record.study.title,
                "sha256": original.sha256,
                "signature": verification.signature,
                "keyids": list(verification.keyids),
                "problems": [item.message for item in verification.problems if item.weight == "broken"],
                "claims_from": original.claims_from,
            },
            "again": {"study": record.study.id, "sha256": sha256_hex(again)},
            "terms": {"margin": terms.margin, "quality_margin": terms.quality_margin, "alpha": terms.alpha},
            "answer": overall(answered),
            "claims": {item.claim: _claim(item) for item in answered},
            "same": dict(around.same),
            "different": [{"what": item.what, "old": item.old, "new": item.new} for item in around.different],
        },
    }


def _claim(item: Answered) -> dict[str, Any]:
    value: dict[str, Any] = {
        "statement": item.statement,
        "claimed": item.claimed,
        "answer": item.answer,
        "why": item.why,
        "favours": item.favours,
        "counts": item.counts,
    }
    if item.again is not None:
        value["again"] = rounded(item.again)
    if item.change is not None:
        value["scale"] = item.scale
        value["change"], low, high = (rounded(end) for end in item.change)
        value["interval"] = [low, high]
    if any(item.trials):
        value["trials"] = list(item.trials)
    return value


def lines(value: dict[str, Any]) -> Iterator[str]:
    """Yield a statement as text, without its places on disk."""
    predicate = value["predicate"]
    yield f"first   {predicate['original']['title']} (study {predicate['original']['study']})"
    yield f"second  study {predicate['again']['study']}"
    yield ""
    yield from (f"broken: {problem}" for problem in predicate["original"]["problems"])
    for name, claim in predicate["claims"].items():
        beside = "" if claim["counts"] else " (the tender does not ask for it)"
        yield f"{claim['answer']:<12}  {name}: {_sentence(claim)}{beside}"
    yield ""
    yield from _listed("same", (f"{name} {text}" for name, text in predicate["same"].items()))
    yield from _listed("different", (_arrow(item) for item in predicate["different"]))
    yield f"answer: {predicate['answer']}"


def _sentence(claim: dict[str, Any]) -> str:
    if "again" not in claim:
        return f"{claim['claimed']}; {claim['why']}" if claim["claimed"] else claim["why"]
    said = f"claimed {claim['claimed']}, measured again {claim['again']:g}"
    if "change" in claim:
        low, high = claim["interval"]
        shown = "x {:.3f}, {:.3f} to {:.3f}" if claim["scale"] == "ratio" else "{:+.4g}, {:+.4g} to {:+.4g}"
        said += f" ({shown.format(claim['change'], low, high)})"
    favours = ", in favour of the claim" if claim["favours"] else ""
    return f"{said}: {claim['why']}{favours}"


def _listed(head: str, items: Iterable[str]) -> Iterator[str]:
    for number, item in enumerate(items):
        yield f"{head if number == 0 else '':<9}  {item}"


def _arrow(item: dict[str, str]) -> str:
    return f"{item['what']} {item['old']} -> {item['new']}" if item["old"] or item["new"] else item["what"]
